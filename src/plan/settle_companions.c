#include "plan/settle_companions.h"

#include <string.h>

#include "plan/exchange.h"
#include "record/layout.h"

static size_t count_kept(struct rs_place *place, const size_t *order)
{
	uint64_t size_bytes;

	rs_problem_expand(place->problem, order, place->unit_order);
	rs_layout_compute(place->problem->record, place->unit_order, place->offset_bits, &size_bytes);
	return rs_companions_count_kept(place->companions, place->problem->binding, place->offset_bits,
					size_bytes, NULL);
}

/* One of the two runs is a single atom with a companion. */
static bool moves_companion(const struct rs_problem *problem, const size_t *order, struct rs_exchange exchange)
{
	return (exchange.n == 1 && rs_problem_has_companion(problem, order[exchange.from])) ||
	       (exchange.n_passed == 1 && rs_problem_has_companion(problem, order[exchange.from + exchange.n]));
}

/* The shortest move that keeps more pairs; false when there is none. */
static bool improve(struct rs_place *place, size_t *order, size_t *trial, size_t *best)
{
	const struct rs_problem *problem = place->problem;
	struct rs_exchange exchange = { 0 };
	size_t most = count_kept(place, order), length = SIZE_MAX;
	bool found = false;

	while (rs_exchange_next(&exchange, problem->n_atoms, 1)) {
		size_t own = exchange.n + exchange.n_passed, kept;

		if (!moves_companion(problem, order, exchange) ||
		    !rs_exchange_apply(problem, order, exchange, trial))
			continue;
		kept = count_kept(place, trial);
		if (kept < most || (kept == most && (!found || own >= length)))
			continue;
		most = kept;
		length = own;
		found = true;
		memcpy(best, trial, problem->n_atoms * sizeof *best);
	}
	if (found)
		memcpy(order, best, problem->n_atoms * sizeof *order);
	return found;
}

const size_t *rs_settle_companions(struct rs_arena *arena, struct rs_place *place)
{
	const struct rs_problem *problem = place->problem;
	size_t *order, *trial, *best;

	if (!place->companions)
		return problem->start;
	order = rs_arena_array(arena, size_t, problem->n_atoms);
	trial = rs_arena_array(arena, size_t, problem->n_atoms);
	best = rs_arena_array(arena, size_t, problem->n_atoms);
	memcpy(order, problem->start, problem->n_atoms * sizeof *order);
	while (improve(place, order, trial, best))
		;
	return order;
}
