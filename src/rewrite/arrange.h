/*
 * Puts the units of one region in a new order: the region's text as a list of pieces, most of them bytes of
 * the original.
 */
#ifndef RS_REWRITE_ARRANGE_H
#define RS_REWRITE_ARRANGE_H

#include "rewrite/shape.h"

struct rs_piece {
	const char *text;
	size_t size;
	size_t start;    /* of the same bytes in the original; RS_NONE: they are new, and blank */
	uint64_t weight; /* how much it is worth that they stay in place; 0: they are moved */
};

struct rs_pieces {
	struct rs_arena *arena;
	struct rs_piece *items;
	size_t n_items, items_capacity;
};

/* order: the record's; the region's part of it is a permutation of the region's units. Adds every byte of the
 * region that is not blank exactly once. */
void rs_arrange_region(const struct rs_shape *shape, const struct rs_shape_region *region, const size_t *order,
		       struct rs_pieces *pieces);

#endif
