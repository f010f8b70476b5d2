#include "plan/frontier.h"

#include <string.h>

#include "plan/exchange.h"

/* MOST_IDLE: moves in a row that bring nothing; two moves may gain together what neither does alone. */
enum { BEAM_WIDTH = 8, MOST_DEPTH = 8, MOST_IDLE = 2 };

struct trial {
	struct rs_pareto *pareto;
	struct rs_place *place;
	const struct rs_problem *problem;
	bool *placed;
	size_t *order;
	size_t *best;
	struct rs_score best_score;
	bool found;
};

static bool may_come(const struct trial *trial, size_t atom)
{
	const struct rs_problem *problem = trial->problem;

	for (size_t other = 0; other < problem->n_atoms; other++)
		if (!trial->placed[other] && other != atom &&
		    (problem->atoms[other].region < problem->atoms[atom].region ||
		     rs_problem_precedes(problem, other, atom)))
			return false;
	return !trial->placed[atom];
}

static void try_order(struct trial *trial)
{
	struct rs_score score = rs_place_score(trial->place, trial->order);

	if (score.size_bytes > trial->problem->max_size_bytes)
		return;
	rs_pareto_offer(trial->pareto, trial->order, score);
	if (trial->found && rs_score_compare(score, trial->best_score) >= 0)
		return;
	trial->found = true;
	trial->best_score = score;
	memcpy(trial->best, trial->order, trial->problem->n_atoms * sizeof *trial->order);
}

static void try_from(struct trial *trial, size_t position)
{
	if (position == trial->problem->n_atoms) {
		try_order(trial);
		return;
	}
	for (size_t a = 0; a < trial->problem->n_atoms; a++) {
		if (!may_come(trial, a))
			continue;
		trial->placed[a] = true;
		trial->order[position] = a;
		try_from(trial, position + 1);
		trial->placed[a] = false;
	}
}

bool rs_frontier_try_all(struct rs_pareto *pareto, struct rs_place *place, size_t *ret_order,
			 struct rs_score *ret_score)
{
	bool placed[RS_FRONTIER_FEW_ATOMS] = { false };
	size_t order[RS_FRONTIER_FEW_ATOMS];
	struct trial trial = { .pareto = pareto,
			       .place = place,
			       .problem = place->problem,
			       .placed = placed,
			       .order = order,
			       .best = ret_order };

	try_from(&trial, 0);
	if (trial.found)
		*ret_score = trial.best_score;
	return trial.found;
}

/* An order on the way, and what it takes to compare it with others. */
struct state {
	size_t *order;
	struct rs_score score;
	struct rs_moves moves;
};

struct beam {
	struct rs_arena *arena;
	struct rs_pareto *pareto;
	struct rs_place *place;
	const struct rs_problem *problem;
	struct state kept[BEAM_WIDTH]; /* best first */
	size_t n_kept;
	size_t *trial;
	size_t longest; /* run that is moved, or passed */
	uint64_t n_steps, most_steps;
};

static int compare_states(const struct state *a, const struct state *b)
{
	int by_score = rs_score_compare(a->score, b->score);

	if (by_score)
		return by_score;
	if (a->moves.changed_lines != b->moves.changed_lines)
		return a->moves.changed_lines < b->moves.changed_lines ? -1 : 1;
	return 0;
}

static bool is_kept(const struct beam *beam, const size_t *order)
{
	for (size_t i = 0; i < beam->n_kept; i++)
		if (memcmp(beam->kept[i].order, order, beam->problem->n_atoms * sizeof *order) == 0)
			return true;
	return false;
}

static void keep(struct beam *beam, const struct state *state)
{
	size_t at = beam->n_kept, *room;

	if (beam->n_kept == BEAM_WIDTH) {
		if (compare_states(state, &beam->kept[BEAM_WIDTH - 1]) >= 0)
			return;
		at = BEAM_WIDTH - 1;
	}
	if (is_kept(beam, state->order))
		return;
	room = beam->n_kept == BEAM_WIDTH ? beam->kept[at].order
					  : rs_arena_array(beam->arena, size_t, beam->problem->n_atoms);
	memcpy(room, state->order, beam->problem->n_atoms * sizeof *room);
	beam->n_kept += at == beam->n_kept;
	for (; at > 0 && compare_states(state, &beam->kept[at - 1]) < 0; at--)
		beam->kept[at] = beam->kept[at - 1];
	beam->kept[at] = (struct state) { room, state->score, state->moves };
}

