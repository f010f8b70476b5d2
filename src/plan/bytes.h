/*
 * The least size, whatever the cost.
 *
 * Laying out is monotone: a member placed after a smaller end never ends later. So of all orders of the same
 * atoms that leave the same state of bit-field joins only the one with the least end matters, and a table over
 * "how many of each kind are placed, and the state" is exact. Regions follow one another, each from the least
 * ends of the one before.
 */
#ifndef RS_PLAN_BYTES_H
#define RS_PLAN_BYTES_H

#include "plan/place.h"

struct rs_bytes {
	const size_t *order; /* of atoms */
	uint64_t size_bytes;
	uint64_t least_bytes; /* no permitted order is smaller; equal to size_bytes when that is proven */
};

void rs_bytes_solve(struct rs_arena *arena, struct rs_place *place, struct rs_bytes *ret_bytes);

#endif
