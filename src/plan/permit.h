/*
 * Which orders of a record's units are permitted: regions keep their place, the constraints of the record and
 * of the profile hold, no bit-fields come together that must not (plan/joins.h), and members that must share a
 * line do (plan/companions.h).
 *
 * Units without members (a switched-off #if block) that no constraint names are carried: they take no part in
 * "first", "last" and "next". Where several units of a region are to come first, the first one stated is
 * first, the next one second and so on; likewise from the end for "last".
 */
#ifndef RS_PLAN_PERMIT_H
#define RS_PLAN_PERMIT_H

#include "profile/bind.h"

/* The constraints of the record, then those of the binding (NULL is allowed), as one list. */
size_t rs_permit_count(const struct rs_record *record, const struct rs_binding *binding);
const struct rs_constraint *rs_permit_get(const struct rs_record *record, const struct rs_binding *binding,
					  size_t index);
/* One flag a unit: whether it is carried. */
bool *rs_permit_find_carried(struct rs_arena *arena, const struct rs_record *record,
			     const struct rs_binding *binding);
/* How many other units of the region have the same claim (RS_KEEP_FIRST or RS_KEEP_LAST) and stated it before
 * the constraint with this index. */
size_t rs_permit_rank(const struct rs_record *record, const struct rs_binding *binding, size_t index);
/* As rs_plan_is_permitted(). */
bool rs_permit_check(struct rs_arena *arena, const struct rs_record *record, const struct rs_binding *binding,
		     const size_t *order, const char **ret_reason);

/* The same but for members that must lie on one line. */
bool rs_permit_check_sequence(struct rs_arena *arena, const struct rs_record *record,
			      const struct rs_binding *binding, const size_t *order);

#endif
