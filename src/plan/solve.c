#include "plan/solve.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/array_bound.h"
#include "plan/assemble.h"
#include "plan/bytes.h"
#include "plan/explore.h"
#include "plan/fluid.h"
#include "plan/frontier.h"
#include "plan/gather.h"
#include "plan/lighten.h"
#include "plan/local.h"
#include "plan/nested.h"
#include "plan/pick.h"
#include "plan/search.h"
#include "plan/settle_companions.h"
#include "plan/sweep.h"
#include "plan/untangle.h"

/* Steps that a second buys on a slow machine, for each of the parts. */
static const double DEFAULT_SECONDS = 2, SEARCH_STEPS = 2e6, PLACINGS = 1e7, LOOKS = 5e7, BOUND_STEPS = 2.5e8,
		    FLUID_STEPS = 1e8, GATHER_STEPS = 1e6, SWEEP_STEPS = 1e7, REALIZE_STEPS = 2e5, WHOLE_COSTINGS = 5e3,
		    WHOLE_STEPS = 1e8;
/* More atoms than can be searched to an end, or to any use. */
enum { MOST_SEARCHED_ATOMS = 400, MOST_LIGHTENED_ATOMS = 400 };
/* So that a small problem is always searched to its end. */
static const double LEAST_STEPS = 2e5;
/* A record of so many atoms, with a cost or without, gets all of the time for the search for fewer moves. */
static const double MANY_COSTED_ATOMS = 140, MANY_ATOMS = 300, LEAST_SHARE = 0.01, NESTED_SHARE = 0.25;
static const double FEW_TOUCHED = 20;
/* More base offsets than these make a step longer. */
enum { FEW_BASES = 4 };
/* Times that atoms are gathered to lines. */
enum { GATHERINGS = 4, REPAIRS = 8 };

struct solver {
	struct rs_arena *arena;
	const struct rs_problem *problem;
	struct rs_place *place;
	struct rs_pareto pareto;
	struct rs_bytes bytes;
	const struct rs_bound *bound; /* NULL without a profile */
	double least_ns;              /* no order costs less; 0 likewise */
	double seconds;
	const size_t *start;   /* the order nearest to the original that keeps companions, if one was found */
	size_t *best;          /* of atoms */
	struct rs_score score; /* of best; DBL_MAX: none yet */
	size_t n_repairs;      /* done so far */
	bool complete;         /* best is proven to be the best order of all */
};

/* The neighbours of an order grow with the cube of its atoms: a small record is searched through in a small
 * part of the time. Exactness does not hang on this. */
static double exploring_seconds(const struct solver *solver)
{
	double many = solver->problem->cost ? MANY_COSTED_ATOMS : MANY_ATOMS;

	if (solver->problem->cost && rs_cost_has_neighbours(solver->problem->cost))
		return solver->seconds * NESTED_SHARE;
	return solver->seconds * fmin(1, fmax(LEAST_SHARE, pow((double)solver->problem->n_atoms / many, 3)));
}

/* Costs of whole layouts that a second buys. Those of elements of an array take the longest of all. */
static double count_costings(const struct solver *solver)
{
	const struct rs_binding *binding = solver->problem->binding;
	double n_accesses = 1;

	if (!rs_cost_has_neighbours(solver->problem->cost))
		return WHOLE_COSTINGS;
	for (size_t p = 0; p < binding->n_paths; p++)
		n_accesses += (double)binding->paths[p].n_accesses;
	return fmax(WHOLE_COSTINGS,
		    WHOLE_STEPS / (n_accesses * n_accesses * (double)binding->placement.n_bases));
}

/* Orders that one part may evaluate. */
static uint64_t count_evaluations(const struct solver *solver)
{
	double each = (double)(solver->problem->n_atoms * solver->place->n_bases);

	return (uint64_t)(exploring_seconds(solver) *
			  (solver->place->is_separable ? PLACINGS / fmax(1, each) : count_costings(solver)));
}

