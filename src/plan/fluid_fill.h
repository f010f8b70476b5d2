/*
 * The dearest line with a set (plan/fluid.h): which members, at given prices, come to most over what they cost there.
 */
#ifndef RS_PLAN_FLUID_FILL_H
#define RS_PLAN_FLUID_FILL_H

#include "plan/fluid_model.h"

struct rs_fluid_fill {
	const struct rs_fluid_model *model;
	double *counts;        /* out: members of each kind, the last ones in part */
	double *more, *gains;  /* scratch: of each kind */
	size_t *order;         /* likewise */
};

void rs_fluid_fill_init(struct rs_fluid_fill *fill, struct rs_arena *arena, const struct rs_fluid_model *model);
/* prices: of each kind. No line with the set comes to more than what it gives: room is kept, and of the paths the one
 * whose uses would exceed the set's most by most does not; whether that is looked at where no more than enough comes out
 * anyway is left open. */
double rs_fluid_fill_run(struct rs_fluid_fill *fill, const struct rs_fluid_set *set, const double *prices,
			 double enough);

#endif