/* Counting moves takes longer than scoring: only where the score leaves a chance. */
static void consider(struct beam *beam, struct state *next)
{
	bool gains = rs_pareto_is_gain(beam->pareto, next->score) &&
		     !rs_pareto_is_beaten(beam->pareto, next->score, next->moves.changed_lines);
	bool is_full = beam->n_kept == BEAM_WIDTH;

	if (!gains && is_full && compare_states(next, &beam->kept[BEAM_WIDTH - 1]) >= 0)
		return;
	next->moves = rs_pareto_count_moves(beam->pareto, next->order);
	beam->n_steps += rs_pareto_moves_steps(beam->pareto);
	if (gains)
		rs_pareto_offer_moves(beam->pareto, next->order, next->score, next->moves);
	keep(beam, next);
}

static size_t count_run_lines(const struct rs_problem *problem, const size_t *order, size_t from, size_t to)
{
	size_t lines = 0;

	for (size_t i = from; i < to; i++)
		for (size_t u = 0; u < problem->atoms[order[i]].n_units; u++)
			lines += problem->record->units[problem->atoms[order[i]].units[u]].n_lines;
	return lines;
}

static void try_exchange(struct beam *beam, const struct state *state, struct rs_exchange exchange)
{
	struct state next = { .order = beam->trial };
	size_t middle = exchange.from + exchange.n, run_lines, passed_lines;

	if (!rs_exchange_apply(beam->problem, state->order, exchange, beam->trial))
		return;
	beam->n_steps++;
	next.score = rs_place_score(beam->place, beam->trial);
	if (next.score.size_bytes > beam->problem->max_size_bytes)
		return;
	run_lines = count_run_lines(beam->problem, state->order, exchange.from, middle);
	passed_lines = count_run_lines(beam->problem, state->order, middle, middle + exchange.n_passed);
	next.moves.changed_lines =
		state->moves.changed_lines + 2 * (run_lines < passed_lines ? run_lines : passed_lines);
	consider(beam, &next);
}

static void expand(struct beam *beam, const struct state *state)
{
	struct rs_exchange exchange = { 0 };

	while (beam->n_steps < beam->most_steps &&
	       rs_exchange_next(&exchange, beam->problem->n_atoms, beam->longest))
		try_exchange(beam, state, exchange);
}

void rs_frontier_grow(struct rs_pareto *pareto, struct rs_place *place, uint64_t n_steps)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	struct beam beam = { .arena = arena,
			     .pareto = pareto,
			     .place = place,
			     .problem = place->problem,
			     .most_steps = n_steps };
	size_t n_atoms = beam.problem->n_atoms, n_states = 1, n_idle = 0;
	struct state states[BEAM_WIDTH] = { { 0 } };

	beam.trial = rs_arena_array(arena, size_t, n_atoms);
	beam.longest = rs_exchange_longest(n_atoms, n_steps / 4);
	states[0].order = rs_arena_array(arena, size_t, n_atoms);
	memcpy(states[0].order, beam.problem->start, n_atoms * sizeof *states[0].order);
	states[0].score = rs_place_score(place, states[0].order);
	states[0].moves = rs_pareto_count_moves(pareto, states[0].order);
	rs_pareto_offer_moves(pareto, states[0].order, states[0].score, states[0].moves);
	for (size_t depth = 0; depth < MOST_DEPTH && n_idle < MOST_IDLE; depth++) {
		beam.n_kept = 0;
		for (size_t i = 0; i < n_states; i++)
			expand(&beam, &states[i]);
		if (!beam.n_kept)
			break;
		n_idle = rs_score_compare(beam.kept[0].score, states[0].score) < 0 ? 0 : n_idle + 1;
		n_states = beam.n_kept;
		memcpy(states, beam.kept, sizeof states);
	}
}
