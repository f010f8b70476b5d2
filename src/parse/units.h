/*
 * Cuts the body of a struct definition into source units and the gaps between them, by the text alone.
 * records.c joins them with what libclang sees.
 *
 * The text is read as it stands: macros are not expanded and all branches of an #if count. What cannot be told
 * from the text is decided for safety: a macro call without a semicolon is one unit with the declaration behind
 * it, and barriers on both sides keep it in place.
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

/* definition: from `struct` to its closing brace. first_member, n_members and region of the units are left 0.
 * Units and gaps cover the body without overlap; refused, there is one gap, the body as far as it is known. */
void rs_units_scan(struct rs_arena *arena, const struct rs_source *source, struct rs_span definition,
		   struct rs_unit_scan *ret_scan);

#endif
