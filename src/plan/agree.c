#include "plan/agree.h"

#include <string.h>

#include "plan/companions.h"
#include "plan/joins.h"
#include "plan/permit.h"
#include "plan/place.h"
#include "record/configurations.h"
#include "record/layout.h"

/* What one search may do: layouts that it looks at, times the members of each, in all configurations. */
enum { MOST_WORK = 2000000 };

struct agree {
	struct rs_arena *arena;   /* of the result */
	struct rs_arena *scratch; /* of the search */
	const struct rs_plan_problem *problem;
	const struct rs_cost *cost;
	struct rs_plan_view main;
	struct rs_plan_figure original;
	struct rs_plan_figure *originals; /* one a view */
	size_t work, work_of_layout;
};

/* --- figures --- */

/* Members that the view does not have need not keep together there. */
static bool parts_companions(const struct rs_record *record, const struct rs_plan_view *view,
			     const uint64_t *offset_bits, uint64_t size_bytes)
{
	for (size_t i = 0; i < record->n_constraints; i++) {
		const struct rs_constraint *constraint = &record->constraints[i];
		struct rs_companions pair = { .record = view->record, .n_pairs = 1 };

		if (constraint->kind != RS_KEEP_ON_LINE)
			continue;
		pair.line_bytes = view->binding ? rs_cost_line_bytes_of(view->binding) : constraint->line_bytes;
		pair.members[0][0] =
			rs_record_find_member(view->record, record->members[constraint->member].path);
		pair.members[0][1] =
			rs_record_find_member(view->record, record->members[constraint->other_member].path);
		if (pair.members[0][0] != RS_NONE && pair.members[0][1] != RS_NONE &&
		    !rs_companions_hold(&pair, view->binding, offset_bits, size_bytes))
			return true;
	}
	return false;
}

static struct rs_plan_figure layout_figure(struct rs_arena *arena, const struct rs_record *record,
					   const struct rs_plan_view *view, const size_t *order)
{
	uint64_t *offsets = rs_arena_array(arena, uint64_t, view->record->n_members);
	struct rs_plan_figure figure = { .joins = !rs_joins_are_permitted(arena, view->record, view->binding,
									  order) };

	rs_layout_compute(view->record, order, offsets, &figure.size_bytes);
	if (view->cost)
		figure.cost_ns = rs_cost_layout(view->cost, offsets, figure.size_bytes);
	figure.parts = parts_companions(record, view, offsets, figure.size_bytes);
	return figure;
}

struct rs_plan_figure rs_agree_figure(const struct rs_record *record, const struct rs_plan_view *view,
				      const size_t *order)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	size_t *own = rs_arena_array(arena, size_t, view->record->n_units);

	rs_configurations_project(record, view->record, order, own);
	return layout_figure(arena, record, view, own);
}

void rs_agree_plan(struct rs_arena *arena, const struct rs_record *record, const struct rs_plan_view *view,
		   const struct rs_plan *plan, struct rs_plan *ret_plan)
{
	size_t *own = rs_arena_array(arena, size_t, view->record->n_units);
	uint64_t *offsets = rs_arena_array(arena, uint64_t, view->record->n_members);
	struct rs_plan result = { .id = plan->id, .order = own, .offset_bits = offsets };

	rs_configurations_project(record, view->record, plan->order, own);
	rs_layout_compute(view->record, own, offsets, &result.size_bytes);
	if (view->cost)
		result.cost_ns = rs_cost_layout(view->cost, offsets, result.size_bytes);
	*ret_plan = result;
}

static uint64_t most_bytes(const struct agree *agree, uint64_t original)
{
	uint64_t most = agree->problem->options->max_size_bytes;

	if (most == 0 && agree->problem->binding)
		most = agree->problem->binding->max_size;
	return most > original ? most : original;
}

static bool is_worse(const struct agree *agree, struct rs_plan_figure now, struct rs_plan_figure before)
{
	return (now.joins && !before.joins) || now.parts ||
	       now.size_bytes > most_bytes(agree, before.size_bytes) ||
	       rs_score_compare_cost(now.cost_ns, before.cost_ns) > 0;
}

