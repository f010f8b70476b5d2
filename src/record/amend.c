#include "record/amend.h"

#include <string.h>

static bool is_of_unit(const struct rs_record *record, size_t unit, const char *name)
{
	size_t member = rs_record_find_member(record, name);

	return unit != RS_NONE && member != RS_NONE && record->members[member].unit == unit;
}

static bool is_allowed(const struct rs_record *record, const struct rs_pin *pin,
		       const struct rs_allowance *allowances, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *name = allowances[i].name;

		if (strcmp(allowances[i].code, pin->code) != 0)
			continue;
		if (!name || strcmp(name, record->name) == 0 || is_of_unit(record, pin->unit, name))
			return true;
	}
	return false;
}

/* Whether the one claim must be stated before the other: units that come first from the front, units that come
 * last from the end, as they stand now. */
static bool goes_before(const struct rs_constraint *a, const struct rs_constraint *b)
{
	if (a->kind != b->kind)
		return false;
	if (a->kind == RS_KEEP_FIRST)
		return a->unit < b->unit;
	return a->kind == RS_KEEP_LAST && a->unit > b->unit;
}

/* Claims come from several configurations, in any order. */
static void sort_claims(struct rs_constraint *constraints, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t j = i + 1; j < count; j++)
			if (goes_before(&constraints[j], &constraints[i])) {
				struct rs_constraint later = constraints[i];

				constraints[i] = constraints[j];
				constraints[j] = later;
			}
}

static bool is_claimed(const struct rs_constraint *constraints, size_t count, size_t unit)
{
	for (size_t i = 0; i < count; i++)
		if (constraints[i].kind == RS_KEEP_FIRST && constraints[i].unit == unit)
			return true;
	return false;
}

/* What #if leaves empty at the front is not the first member: the one behind it is. Each unit is added once at
 * the most. */
static size_t extend_claims(const struct rs_record *record, struct rs_constraint *constraints, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t unit = constraints[i].unit;

		if (constraints[i].kind != RS_KEEP_FIRST || record->units[unit].n_members > 0 ||
		    unit + 1 >= record->n_units ||
		    record->units[unit + 1].region != record->units[unit].region ||
		    is_claimed(constraints, count, unit + 1))
			continue;
		constraints[count++] =
			(struct rs_constraint) { RS_KEEP_FIRST, unit + 1, RS_NONE, constraints[i].pin };
	}
	return count;
}

const struct rs_record *rs_record_amend(struct rs_arena *arena, const struct rs_record *record,
					const struct rs_pin_list *found, const struct rs_allowance *allowances,
					size_t n_allowances)
{
	size_t n_found = found ? found->n_pins : 0, n_new = found ? found->n_constraints : 0;
	struct rs_record *amended = rs_arena_new(arena, struct rs_record);
	struct rs_pin *pins = rs_arena_array(arena, struct rs_pin, record->n_pins + n_found);
	struct rs_constraint *constraints =
		rs_arena_array(arena, struct rs_constraint, record->n_constraints + n_new + record->n_units);
	bool *dropped = rs_arena_array(arena, bool, record->n_pins + n_found);
	size_t count = 0;

	for (size_t i = 0; i < record->n_pins + n_found; i++) {
		pins[i] = i < record->n_pins ? record->pins[i] : found->pins[i - record->n_pins];
		if (pins[i].strength != RS_PIN_CONTRACT ||
		    !is_allowed(record, &pins[i], allowances, n_allowances))
			continue;
		pins[i].strength = RS_PIN_ADVICE;
		pins[i].refuses = false;
		dropped[i] = true;
	}
	for (size_t i = 0; i < record->n_constraints + n_new; i++) {
		bool is_new = i >= record->n_constraints;
		struct rs_constraint constraint =
			is_new ? found->constraints[i - record->n_constraints] : record->constraints[i];

		if (is_new && constraint.pin != RS_NONE)
			constraint.pin += record->n_pins;
		if (constraint.pin == RS_NONE || !dropped[constraint.pin])
			constraints[count++] = constraint;
	}
	count = extend_claims(record, constraints, count);
	sort_claims(constraints, count);
	*amended = *record;
	amended->pins = pins;
	amended->n_pins = record->n_pins + n_found;
	amended->constraints = constraints;
	amended->n_constraints = count;
	return amended;
}
