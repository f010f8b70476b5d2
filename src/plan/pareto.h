/*
 * The plans worth showing: orders that beat the original and of which none is beaten in cost, bytes and burden
 * all at once. The burden is above all the changed lines.
 */
#ifndef RS_PLAN_PARETO_H
#define RS_PLAN_PARETO_H

#include "plan/moves.h"
#include "plan/place.h"

struct rs_candidate {
	const size_t *order; /* of atoms */
	struct rs_score score;
	struct rs_moves moves;
};

struct rs_pareto {
	struct rs_arena *arena;
	const struct rs_problem *problem;
	struct rs_score original;
	size_t max_moves, max_lines; /* 0: any */
	struct rs_candidate *items;
	size_t n_items, items_capacity;
	struct rs_moves_scratch *scratch;
	size_t *unit_order; /* scratch */
};

/* options may be NULL. */
void rs_pareto_init(struct rs_pareto *pareto, struct rs_arena *arena, const struct rs_problem *problem,
		    struct rs_score original, const struct rs_plan_options *options);
/* Whether an order with this score is better than the original and not too large. */
bool rs_pareto_is_gain(const struct rs_pareto *pareto, struct rs_score score);
/* Whether the items beat an order with this score and this burden. */
bool rs_pareto_is_beaten(const struct rs_pareto *pareto, struct rs_score score, size_t burden);
struct rs_moves rs_pareto_count_moves(struct rs_pareto *pareto, const size_t *order);
/* Takes the order in when it belongs there. Of orders that are equal in all three, the one with the fewest
 * blocks, then the one nearest to the original, stays. */
void rs_pareto_offer(struct rs_pareto *pareto, const size_t *order, struct rs_score score);
/* The same when the moves are known. */
void rs_pareto_offer_moves(struct rs_pareto *pareto, const size_t *order, struct rs_score score,
			   struct rs_moves moves);
/* Brings the items in the order of plans: by changed lines, then cost, then bytes. */
void rs_pareto_sort(struct rs_pareto *pareto);

#endif
