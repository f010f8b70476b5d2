#include "plan/pareto.h"

#include <stdlib.h>
#include <string.h>

void rs_pareto_init(struct rs_pareto *pareto, struct rs_arena *arena, const struct rs_problem *problem,
		    struct rs_score original, const struct rs_plan_options *options)
{
	*pareto = (struct rs_pareto) { .arena = arena, .problem = problem, .original = original };
	if (options) {
		pareto->max_moves = options->max_moves;
		pareto->max_lines = options->max_lines;
	}
	pareto->scratch = rs_moves_scratch_create(arena, problem->record);
	pareto->unit_order = rs_arena_array(arena, size_t, problem->record->n_units);
}

bool rs_pareto_is_gain(const struct rs_pareto *pareto, struct rs_score score)
{
	int by_cost = rs_score_compare_cost(score.cost_ns, pareto->original.cost_ns);

	if (by_cost > 0 || score.size_bytes > pareto->problem->max_size_bytes)
		return false;
	return by_cost < 0 || score.size_bytes < pareto->original.size_bytes;
}

static bool is_no_worse(struct rs_score a, size_t burden_a, struct rs_score b, size_t burden_b)
{
	return rs_score_compare_cost(a.cost_ns, b.cost_ns) <= 0 && a.size_bytes <= b.size_bytes &&
	       burden_a <= burden_b;
}

bool rs_pareto_is_beaten(const struct rs_pareto *pareto, struct rs_score score, size_t burden)
{
	for (size_t i = 0; i < pareto->n_items; i++) {
		const struct rs_candidate *item = &pareto->items[i];

		if (is_no_worse(item->score, item->moves.burden, score, burden) &&
		    !is_no_worse(score, burden, item->score, item->moves.burden))
			return true;
	}
	return false;
}

struct rs_moves rs_pareto_count_moves(struct rs_pareto *pareto, const size_t *order)
{
	rs_problem_expand(pareto->problem, order, pareto->unit_order);
	return rs_moves_compute(pareto->scratch, pareto->unit_order);
}

static int compare_orders(const struct rs_pareto *pareto, const size_t *a, const size_t *b)
{
	for (size_t i = 0; i < pareto->problem->n_atoms; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

/* Of two candidates with equal figures, whether the first is the one to keep. */
static bool is_nearer(const struct rs_pareto *pareto, const struct rs_candidate *a,
		      const struct rs_candidate *b)
{
	if (a->moves.n_blocks != b->moves.n_blocks)
		return a->moves.n_blocks < b->moves.n_blocks;
	return compare_orders(pareto, a->order, b->order) < 0;
}

static bool is_too_much(const struct rs_pareto *pareto, struct rs_moves moves)
{
	return (pareto->max_moves && moves.n_blocks > pareto->max_moves) ||
	       (pareto->max_lines && moves.changed_lines > pareto->max_lines);
}

void rs_pareto_offer_moves(struct rs_pareto *pareto, const size_t *order, struct rs_score score,
			   struct rs_moves moves)
{
	struct rs_candidate candidate = { order, score, moves };
	size_t kept = 0, *copy;

	if (!rs_pareto_is_gain(pareto, score) || is_too_much(pareto, moves))
		return;
	for (size_t i = 0; i < pareto->n_items; i++) {
		const struct rs_candidate *item = &pareto->items[i];

		if (!is_no_worse(item->score, item->moves.burden, score, moves.burden))
			continue;
		if (!is_no_worse(score, moves.burden, item->score, item->moves.burden) ||
		    !is_nearer(pareto, &candidate, item))
			return;
	}
	for (size_t i = 0; i < pareto->n_items; i++)
		if (!is_no_worse(score, moves.burden, pareto->items[i].score, pareto->items[i].moves.burden))
			pareto->items[kept++] = pareto->items[i];
	pareto->n_items = kept;
	copy = rs_arena_array(pareto->arena, size_t, pareto->problem->n_atoms);
	memcpy(copy, order, pareto->problem->n_atoms * sizeof *copy);
	candidate.order = copy;
	*rs_array_push(pareto->arena, pareto->items, pareto->n_items, pareto->items_capacity) = candidate;
}

void rs_pareto_offer(struct rs_pareto *pareto, const size_t *order, struct rs_score score)
{
	if (rs_pareto_is_gain(pareto, score))
		rs_pareto_offer_moves(pareto, order, score, rs_pareto_count_moves(pareto, order));
}

static int compare_candidates(const void *a, const void *b)
{
	const struct rs_candidate *x = (const struct rs_candidate *)a, *y = (const struct rs_candidate *)b;
	size_t lines_x = x->moves.changed_lines, lines_y = y->moves.changed_lines;

	if (lines_x != lines_y)
		return lines_x < lines_y ? -1 : 1;
	return rs_score_compare(x->score, y->score);
}

void rs_pareto_sort(struct rs_pareto *pareto)
{
	if (pareto->n_items > 1)
		qsort(pareto->items, pareto->n_items, sizeof *pareto->items, compare_candidates);
}
