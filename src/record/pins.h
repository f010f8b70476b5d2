/*
 * Pins and constraints that the record itself shows, without looking at its uses.
 */
#ifndef RS_RECORD_PINS_H
#define RS_RECORD_PINS_H

#include "base/builder.h"
#include "record/record.h"

/* What a parser collects while it builds a record. */
struct rs_pin_list {
	struct rs_arena *arena;
	struct rs_pin *pins;
	size_t n_pins, pins_capacity;
	struct rs_constraint *constraints;
	size_t n_constraints, constraints_capacity;
};

void rs_pin_add(struct rs_pin_list *list, const char *code, enum rs_pin_strength strength, size_t unit,
		unsigned line, bool refuses, const char *format, ...) RS_PRINTF(7, 8);
/* The constraint belongs to the pin that was added last: who overrules that one overrules it. */
void rs_constraint_add(struct rs_pin_list *list, enum rs_constraint_kind kind, size_t unit, size_t other);
/* Numbers the regions: a new one begins behind every barrier gap, and a unit that is a marker (a zero-length
 * member that only names or aligns a place, or one made by a marker macro) has a region to itself. */
void rs_pins_assign_regions(const struct rs_source *source, const struct rs_member *members, size_t n_members,
			    const struct rs_gap *gaps, struct rs_unit *units, size_t n_units);
/* Looks at members and units: flexible array last, trailing array of one or no element last, zero-length
 * members and marker names as region borders, tags and enumerators defined inside and used by a later unit,
 * counted_by() after its count. Layout that the arithmetic does not reproduce refuses the record. */
void rs_pins_find(struct rs_pin_list *list, const struct rs_record *record);

/* Many places say the same: the index of the first of the pins that says what this one says, if through another
 * macro. */
size_t rs_pins_first_alike(const struct rs_pin *pins, size_t index);
/* How the place of a pin's file is shown. */
typedef const char *(*rs_pin_path_fn)(void *data, const struct rs_pin *pin);
/* The places of the others that say what pins[first] says: "; also at a.c:12, b.c:3". Nothing where there are none.
 */
void rs_pins_print_others(struct rs_builder *out, const struct rs_pin *pins, size_t n_pins, size_t first,
			  rs_pin_path_fn path, void *data);

const char *rs_pin_strength_name(enum rs_pin_strength strength); /* "hard", "contract", "advice" */

#endif
