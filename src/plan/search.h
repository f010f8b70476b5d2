/*
 * Branch and bound over the orders of atoms.
 *
 * A node is a beginning of the order: which classes have how many atoms left, where the last one ends and what
 * the open lines hold; what follows depends on nothing else, so a node met again at no less cost is dropped. A
 * node is dropped too when its closed lines, plus the bound for what is left with what the open line holds, do
 * not beat the best order known in cost, then bytes.
 */
#ifndef RS_PLAN_SEARCH_H
#define RS_PLAN_SEARCH_H

#include "plan/bound.h"

struct rs_search {
	struct rs_place *place;
	const struct rs_bound *bound;
	uint64_t least_bytes;       /* no order is smaller */
	uint64_t n_steps;           /* budget: atoms placed on trial */
	const rs_element_set *bins; /* when given, each line is to hold just one of these sets; else NULL */
	size_t n_bins;
	size_t *best; /* in: the best order known so far; out: likewise */
	struct rs_score score;
};

/* True when the search went to its end: with no bins, best is optimal. */
bool rs_search_run(struct rs_search *search);

#endif
