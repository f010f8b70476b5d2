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

/* From GIT_AUTHOR_NAME and GIT_AUTHOR_EMAIL, else from the configuration of the repository that holds path,
 * else from the user's. Strings are arena's. */
void rs_git_find_identity(struct rs_arena *arena, const char *path, struct rs_git_identity *ret_identity);
/* A commit as a Fixes: line names it: twelve digits and ("subject"). Error RS_ERROR_USAGE when the repository
 * that holds path has no such commit. The string is arena's. */
struct rs_error *rs_git_cite(struct rs_arena *arena, const char *path, const char *revision,
			     const char **ret_citation) RS_MUST_USE;

#endif
