#include "plan/assemble.h"

#include <stdlib.h>

struct assembly {
	struct rs_place *place;
	const struct rs_problem *problem;
	const size_t *lines;
	bool *placed;
	size_t *order, n_placed;
	uint64_t end;
};

static bool may_come(const struct assembly *assembly, size_t atom)
{
	const struct rs_problem *problem = assembly->problem;

	if (assembly->placed[atom])
		return false;
	for (size_t other = 0; other < problem->n_atoms; other++)
		if (!assembly->placed[other] && other != atom &&
		    (problem->atoms[other].region < problem->atoms[atom].region ||
		     rs_problem_precedes(problem, other, atom)))
			return false;
	return true;
}

static void put(struct assembly *assembly, size_t atom)
{
	assembly->placed[atom] = true;
	assembly->order[assembly->n_placed++] = atom;
	assembly->end = rs_place_end(assembly->place, assembly->problem->atoms[atom].class, assembly->end);
}

/* In how many bits the line ends. */
static uint64_t room(const struct assembly *assembly)
{
	uint64_t start = assembly->place->bases[0].offset_bytes * 8;

	return assembly->place->line_bits -
	       (start + rs_place_bits(assembly->place, assembly->end)) % assembly->place->line_bits;
}

static bool is_better(const struct rs_atom *a, const struct rs_atom *b)
{
	return a->align_bytes != b->align_bytes ? a->align_bytes > b->align_bytes
						: a->least_bits > b->least_bits;
}

/* The most aligned atom of the line that may come and is no larger; RS_NONE. */
static size_t find_atom(const struct assembly *assembly, size_t line, uint64_t most_bits)
{
	const struct rs_problem *problem = assembly->problem;
	size_t best = RS_NONE;

	for (size_t a = 0; a < problem->n_atoms; a++)
		if (assembly->lines[a] == line && problem->atoms[a].least_bits <= most_bits &&
		    (best == RS_NONE || is_better(&problem->atoms[a], &problem->atoms[best])) &&
		    may_come(assembly, a))
			best = a;
	return best;
}

/* Untouched atoms up to the line's end: the largest that fits, again and again, without a hole. */
static void fill_up(struct assembly *assembly)
{
	while (room(assembly) < assembly->place->line_bits) {
		uint64_t left = room(assembly), end = assembly->end;
		size_t best = RS_NONE;

		for (size_t a = 0; a < assembly->problem->n_atoms; a++) {
			const struct rs_atom *atom = &assembly->problem->atoms[a];

			if (assembly->lines[a] != RS_NONE || atom->n_touches || !atom->least_bits ||
			    atom->least_bits > left || !may_come(assembly, a) ||
			    rs_place_end(assembly->place, atom->class, end) - end > left)
				continue;
			if (best == RS_NONE || atom->least_bits > assembly->problem->atoms[best].least_bits)
				best = a;
		}
		if (best == RS_NONE)
			return;
		put(assembly, best);
	}
}

void rs_assemble_run(struct rs_place *place, const size_t *lines, size_t n_lines, size_t *ret_order)
{
	struct assembly assembly = {
		.place = place, .problem = place->problem, .lines = lines, .order = ret_order
	};
	size_t atom;

	assembly.placed = (bool *)rs_alloc(place->problem->n_atoms + 1);
	for (size_t line = 0; line < n_lines; line++) {
		while ((atom = find_atom(&assembly, line, UINT64_MAX)) != RS_NONE)
			put(&assembly, atom);
		fill_up(&assembly);
	}
	while (assembly.n_placed < place->problem->n_atoms) {
		for (size_t line = 0; line <= n_lines; line++)
			while ((atom = find_atom(&assembly, line < n_lines ? line : RS_NONE, UINT64_MAX)) !=
			       RS_NONE)
				put(&assembly, atom);
	}
	free(assembly.placed);
}
