/*
 * The plans worth showing: orders that beat the original and of which none is beaten in cost, bytes and changed
 * lines all at once.
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
	size_t max_moves; /* 0: any */
	struct rs_candidate *items;
	size_t n_items, items_capacity;
	struct rs_moves_scratch *scratch;
	size_t *unit_order; /* scratch */
};

void rs_pareto_init(struct rs_pareto *pareto, struct rs_arena *arena, const struct rs_problem *problem,
		    struct rs_score original, size_t max_moves);
/* Whether an order with this score is better than the original and not too large. */
bool rs_pareto_is_gain(const struct rs_pareto *pareto, struct rs_score score);
/* Whether the items beat an order with this score and this many changed lines. */
bool rs_pareto_is_beaten(const struct rs_pareto *pareto, struct rs_score score, size_t changed_lines);
struct rs_moves rs_pareto_count_moves(struct rs_pareto *pareto, const size_t *order);
/* How many orders could be scored in the time that counting moves takes. */
uint64_t rs_pareto_moves_steps(const struct rs_pareto *pareto);
/* Takes the order in when it belongs there. Of orders that are equal in all three, the one with the fewest
 * blocks, then the one nearest to the original, stays. */
void rs_pareto_offer(struct rs_pareto *pareto, const size_t *order, struct rs_score score);
/* The same when the moves are known. */
void rs_pareto_offer_moves(struct rs_pareto *pareto, const size_t *order, struct rs_score score,
			   struct rs_moves moves);
/* Brings the items in the order of plans: by changed lines, then cost, then bytes. */
void rs_pareto_sort(struct rs_pareto *pareto);
/* The default plan: the fewest changed lines with 95 % of the cost that can be gained; where no cost can be
 * gained, the least bytes with the fewest changed lines. RS_NONE without items. */
size_t rs_pareto_pick(const struct rs_pareto *pareto);

#endif