/* What the search for plans may look at. */
static uint64_t count_looks(const struct solver *solver)
{
	double each =
		solver->place->is_separable ? LOOKS : count_costings(solver) * (double)solver->problem->n_atoms;

	return (uint64_t)(exploring_seconds(solver) * each);
}

static void consider(struct solver *solver, const size_t *order)
{
	struct rs_score score = rs_place_score(solver->place, order);

	if (score.size_bytes > solver->problem->max_size_bytes || rs_score_compare(score, solver->score) >= 0)
		return;
	solver->score = score;
	memcpy(solver->best, order, solver->problem->n_atoms * sizeof *order);
}

static bool meets_bound(const struct solver *solver)
{
	return rs_score_compare_cost(solver->score.cost_ns, solver->least_ns) <= 0 &&
	       solver->score.size_bytes <= solver->bytes.least_bytes;
}

static void search(struct solver *solver, double steps, const rs_element_set *bins, size_t n_bins)
{
	struct rs_search run = { .place = solver->place,
				 .bound = solver->bound,
				 .least_bytes = solver->bytes.least_bytes,
				 .n_steps = (uint64_t)steps,
				 .bins = bins,
				 .n_bins = n_bins,
				 .best = solver->best,
				 .score = solver->score };
	bool complete = rs_search_run(&run);

	solver->score = run.score;
	solver->complete = complete && !n_bins;
}

static void search_locally(struct solver *solver)
{
	struct rs_local local = { .place = solver->place,
				  .n_steps = count_evaluations(solver),
				  .goal_ns = solver->least_ns,
				  .goal_bytes = solver->bytes.least_bytes,
				  .best = solver->best,
				  .score = solver->score };

	rs_local_run(&local);
	solver->score = local.score;
}

/* Where a whole layout is costed at the end of each order only, an end is most of the work. */
static double count_search_steps(const struct solver *solver)
{
	if (!solver->place->is_separable)
		return count_costings(solver) * solver->seconds;
	return fmax(LEAST_STEPS, SEARCH_STEPS * solver->seconds) /
	       fmax(1, (double)solver->place->n_bases / FEW_BASES);
}

/* An order that would be better, were it not too large: with the same lines, or nearly so, it may fit. */
static void repair(struct solver *solver, const size_t *order)
{
	size_t size = solver->problem->n_atoms * sizeof *order, *copy;
	struct rs_local local = { .place = solver->place,
				  .n_steps = count_evaluations(solver) / REPAIRS,
				  .goal_ns = rs_place_score(solver->place, order).cost_ns,
				  .goal_bytes = solver->problem->max_size_bytes,
				  .is_repair = true,
				  .score = { DBL_MAX, UINT64_MAX } };

	if (solver->n_repairs++ >= REPAIRS)
		return;
	copy = (size_t *)rs_alloc(size);
	memcpy(copy, order, size);
	local.best = copy;
	rs_local_run(&local);
	if (local.score.cost_ns < DBL_MAX)
		consider(solver, copy);
	free(copy);
}

/* Lines that are wanted, as an order. */
static void consider_lines(void *context, const size_t *lines, size_t n_lines)
{
	struct solver *solver = (struct solver *)context;
	size_t *order = (size_t *)rs_alloc((solver->problem->n_atoms + 1) * sizeof *order);
	struct rs_score score;

	rs_assemble_run(solver->place, lines, n_lines, order);
	score = rs_place_score(solver->place, order);
	if (score.size_bytes > solver->problem->max_size_bytes &&
	    rs_score_compare_cost(score.cost_ns, solver->score.cost_ns) < 0)
		repair(solver, order);
	else
		consider(solver, order);
	free(order);
}

/* Gives whether there is such an order, which then counts. */
static bool realize(struct solver *solver, const struct rs_wanted *wanted)
{
	struct rs_realize run = { .place = solver->place,
				  .wanted = wanted,
				  .n_steps = (uint64_t)(REALIZE_STEPS * solver->seconds) };

	run.order = rs_arena_array(solver->arena, size_t, solver->problem->n_atoms);
	if (!rs_realize_run(&run))
		return false;
	consider(solver, run.order);
	return true;
}

