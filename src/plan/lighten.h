/*
 * The least burden on the reviewer for a score that is good enough: simulated annealing from the original
 * order, in which a score that is not good enough yet is a burden too.
 */
#ifndef RS_PLAN_LIGHTEN_H
#define RS_PLAN_LIGHTEN_H

#include "plan/pareto.h"

struct rs_lighten {
	struct rs_pareto *pareto; /* gets what is found */
	struct rs_place *place;
	struct rs_score enough; /* neither more cost nor more bytes */
	const size_t *start;    /* a permitted order */
	uint64_t n_steps;       /* atoms looked at */
	size_t seed;            /* another one, another walk */
};

void rs_lighten_run(const struct rs_lighten *lighten);

#endif
