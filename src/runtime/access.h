/*
 * A runtime for programs whose objects are compiled with -fsanitize=thread and linked with this library instead
 * of the sanitizer's: it counts, byte by byte, how the code reads and writes the objects of some types,
 * and which bytes each call uses together. Nothing of restruct itself is in it.
 *
 * The environment says what is watched:
 *
 *   RESTRUCT_WATCH=conn=104[,…]  types by the size of their allocations; at most 8
 *   RESTRUCT_SAMPLE=N            every N-th allocation of the size is watched; 1
 *   RESTRUCT_ACCESS_FILE=FILE    written when the program ends; restruct-access.json. A child process writes
 *                                FILE.PID
 *
 * Watched objects come from a region of their own for each type, so that any address tells its object. The
 * region is bounded: objects beyond it, those of other sizes, and objects that are part of others, are not
 * seen. `restruct profile import` reads the file.
 */
#ifndef RS_RUNTIME_ACCESS_H
#define RS_RUNTIME_ACCESS_H

/* Writes the file now; it is written again at the end. */
void restruct_access_write(void);

#endif
