/*
 * Whether structs between which members moved (lift.h) are what they should be then.
 */
#ifndef RS_REWRITE_LIFT_CHECK_H
#define RS_REWRITE_LIFT_CHECK_H

#include "rewrite/lift.h"

/* Whether this member, one of the record's own, goes away; the record may be a container. */
bool rs_lift_leaves(struct rs_lifting lifting, const struct rs_record *record, size_t member);
/* Whether the record is a container that is lifted from or lowered to. */
bool rs_lift_is_container(struct rs_lifting lifting, const struct rs_record *record);
/* Whether the record, or a container, is the old one but for just those members that leave it or come into it:
 * NULL, or what is not so (arena's). A container's member that is the record may have another size. */
const char *rs_lift_check_others(struct rs_arena *arena, struct rs_lifting lifting, const struct rs_record *old,
				 const struct rs_record *now);
/* Whether the members that come into it are what they were where they stood. now: the record, or a container.
 */
const char *rs_lift_check_arrived(struct rs_arena *arena, const struct rs_lift_request *request,
				  const struct rs_record *now);

#endif
