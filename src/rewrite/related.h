/*
 * Whether one record is another with exactly some steps done (plan.h), whatever the order of its top level.
 */
#ifndef RS_REWRITE_RELATED_H
#define RS_REWRITE_RELATED_H

#include "plan/plan.h"

/*
 * Every member of the old record must be in the new one, with the same declaration, size and alignment, at the
 * same level of the same kind of aggregate: but for those that leave, which stand at the top level, for the
 * size and alignment of what they left, for the alignment of those that a step aligns, and for the members that
 * a step adds, which must be there and are the only new ones. NULL when it is so; else what is not (arena's).
 */
const char *rs_related_check(struct rs_arena *arena, const struct rs_record *old, const struct rs_record *now,
			     struct rs_alterations steps);

/* The member of the old record that is this one of the new; RS_NONE: there is none. An anonymous aggregate is
 * that of its first member that is in both. */
size_t rs_related_find(const struct rs_record *old, const struct rs_record *now, size_t member);

#endif
