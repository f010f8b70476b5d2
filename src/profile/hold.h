/*
 * The profile's pins as constraints on units: what the user says must stay first, together or in order.
 */
#ifndef RS_PROFILE_HOLD_H
#define RS_PROFILE_HOLD_H

#include "profile/profile.h"
#include "record/record.h"

/* `together` becomes KEEP_NEXT, `before` KEEP_BEFORE, `first` KEEP_FIRST and KEEP_NEXT. Pins that no order can
 * keep, because of each other or of what the record itself demands, are an error at the list that asks too
 * much. */
struct rs_error *rs_hold_bind(struct rs_arena *arena, const struct rs_profile_struct *type,
			      const struct rs_record *record, const struct rs_constraint **ret_constraints,
			      size_t *ret_count) RS_MUST_USE;

/* Whether any order keeps all the record's own constraints; members that must share a line are left aside. */
bool rs_hold_is_possible(struct rs_arena *arena, const struct rs_record *record);

#endif
