#include "plan/array_bound.h"

#include "plan/rising.h"

double rs_array_bound(struct rs_arena *arena, const struct rs_problem *problem, double n_steps)
{
	struct rs_binding *alone = rs_arena_new(arena, struct rs_binding);
	const struct rs_problem *copy;
	const struct rs_bound *bound;

	*alone = *problem->binding;
	/* How long lines stay cached is solved for the elements as they lie. */
	if (alone->machine.cache_lines > 0 && alone->instances > 0)
		return 0;
	alone->placement = (struct rs_placement) { .kind = RS_PLACE_ALIGNED,
						   .align_bytes = (unsigned)problem->record->align_bytes };
	alone->as_it_stands = NULL;
	copy = rs_problem_create(arena, problem->record, alone, rs_rising_cost(arena, alone),
				 problem->max_size_bytes);
	if (!copy->is_feasible || !copy->n_touched)
		return 0;
	bound = rs_bound_create(arena, rs_place_create(arena, copy), n_steps);
	return bound->n_tables ? rs_bound_rest(bound, bound->all, bound->most_lines) : 0;
}
