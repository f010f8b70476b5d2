/*
 * Which touched atoms are to share a line: simulated annealing over lines as bins, without an order. No holes,
 * no filler and no neighbours between them, so that a step is two look-ups and much better lines are found than
 * by moving atoms in an order. rs_assemble_run() makes an order of them.
 */
#ifndef RS_PLAN_GATHER_H
#define RS_PLAN_GATHER_H

#include "plan/place.h"

struct rs_gather {
	struct rs_place *place; /* its problem has a cost; one base offset */
	uint64_t n_steps;
	size_t seed;
	const size_t *order; /* of atoms: their lines are what to start from */
	size_t *lines;       /* out: of each atom, counted from the one that the record begins on; RS_NONE where it does
			      * not matter */
	size_t n_lines;      /* out; some may be empty */
};

/* False, and nothing done, when there is nothing to be gathered. */
bool rs_gather_run(struct rs_gather *gather);

#endif
