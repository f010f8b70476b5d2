/*
 * Which entries of a compile database are worth a try for a file that has none of its own.
 */
#ifndef RS_PARSE_CANDIDATES_H
#define RS_PARSE_CANDIDATES_H

#include "parse/compile.h"

/* The file's own entries for C, or for C++; *ret_count is 0 when it has none. */
void rs_candidates_own(struct rs_arena *arena, const struct rs_compile_db *db, const char *file, bool is_cxx,
		       const struct rs_compile_command ***ret_commands, size_t *ret_count);
/* The entry for the language whose main file is nearest in the tree of folders, among equals the one
 * that is called like the file.
 * NULL: there is none. */
const struct rs_compile_command *rs_candidates_nearest(const struct rs_compile_db *db, const char *file,
						       bool is_cxx);
/* Entries that may include the header, at most limit: first those whose main file names it, then the others,
 * each nearest first. One entry a main file. */
void rs_candidates_including(struct rs_arena *arena, const struct rs_compile_db *db, const char *file,
			     size_t limit, bool only_named, const struct rs_compile_command ***ret_commands,
			     size_t *ret_count);

#endif
