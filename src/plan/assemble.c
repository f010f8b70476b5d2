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

/* The largest untouched atom that may come and leaves no hole before it, up to a size; RS_NONE. */
static size_t find_filler(const struct assembly *assembly, uint64_t most_bits)
{
	uint64_t end = assembly->end;
	size_t best = RS_NONE;

	for (size_t a = 0; a < assembly->problem->n_atoms; a++) {
		const struct rs_atom *atom = &assembly->problem->atoms[a];

		if (assembly->lines[a] != RS_NONE || atom->n_touches || !atom->least_bits ||
		    atom->least_bits > most_bits || !may_come(assembly, a) ||
		    rs_place_end(assembly->place, atom->class, end) - end > most_bits)
			continue;
		if (best == RS_NONE || atom->least_bits > assembly->problem->atoms[best].least_bits)
			best = a;
	}
	return best;
}

/* Untouched atoms up to the line's end: the largest that fits, again and again; if none does, one that reaches
 * into another line. */
static void fill_up(struct assembly *assembly)
{
	while (room(assembly) < assembly->place->line_bits) {
		size_t best = find_filler(assembly, room(assembly));

		if (best == RS_NONE)
			best = find_filler(assembly, UINT64_MAX);
		if (best == RS_NONE)
			return;
		put(assembly, best);
	}
}

/* Whether a constraint or a region puts the atom before one that is given a line. */
static bool must_come_ahead(const struct assembly *assembly, size_t atom)
{
	const struct rs_problem *problem = assembly->problem;

	for (size_t other = 0; other < problem->n_atoms; other++)
		if (assembly->lines[other] != RS_NONE && !assembly->placed[other] &&
		    (problem->atoms[atom].region < problem->atoms[other].region ||
		     rs_problem_precedes(problem, atom, other)))
			return true;
	return false;
}

/* What comes before the lines in any case. */
static void put_ahead(struct assembly *assembly)
{
	for (size_t a = 0; a < assembly->problem->n_atoms; a++)
		if (assembly->lines[a] == RS_NONE && may_come(assembly, a) && must_come_ahead(assembly, a)) {
			put(assembly, a);
			a = RS_NONE; /* from the first one again */
		}
	fill_up(assembly);
}

void rs_assemble_run(struct rs_place *place, const size_t *lines, size_t n_lines, size_t *ret_order)
{
	struct assembly assembly = {
		.place = place, .problem = place->problem, .lines = lines, .order = ret_order
	};
	size_t atom;

	assembly.placed = (bool *)rs_alloc(place->problem->n_atoms + 1);
	put_ahead(&assembly);
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
