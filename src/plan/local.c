#include "plan/local.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/walk.h"

/* Of the start's cost: the rise that is taken at first, and in the end, with probability 1/e. */
static const double FIRST_TEMPERATURE = 0.05, LAST_TEMPERATURE = 1e-5, REPAIR_TEMPERATURE = 2e-3;

struct walk {
	struct rs_walk at;
	struct rs_local *local;
	const struct rs_problem *problem;
	double weight;      /* of the order, as weigh() gives it */
	double ns_per_byte; /* price of a byte above the limit, and, far less, of any byte */
};

/* One figure to compare by; orders that are too large stay possible on the way but are dear. */
static double weigh(const struct walk *walk, struct rs_score score)
{
	uint64_t limit = walk->problem->max_size_bytes;
	double excess = score.size_bytes > limit ? (double)(score.size_bytes - limit) : 0;

	return score.cost_ns + walk->ns_per_byte * (excess + 1e-3 * (double)score.size_bytes);
}

static void take_trial(struct walk *walk, double weight, struct rs_score score)
{
	rs_walk_take(&walk->at);
	walk->weight = weight;
	if (score.size_bytes > walk->problem->max_size_bytes ||
	    rs_score_compare(score, walk->local->score) >= 0)
		return;
	walk->local->score = score;
	memcpy(walk->local->best, walk->at.order, walk->problem->n_atoms * sizeof *walk->at.order);
}

static bool reaches_goal(const struct rs_local *local)
{
	return rs_score_compare_cost(local->score.cost_ns, local->goal_ns) <= 0 &&
	       local->score.size_bytes <= local->goal_bytes;
}

static void step(struct walk *walk, double temperature)
{
	bool moved = rs_walk_draw(&walk->at) & 1 ? rs_walk_move_run(&walk->at) : rs_walk_swap_two(&walk->at);
	struct rs_score score;
	double weight;

	if (!moved)
		return;
	score = rs_place_score(walk->local->place, walk->at.trial);
	weight = weigh(walk, score);
	if (weight <= walk->weight || rs_walk_draw_unit(&walk->at) < exp((walk->weight - weight) / temperature))
		take_trial(walk, weight, score);
}

void rs_local_run(struct rs_local *local)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	const struct rs_problem *problem = local->place->problem;
	struct walk walk = { .local = local, .problem = problem };
	struct rs_score start;
	double scale, first = local->is_repair ? REPAIR_TEMPERATURE : FIRST_TEMPERATURE;

	if (problem->n_atoms < 2)
		return;
	rs_walk_init(&walk.at, arena, problem, local->best, 0);
	start = rs_place_score(local->place, walk.at.order);
	scale = start.cost_ns > 0 ? start.cost_ns : 1;
	walk.ns_per_byte = 0.01 * scale;
	walk.weight = weigh(&walk, start);
	for (uint64_t i = 0; i < local->n_steps && !reaches_goal(local); i++) {
		double done = (double)i / (double)local->n_steps;

		step(&walk, scale * first * pow(LAST_TEMPERATURE / first, done));
	}
}

static bool is_hotter(const struct rs_problem *problem, size_t a, size_t b)
{
	const struct rs_atom *x = &problem->atoms[a], *y = &problem->atoms[b];

	if (x->heat != y->heat)
		return x->heat > y->heat;
	if (x->align_bytes != y->align_bytes)
		return x->align_bytes > y->align_bytes;
	return a < b;
}

static bool is_free(const struct rs_problem *problem, const bool *placed, size_t atom, size_t region)
{
	if (placed[atom] || problem->atoms[atom].region != region)
		return false;
	for (size_t other = 0; other < problem->n_atoms; other++)
		if (!placed[other] && other != atom && rs_problem_precedes(problem, other, atom))
			return false;
	return true;
}

void rs_local_hot_first(const struct rs_problem *problem, size_t *ret_order)
{
	bool *placed = (bool *)rs_alloc(problem->n_atoms + 1);

	for (size_t i = 0; i < problem->n_atoms; i++) {
		size_t best = RS_NONE, region = problem->atoms[problem->start[i]].region;

		for (size_t a = 0; a < problem->n_atoms; a++)
			if (is_free(problem, placed, a, region) &&
			    (best == RS_NONE || is_hotter(problem, a, best)))
				best = a;
		placed[best] = true;
		ret_order[i] = best;
	}
	free(placed);
}
