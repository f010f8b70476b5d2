/*
 * Whether something holds a member of the record that is to leave it for containers.
 */
#ifndef RS_SESSION_LIFT_HELD_H
#define RS_SESSION_LIFT_HELD_H

#include "profile/profile.h"
#include "record/record.h"

/* type: the profile's; NULL: it says nothing of the record. member: one at the top level. ret_why has code,
 * message, file and line alone. */
bool rs_lift_is_held(const struct rs_profile_struct *type, const struct rs_record *record,
		     const struct rs_member *member, struct rs_pin *ret_why);

#endif