/* As they are wanted, whole lines: exactly, or not at all. */
static void realize_lines(struct solver *solver, const size_t *lines)
{
	size_t first = solver->place->bases[0].offset_bytes * 8 / solver->place->line_bits;
	size_t n_atoms = solver->problem->n_atoms;
	struct rs_wanted *wanted = (struct rs_wanted *)rs_alloc(n_atoms * sizeof *wanted);

	for (size_t a = 0; a < n_atoms; a++)
		wanted[a] = (struct rs_wanted) { lines[a] == RS_NONE ? RS_NONE : first + lines[a], UINT64_MAX };
	realize(solver, wanted);
	free(wanted);
}

/* From different starts, as much hangs on the first steps. */
static void gather(struct solver *solver)
{
	size_t n_atoms = solver->problem->n_atoms;
	size_t *lines = (size_t *)rs_alloc((n_atoms + 1) * sizeof *lines);
	struct rs_gather run = { .place = solver->place, .order = solver->best, .lines = lines };

	run.n_steps = (uint64_t)(GATHER_STEPS * solver->seconds / GATHERINGS);
	for (run.seed = 1; run.seed <= GATHERINGS && !meets_bound(solver); run.seed++)
		if (rs_gather_run(&run)) {
			consider_lines(solver, lines, run.n_lines);
			realize_lines(solver, lines);
		}
	free(lines);
}

static void bound_by_fluids(struct solver *solver)
{
	struct rs_fluid fluid = { .place = solver->place,
				  .n_steps = FLUID_STEPS * solver->seconds,
				  .enough_ns = &solver->score.cost_ns,
				  .visit = consider_lines,
				  .context = solver };

	solver->least_ns = fmax(solver->least_ns, rs_fluid_bound(&fluid));
}

/* The least size is that without companions: what keeps them is searched for. */
static void search_bytes(struct solver *solver)
{
	if (solver->problem->n_atoms <= MOST_SEARCHED_ATOMS && !meets_bound(solver))
		search(solver, count_search_steps(solver), NULL, 0);
	if (solver->complete && solver->score.cost_ns < DBL_MAX)
		solver->bytes.least_bytes = solver->score.size_bytes;
}

/* Little has to be looked at for what costs little more than the bound: so the least is asked for in steps that
 * rise from the bound to what is known. */
static bool sweep_rising(struct solver *solver, struct rs_sweep *run)
{
	static const double rises[] = { 1.0 / 16, 1.0 / 8, 1.0 / 4, 1.0 / 2, 1 };
	double known = solver->score.cost_ns, least = solver->least_ns;

	run->is_better = false;
	for (size_t i = 0; i < RS_COUNT_OF(rises) && !run->is_better; i++) {
		run->enough_ns = known == DBL_MAX ? DBL_MAX : least + rises[i] * (known - least);
		if (!rs_sweep_run(run))
			return false;
		run->n_steps -= run->n_steps_done;
		solver->least_ns = fmax(solver->least_ns, run->least_ns);
	}
	return run->is_better;
}

/* With many touched atoms the sweep comes to no end, and its steps are dearer. */
static double count_sweep_steps(const struct solver *solver)
{
	double share = FEW_TOUCHED / (double)solver->problem->n_touched;

	return SWEEP_STEPS * solver->seconds * pow(fmin(1, share), 3);
}

static void sweep(struct solver *solver)
{
	struct rs_sweep run = { .place = solver->place,
				.bound = solver->bound,
				.n_steps = (uint64_t)count_sweep_steps(solver) };

	run.wanted = rs_arena_array(solver->arena, struct rs_wanted, solver->problem->n_atoms);
	if (!sweep_rising(solver, &run) || realize(solver, run.wanted))
		return;
	run.is_strict = true;
	if (sweep_rising(solver, &run))
		realize(solver, run.wanted);
}

