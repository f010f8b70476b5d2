#include "plan/untangle.h"

#include <stdlib.h>
#include <string.h>

#include "plan/exchange.h"

/* Exchanges that are looked at without scoring. */
enum { MOST_LOOKS = 20000000 };
/* Orders that could be scored in the time that counting moves takes. */
enum { MOVES_STEPS = 4 };

struct untangle {
	struct rs_pareto *pareto;
	struct rs_place *place;
	const struct rs_problem *problem;
	size_t *order, *trial;
	struct rs_score score;
	struct rs_moves moves;
	uint64_t n_steps, most_steps;
};

static bool is_lighter(struct rs_moves a, struct rs_moves b)
{
	return a.burden != b.burden ? a.burden < b.burden : a.n_blocks < b.n_blocks;
}

/* Takes the trial order over when it is no worse in score and better to read. */
static bool adopt(struct untangle *work, bool must_be_lighter)
{
	struct rs_score score = rs_place_score(work->place, work->trial);
	struct rs_moves moves;
	size_t *order = work->order;

	work->n_steps++;
	if (rs_score_compare(score, work->score) > 0 || score.size_bytes > work->problem->max_size_bytes)
		return false;
	moves = rs_pareto_count_moves(work->pareto, work->trial);
	work->n_steps += MOVES_STEPS;
	if (must_be_lighter && rs_score_compare(score, work->score) == 0 && !is_lighter(moves, work->moves))
		return false;
	work->order = work->trial;
	work->trial = order;
	work->score = score;
	work->moves = moves;
	return true;
}

/* Interchangeable atoms stand in their original order. */
static void sort_classes(struct untangle *work)
{
	size_t *next = (size_t *)rs_alloc(work->problem->n_classes * sizeof *next);

	for (size_t i = 0; i < work->problem->n_atoms; i++) {
		size_t class = work->problem->atoms[work->order[i]].class;

		work->order[i] = work->problem->classes[class].atoms[next[class]++];
	}
	free(next);
}

/* Neighbours that stand the wrong way round, and need not, change places. */
static void sort_neighbours(struct untangle *work)
{
	bool changed = true;

	while (changed && work->n_steps < work->most_steps / 2) {
		changed = false;
		for (size_t i = 0; i + 1 < work->problem->n_atoms; i++) {
			struct rs_exchange swap = { i, 1, 1 };

			if (work->order[i] < work->order[i + 1] ||
			    !rs_exchange_apply(work->problem, work->order, swap, work->trial))
				continue;
			changed |= adopt(work, false);
		}
	}
}

static size_t count_followers(const struct untangle *work, size_t before, size_t behind)
{
	size_t n_atoms = work->problem->n_atoms;

	return before < n_atoms && behind < n_atoms && work->order[before] + 1 == work->order[behind];
}

/* Whether the exchange brings more atoms next to their original neighbours than it parts. Cheaper than scoring.
 */
static bool joins(const struct untangle *work, struct rs_exchange exchange)
{
	size_t first = exchange.from, middle = first + exchange.n, behind = middle + exchange.n_passed;
	size_t parted = count_followers(work, first - 1, first) + count_followers(work, middle - 1, middle) +
			count_followers(work, behind - 1, behind);

	return count_followers(work, first - 1, middle) + count_followers(work, behind - 1, first) +
		       count_followers(work, middle - 1, behind) >
	       parted;
}

/* Tries every exchange once; true when one was taken. */
static bool improve(struct untangle *work, size_t longest, bool only_joins)
{
	struct rs_exchange exchange = { 0 };
	bool improved = false;

	while (work->n_steps < work->most_steps &&
	       rs_exchange_next(&exchange, work->problem->n_atoms, longest)) {
		if ((only_joins && !joins(work, exchange)) ||
		    !rs_exchange_apply(work->problem, work->order, exchange, work->trial) || !adopt(work, true))
			continue;
		improved = true;
		rs_pareto_offer_moves(work->pareto, work->order, work->score, work->moves);
	}
	return improved;
}

/* The trial becomes the order with one run of atoms back behind the atom that it followed at the start. */
static bool send_back(struct untangle *work, size_t from, size_t n)
{
	size_t first = work->order[from], to = 0;

	if (first)
		to = rs_moves_find(work->order, work->problem->n_atoms, first - 1) + 1;
	if (to < from)
		return rs_exchange_apply(work->problem, work->order, (struct rs_exchange) { to, from - to, n },
					 work->trial);
	return to > from + n && rs_exchange_apply(work->problem, work->order,
						  (struct rs_exchange) { from, n, to - from - n }, work->trial);
}

/* Among all runs sent back, the one that costs least and makes the diff smaller; false when there is none. */
static bool retreat(struct untangle *work, size_t *ret_order)
{
	size_t n_atoms = work->problem->n_atoms;
	struct rs_score best = { 0, 0 };
	bool found = false;

	for (size_t from = 0, end; from < n_atoms; from = end) {
		struct rs_score score;

		for (end = from + 1; end < n_atoms && work->order[end] == work->order[end - 1] + 1;)
			end++;
		if (work->n_steps >= work->most_steps || !send_back(work, from, end - from))
			continue;
		work->n_steps++;
		score = rs_place_score(work->place, work->trial);
		if (score.size_bytes > work->problem->max_size_bytes ||
		    (found && rs_score_compare(score, best) >= 0))
			continue;
		work->n_steps += MOVES_STEPS;
		if (!is_lighter(rs_pareto_count_moves(work->pareto, work->trial), work->moves))
			continue;
		found = true;
		best = score;
		memcpy(ret_order, work->trial, n_atoms * sizeof *ret_order);
	}
	return found;
}

static void retreat_to_start(struct untangle *work, size_t *next)
{
	while (retreat(work, next)) {
		memcpy(work->order, next, work->problem->n_atoms * sizeof *next);
		work->score = rs_place_score(work->place, work->order);
		work->moves = rs_pareto_count_moves(work->pareto, work->order);
		rs_pareto_offer_moves(work->pareto, work->order, work->score, work->moves);
	}
}

void rs_untangle_run(struct rs_pareto *pareto, struct rs_place *place, const size_t *order, uint64_t n_steps)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	struct untangle work = {
		.pareto = pareto, .place = place, .problem = place->problem, .most_steps = n_steps
	};
	size_t n_atoms = work.problem->n_atoms;

	work.order = rs_arena_array(arena, size_t, n_atoms);
	work.trial = rs_arena_array(arena, size_t, n_atoms);
	memcpy(work.order, order, n_atoms * sizeof *order);
	sort_classes(&work);
	work.score = rs_place_score(place, work.order);
	work.moves = rs_pareto_count_moves(pareto, work.order);
	rs_pareto_offer_moves(pareto, work.order, work.score, work.moves);
	sort_neighbours(&work);
	rs_pareto_offer_moves(pareto, work.order, work.score, work.moves);
	while (improve(&work, rs_exchange_longest(n_atoms, MOST_LOOKS), true))
		continue;
	while (improve(&work, rs_exchange_longest(n_atoms, n_steps / 4), false))
		continue;
	work.most_steps = work.n_steps + n_steps / 2;
	retreat_to_start(&work, rs_arena_array(arena, size_t, n_atoms));
}
