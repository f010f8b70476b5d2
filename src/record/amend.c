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

const struct rs_record *rs_record_amend(struct rs_arena *arena, const struct rs_record *record,
					const struct rs_pin_list *found, const struct rs_allowance *allowances,
					size_t n_allowances)
{
	size_t n_found = found ? found->n_pins : 0, n_new = found ? found->n_constraints : 0;
	struct rs_record *amended = rs_arena_new(arena, struct rs_record);
	struct rs_pin *pins = rs_arena_array(arena, struct rs_pin, record->n_pins + n_found);
	struct rs_constraint *constraints =
		rs_arena_array(arena, struct rs_constraint, record->n_constraints + n_new);
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
	*amended = *record;
	amended->pins = pins;
	amended->n_pins = record->n_pins + n_found;
	amended->constraints = constraints;
	amended->n_constraints = count;
	return amended;
}
