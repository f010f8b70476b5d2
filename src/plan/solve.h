/*
 * The optimizer's course: everything is tried where that is possible; else a bound, an exact search within a
 * budget of steps, local search where that is not enough, and the plans with few moves around the best order.
 */
#ifndef RS_PLAN_SOLVE_H
#define RS_PLAN_SOLVE_H

#include "plan/plan.h"

struct rs_solution {
	const size_t *const *orders; /* of units, one a plan */
	size_t n_orders;
	size_t pick; /* RS_NONE */
	double lower_bound_ns;
	uint64_t lower_bound_bytes;
	bool proven;
};

/* cost and binding are NULL without a profile. Memory is arena's. */
void rs_solve(struct rs_arena *arena, const struct rs_record *record, const struct rs_binding *binding,
	      const struct rs_cost *cost, const struct rs_plan_options *options, const struct rs_plan *original,
	      struct rs_solution *ret_solution);

#endif
