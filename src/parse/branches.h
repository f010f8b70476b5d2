/*
 * The branches of #if inside a definition, whatever a configuration makes of them.
 */
#ifndef RS_PARSE_BRANCHES_H
#define RS_PARSE_BRANCHES_H

#include "record/record.h"

struct rs_branch {
	const char *directive; /* "#ifdef FOO", "#else of #ifdef FOO" */
	unsigned line;         /* of the directive */
	size_t byte;           /* of the first code in it that no #if further inside may hide */
};

/* Branches with code of their own, in the order of the text; without those under `#if 0` and the #else of
 * `#if 1`, which no compiler is meant to read. arena's. */
struct rs_branch *rs_branches_find(struct rs_arena *arena, const struct rs_record *record, size_t *ret_count);
/* Whether the record's configuration reads the branch. */
bool rs_branches_is_active(const struct rs_record *record, const struct rs_branch *branch);

#endif
