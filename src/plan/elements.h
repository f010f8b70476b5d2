/*
 * What the lower bound counts: the touched parts of atoms, each with the line it begins on as its home.
 *
 * Touches of an atom that lie on one line wherever the atom lands are one element; any other touch is an
 * element of its own. The atom's bytes are divided among its elements: each has those from its first touch to
 * the next element, the first one also those before. On its home line an element takes all its bytes, but for
 * those of one element that a line's beginning cuts and of one that its end cuts.
 */
#ifndef RS_PLAN_ELEMENTS_H
#define RS_PLAN_ELEMENTS_H

#include "plan/place.h"

struct rs_element {
	size_t atom;
	size_t first_touch, n_touches;
	uint64_t weight_bits; /* its bytes, at least */
	uint64_t head_bits;   /* what of them may lie before the home line, at most */
	uint64_t tail_bits;   /* what may lie behind it */
	uint64_t cross_bits; /* what all elements of its atom weigh, when it may reach into another line; else 0
			      */
	double heat;
};

/* All elements of all atoms, in the order of atoms and touches. */
struct rs_element *rs_elements_find(struct rs_arena *arena, const struct rs_place *place, size_t *ret_count);

#endif