/* The first view that the order is worse in than the original; n_views when there is none. */
static size_t worse_view(struct agree *agree, const size_t *order, struct rs_plan_figure *ret_figure)
{
	const struct rs_plan_problem *problem = agree->problem;
	size_t v = 0;

	for (; v < problem->n_views; v++) {
		*ret_figure = rs_agree_figure(problem->record, &problem->views[v], order);
		if (is_worse(agree, *ret_figure, agree->originals[v]))
			break;
	}
	return v;
}

/* --- orders that are good everywhere --- */

/* Smaller is better, in this order. */
struct merit {
	struct rs_score own;
	double elsewhere; /* sum over the views of their share of what the original has */
};

struct attempt {
	size_t *order;
	struct merit merit;
};

static double share(double now, double before)
{
	return before > 0 ? now / before : 0;
}

/* False when a view is worse off, or the order is not permitted. */
static bool judge(struct agree *agree, const size_t *order, struct merit *ret_merit)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	const struct rs_plan_problem *problem = agree->problem;
	struct merit merit = { 0 };

	agree->work += agree->work_of_layout;
	if (!rs_permit_check(arena, problem->record, problem->binding, order, NULL))
		return false;
	struct rs_plan_figure own = layout_figure(arena, problem->record, &agree->main, order);
	if (is_worse(agree, own, agree->original))
		return false;
	merit.own = (struct rs_score) { .cost_ns = own.cost_ns, .size_bytes = own.size_bytes };
	for (size_t v = 0; v < problem->n_views; v++) {
		struct rs_plan_figure there = rs_agree_figure(problem->record, &problem->views[v], order);

		if (is_worse(agree, there, agree->originals[v]))
			return false;
		merit.elsewhere += share((double)there.size_bytes, (double)agree->originals[v].size_bytes) +
				   share(there.cost_ns, agree->originals[v].cost_ns);
	}
	*ret_merit = merit;
	return true;
}

static bool is_better(struct merit a, struct merit b)
{
	int own = rs_score_compare(a.own, b.own);

	return own != 0 ? own < 0 : rs_score_compare_cost(a.elsewhere, b.elsewhere) < 0;
}

static void move_unit(const size_t *order, size_t count, size_t from, size_t to, size_t *ret_order)
{
	memcpy(ret_order, order, count * sizeof *order);
	memmove(ret_order + from, ret_order + from + 1, (count - from - 1) * sizeof *order);
	memmove(ret_order + to + 1, ret_order + to, (count - to - 1) * sizeof *order);
	ret_order[to] = order[from];
}

/* Takes the best move of one unit that helps; false when none does. */
static bool improve(struct agree *agree, struct attempt *attempt, size_t *tried)
{
	const struct rs_record *record = agree->problem->record;
	size_t n = record->n_units, best_from = n, best_to = n;
	struct merit best = attempt->merit, merit;

	for (size_t from = 0; from < n; from++)
		for (size_t to = 0; to < n && agree->work < MOST_WORK; to++) {
			if (from == to || record->units[attempt->order[from]].region !=
						  record->units[attempt->order[to]].region)
				continue;
			move_unit(attempt->order, n, from, to, tried);
			if (!judge(agree, tried, &merit) || !is_better(merit, best))
				continue;
			best = merit;
			best_from = from;
			best_to = to;
		}
	if (best_from == n)
		return false;
	move_unit(attempt->order, n, best_from, best_to, tried);
	memcpy(attempt->order, tried, n * sizeof *tried);
	attempt->merit = best;
	return true;
}

static void descend(struct agree *agree, struct attempt *attempt)
{
	size_t *tried = rs_arena_array(agree->scratch, size_t, agree->problem->record->n_units);

	while (agree->work < MOST_WORK && improve(agree, attempt, tried))
		;
}

static uint32_t unit_alignment(const struct rs_record *record, size_t unit)
{
	size_t member = record->units[unit].first_member;
	uint32_t align = 0;

	for (size_t i = 0; i < record->units[unit].n_members; i++) {
		if (record->members[member].align_bytes > align)
			align = record->members[member].align_bytes;
		member = rs_record_next_sibling(record, member);
	}
	return align;
}

