#include "plan/lighten.h"

#include <math.h>

#include "plan/walk.h"

/* In lines: what is taken at first, and in the end, with probability 1/e. */
static const double FIRST_TEMPERATURE = 6, LAST_TEMPERATURE = 0.05;
/* In lines: a score that is not enough, however little is missing; all of the gain missing; a byte too many. */
static const double SHORT_LINES = 2, GAIN_LINES = 60, BYTE_LINES = 1;
/* Steps that counting the moves takes, for each atom. */
enum { MOVES_STEPS = 8, COST_STEPS = 3 };

struct search {
	const struct rs_lighten *lighten;
	struct rs_walk walk;
	double weight; /* of the walk's order */
	double gain_ns;
	uint64_t n_steps;
	size_t least_burden;
};

static double weigh_score(const struct search *search, struct rs_score score)
{
	struct rs_score enough = search->lighten->enough;
	double weight = 0;

	if (rs_score_compare_cost(score.cost_ns, enough.cost_ns) > 0)
		weight += SHORT_LINES + GAIN_LINES * (score.cost_ns - enough.cost_ns) / search->gain_ns;
	if (score.size_bytes > enough.size_bytes)
		weight += SHORT_LINES + BYTE_LINES * (double)(score.size_bytes - enough.size_bytes);
	return weight;
}

static bool propose(struct rs_walk *walk)
{
	uint64_t kind = rs_walk_draw(walk) % 10;

	if (kind < 2)
		return rs_walk_move_run(walk);
	if (kind < 4)
		return rs_walk_send_home(walk);
	return kind < 7 ? rs_walk_swap_two(walk) : rs_walk_exchange(walk);
}

/* Counting moves takes long: not where the score alone forbids the step. */
static void step(struct search *search, double temperature)
{
	struct rs_walk *walk = &search->walk;
	const struct rs_lighten *lighten = search->lighten;
	uint64_t n_atoms = walk->problem->n_atoms;
	struct rs_score score;
	struct rs_moves moves;
	double weight, most;

	search->n_steps += n_atoms;
	if (!propose(walk))
		return;
	search->n_steps += n_atoms * lighten->place->n_bases * COST_STEPS;
	most = search->weight - temperature * log(1 - rs_walk_draw_unit(walk));
	score = rs_place_score(lighten->place, walk->trial);
	weight = weigh_score(search, score);
	if (weight > most)
		return;
	moves = rs_pareto_count_moves(lighten->pareto, walk->trial);
	search->n_steps += MOVES_STEPS * n_atoms;
	if (weight + (double)moves.burden > most)
		return;
	rs_walk_take(walk);
	search->weight = weight + (double)moves.burden;
	if (weight > 0 || moves.burden > search->least_burden)
		return;
	search->least_burden = moves.burden;
	rs_pareto_offer_moves(lighten->pareto, walk->order, score, moves);
}

void rs_lighten_run(const struct rs_lighten *lighten)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	struct search search = { .lighten = lighten, .least_burden = SIZE_MAX };
	const struct rs_problem *problem = lighten->place->problem;

	if (problem->n_atoms < 2)
		return;
	rs_walk_init(&search.walk, arena, problem, lighten->start, lighten->seed);
	search.gain_ns = fmax(lighten->pareto->original.cost_ns - lighten->enough.cost_ns,
			      1e-9 * lighten->pareto->original.cost_ns);
	search.weight = weigh_score(&search, rs_place_score(lighten->place, lighten->start)) +
			(double)rs_pareto_count_moves(lighten->pareto, lighten->start).burden;
	while (search.n_steps < lighten->n_steps) {
		double done = (double)search.n_steps / (double)lighten->n_steps;

		step(&search, FIRST_TEMPERATURE * pow(LAST_TEMPERATURE / FIRST_TEMPERATURE, done));
	}
}
