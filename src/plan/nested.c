#include "plan/nested.h"

#include <string.h>

#include "plan/rising.h"

/* The binding as one container's objects see it, and that record alone. */
static const struct rs_binding *bind_alone(struct rs_arena *arena, const struct rs_binding *binding,
					   size_t base)
{
	const struct rs_around *around = binding->placement.bases[base].around;
	struct rs_binding *copy = rs_arena_new(arena, struct rs_binding);
	struct rs_bound_path *paths = rs_arena_array(arena, struct rs_bound_path, binding->n_paths);
	struct rs_placement_base *alone = rs_arena_new(arena, struct rs_placement_base);

	for (size_t p = 0; p < binding->n_paths; p++) {
		paths[p] = binding->paths[p];
		if (around && !around->runs[p])
			paths[p].rate = 0;
	}
	*alone = binding->placement.bases[base];
	alone->around = NULL;
	*copy = *binding;
	copy->paths = paths;
	copy->placement.bases = alone;
	copy->placement.n_bases = 1;
	copy->as_it_stands = NULL;
	return copy;
}

static double bound_base(struct rs_arena *arena, const struct rs_problem *problem, size_t base, double n_steps)
{
	const struct rs_binding *binding = bind_alone(arena, problem->binding, base);
	const struct rs_cost *cost = rs_rising_cost(arena, binding);
	const struct rs_problem *alone =
		rs_problem_create(arena, problem->record, binding, cost, problem->max_size_bytes);

	if (!alone->is_feasible || !alone->n_touched)
		return 0;
	return rs_bound_create(arena, rs_place_create(arena, alone), n_steps)->least_ns;
}

/* Several objects of one container in a row have one bound. */
static bool is_alike(const struct rs_placement_base *a, const struct rs_placement_base *b)
{
	return a->base_bytes == b->base_bytes && a->container && b->container &&
	       strcmp(a->container, b->container) == 0;
}

double rs_nested_bound(struct rs_arena *arena, const struct rs_problem *problem, double n_steps)
{
	const struct rs_placement *placement = &problem->binding->placement;
	const struct rs_machine *machine = &problem->binding->machine;
	double sum = 0, last = 0;

	/* How long lines stay cached is solved for the container's lines, too. */
	if (machine->cache_lines > 0 && problem->binding->instances > 0)
		return 0;
	for (size_t b = 0; b < placement->n_bases; b++) {
		if (b == 0 || !is_alike(&placement->bases[b], &placement->bases[b - 1]))
			last = bound_base(arena, problem, b, n_steps / (double)placement->n_bases);
		sum += last;
	}
	return sum / (double)placement->n_bases;
}
