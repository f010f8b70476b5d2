/*
 * `groups` and `offsets` of a profile's struct: what a gate holds. The optimizer does not look at them.
 */
#ifndef RS_PROFILE_GROUPS_H
#define RS_PROFILE_GROUPS_H

#include "profile/bind.h"
#include "profile/reader.h"

/* For the table of keys; the target is a struct rs_profile_struct. */
struct rs_error *rs_groups_read(const struct rs_reader *reader, const struct rs_key *key,
				const struct rs_json *value, void *target) RS_MUST_USE;
struct rs_error *rs_groups_read_offsets(const struct rs_reader *reader, const struct rs_key *key,
					const struct rs_json *value, void *target) RS_MUST_USE;
/* Fills groups and offsets of the binding. Names that fit no member or no group are errors at their place. */
struct rs_error *rs_groups_bind(struct rs_arena *arena, const struct rs_profile_struct *type,
				const struct rs_record *record, struct rs_binding *binding) RS_MUST_USE;

#endif