static void solve_cost(struct solver *solver)
{
	size_t *order = rs_arena_array(solver->arena, size_t, solver->problem->n_atoms);
	rs_element_set bins[RS_BOUND_MOST_ELEMENTS];
	size_t n_bins = rs_bound_partition(solver->bound, bins);
	bool searchable = solver->problem->n_atoms <= MOST_SEARCHED_ATOMS;
	double swept_ns;

	rs_local_hot_first(solver->problem, order);
	consider(solver, order);
	if (!meets_bound(solver)) {
		gather(solver);
		sweep(solver);
	}
	swept_ns = solver->score.cost_ns;
	if (n_bins && searchable && !meets_bound(solver))
		search(solver, count_search_steps(solver) / 4, bins, n_bins);
	if (searchable && !meets_bound(solver))
		search(solver, count_search_steps(solver), NULL, 0);
	if (solver->score.cost_ns < DBL_MAX && !meets_bound(solver) && !solver->complete) {
		gather(solver);
		bound_by_fluids(solver);
	}
	if (!meets_bound(solver) && !solver->complete)
		search_locally(solver);
	/* The better what is known, the less there is to be looked at. */
	if (solver->score.cost_ns < swept_ns && !meets_bound(solver) && !solver->complete)
		sweep(solver);
}

/* The best order that the frontier met may be better than the one that the search ended with. */
static void take_best_of_frontier(struct solver *solver)
{
	for (size_t i = 0; i < solver->pareto.n_items; i++)
		consider(solver, solver->pareto.items[i].order);
}

/* The gain that is wanted of a plan decides how few moves do: the default plan's, several times, since much
 * hangs on the first steps, and less. */
static void lighten(struct solver *solver)
{
	static const double shares[] = {
		RS_PICK_GAIN_SHARE, RS_PICK_GAIN_SHARE, RS_PICK_GAIN_SHARE, 1, RS_PICK_PATH_SHARE, 0.75, 0.5
	};
	struct rs_score original = solver->pareto.original, least = solver->score;
	bool by_cost = rs_score_compare_cost(least.cost_ns, original.cost_ns) < 0;
	struct rs_lighten run = { .pareto = &solver->pareto, .place = solver->place };

	if (least.cost_ns == DBL_MAX || solver->problem->n_atoms > MOST_LIGHTENED_ATOMS)
		return;
	run.start = solver->start;
	run.n_steps = count_looks(solver) / 3;
	for (run.seed = 0; run.seed < RS_COUNT_OF(shares); run.seed++) {
		run.enough = (struct rs_score) { original.cost_ns, least.size_bytes };
		if (by_cost) {
			run.enough.cost_ns -= shares[run.seed] * (original.cost_ns - least.cost_ns);
			run.enough.size_bytes = solver->problem->max_size_bytes;
		}
		if (by_cost || run.seed == 0)
			rs_lighten_run(&run);
	}
}

static void explore(struct solver *solver)
{
	rs_explore_run(&solver->pareto, solver->place, solver->score.cost_ns < DBL_MAX ? solver->best : NULL,
		       count_looks(solver) / 2);
}

static void solve_many(struct solver *solver)
{
	const struct rs_problem *problem = solver->problem;

	memcpy(solver->best, solver->start, problem->n_atoms * sizeof *solver->best);
	consider(solver, solver->start);
	consider(solver, solver->bytes.order);
	if (problem->cost) {
		solver->bound = rs_bound_create(solver->arena, solver->place, BOUND_STEPS * solver->seconds);
		solver->least_ns = solver->bound->least_ns;
		if (problem->binding->placement.kind == RS_PLACE_ARRAY && !solver->place->is_separable)
			solver->least_ns =
				fmax(solver->least_ns,
				     rs_array_bound(solver->arena, problem, BOUND_STEPS * solver->seconds));
		if (rs_cost_has_neighbours(problem->cost))
			solver->least_ns =
				fmax(solver->least_ns,
				     rs_nested_bound(solver->arena, problem, BOUND_STEPS * solver->seconds));
		if (problem->n_touched)
			solve_cost(solver);
	}
	if (!problem->cost && problem->companions)
		search_bytes(solver);
	if (solver->score.cost_ns < DBL_MAX)
		rs_untangle_run(&solver->pareto, solver->place, solver->best, count_evaluations(solver) / 4);
	explore(solver);
	lighten(solver);
	explore(solver);
	take_best_of_frontier(solver);
}

