/*
 * The cache lines that a layout covers, each with who touches it. Lines in a row that hold the same members
 * (the inside of a large array) come as one, so that a megabyte member costs no more than a small one.
 *
 *	struct rs_lines lines;
 *	struct rs_line_touch touch;
 *
 *	rs_lines_init(&lines, binding, line_bytes, offset_bits, size_bytes);
 *	rs_lines_start(&lines, base_bytes, around);
 *	while (rs_lines_next(&lines, &touch))
 *		...
 *	rs_lines_deinit(&lines);
 */
#ifndef RS_PLAN_LINES_H
#define RS_PLAN_LINES_H

#include "profile/bind.h"

struct rs_line_touch {
	uint64_t first;   /* number of the line; 0 holds the record's first byte */
	bool is_outside;  /* has no part of the record, only fields of its container; then first is 0 */
	uint64_t n_lines; /* how many lines in a row are like it */
	const uint16_t
		*counts;    /* for each path: its accessed members on the line, and fields of the container */
	const bool *writes; /* for each path: whether one of them is written */
	/* For each path: how many other elements of the array it touches, or writes, on this line. NULL when
	 * the line holds no other element. */
	const uint16_t *other_touches, *other_writes;
	size_t n_others; /* other elements that have a part in the line */
};

struct rs_lines {
	const struct rs_binding *binding;
	const uint64_t *offset_bits;
	uint64_t size_bytes, line_bytes, base_bytes;
	const struct rs_around *around; /* NULL: the record is in no container that matters */
	uint64_t *around_bits;          /* where the container's members lie, from its start */
	uint64_t lead;                  /* lines before line 0 that the container reaches back to */
	uint64_t *borders;              /* lines at which the set of members on the line may change */
	size_t n_borders, max_borders, next;
	uint16_t *counts, *other_touches, *other_writes;
	bool *writes;
};

/* offset_bits must outlive lines. */
void rs_lines_init(struct rs_lines *lines, const struct rs_binding *binding, uint64_t line_bytes,
		   const uint64_t *offset_bits, uint64_t size_bytes);
void rs_lines_deinit(struct rs_lines *lines);
/* The record begins base_bytes (less than line_bytes) into line 0. around: of the placement's base; NULL: none.
 * May be called again. */
void rs_lines_start(struct rs_lines *lines, uint64_t base_bytes, const struct rs_around *around);
/* False at the end. What touch points to is valid until the next call. */
bool rs_lines_next(struct rs_lines *lines, struct rs_line_touch *ret_touch);
/* Whether a member has a part in the line. A member without bytes (a flexible array) counts as one byte. */
bool rs_lines_holds(const struct rs_lines *lines, size_t member, uint64_t line);
/* The same for a member of the container. */
bool rs_lines_holds_outside(const struct rs_lines *lines, size_t member, uint64_t line);

#endif
