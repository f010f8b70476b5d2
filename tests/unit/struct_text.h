/*
 * A record made from text alone, for tests of what needs no compiler: its units by rs_units_scan(), no members.
 */
#ifndef RS_TESTS_STRUCT_TEXT_H
#define RS_TESTS_STRUCT_TEXT_H

#include <string.h>

#include "parse/units.h"

/* From the first "struct" to the last closing brace. */
static inline struct rs_span definition_span(const char *text, size_t size)
{
	struct rs_span span = { 0, size };
	const char *start = memmem(text, size, "struct", 6);

	if (start)
		span.start = (size_t)(start - text);
	while (span.end > span.start && text[span.end - 1] != '}')
		span.end--;
	return span;
}

static inline struct rs_record *record_from_bytes(struct rs_arena *arena, const char *text, size_t size,
						  struct rs_unit_scan *ret_scan)
{
	struct rs_record *record = rs_arena_new(arena, struct rs_record);
	struct rs_source *source = rs_source_create(arena, "input.h", "/input.h", text, size);

	record->source = source;
	record->span = definition_span(text, size);
	rs_units_scan(arena, source, record->span, ret_scan);
	record->body = ret_scan->body;
	record->units = ret_scan->units;
	record->n_units = ret_scan->n_units;
	record->gaps = ret_scan->gaps;
	return record;
}

#endif
