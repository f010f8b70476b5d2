/*
 * All plans of a small problem.
 */
#ifndef RS_PLAN_FRONTIER_H
#define RS_PLAN_FRONTIER_H

#include "plan/pareto.h"

enum { RS_FRONTIER_FEW_ATOMS = 8 };

/* Looks at every permitted order; for RS_FRONTIER_FEW_ATOMS atoms or fewer. Gives the best score among those
 * that are not too large, and an order that has it. False when all are too large. */
bool rs_frontier_try_all(struct rs_pareto *pareto, struct rs_place *place, size_t *ret_order,
			 struct rs_score *ret_score);

#endif
