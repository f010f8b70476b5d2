/*
 * Unified diffs, byte-identical to `git diff`'s. patch.c and git.c are the only users of libgit2.
 */
#ifndef RS_TEXT_PATCH_H
#define RS_TEXT_PATCH_H

#include "base/builder.h"
#include "base/error.h"

/* path is printed behind a/ and b/. mode is the file's (0100644 or 0100755). Nothing is printed when the
 * texts are equal. */
struct rs_error *rs_patch_print(struct rs_builder *out, const char *path, unsigned mode, const char *old_text,
				size_t old_size, const char *new_text, size_t new_size,
				unsigned context_lines) RS_MUST_USE;
/* The number of added plus removed lines of that diff. */
struct rs_error *rs_patch_count_lines(const char *old_text, size_t old_size, const char *new_text,
				      size_t new_size, size_t *ret_lines) RS_MUST_USE;
/* Each of the two. */
struct rs_error *rs_patch_count(const char *old_text, size_t old_size, const char *new_text, size_t new_size,
				size_t *ret_added, size_t *ret_removed) RS_MUST_USE;
/* Lines that differ, as a diff without context has them. Lines count from 1; where there are none, start is the
 * line that the place lies behind. */
struct rs_patch_hunk {
	size_t old_start, old_lines, new_start, new_lines;
};
struct rs_arena;
struct rs_error *rs_patch_hunks(struct rs_arena *arena, const char *old_text, size_t old_size,
				const char *new_text, size_t new_size, struct rs_patch_hunk **ret_hunks,
				size_t *ret_count) RS_MUST_USE;
/* The folder that holds .git above path, NULL when there is none. arena owns it. */
char *rs_git_top_level(struct rs_arena *arena, const char *path);
/* Whether a .gitignore of the repository at top covers the path and git does not track it. */
bool rs_git_is_ignored(const char *top, const char *path);

#endif
