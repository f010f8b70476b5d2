#include "plan/realize.h"

#include <stdlib.h>
#include <string.h>

#include "plan/visited.h"

/* The lines of a touch. */
struct lines {
	uint64_t first, last;
};

/* Atoms of which it does not matter which one comes. */
struct kind {
	const size_t *atoms; /* rising */
	size_t n_atoms, n_used;
	uint64_t line;       /* they begin on; UINT64_MAX: anywhere */
	bool is_over;        /* reaches over its end */
	const struct lines *lines; /* of the touches */
	uint64_t align_bytes, bits;
};

struct run {
	struct rs_realize *out;
	struct rs_arena *arena;
	struct rs_place *place;
	const struct rs_problem *problem;
	struct kind *kinds; /* wanted somewhere first, by line, the most aligned first; then fillers, the largest first */
	size_t n_kinds, n_placed;
	uint64_t *starts, *ends; /* scratch */
	struct rs_visited visited;
	uint64_t n_steps, left_bits;
};

/* A member without anything of its own that the order could hang on. */
static bool is_plain(const struct run *run, size_t atom)
{
	const struct rs_atom *own = &run->problem->atoms[atom];

	return own->n_tops == 1 && !own->tops[0]->is_bitfield && !run->place->companions &&
	       run->problem->n_regions == 1;
}

static bool is_free(const struct rs_problem *problem, size_t atom)
{
	for (size_t other = 0; other < problem->n_atoms; other++)
		if (rs_problem_precedes(problem, atom, other) || rs_problem_precedes(problem, other, atom))
			return false;
	return true;
}

static bool is_same_kind(const struct run *run, size_t a, size_t b)
{
	const struct rs_atom *x = &run->problem->atoms[a], *y = &run->problem->atoms[b];
	const struct rs_wanted *at = &run->out->wanted[a], *other = &run->out->wanted[b];

	if (at->line != other->line || at->start != other->start)
		return false;
	if (x->class == y->class)
		return true;
	return at->start == UINT64_MAX && is_plain(run, a) && is_plain(run, b) && x->least_bits == y->least_bits &&
	       x->align_bytes == y->align_bytes && is_free(run->problem, a) && is_free(run->problem, b);
}

static uint64_t line_of(const struct run *run, uint64_t bits)
{
	return bits / run->place->line_bits;
}

/* Where the touches of the atom lie behind an end: starts and ends from the line grid. */
static void look(const struct run *run, const struct rs_atom *atom, uint64_t end)
{
	uint64_t base = run->place->bases[0].offset_bytes * 8;
	uint64_t from = base + (run->place->unit_bits == 8 ? (end + 7) / 8 * 8 : end);
	uint64_t shift = from / run->place->period_bits * run->place->period_bits;

	rs_place_spread(run->place, atom, from - shift, 0, run->starts, run->ends);
	for (size_t i = 0; i < atom->n_touches; i++) {
		run->starts[i] += shift;
		run->ends[i] += shift;
	}
}

static struct lines lines_of(const struct run *run, size_t touch)
{
	uint64_t start = run->starts[touch], end = run->ends[touch];

	return (struct lines) { line_of(run, start), line_of(run, end > start ? end - 1 : end) };
}

static void add_kind(struct run *run, size_t atom)
{
	const struct rs_atom *own = &run->problem->atoms[atom];
	const struct rs_wanted *wanted = &run->out->wanted[atom];
	struct lines *lines = rs_arena_array(run->arena, struct lines, own->n_touches);
	size_t *atoms = rs_arena_array(run->arena, size_t, run->problem->n_atoms);
	struct kind *kind = &run->kinds[run->n_kinds++];

	*kind = (struct kind) { .atoms = atoms,
				.line = wanted->line == RS_NONE ? UINT64_MAX : wanted->line,
				.is_over = wanted->start != UINT64_MAX,
				.lines = lines,
				.align_bytes = own->align_bytes,
				.bits = own->least_bits };
	for (size_t a = atom; a < run->problem->n_atoms; a++)
		if (is_same_kind(run, atom, a))
			atoms[kind->n_atoms++] = a;
	if (kind->is_over)
		look(run, own, wanted->start - run->place->bases[0].offset_bytes * 8);
	for (size_t i = 0; i < own->n_touches; i++)
		lines[i] = kind->is_over ? lines_of(run, i) : (struct lines) { kind->line, kind->line };
}

static int compare_kinds(const void *a, const void *b)
{
	const struct kind *x = (const struct kind *)a, *y = (const struct kind *)b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if (x->is_over != y->is_over)
		return x->is_over ? 1 : -1;
	if (x->line != UINT64_MAX && x->align_bytes != y->align_bytes)
		return x->align_bytes > y->align_bytes ? -1 : 1;
	if (x->bits != y->bits)
		return x->bits > y->bits ? -1 : 1;
	return x->atoms[0] < y->atoms[0] ? -1 : 1;
}

