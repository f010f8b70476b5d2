/*
 * The least cost of the touched atoms alone, line by line.
 *
 * What a line is to hold is chosen as a set: atoms that lie in it whole, in whatever order, at most one
 * that reaches over its end, laid out as it would be there, and the untouched scalars that fill the room between. So
 * members that lie across a border are costed on both lines, which plan/bound.h leaves out, and a line holds little
 * only where there is something to fill it. What is known after a line are the atoms placed so far, where they
 * end and what reaches into the next line; each such state is gone on from once, with its least cost, and not
 * at all when the bound for the rest says that nothing better than what is known can come of it.
 *
 * Left out, so that it only ever costs less: other untouched atoms (they fill any room; the largest permitted size is
 * kept), where holes are (is_strict: how large they can be is kept), joins of bit-fields, and what constraints say of untouched atoms.
 */
#ifndef RS_PLAN_SWEEP_H
#define RS_PLAN_SWEEP_H

#include "plan/bound.h"
#include "plan/realize.h"

struct rs_sweep {
	struct rs_place *place; /* its problem has a cost; one base offset */
	const struct rs_bound *bound;
	bool is_strict;        /* no more room is left than holes can be: longer, and closer */
	double enough_ns;      /* cost of the best order known: nothing dearer is looked at */
	uint64_t n_steps;      /* budget: sets looked at */
	uint64_t n_steps_done; /* out */
	double least_ns;       /* out: no order costs less; never more than enough_ns */
	bool is_better;        /* out: that is less than enough_ns; whether an order reaches it is not known */
	struct rs_wanted *wanted; /* out, of each atom, when it is: where it lies in it */
};

/* False, and nothing said, when the problem is none for it or the budget was used up. */
bool rs_sweep_run(struct rs_sweep *sweep);

#endif
