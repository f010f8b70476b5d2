/*
 * A lower bound for records whose containers' fields share lines with them.
 *
 * For each container by itself: only the paths that run in it, no field of the container, and of the cost only
 * the part that never falls when an access is added to a line (plan/rising.h). What the container's fields
 * bring only ever adds to that, wherever they come to lie; the mean over the containers is the bound.
 */
#ifndef RS_PLAN_NESTED_H
#define RS_PLAN_NESTED_H

#include "plan/bound.h"

/* n_steps: for all containers together, as of rs_bound_create(). */
double rs_nested_bound(struct rs_arena *arena, const struct rs_problem *problem, double n_steps);

#endif
