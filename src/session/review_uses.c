#include <string.h>

#include "session/review_internal.h"

/* The unit after that a unit before became: where its first member is now. RS_NONE when that is gone. */
static size_t unit_after(const struct rs_review_pair *pair, const struct rs_record *before,
			 const struct rs_record *after, size_t unit)
{
	const struct rs_unit *at = &before->units[unit];

	for (size_t i = 0, member = at->first_member; i < at->n_members;
	     i++, member = rs_record_next_sibling(before, member)) {
		if (pair->twin[member] != RS_NONE)
			return after->members[pair->twin[member]].unit;
	}
	return RS_NONE;
}

/* Whether any other unit of the old region stands on the wrong side of it now. */
static bool is_beyond(const struct rs_review_pair *pair, const struct rs_record *before,
		      const struct rs_record *after, size_t unit, bool must_be_first)
{
	size_t place = unit_after(pair, before, after, unit);

	for (size_t u = 0; u < before->n_units; u++) {
		size_t other = u == unit || before->units[u].region != before->units[unit].region
				       ? RS_NONE
				       : unit_after(pair, before, after, u);

		if (other != RS_NONE && other != place && (other < place) == must_be_first)
			return true;
	}
	return false;
}

static bool is_broken(const struct rs_review_pair *pair, const struct rs_record *before,
		      const struct rs_record *after, const struct rs_constraint *constraint)
{
	size_t unit = unit_after(pair, before, after, constraint->unit), other = RS_NONE;

	if (unit == RS_NONE)
		return false;
	switch (constraint->kind) {
	case RS_KEEP_FIRST:
		return is_beyond(pair, before, after, constraint->unit, true);
	case RS_KEEP_LAST:
		return is_beyond(pair, before, after, constraint->unit, false);
	case RS_KEEP_BEFORE:
		other = unit_after(pair, before, after, constraint->other);
		return other != RS_NONE && other < unit;
	case RS_KEEP_NEXT:
		other = unit_after(pair, before, after, constraint->other);
		return other != RS_NONE && other != unit && other != unit + 1;
	case RS_KEEP_ON_LINE: /* asked of a search, never found in a source */
		return false;
	}
	return false;
}

static enum rs_finding_level level_of(const struct rs_review_pair *pair, const struct rs_pin *pin)
{
	/* Fields that come or go are no reorder: what stands beside what is as it was, or meant to change. */
	if (pin->refuses && !rs_review_has_reorder(pair))
		return RS_FINDING_NOTE;
	return pin->strength == RS_PIN_HARD       ? RS_FINDING_ERROR
	       : pin->strength == RS_PIN_CONTRACT ? RS_FINDING_WARNING
						  : RS_FINDING_NOTE;
}

/* What the old text of the struct says is shown where its field stands now; 0: it is said elsewhere. */
static unsigned line_after(const struct rs_review_pair *pair, const struct rs_record *before,
			   const struct rs_constraint *constraint)
{
	const struct rs_pin *pin = &before->pins[constraint->pin];
	const struct rs_unit *unit = &before->units[constraint->unit];
	size_t twin = unit->n_members > 0 ? pair->twin[unit->first_member] : RS_NONE;

	if (twin == RS_NONE || (pin->file && strcmp(pin->file, before->source->realpath) != 0))
		return 0;
	struct rs_position start = rs_source_position(before->source, before->span.start);
	struct rs_position end = rs_source_position(before->source, before->span.end);
	bool is_inside = pin->line >= start.line && pin->line <= end.line;
	return is_inside ? pair->after->record->members[twin].line : 0;
}

/* line stands for the pin's own unless it is 0. */
static void report_pin(const struct rs_review_pair *pair, const struct rs_record *record,
		       const struct rs_pin *pin, unsigned line, const char *front)
{
	rs_finding_add_at(pair->list, pin->code, level_of(pair, pin),
			  pin->file ? pin->file : record->source->realpath, line ? line : pin->line,
			  record->name, pin->message, "%s%s", front, pin->message);
}

static void compare_constraints(const struct rs_review_pair *pair, const struct rs_record *before,
				const struct rs_record *after)
{
	for (size_t i = 0; i < before->n_constraints; i++) {
		const struct rs_constraint *constraint = &before->constraints[i];

		if (constraint->pin != RS_NONE && is_broken(pair, before, after, constraint))
			report_pin(pair, before, &before->pins[constraint->pin],
				   line_after(pair, before, constraint), "the new order does not keep this: ");
	}
}

bool rs_review_is_about_initializers(const struct rs_pin *pin)
{
	return strcmp(pin->code, "positional-initializer") == 0 || strcmp(pin->code, "initializer-macro") == 0;
}

static bool has_pin(const struct rs_record *record, const struct rs_pin *pin)
{
	for (size_t i = 0; i < record->n_pins; i++)
		if (strcmp(record->pins[i].code, pin->code) == 0 &&
		    strcmp(record->pins[i].message, pin->message) == 0)
			return true;
	return false;
}

/* What made restruct itself leave the record alone. */
static void compare_refusals(const struct rs_review_pair *pair, const struct rs_record *before,
			     const struct rs_record *after)
{
	for (size_t i = 0; i < after->n_pins; i++) {
		const struct rs_pin *pin = &after->pins[i];

		if (rs_review_is_unread(pin))
			continue;
		if (pin->refuses && !rs_review_is_about_initializers(pin))
			report_pin(pair, after, pin, 0, "the layout changes although it is relied upon: ");
		else if (!has_pin(before, pin) && pin->strength != RS_PIN_ADVICE &&
			 !rs_review_is_about_initializers(pin))
			rs_finding_add_at(pair->list, "hazard-added", RS_FINDING_NOTE,
					  pin->file ? pin->file : after->source->realpath, pin->line,
					  after->name, pin->code, "from now on this holds the order: %s [%s]",
					  pin->message, pin->code);
	}
}

void rs_review_compare_uses(const struct rs_review_pair *pair, const struct rs_session_record *before,
			    const struct rs_session_record *after, const struct rs_git_changes *changes)
{
	compare_constraints(pair, before->record, after->record);
	compare_refusals(pair, before->record, after->record);
	rs_review_compare_initializers(pair, before, after, changes);
}
