#include "plan/walk.h"

#include <string.h>

#include "plan/exchange.h"

enum { LONGEST_RUN = 8 };

void rs_walk_init(struct rs_walk *walk, struct rs_arena *arena, const struct rs_problem *problem,
		  const size_t *order, size_t seed)
{
	*walk = (struct rs_walk) { .problem = problem,
				   .random = UINT64_C(0x9e3779b97f4a7c15) * (2 * seed + 1) };
	walk->order = rs_arena_array(arena, size_t, problem->n_atoms);
	walk->trial = rs_arena_array(arena, size_t, problem->n_atoms);
	memcpy(walk->order, order, problem->n_atoms * sizeof *order);
}

uint64_t rs_walk_draw(struct rs_walk *walk)
{
	walk->random ^= walk->random << 13;
	walk->random ^= walk->random >> 7;
	walk->random ^= walk->random << 17;
	return walk->random * UINT64_C(0x2545f4914f6cdd1d) >> 11;
}

static size_t draw_below(struct rs_walk *walk, size_t limit)
{
	return (size_t)(rs_walk_draw(walk) % limit);
}

double rs_walk_draw_unit(struct rs_walk *walk)
{
	return (double)rs_walk_draw(walk) / (double)(UINT64_C(1) << 53);
}

/* The run behind `to` atoms of the order without it. */
static bool put(struct rs_walk *walk, size_t from, size_t n, size_t to)
{
	struct rs_exchange exchange = { from, n, to - from };

	if (from == to)
		return false;
	if (to < from)
		exchange = (struct rs_exchange) { to, from - to, n };
	return rs_exchange_apply(walk->problem, walk->order, exchange, walk->trial);
}

/* Mostly one or two. */
static size_t draw_length(struct rs_walk *walk)
{
	size_t n_atoms = walk->problem->n_atoms, longest = draw_below(walk, 3) ? 2 : LONGEST_RUN;

	return 1 + draw_below(walk, n_atoms / 2 < longest ? (n_atoms + 1) / 2 : longest);
}

bool rs_walk_move_run(struct rs_walk *walk)
{
	size_t n_atoms = walk->problem->n_atoms, n = draw_length(walk);
	size_t from = draw_below(walk, n_atoms - n + 1), to = draw_below(walk, n_atoms - n + 1);

	return put(walk, from, n, to);
}

bool rs_walk_exchange(struct rs_walk *walk)
{
	size_t n_atoms = walk->problem->n_atoms;
	size_t one = draw_below(walk, n_atoms + 1), two = draw_below(walk, n_atoms + 1), middle;
	size_t from = one < two ? one : two, end = one < two ? two : one;

	if (end - from < 2)
		return false;
	middle = from + 1 + draw_below(walk, end - from - 1);
	return rs_exchange_apply(walk->problem, walk->order,
				 (struct rs_exchange) { from, middle - from, end - middle }, walk->trial);
}

bool rs_walk_swap_two(struct rs_walk *walk)
{
	const struct rs_problem *problem = walk->problem;
	size_t i = draw_below(walk, problem->n_atoms), k = draw_below(walk, problem->n_atoms);
	size_t low = i < k ? i : k, high = i < k ? k : i, *order = walk->order;

	if (problem->atoms[order[low]].class == problem->atoms[order[high]].class ||
	    problem->atoms[order[low]].region != problem->atoms[order[high]].region)
		return false;
	for (size_t p = low; p <= high; p++)
		if ((p > low && rs_problem_precedes(problem, order[low], order[p])) ||
		    (p < high && rs_problem_precedes(problem, order[p], order[high])))
			return false;
	memcpy(walk->trial, order, problem->n_atoms * sizeof *order);
	walk->trial[low] = order[high];
	walk->trial[high] = order[low];
	return true;
}

bool rs_walk_send_home(struct rs_walk *walk)
{
	size_t n_atoms = walk->problem->n_atoms, from = draw_below(walk, n_atoms), end = from + 1, to = 0;
	size_t first = walk->order[from], most = draw_length(walk);

	while (end < n_atoms && end - from < most && walk->order[end] == walk->order[end - 1] + 1)
		end++;
	for (size_t i = 0; i < n_atoms && first > 0; i++)
		if (walk->order[i] == first - 1)
			to = i + 1;
	return put(walk, from, end - from, to > from ? to - (end - from) : to);
}

void rs_walk_take(struct rs_walk *walk)
{
	size_t *order = walk->order;

	walk->order = walk->trial;
	walk->trial = order;
}
