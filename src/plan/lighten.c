#include "plan/lighten.h"

#include <math.h>

#include "plan/near.h"
#include "plan/walk.h"

/* In lines: what is taken at first, and in the end, with probability 1/e. */
static const double FIRST_TEMPERATURE = 3, LAST_TEMPERATURE = 0.05;
/* In lines: a score that is not enough, however little is missing; all of the gain missing; a byte too many. */
static const double FIRST_PRICE = 1, LAST_PRICE = 8;
static const double SHORT_LINES = 2, GAIN_LINES = 60, BYTE_LINES = 1;
/* Steps that counting the moves takes, for each atom. */
enum { MOVES_STEPS = 8, COST_STEPS = 3 };

struct search {
	const struct rs_lighten *lighten;
	struct rs_walk walk;
	struct rs_near *near;  /* to the walk's order */
	struct rs_score score; /* of that order */
	double burden;
	double price; /* of what is missing: rises, so that the walk ends with a score that is enough */
	double gain_ns;
	uint64_t n_steps;
};

static uint64_t count_steps(const struct search *search)
{
	return search->n_steps + COST_STEPS * rs_near_steps(search->near);
}

static double weigh_score(const struct search *search, struct rs_score score)
{
	struct rs_score enough = search->lighten->enough;
	double weight = 0;

	if (rs_score_compare_cost(score.cost_ns, enough.cost_ns) > 0)
		weight += SHORT_LINES +
			  search->price * GAIN_LINES * (score.cost_ns - enough.cost_ns) / search->gain_ns;
	if (score.size_bytes > enough.size_bytes)
		weight += SHORT_LINES +
			  search->price * BYTE_LINES * (double)(score.size_bytes - enough.size_bytes);
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
	most = weigh_score(search, search->score) + search->burden -
	       temperature * log(1 - rs_walk_draw_unit(walk));
	score = rs_near_score(search->near, walk->trial);
	weight = weigh_score(search, score);
	if (weight > most)
		return;
	moves = rs_pareto_count_moves(lighten->pareto, walk->trial);
	search->n_steps += MOVES_STEPS * n_atoms;
	if (weight + (double)moves.burden > most)
		return;
	rs_walk_take(walk);
	rs_near_start(search->near, walk->order);
	search->score = score;
	search->burden = (double)moves.burden;
	if (weight > 0)
		return;

	rs_pareto_offer_moves(lighten->pareto, walk->order, score, moves);
}

/* The lightest of what is known, all in all. */
static const size_t *find_start(struct search *search)
{
	const struct rs_lighten *lighten = search->lighten;
	const size_t *start = lighten->start;

	search->price = FIRST_PRICE;
	search->score = rs_place_score(lighten->place, start);
	search->burden = (double)rs_pareto_count_moves(lighten->pareto, start).burden;
	for (size_t i = 0; i < lighten->pareto->n_items; i++) {
		const struct rs_candidate *item = &lighten->pareto->items[i];

		if (weigh_score(search, item->score) + (double)item->moves.burden >=
		    weigh_score(search, search->score) + search->burden)
			continue;
		search->score = item->score;
		search->burden = (double)item->moves.burden;
		start = item->order;
	}
	return start;
}

void rs_lighten_run(const struct rs_lighten *lighten)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	struct search search = { .lighten = lighten };
	const struct rs_problem *problem = lighten->place->problem;

	if (problem->n_atoms < 2)
		return;
	search.gain_ns = fmax(lighten->pareto->original.cost_ns - lighten->enough.cost_ns,
			      1e-9 * lighten->pareto->original.cost_ns);
	rs_walk_init(&search.walk, arena, problem, find_start(&search), lighten->seed);
	search.near = rs_near_create(arena, lighten->place);
	rs_near_start(search.near, search.walk.order);
	while (count_steps(&search) < lighten->n_steps) {
		double done = (double)count_steps(&search) / (double)lighten->n_steps;

		search.price = FIRST_PRICE + (LAST_PRICE - FIRST_PRICE) * done;
		step(&search, FIRST_TEMPERATURE * pow(LAST_TEMPERATURE / FIRST_TEMPERATURE, done));
	}
}
