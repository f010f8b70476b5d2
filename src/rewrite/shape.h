/*
 * How a struct's body is laid out on lines, seen by one who wants to move units: what of the blanks around a
 * unit goes with it, which units share lines, and what stands on lines of its own between them.
 *
 * Barriers cut the body into regions; units move within a region only.
 */
#ifndef RS_REWRITE_SHAPE_H
#define RS_REWRITE_SHAPE_H

#include "record/record.h"

struct rs_shape_unit {
	struct rs_span head; /* blanks before it on its line */
	struct rs_span tail; /* blanks behind it and the line end */
	bool has_head;       /* it is the first on its line */
	bool has_tail;       /* it is the last on its line */
	size_t cluster;      /* first and last of the units that share lines in a row with it */
	size_t cluster_last;
	size_t group; /* number shared by units with no blank line, comment or directive between them */
	bool starts_with_directive;
};

/* Whole lines between two groups. */
struct rs_shape_core {
	struct rs_span above;   /* blank lines; where there is no content, all of them */
	struct rs_span content; /* comments and directives, and blank lines between them */
	struct rs_span below;   /* blank lines below the content */
	size_t unit;            /* that stands below */
	bool has_directive;
};

/* Units [first, end) and the bytes between two delimiters: braces or barriers. */
struct rs_shape_region {
	struct rs_span span;
	size_t first, end;
	struct rs_span prologue; /* what stays where it is at the region's start, */
	struct rs_span epilogue; /* and at its end */
	bool starts_inline;      /* the first unit stands on the delimiter's line */
	bool ends_inline;
	struct rs_shape_core *cores; /* over each group; that over the first has no blank lines */
	size_t n_groups;
};

struct rs_shape {
	const struct rs_record *record;
	struct rs_shape_unit *units; /* as the record's */
	struct rs_shape_region *regions;
	size_t n_regions, regions_capacity;
	const char *line_end;               /* what the file uses most */
	const struct rs_shape_unit *lender; /* whose head others may borrow; NULL: no unit begins a line */
};

void rs_shape_compute(struct rs_arena *arena, const struct rs_record *record, struct rs_shape *ret_shape);

#endif
