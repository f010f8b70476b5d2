/*
 * A lower bound for elements of an array, which share lines with their neighbours.
 *
 * Of the cost only the part counts that never falls when an access is added to a line (plan/rising.h), and of
 * each line only what one element has there. Of a touches and W writes of others on a line that part is a W /
 * (a + W): both doubled it doubles, and it is concave, so two elements on one line pay no less than each by
 * itself would. Where elements begin differs from one to the next, and with their size: the place with the most
 * lines is taken.
 */
#ifndef RS_PLAN_ARRAY_BOUND_H
#define RS_PLAN_ARRAY_BOUND_H

#include "plan/bound.h"

/* n_steps: as of rs_bound_create(). 0: nothing can be said. */
double rs_array_bound(struct rs_arena *arena, const struct rs_problem *problem, double n_steps);

#endif
