/*
 * From a field's name in a profile to a member of the record.
 */
#ifndef RS_PROFILE_NAMES_H
#define RS_PROFILE_NAMES_H

#include "profile/profile.h"
#include "record/record.h"

/* Where a name stands in the profile. */
struct rs_name_place {
	const char *file;
	unsigned line, column;
};

/*
 * name: a C path. An index stands for the whole array, and what is inside the elements of an array for the
 * array too where the record does not show it. A name that only other configurations of the record have gives
 * RS_NONE.
 */
struct rs_error *rs_names_find(struct rs_arena *arena, const struct rs_record *record, const char *name,
			       struct rs_name_place place, size_t *ret_member) RS_MUST_USE;

#endif