static void init(struct run *run)
{
	const struct rs_problem *problem = run->problem;
	bool *is_in = rs_arena_array(run->arena, bool, problem->n_atoms);
	size_t n_touches = 0;

	for (size_t a = 0; a < problem->n_atoms; a++) {
		n_touches = problem->atoms[a].n_touches > n_touches ? problem->atoms[a].n_touches : n_touches;
		run->left_bits += problem->atoms[a].least_bits;
	}
	run->starts = rs_arena_array(run->arena, uint64_t, 2 * n_touches + 1);
	run->ends = run->starts + n_touches;
	run->kinds = rs_arena_array(run->arena, struct kind, problem->n_atoms);
	for (size_t a = 0; a < problem->n_atoms; a++) {
		if (is_in[a])
			continue;
		add_kind(run, a);
		for (size_t i = 0; i < run->kinds[run->n_kinds - 1].n_atoms; i++)
			is_in[run->kinds[run->n_kinds - 1].atoms[i]] = true;
	}
	qsort(run->kinds, run->n_kinds, sizeof *run->kinds, compare_kinds);
	rs_visited_init(&run->visited, run->out->n_steps);
}

static bool lies_as_wanted(const struct run *run, const struct kind *kind, uint64_t end)
{
	const struct rs_atom *atom = &run->problem->atoms[kind->atoms[0]];

	if (kind->line == UINT64_MAX)
		return true;
	look(run, atom, rs_place_bits(run->place, end));
	for (size_t i = 0; i < atom->n_touches; i++) {
		struct lines lines = lines_of(run, i);

		if (lines.first != kind->lines[i].first || lines.last != kind->lines[i].last)
			return false;
	}
	return true;
}

/* Whether what is wanted on the line where the end lies, or before, cannot be there any more. */
static bool is_too_late(const struct run *run, uint64_t end)
{
	uint64_t bits = run->place->bases[0].offset_bytes * 8 + rs_place_bits(run->place, end);
	uint64_t line = line_of(run, bits), room = (line + 1) * run->place->line_bits - bits, wanted = 0;

	for (size_t k = 0; k < run->n_kinds && run->kinds[k].line <= line; k++) {
		const struct kind *kind = &run->kinds[k];
		uint64_t left = kind->n_atoms - kind->n_used;

		if (left && kind->line < line)
			return true;
		if (!kind->is_over)
			wanted += left * kind->bits;
	}
	return wanted > room;
}

static bool may_come(const struct run *run, size_t atom)
{
	const struct rs_problem *problem = run->problem;

	for (size_t k = 0; k < run->n_kinds; k++)
		for (size_t i = run->kinds[k].n_used; i < run->kinds[k].n_atoms; i++) {
			size_t other = run->kinds[k].atoms[i];

			if (other != atom && (problem->atoms[other].region < problem->atoms[atom].region ||
					      rs_problem_precedes(problem, other, atom)))
				return false;
		}
	return true;
}

static bool was_visited(struct run *run, uint64_t end)
{
	uint64_t key[2] = { 1, 2 };

	for (size_t k = 0; k < run->n_kinds; k++)
		rs_visited_hash(key, run->kinds[k].n_used);
	rs_visited_hash(key, end);
	return rs_visited_check(&run->visited, key, 0);
}

static bool place_rest(struct run *run, uint64_t end)
{
	uint64_t most = run->problem->max_size_bytes;

	if (run->n_placed == run->problem->n_atoms)
		return rs_place_size(run->place, end) <= most;
	if (is_too_late(run, end) || was_visited(run, end))
		return false;
	for (size_t k = 0; k < run->n_kinds; k++) {
		struct kind *kind = &run->kinds[k];
		size_t atom;
		uint64_t next;

		if (kind->n_used == kind->n_atoms || !lies_as_wanted(run, kind, end))
			continue;
		atom = kind->atoms[kind->n_used];
		next = rs_place_end(run->place, run->problem->atoms[atom].class, end);
		if (rs_place_is_dead(run->place, next) ||
		    rs_place_bits(run->place, next) + run->left_bits - kind->bits > most * 8 ||
		    !may_come(run, atom))
			continue;
		if (++run->n_steps > run->out->n_steps)
			return false;
		run->out->order[run->n_placed++] = atom;
		kind->n_used++;
		run->left_bits -= kind->bits;
		if (place_rest(run, next))
			return true;
		run->left_bits += kind->bits;
		kind->n_used--;
		run->n_placed--;
	}
	return false;
}

bool rs_realize_run(struct rs_realize *realize)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	struct run run = { .out = realize,
			   .arena = arena,
			   .place = realize->place,
			   .problem = realize->place->problem };
	bool found;

	init(&run);
	found = place_rest(&run, 0);
	rs_visited_deinit(&run.visited);
	return found;
}
