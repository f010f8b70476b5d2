/*
 * From the original order and from the best one, step by step through the orders between: for each burden on
 * the reviewer the best score, for each score the least burden.
 */
#ifndef RS_PLAN_EXPLORE_H
#define RS_PLAN_EXPLORE_H

#include "plan/pareto.h"

/* Starts from the orders given and offers what it meets to pareto. best: NULL, or an order whose score is
 * wanted with less burden. n_steps bounds the atoms placed. */
void rs_explore_run(struct rs_pareto *pareto, struct rs_place *place, const size_t *best, uint64_t n_steps);

#endif
