/*
 * The least cost of the touched atoms alone, line by line.
 *
 * What a line is to hold is chosen as a set: atoms that lie in it whole, in whatever order, and at most one
 * that reaches over its end, laid out as it would be there. So members that lie across a border are costed on
 * both lines, which plan/bound.h leaves out. What is known after a line are the atoms placed so far, where they
 * end and what reaches into the next line; each such state is gone on from once, with its least cost, and not
 * at all when the bound for the rest says that nothing better than what is known can come of it.
 *
 * Left out, so that it only ever costs less: which untouched atoms fill the room between (any room may be
 * left, as long as the largest permitted size is kept), holes inside a line, joins of bit-fields, and what
 * constraints say of untouched atoms.
 */
#ifndef RS_PLAN_SWEEP_H
#define RS_PLAN_SWEEP_H

#include "plan/bound.h"

struct rs_sweep {
	struct rs_place *place; /* its problem has a cost; one base offset */
	const struct rs_bound *bound;
	double enough_ns; /* cost of the best order known: nothing dearer is looked at */
	uint64_t n_steps; /* budget: sets looked at */
	double least_ns;  /* out: no order costs less; never more than enough_ns */
};

/* False, and nothing said, when the problem is none for it or the budget was used up. Atoms of several touches,
 * bit-fields and constraints on touched atoms make it none. */
bool rs_sweep_run(struct rs_sweep *sweep);

#endif
