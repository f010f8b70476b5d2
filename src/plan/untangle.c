#include "plan/untangle.h"

#include <stdlib.h>
#include <string.h>

#include "plan/exchange.h"

struct untangle {
	struct rs_pareto *pareto;
	struct rs_place *place;
	const struct rs_problem *problem;
	size_t *order, *trial;
	struct rs_score score;
	struct rs_moves moves;
	uint64_t n_steps, most_steps;
};

static bool has_fewer(struct rs_moves a, struct rs_moves b)
{
	return a.changed_lines != b.changed_lines ? a.changed_lines < b.changed_lines : a.n_blocks < b.n_blocks;
}

/* Takes the trial order over when it is no worse in score and better to read. */
static bool adopt(struct untangle *work, bool must_have_fewer)
{
	struct rs_score score = rs_place_score(work->place, work->trial);
	struct rs_moves moves;
	size_t *order = work->order;

	work->n_steps++;
	if (rs_score_compare(score, work->score) > 0 || score.size_bytes > work->problem->max_size_bytes)
		return false;
	moves = rs_pareto_count_moves(work->pareto, work->trial);
	if (must_have_fewer && rs_score_compare(score, work->score) == 0 && !has_fewer(moves, work->moves))
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

static bool improve_once(struct untangle *work, size_t longest)
{
	struct rs_exchange exchange = { 0 };

	while (work->n_steps < work->most_steps && rs_exchange_next(&exchange, work->problem->n_atoms, longest))
		if (rs_exchange_apply(work->problem, work->order, exchange, work->trial) && adopt(work, true))
			return true;
	return false;
}

static size_t find_atom(const size_t *order, size_t n, size_t atom)
{
	size_t i = 0;

	while (i < n && order[i] != atom)
		i++;
	return i;
}

/* The trial becomes the order with one run of atoms back behind the atom that it followed at the start. */
static bool send_back(struct untangle *work, size_t from, size_t n)
{
	size_t first = work->order[from], to = 0;

	if (first)
		to = find_atom(work->order, work->problem->n_atoms, first - 1) + 1;
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
		    (found && rs_score_compare(score, best) >= 0) ||
		    !has_fewer(rs_pareto_count_moves(work->pareto, work->trial), work->moves))
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
	size_t n_atoms = work.problem->n_atoms, longest = rs_exchange_longest(n_atoms, n_steps / 4);

	work.order = rs_arena_array(arena, size_t, n_atoms);
	work.trial = rs_arena_array(arena, size_t, n_atoms);
	memcpy(work.order, order, n_atoms * sizeof *order);
	sort_classes(&work);
	work.score = rs_place_score(place, work.order);
	work.moves = rs_pareto_count_moves(pareto, work.order);
	rs_pareto_offer_moves(pareto, work.order, work.score, work.moves);
	sort_neighbours(&work);
	rs_pareto_offer_moves(pareto, work.order, work.score, work.moves);
	while (improve_once(&work, longest))
		rs_pareto_offer_moves(pareto, work.order, work.score, work.moves);
	work.most_steps += n_steps / 2;
	retreat_to_start(&work, rs_arena_array(arena, size_t, n_atoms));
}
