/*
 * A layout cut into what a map shows: cells, which carry names, and segments, which carry use. Both are in
 * bytes from the start of the record, sorted, and do not overlap; what no cell or no segment covers is padding.
 */
#ifndef RS_REPORT_CELLS_H
#define RS_REPORT_CELLS_H

#include "report/view.h"

/* A member, or several that share bytes (bit-fields, the members of an anonymous union). */
struct rs_cell {
	uint64_t start, end;
	const char *label;
	size_t member; /* the first of them */
};

/* Bytes that are used in one way: '=' read, '#' written, '%' both, '.' neither, '/' padding. */
struct rs_segment {
	uint64_t start, end;
	char glyph;
};

struct rs_cells {
	const struct rs_cell *cells;
	size_t n_cells;
	const struct rs_segment *segments; /* cover the whole record */
	size_t n_segments;
};

void rs_cells_find(struct rs_cells *cells, struct rs_arena *arena, const struct rs_view *view);
/* The glyph of a use, as in the segments. */
char rs_cells_glyph(unsigned uses);

#endif
