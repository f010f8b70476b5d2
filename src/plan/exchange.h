/*
 * Moves of a run of atoms: two neighbouring runs change places. Every move of a run to another place is such an
 * exchange.
 */
#ifndef RS_PLAN_EXCHANGE_H
#define RS_PLAN_EXCHANGE_H

#include "plan/problem.h"

struct rs_exchange {
	size_t from, n, n_passed; /* [from, from + n) and the n_passed atoms behind it */
};

/* All exchanges of an order in which one of the runs is at most `longest` long. Starts from all zero; false at
 * the end. */
bool rs_exchange_next(struct rs_exchange *exchange, size_t n_atoms, size_t longest);
/* The longest run such that there are no more than n_steps exchanges, roughly; at least 1. */
size_t rs_exchange_longest(size_t n_atoms, uint64_t n_steps);
/* Writes the order after the exchange; false, and nothing written, when it would not be permitted. */
bool rs_exchange_apply(const struct rs_problem *problem, const size_t *order, struct rs_exchange exchange,
		       size_t *ret_order);

#endif
