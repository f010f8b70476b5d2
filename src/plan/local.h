/*
 * Local search: simulated annealing over orders of atoms by moves of a run and swaps of two atoms. A fixed seed
 * and a number of steps, never a clock: the same everywhere.
 */
#ifndef RS_PLAN_LOCAL_H
#define RS_PLAN_LOCAL_H

#include "plan/place.h"

struct rs_local {
	struct rs_place *place;
	uint64_t n_steps;    /* orders evaluated */
	double goal_ns;      /* stops when this cost is reached (the lower bound) … */
	uint64_t goal_bytes; /* … and this size */
	bool is_repair;      /* the start is good, but for bytes: little else is changed */
	size_t *best; /* in: a permitted order to start from; out: the best one met that is not too large */
	struct rs_score score;
};
void rs_local_run(struct rs_local *local);
/* The permitted order that takes the hottest atoms first, large alignment before small where they are alike. */
void rs_local_hot_first(const struct rs_problem *problem, size_t *ret_order);

#endif
