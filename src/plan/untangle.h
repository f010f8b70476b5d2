/*
 * From a good order to one that a reviewer can read: fewer changed lines and blocks at no worse score, then
 * towards the original, run by run, as long as something is gained.
 */
#ifndef RS_PLAN_UNTANGLE_H
#define RS_PLAN_UNTANGLE_H

#include "plan/pareto.h"

/* Offers what it meets to pareto. n_steps bounds the orders evaluated. */
void rs_untangle_run(struct rs_pareto *pareto, struct rs_place *place, const size_t *order, uint64_t n_steps);

#endif