static void solve_few(struct solver *solver)
{
	solver->complete = rs_frontier_try_all(&solver->pareto, solver->place, solver->best, &solver->score);
}

/* What the shown plans, or the original, reach is compared with the bound, not what the search knows. */
static void conclude(struct solver *solver, const struct rs_plan *original, struct rs_solution *solution)
{
	struct rs_score reached = { original->cost_ns, original->size_bytes };
	const struct rs_pareto *pareto = &solver->pareto;

	for (size_t i = 0; i < pareto->n_items; i++) {
		reached.cost_ns = fmin(reached.cost_ns, pareto->items[i].score.cost_ns);
		if (pareto->items[i].score.size_bytes < reached.size_bytes)
			reached.size_bytes = pareto->items[i].score.size_bytes;
	}
	solution->lower_bound_bytes = solver->bytes.least_bytes;
	if (solver->complete && solver->score.cost_ns < DBL_MAX)
		solution->lower_bound_ns = solver->score.cost_ns;
	else if (solver->bound)
		solution->lower_bound_ns = fmin(solver->least_ns, solver->score.cost_ns);
	if (solver->problem->n_touched)
		solution->proven = rs_score_compare_cost(reached.cost_ns, solution->lower_bound_ns) <= 0;
	else
		solution->proven = reached.size_bytes <= solution->lower_bound_bytes;
}

static void list_orders(struct solver *solver, struct rs_solution *solution)
{
	const struct rs_problem *problem = solver->problem;
	size_t **orders = rs_arena_array(solver->arena, size_t *, solver->pareto.n_items);

	rs_pareto_sort(&solver->pareto);
	for (size_t i = 0; i < solver->pareto.n_items; i++) {
		orders[i] = rs_arena_array(solver->arena, size_t, problem->record->n_units);
		rs_problem_expand(problem, solver->pareto.items[i].order, orders[i]);
	}
	solution->orders = (const size_t *const *)orders;
	solution->n_orders = solver->pareto.n_items;
	solution->pick = rs_pick_find(&solver->pareto);
}

void rs_solve(struct rs_arena *arena, const struct rs_record *record, const struct rs_binding *binding,
	      const struct rs_cost *cost, const struct rs_plan_options *options, const struct rs_plan *original,
	      struct rs_solution *ret_solution)
{
	struct solver solver = { .arena = arena, .score = { DBL_MAX, UINT64_MAX } };
	struct rs_solution solution = { .pick = RS_NONE,
					.lower_bound_ns = original->cost_ns,
					.lower_bound_bytes = original->size_bytes };

	*ret_solution = solution;
	if (rs_record_is_refused(record) || !record->n_units)
		return;
	solver.problem = rs_problem_create(arena, record, binding, cost, options ? options->max_size_bytes : 0);
	if (!solver.problem->is_feasible)
		return;
	solver.seconds = options && options->time_limit_s > 0 ? options->time_limit_s : DEFAULT_SECONDS;
	solver.place = rs_place_create(arena, solver.problem);
	solver.best = rs_arena_array(arena, size_t, solver.problem->n_atoms);
	rs_pareto_init(&solver.pareto, arena, solver.problem,
		       (struct rs_score) { original->cost_ns, original->size_bytes }, options);
	solver.start = rs_settle_companions(arena, solver.place);
	rs_bytes_solve(arena,
		       solver.problem->companions ? rs_place_create_free(arena, solver.problem) : solver.place,
		       &solver.bytes);
	if (solver.problem->n_atoms <= RS_FRONTIER_FEW_ATOMS)
		solve_few(&solver);
	else
		solve_many(&solver);
	conclude(&solver, original, &solution);
	list_orders(&solver, &solution);
	*ret_solution = solution;
}
