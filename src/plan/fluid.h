/*
 * A lower bound on the cost that holds for any number of members: signatures as fluids.
 *
 * Whatever the order, a family of signatures that has so many bytes in all covers at least so many lines,
 * rounded up; and a path that uses so many members meets each of them on some line. A line is known, as far as
 * the cost goes, by the signatures on it (and what one more use on it costs), and those form few closed sets.
 * The linear program over these sets has the bound as its value; that of its dual is taken, scaled until it
 * holds on every set, so that nothing hangs on the solver's being right. As lines are whole, branch and bound
 * over how many there are with any of a family raises it.
 *
 * Left out, so that it only ever costs more: which members there are and how they are aligned, what lies
 * between them, the number of lines, constraints. Where a member lies across a border it is on both lines here,
 * too.
 */
#ifndef RS_PLAN_FLUID_H
#define RS_PLAN_FLUID_H

#include "plan/place.h"

/* Lines that would meet the bound if nothing stood against it: of each atom one, RS_NONE where it does not
 * matter.
 */
typedef void (*rs_fluid_visit_fn)(void *context, const size_t *lines, size_t n_lines);

struct rs_fluid {
	struct rs_place *place; /* its problem has a cost */
	double n_steps;         /* bounds the work, a nanosecond each */
	const double
		*enough_ns; /* the least cost known of an order: a bound that meets it is all that is wanted */
	rs_fluid_visit_fn visit; /* may lower it */
	void *context;
};

/* 0 when nothing can be said. */
double rs_fluid_bound(const struct rs_fluid *fluid);

#endif
