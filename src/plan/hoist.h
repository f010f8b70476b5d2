/*
 * A record as it would be if members left their anonymous struct or union, worked out without any text: what
 * the compiler makes of it is only known once it has read it. Good enough to choose which members to try it
 * with.
 */
#ifndef RS_PLAN_HOIST_H
#define RS_PLAN_HOIST_H

#include "plan/cost.h"

struct rs_hoisted {
	struct rs_record record; /* each member that left is a unit of its own, in front of what it left */
	struct rs_binding binding;
};

/* leaves: a flag a member of the record. False when that cannot be: a bit-field, a member that is in nothing
 * anonymous, a packed aggregate, or nothing would be left behind. ret_hoisted points into itself and must stay
 * where it is. */
bool rs_hoist_model(struct rs_arena *arena, const struct rs_record *record, const struct rs_binding *binding,
		    const bool *leaves, struct rs_hoisted *ret_hoisted);

#endif
