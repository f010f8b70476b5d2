#include "plan/bytes.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_STATES = 400000 };

/* Classes that lay out alike and are held alike, whatever touches them. */
struct kind {
	size_t *atoms;
	size_t n_atoms, capacity;
	size_t *after; /* kinds */
	size_t n_after, after_capacity;
	size_t class;  /* one of them */
	size_t stride; /* in the state's number */
	size_t n_placed;
};

struct solver {
	struct rs_arena *arena;
	struct rs_place *place;
	const struct rs_problem *problem;
	struct kind *kinds; /* of the region */
	size_t n_kinds, kinds_capacity;
	size_t *kind_of; /* of a class */
	size_t *order;
	size_t n_placed;
	uint64_t end_bits;
	bool proven;
};

static bool is_same_kind(const struct rs_problem *problem, size_t class_a, size_t class_b)
{
	size_t first = problem->classes[class_a].atoms[0], second = problem->classes[class_b].atoms[0];
	const struct rs_atom *a = &problem->atoms[first], *b = &problem->atoms[second];

	if (a->n_tops != b->n_tops)
		return false;
	for (size_t i = 0; i < a->n_tops; i++)
		if (!rs_problem_lies_like(a->tops[i], b->tops[i]))
			return false;
	return rs_problem_is_held_like(problem, first, second);
}

static size_t find_kind(struct solver *solver, size_t class)
{
	for (size_t k = 0; k < solver->n_kinds; k++)
		if (is_same_kind(solver->problem, solver->kinds[k].class, class))
			return k;
	*rs_array_push(solver->arena, solver->kinds, solver->n_kinds, solver->kinds_capacity) =
		(struct kind) { .class = class };
	return solver->n_kinds - 1;
}

static void add_after(struct solver *solver, struct kind *kind, size_t other)
{
	for (size_t i = 0; i < kind->n_after; i++)
		if (kind->after[i] == other)
			return;
	*rs_array_push(solver->arena, kind->after, kind->n_after, kind->after_capacity) = other;
}

static void collect_kinds(struct solver *solver, size_t region)
{
	const struct rs_problem *problem = solver->problem;

	solver->kinds = NULL;
	solver->n_kinds = solver->kinds_capacity = 0;
	for (size_t c = 0; c < problem->n_classes; c++) {
		const struct rs_atom_class *class = &problem->classes[c];
		struct kind *kind;

		if (problem->atoms[class->atoms[0]].region != region)
			continue;
		solver->kind_of[c] = find_kind(solver, c);
		kind = &solver->kinds[solver->kind_of[c]];
		for (size_t i = 0; i < class->n_atoms; i++)
			*rs_array_push(solver->arena, kind->atoms, kind->n_atoms, kind->capacity) =
				class->atoms[i];
	}
	for (size_t k = 0; k < solver->n_kinds; k++) {
		const struct rs_atom_class *class = &problem->classes[solver->kinds[k].class];

		for (size_t i = 0; i < class->n_after; i++)
			add_after(solver, &solver->kinds[k], solver->kind_of[class->after[i]]);
	}
}

/* Numbers the states; 0 when there are too many. */
static size_t count_states(struct solver *solver)
{
	size_t n_states = 1;

	for (size_t k = 0; k < solver->n_kinds; k++) {
		solver->kinds[k].stride = n_states;
		n_states *= solver->kinds[k].n_atoms + 1;
		if (n_states > MOST_STATES)
			return 0;
	}
	return n_states;
}

static size_t placed_in_state(const struct kind *kind, size_t state)
{
	return state / kind->stride % (kind->n_atoms + 1);
}

static bool may_come(const struct solver *solver, const struct kind *kind, size_t state)
{
	if (placed_in_state(kind, state) == kind->n_atoms)
		return false;
	for (size_t i = 0; i < kind->n_after; i++) {
		const struct kind *before = &solver->kinds[kind->after[i]];

		if (placed_in_state(before, state) < before->n_atoms)
			return false;
	}
	return true;
}

