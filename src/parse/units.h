/*
 * Cuts the body of a struct definition into source units and the gaps between them, by the text alone.
 * records.c joins them with what libclang sees.
 */
#ifndef RS_PARSE_UNITS_H
#define RS_PARSE_UNITS_H

#include "record/record.h"

struct rs_unit_scan {
	struct rs_span body; /* between the braces */
	struct rs_unit *units;
	size_t n_units;
	struct rs_gap *gaps; /* n_units + 1 */
	const char *refusal; /* why the text cannot be cut (braces cross #if, …); NULL: it was cut */
	size_t refusal_byte;
};

/* definition: from `struct` to its closing brace. first_member and n_members of the units are left 0. */
void rs_units_scan(struct rs_arena *arena, const struct rs_source *source, struct rs_span definition,
		   struct rs_unit_scan *ret_scan);

#endif
