#include "plan/pick.h"

#include "plan/path_cost.h"
#include "record/layout.h"

/* Of all that can be gained, what a path has to have a part of to be looked after. */
static const double NOTHING_SHARE = 1e-4;
/* What all of the gain is worth, in changed lines: so a line has to buy 0.05 % of it. */
static const double GAIN_LINES = 2000;

struct picking {
	const struct rs_pick_option *original, *best; /* best in cost */
	double gain_ns;
	size_t n_paths;
};

/* Whether each path gets nearly all of what it gains in the best plan. */
static bool serves_all_paths(const struct picking *picking, const struct rs_pick_option *option)
{
	for (size_t p = 0; p < picking->n_paths; p++) {
		double before = picking->original->path_ns[p], gain = before - picking->best->path_ns[p];

		if (gain > NOTHING_SHARE * picking->gain_ns &&
		    before - option->path_ns[p] < RS_PICK_PATH_SHARE * gain)
			return false;
	}
	return true;
}

static bool is_enough(const struct picking *picking, const struct rs_pick_option *option)
{
	double limit = picking->original->cost_ns - RS_PICK_GAIN_SHARE * picking->gain_ns;

	if (option == picking->best)
		return true;
	return rs_score_compare_cost(option->cost_ns, limit) <= 0 && serves_all_paths(picking, option);
}

static uint64_t growth_of(const struct picking *picking, const struct rs_pick_option *option)
{
	uint64_t before = picking->original->size_bytes;

	return option->size_bytes > before ? option->size_bytes - before : 0;
}

static double weight_of(const struct picking *picking, const struct rs_pick_option *option)
{
	return (double)option->burden + (double)option->size_bytes +
	       GAIN_LINES * (option->cost_ns - picking->best->cost_ns) / picking->gain_ns;
}

static bool is_better(const struct picking *picking, const struct rs_pick_option *a,
		      const struct rs_pick_option *b)
{
	uint64_t grows = growth_of(picking, a), other = growth_of(picking, b);

	return grows != other ? grows < other : weight_of(picking, a) < weight_of(picking, b);
}

static size_t choose_by_cost(const struct picking *picking, const struct rs_pick_option *options, size_t count)
{
	size_t pick = RS_NONE;

	for (size_t i = 0; i < count; i++)
		if ((pick == RS_NONE || is_better(picking, &options[i], &options[pick])) &&
		    is_enough(picking, &options[i]))
			pick = i;
	return pick;
}

static size_t choose_by_bytes(const struct rs_pick_option *options, size_t count)
{
	size_t pick = 0;

	for (size_t i = 1; i < count; i++)
		if (options[i].size_bytes < options[pick].size_bytes ||
		    (options[i].size_bytes == options[pick].size_bytes &&
		     options[i].burden < options[pick].burden))
			pick = i;
	return count ? pick : RS_NONE;
}

size_t rs_pick_choose(const struct rs_pick_option *original, const struct rs_pick_option *options,
		      size_t n_options, size_t n_paths)
{
	struct picking picking = { .original = original, .n_paths = n_paths };

	for (size_t i = 0; i < n_options; i++) {
		int by_cost =
			picking.best ? rs_score_compare_cost(options[i].cost_ns, picking.best->cost_ns) : -1;

		if (by_cost < 0 || (by_cost == 0 && options[i].size_bytes < picking.best->size_bytes))
			picking.best = &options[i];
	}
	if (!picking.best || rs_score_compare_cost(picking.best->cost_ns, original->cost_ns) >= 0)
		return choose_by_bytes(options, n_options);
	picking.gain_ns = original->cost_ns - picking.best->cost_ns;
	return choose_by_cost(&picking, options, n_options);
}

struct billing {
	const struct rs_problem *problem;
	struct rs_arena *arena;
	size_t *unit_order;
	uint64_t *offset_bits;
};

static const double *bill(const struct billing *billing)
{
	const struct rs_problem *problem = billing->problem;
	double *path_ns = rs_arena_array(billing->arena, double, problem->binding->n_paths);
	uint64_t size_bytes;

	rs_layout_compute(problem->record, billing->unit_order, billing->offset_bits, &size_bytes);
	rs_path_cost_compute(problem->cost, billing->offset_bits, size_bytes, path_ns);
	return path_ns;
}

size_t rs_pick_find(const struct rs_pareto *pareto)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	const struct rs_problem *problem = pareto->problem;
	const struct rs_record *record = problem->record;
	struct billing billing = { .problem = problem, .arena = arena };
	struct rs_pick_option original = { pareto->original.cost_ns, NULL, pareto->original.size_bytes, 0 };
	struct rs_pick_option *options = rs_arena_array(arena, struct rs_pick_option, pareto->n_items);

	billing.unit_order = rs_arena_array(arena, size_t, record->n_units);
	billing.offset_bits = rs_arena_array(arena, uint64_t, record->n_members);
	for (size_t u = 0; u < record->n_units; u++)
		billing.unit_order[u] = u;
	original.path_ns = problem->cost ? bill(&billing) : NULL;
	for (size_t i = 0; i < pareto->n_items; i++) {
		const struct rs_candidate *item = &pareto->items[i];

		rs_problem_expand(problem, item->order, billing.unit_order);
		options[i] =
			(struct rs_pick_option) { item->score.cost_ns, problem->cost ? bill(&billing) : NULL,
						  item->score.size_bytes, item->moves.burden };
	}
	return rs_pick_choose(&original, options, pareto->n_items,
			      problem->cost ? problem->binding->n_paths : 0);
}