/* Walks back along the choices that led to the full state. */
static void take_choices(struct solver *solver, const uint32_t *choices, size_t n_states)
{
	size_t count = 0, state = n_states - 1;

	for (size_t k = 0; k < solver->n_kinds; k++)
		count += solver->kinds[k].n_atoms;
	for (size_t i = count; i-- > 0;) {
		struct kind *kind = &solver->kinds[choices[state]];

		solver->order[solver->n_placed + i] = kind->atoms[placed_in_state(kind, state) - 1];
		state -= kind->stride;
	}
	solver->n_placed += count;
}

static void solve_exactly(struct solver *solver, size_t n_states)
{
	uint64_t *ends = (uint64_t *)rs_alloc(n_states * sizeof *ends);
	uint32_t *choices = (uint32_t *)rs_alloc(n_states * sizeof *choices);

	memset(ends, 0xff, n_states * sizeof *ends);
	ends[0] = solver->end_bits;
	for (size_t state = 0; state < n_states; state++) {
		if (ends[state] == UINT64_MAX)
			continue;
		for (size_t k = 0; k < solver->n_kinds; k++) {
			const struct kind *kind = &solver->kinds[k];
			uint64_t end;

			if (!may_come(solver, kind, state))
				continue;
			end = rs_place_end(solver->place, kind->class, ends[state]);
			if (end < ends[state + kind->stride]) {
				ends[state + kind->stride] = end;
				choices[state + kind->stride] = (uint32_t)k;
			}
		}
	}
	take_choices(solver, choices, n_states);
	solver->end_bits = ends[n_states - 1];
	free(ends);
	free(choices);
}

static bool is_open(const struct solver *solver, const struct kind *kind)
{
	if (kind->n_placed == kind->n_atoms)
		return false;
	for (size_t i = 0; i < kind->n_after; i++)
		if (solver->kinds[kind->after[i]].n_placed < solver->kinds[kind->after[i]].n_atoms)
			return false;
	return true;
}

/* The kind that leaves the least hole now; among those the most aligned. */
static struct kind *choose_tightest(const struct solver *solver)
{
	struct kind *best = NULL;
	uint64_t best_hole = 0, best_align = 0;

	for (size_t k = 0; k < solver->n_kinds; k++) {
		struct kind *kind = &solver->kinds[k];
		const struct rs_atom *atom = &solver->problem->atoms[kind->atoms[0]];
		uint64_t hole;

		if (!is_open(solver, kind))
			continue;
		hole = rs_place_end(solver->place, kind->class, solver->end_bits) - solver->end_bits -
		       atom->least_bits;
		if (!best || hole < best_hole || (hole == best_hole && atom->align_bytes > best_align)) {
			best = kind;
			best_hole = hole;
			best_align = atom->align_bytes;
		}
	}
	return best;
}

static void solve_greedily(struct solver *solver)
{
	struct kind *kind;

	while ((kind = choose_tightest(solver))) {
		solver->end_bits = rs_place_end(solver->place, kind->class, solver->end_bits);
		solver->order[solver->n_placed++] = kind->atoms[kind->n_placed++];
	}
	solver->proven = false;
}

void rs_bytes_solve(struct rs_arena *arena, struct rs_place *place, struct rs_bytes *ret_bytes)
{
	const struct rs_problem *problem = place->problem;
	struct solver solver = { .arena = arena, .place = place, .problem = problem, .proven = true };
	uint64_t sum = 0;

	solver.kind_of = rs_arena_array(arena, size_t, problem->n_classes);
	solver.order = rs_arena_array(arena, size_t, problem->n_atoms);
	for (size_t region = 0; region < problem->n_regions; region++) {
		size_t n_states;

		collect_kinds(&solver, region);
		n_states = count_states(&solver);
		if (n_states)
			solve_exactly(&solver, n_states);
		else
			solve_greedily(&solver);
	}
	for (size_t a = 0; a < problem->n_atoms; a++)
		sum += problem->atoms[a].least_bits;
	ret_bytes->order = solver.order;
	ret_bytes->size_bytes = rs_problem_round_size(problem, solver.end_bits);
	ret_bytes->least_bytes = solver.proven ? ret_bytes->size_bytes : rs_problem_round_size(problem, sum);
}
