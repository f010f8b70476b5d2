#include "plan/frontier.h"

#include <string.h>

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
