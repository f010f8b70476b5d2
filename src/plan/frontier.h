/*
 * The best score for one, two, three … moved blocks: the plans that a reviewer would rather read.
 */
#ifndef RS_PLAN_FRONTIER_H
#define RS_PLAN_FRONTIER_H

#include "plan/pareto.h"

enum { RS_FRONTIER_FEW_ATOMS = 8 };

/* Looks at every permitted order; for RS_FRONTIER_FEW_ATOMS atoms or fewer. Gives the best score among those
 * that are not too large, and an order that has it. False when all are too large. */
bool rs_frontier_try_all(struct rs_pareto *pareto, struct rs_place *place, size_t *ret_order,
			 struct rs_score *ret_score);
/* Beam search from the problem's start order by moves of runs; n_steps bounds the orders evaluated. */
void rs_frontier_grow(struct rs_pareto *pareto, struct rs_place *place, uint64_t n_steps);

#endif