/* Of the unit in whichever configuration aligns it most. */
static uint32_t highest_alignment(const struct rs_plan_problem *problem, size_t unit)
{
	struct rs_span span = problem->record->units[unit].span;
	uint32_t align = unit_alignment(problem->record, unit);

	for (size_t v = 0; v < problem->n_views; v++) {
		const struct rs_record *record = problem->views[v].record;

		for (size_t u = 0; u < record->n_units; u++) {
			uint32_t here = unit_alignment(record, u);

			if (record->units[u].span.start < span.end && span.start < record->units[u].span.end &&
			    here > align)
				align = here;
		}
	}
	return align;
}

/* By falling alignment there is no hole, whatever #if leaves out, where units have none inside. */
static void sort_by_alignment(const struct agree *agree, size_t *order)
{
	const struct rs_record *record = agree->problem->record;
	uint32_t *aligns = rs_arena_array(agree->scratch, uint32_t, record->n_units);

	for (size_t u = 0; u < record->n_units; u++)
		aligns[u] = highest_alignment(agree->problem, u);
	for (size_t i = 1; i < record->n_units; i++)
		for (size_t j = i; j > 0; j--) {
			size_t before = order[j - 1], unit = order[j];

			if (record->units[before].region != record->units[unit].region ||
			    aligns[before] >= aligns[unit])
				break;
			order[j - 1] = unit;
			order[j] = before;
		}
}

static size_t *as_it_stands(const struct agree *agree)
{
	size_t n = agree->problem->record->n_units;
	size_t *order = rs_arena_array(agree->scratch, size_t, n);

	for (size_t u = 0; u < n; u++)
		order[u] = u;
	return order;
}

/* Starts at the original, and at an order without holes, where they are permitted; gives the better end. */
static size_t *search(struct agree *agree)
{
	struct attempt near = { .order = as_it_stands(agree) }, far = { .order = as_it_stands(agree) };
	bool near_holds = judge(agree, near.order, &near.merit), far_holds;

	if (near_holds)
		descend(agree, &near);
	sort_by_alignment(agree, far.order);
	far_holds = judge(agree, far.order, &far.merit);
	if (far_holds && !near_holds)
		descend(agree, &far);
	if (far_holds && (!near_holds || rs_score_compare(far.merit.own, near.merit.own) < 0))
		return far.order;
	return near.order;
}

/* --- the set --- */

static double value_of(const struct agree *agree, const struct rs_plan *plan)
{
	return agree->cost ? plan->cost_ns : (double)plan->size_bytes;
}

static const struct rs_plan *best_of(const struct agree *agree, const struct rs_plan *plans, size_t count)
{
	const struct rs_plan *best = NULL;

	for (size_t i = 0; i < count; i++)
		if (!best || value_of(agree, &plans[i]) < value_of(agree, best))
			best = &plans[i];
	return best;
}

/* The fewest changed lines with nearly all of what can be gained. */
static size_t find_pick(const struct agree *agree, const struct rs_plan *plans, size_t count,
			const struct rs_plan *original)
{
	const struct rs_plan *best = best_of(agree, plans, count);
	size_t pick = RS_NONE;

	if (!best)
		return RS_NONE;
	double most = value_of(agree, original) - 0.95 * (value_of(agree, original) - value_of(agree, best));
	for (size_t i = 0; i < count; i++)
		if (value_of(agree, &plans[i]) <= most &&
		    (pick == RS_NONE || plans[i].changed_lines < plans[pick].changed_lines))
			pick = i;
	return pick == RS_NONE ? (size_t)(best - plans) : pick;
}

static size_t keep_good(struct agree *agree, const struct rs_plan_set *set, struct rs_plan *plans,
			struct rs_plan_dropped *dropped, size_t *ret_pick)
{
	size_t count = 0;

	*ret_pick = RS_NONE;
	for (size_t i = 0; i < set->n_plans; i++) {
		struct rs_plan_figure figure = { 0 };
		size_t view = worse_view(agree, set->plans[i].order, &figure);

		if (view == agree->problem->n_views) {
			if (i == set->pick)
				*ret_pick = count;
			plans[count++] = set->plans[i];
			continue;
		}
		if (dropped[view].n_plans++ == 0) {
			dropped[view].before = agree->originals[view];
			dropped[view].after = figure;
			dropped[view].size_bytes = set->plans[i].size_bytes;
		}
	}
	return count;
}

