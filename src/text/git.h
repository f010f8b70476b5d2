/*
 * What git knows besides diffs: who the user is, and what a revision is called. git.c and patch.c are the only
 * users of libgit2.
 */
#ifndef RS_TEXT_GIT_H
#define RS_TEXT_GIT_H

#include "base/arena.h"
#include "base/error.h"

/* An author as git would name him; members are NULL where nothing is set. */
struct rs_git_identity {
	const char *name, *email;
};

/* Makes libgit2 ready, once; it is never shut down: a second start would cost more than all that is asked. */
void rs_git_start(void);
/* From GIT_AUTHOR_NAME and GIT_AUTHOR_EMAIL, else from the configuration of the repository that holds path,
 * else from the user's. Strings are arena's. */
void rs_git_find_identity(struct rs_arena *arena, const char *path, struct rs_git_identity *ret_identity);
/* A commit as a Fixes: line names it: twelve digits and ("subject"). Error RS_ERROR_USAGE when the repository
 * that holds path has no such commit. The string is arena's. */
struct rs_error *rs_git_cite(struct rs_arena *arena, const char *path, const char *revision,
			     const char **ret_citation) RS_MUST_USE;

/* A file as it is before and after a change. NULL: it is not there. Everything is the arena's. */
struct rs_git_change {
	const char *path; /* absolute */
	const char *old_text, *new_text;
	size_t old_size, new_size;
};

/* The text of a file in a revision where the working tree has another, or none. */
struct rs_git_text {
	const char *path;
	const char *text;
	size_t size;
};

struct rs_git_changes {
	struct rs_git_change *items;
	size_t n_items, items_capacity;
	struct rs_git_text *old_texts,
		*new_texts; /* what makes the working tree the one before, the one after */
	size_t n_old_texts, old_texts_capacity, n_new_texts, new_texts_capacity;
};

/* What a range of commits changes: "A..B", "A...B" (since their merge base), or "A" (that commit alone). Error
 * RS_ERROR_USAGE when path lies in no repository or the repository does not know a revision. */
struct rs_error *rs_git_read_range(struct rs_arena *arena, const char *path, const char *range,
				   struct rs_git_changes *ret_changes) RS_MUST_USE;
/* What is staged: the index against HEAD. */
struct rs_error *rs_git_read_staged(struct rs_arena *arena, const char *path,
				    struct rs_git_changes *ret_changes) RS_MUST_USE;
/* What a patch changes: one or several unified diffs, with or without git's headers or prefixes, in mails or
 * not. Its paths start from folder. Renames are two changes; binary files are none. Files that have the patch
 * already are read backwards, all of them or none. Errors: RS_ERROR_PARSE for what is no patch,
 * RS_ERROR_CHANGED with file and line for a hunk that fits nowhere, RS_ERROR_IO for a file that is not there.
 * name is for messages. */
struct rs_error *rs_git_read_patch(struct rs_arena *arena, const char *folder, const char *name,
				   const char *text, size_t size,
				   struct rs_git_changes *ret_changes) RS_MUST_USE;

#endif
