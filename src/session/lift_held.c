#include "session/lift_held.h"

#include <string.h>

/* One that holds something to the place of the unit, or to places around it. */
static bool is_about(const struct rs_constraint *constraint, size_t unit)
{
	size_t other = constraint->other;

	if (constraint->kind == RS_KEEP_FIRST || constraint->kind == RS_KEEP_LAST)
		return constraint->unit == unit;
	return (constraint->unit <= unit && unit <= other) || (other <= unit && unit <= constraint->unit);
}

static bool holds_by_pin(const struct rs_record *record, const struct rs_member *member, struct rs_pin *ret_why)
{
	for (size_t i = 0; i < record->n_pins; i++)
		if (record->pins[i].strength != RS_PIN_ADVICE &&
		    (record->pins[i].unit == member->unit || record->pins[i].refuses)) {
			*ret_why = record->pins[i];
			return true;
		}
	for (size_t i = 0; i < record->n_constraints; i++)
		if (is_about(&record->constraints[i], member->unit)) {
			*ret_why = record->constraints[i].pin == RS_NONE
					   ? (struct rs_pin) { .code = "asked",
							       .message = "it is held in its place" }
					   : record->pins[record->constraints[i].pin];
			return true;
		}
	return false;
}

/* The member, or a part of it. */
static bool is_of(const char *name, const struct rs_member *member)
{
	size_t length = strlen(member->path);

	return strncmp(name, member->path, length) == 0 &&
	       (!name[length] || name[length] == '.' || name[length] == '[');
}

static bool is_named(const struct rs_profile_names *names, const struct rs_member *member,
		     struct rs_pin *ret_why)
{
	for (size_t i = 0; i < names->n_names; i++)
		if (is_of(names->names[i], member)) {
			ret_why->file = names->file;
			ret_why->line = names->line;
			return true;
		}
	return false;
}

/* The profile's lists of members that belong to the struct. */
static bool is_listed(const struct rs_profile_struct *type, const struct rs_member *member,
		      struct rs_pin *ret_why)
{
	bool found = is_named(&type->first, member, ret_why) || is_named(&type->hoist, member, ret_why);

	for (size_t i = 0; i < type->n_together && !found; i++)
		found = is_named(&type->together[i], member, ret_why);
	for (size_t i = 0; i < type->n_before && !found; i++)
		found = is_named(&type->before[i], member, ret_why);
	for (size_t i = 0; i < type->n_groups && !found; i++)
		found = is_named(&type->groups[i].fields, member, ret_why);
	for (size_t i = 0; i < type->n_offsets && !found; i++)
		if (is_of(type->offsets[i].field, member)) {
			ret_why->file = type->offsets[i].file;
			ret_why->line = type->offsets[i].line;
			found = true;
		}
	return found;
}

bool rs_lift_is_held(const struct rs_profile_struct *type, const struct rs_record *record,
		     const struct rs_member *member, struct rs_pin *ret_why)
{
	*ret_why =
		(struct rs_pin) { .code = "asked",
				  .message = "the profile names it among members that the struct has to have" };
	if (type && is_listed(type, member, ret_why))
		return true;
	if (!holds_by_pin(record, member, ret_why))
		return false;
	if (!ret_why->file)
		ret_why->file = record->source->path;
	if (!ret_why->line)
		ret_why->line = member->line;
	return true;
}