static void add_found(struct agree *agree, struct rs_plan_set *set, struct rs_plan *plans, size_t *count)
{
	const struct rs_plan *best = best_of(agree, plans, *count);
	const size_t *order = search(agree);
	struct rs_plan found;

	rs_plan_from_order(agree->arena, agree->problem->record, agree->cost, order, &found);
	double least = best && value_of(agree, best) < value_of(agree, &set->original)
			       ? value_of(agree, best)
			       : value_of(agree, &set->original);
	size_t most_moves = agree->problem->options->max_moves, most_lines = agree->problem->options->max_lines;
	if (found.n_operations == 0 || value_of(agree, &found) >= least ||
	    (most_moves > 0 && found.n_operations > most_moves) ||
	    (most_lines > 0 && found.changed_lines > most_lines))
		return;
	plans[(*count)++] = found;
}

/* The bound is that of the main configuration: what is found for all may still meet it. */
static bool meets_bound(const struct agree *agree, const struct rs_plan_set *set, const struct rs_plan *best)
{
	const struct rs_plan *least =
		best && value_of(agree, best) < value_of(agree, &set->original) ? best : &set->original;

	if (agree->cost)
		return rs_score_compare_cost(least->cost_ns, set->lower_bound_ns) <= 0;
	return least->size_bytes <= set->lower_bound_bytes;
}

static void sort_by_lines(struct rs_plan *plans, size_t count, size_t *pick)
{
	for (size_t i = 1; i < count; i++)
		for (size_t j = i; j > 0 && plans[j].changed_lines < plans[j - 1].changed_lines; j--) {
			struct rs_plan longer = plans[j - 1];

			plans[j - 1] = plans[j];
			plans[j] = longer;
			if (*pick == j || *pick == j - 1)
				*pick = 2 * j - 1 - *pick;
		}
	for (size_t i = 0; i < count; i++)
		plans[i].id = (unsigned)i + 1;
}

static void init(struct agree *agree)
{
	const struct rs_plan_problem *problem = agree->problem;
	const size_t *order = as_it_stands(agree);

	agree->cost = problem->binding ? rs_cost_create(agree->scratch, problem->binding) : NULL;
	agree->main = (struct rs_plan_view) { .record = problem->record,
					      .binding = problem->binding,
					      .cost = agree->cost };
	agree->original = layout_figure(agree->scratch, problem->record, &agree->main, order);
	agree->originals = rs_arena_array(agree->scratch, struct rs_plan_figure, problem->n_views);
	agree->work_of_layout = problem->record->n_members + 1;
	for (size_t v = 0; v < problem->n_views; v++)
		agree->work_of_layout += problem->views[v].record->n_members;
	for (size_t v = 0; v < problem->n_views; v++)
		agree->originals[v] = rs_agree_figure(problem->record, &problem->views[v], order);
}

void rs_agree_choose(struct rs_arena *arena, const struct rs_plan_problem *problem, struct rs_plan_set *set,
		     struct rs_plan_dropped *ret_dropped)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *scratch = rs_arena_create();
	struct agree agree = { .arena = arena, .scratch = scratch, .problem = problem };
	struct rs_plan *plans = rs_arena_array(arena, struct rs_plan, set->n_plans + 1);
	size_t count, pick;

	init(&agree);
	count = keep_good(&agree, set, plans, ret_dropped, &pick);
	if (count == set->n_plans)
		return;
	const struct rs_plan *best = best_of(&agree, set->plans, set->n_plans);
	const struct rs_plan *kept = best_of(&agree, plans, count);
	if (!kept || value_of(&agree, kept) > value_of(&agree, best)) {
		add_found(&agree, set, plans, &count);
		set->proven = meets_bound(&agree, set, best_of(&agree, plans, count));
	}
	if (pick == RS_NONE)
		pick = find_pick(&agree, plans, count, &set->original);
	sort_by_lines(plans, count, &pick);
	set->plans = plans;
	set->n_plans = count;
	set->pick = pick;
}
