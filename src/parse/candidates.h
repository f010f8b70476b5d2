/*
 * Which entries of a compile database are worth a try for a file that has none of its own.
 */
#ifndef RS_PARSE_CANDIDATES_H
#define RS_PARSE_CANDIDATES_H

#include "parse/compile.h"

/* The file's own C entries; *ret_count is 0 when it has none. */
void rs_candidates_own(struct rs_arena *arena, const struct rs_compile_db *db, const char *file,
		       const struct rs_compile_command ***ret_commands, size_t *ret_count);
/* The C entry whose main file is nearest in the tree of folders, among equals the one
 * that is called like the file.
 * NULL: there is no C entry. */
const struct rs_compile_command *rs_candidates_nearest(const struct rs_compile_db *db, const char *file);
/* Entries that may include the header, at most limit: first those whose main file names it, then the others,
 * each nearest first. One entry a main file. */
void rs_candidates_including(struct rs_arena *arena, const struct rs_compile_db *db, const char *file,
			     size_t limit, bool only_named, const struct rs_compile_command ***ret_commands,
			     size_t *ret_count);

#endif
