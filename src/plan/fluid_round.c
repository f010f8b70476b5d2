#include "plan/fluid_round.h"

#include <stdlib.h>

/* A line while atoms are given to it. */
struct bin {
	size_t set;
	uint64_t room_bits;
};

struct rounding {
	const struct rs_fluid_rows *rows;
	const struct rs_problem *problem;
	struct bin *bins;
	size_t n_bins;
	size_t *lines; /* of atoms */
};

/* Puts up to so many atoms of a kind, RS_NONE for any, on the line where they fit. */
static void take_atoms(struct rounding *rounding, size_t bin, size_t kind, size_t count)
{
	const struct rs_fluid_model *model = rounding->rows->model;
	struct bin *to = &rounding->bins[bin];

	for (size_t a = 0; a < rounding->problem->n_atoms && count; a++) {
		size_t own = model->kind_of_atom[a];

		if (own == RS_NONE || rounding->lines[a] != RS_NONE || (kind != RS_NONE && own != kind) ||
		    !(model->sets[to->set].members >> model->kinds[own].item & 1) ||
		    rounding->problem->atoms[a].least_bits > to->room_bits)
			continue;
		rounding->lines[a] = bin;
		to->room_bits -= rounding->problem->atoms[a].least_bits;
		count--;
	}
}

static void open_bin(struct rounding *rounding, size_t row)
{
	const struct rs_fluid_model *model = rounding->rows->model;
	const double *counts = rounding->rows->counts + row * model->n_kinds;

	rounding->bins[rounding->n_bins] = (struct bin) { rounding->rows->sets[row], model->line_bits };
	for (size_t k = 0; k < model->n_kinds; k++)
		if (counts[k] >= 1)
			take_atoms(rounding, rounding->n_bins, k, (size_t)counts[k]);
	rounding->n_bins++;
}

static bool has_loose_atoms(const struct rounding *rounding)
{
	for (size_t a = 0; a < rounding->problem->n_atoms; a++)
		if (rounding->rows->model->kind_of_atom[a] != RS_NONE && rounding->lines[a] == RS_NONE)
			return true;
	return false;
}

size_t rs_fluid_round_lines(struct rs_fluid_rows *rows, const struct rs_problem *problem, size_t *ret_lines)
{
	struct rounding rounding = { .rows = rows, .problem = problem, .lines = ret_lines };

	rounding.bins = (struct bin *)rs_alloc((problem->n_atoms + 1) * sizeof *rounding.bins);
	for (size_t a = 0; a < problem->n_atoms; a++)
		ret_lines[a] = RS_NONE;
	while (rounding.n_bins < problem->n_atoms && has_loose_atoms(&rounding)) {
		size_t most = 0;

		for (size_t i = 1; i < rows->n_rows; i++)
			if (rows->amounts[i] > rows->amounts[most])
				most = i;
		if (rows->amounts[most] < 1e-3)
			break;
		rows->amounts[most] -= 1;
		open_bin(&rounding, most);
	}
	for (size_t b = 0; b < rounding.n_bins; b++)
		take_atoms(&rounding, b, RS_NONE, SIZE_MAX);
	for (size_t a = 0; a < problem->n_atoms; a++)
		if (rows->model->kind_of_atom[a] != RS_NONE && ret_lines[a] == RS_NONE)
			ret_lines[a] = rounding.n_bins;
	free(rounding.bins);
	return rounding.n_bins + 1;
}
