#include "plan/bytes.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 400000 };

/* Classes that lay out alike and are held alike, whatever touches them. */
struct kind {
	size_t *atoms;
	size_t n_atoms, capacity;
	size_t *after; /* kinds */
	size_t n_after, after_capacity;
	size_t class;  /* one of them */
	size_t stride; /* in the number of a placing */
	size_t n_placed;
};

/* The regions so far. */
struct beginning {
	size_t *order;
	uint64_t end; /* UINT64_MAX: there is none */
};

struct solver {
	struct rs_arena *arena;
	struct rs_place *place;
	const struct rs_problem *problem;
	struct kind *kinds; /* of the region */
	size_t n_kinds, kinds_capacity;
	size_t *kind_of;              /* of a class */
	struct beginning *beginnings; /* by state of joins */
	size_t n_placed;
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

/* Numbers the placings; 0 when there are too many. */
static size_t count_placings(struct solver *solver)
{
	size_t n_placings = 1;

	for (size_t k = 0; k < solver->n_kinds; k++) {
		solver->kinds[k].stride = n_placings;
		n_placings *= solver->kinds[k].n_atoms + 1;
		if (n_placings * solver->place->n_states > MOST_CELLS)
			return 0;
	}
	return n_placings;
}

static size_t count_placed(const struct kind *kind, size_t placing)
{
	return placing / kind->stride % (kind->n_atoms + 1);
}

static bool may_come(const struct solver *solver, const struct kind *kind, size_t placing)
{
	if (count_placed(kind, placing) == kind->n_atoms)
		return false;
	for (size_t i = 0; i < kind->n_after; i++) {
		const struct kind *before = &solver->kinds[kind->after[i]];

		if (count_placed(before, placing) < before->n_atoms)
			return false;
	}
	return true;
}

/* A full table: what is placed, number by number of kinds, and for each state of joins. */
struct table {
	uint64_t *ends;    /* least one; UINT64_MAX: not to be reached */
	uint32_t *choices; /* kind that came last … */
	uint16_t *before;  /* … and the state before it */
	size_t n_placings, n_states;
};

/* Walks back along the choices that led to the full placing in this state; gives the state at the start. */
static size_t take_choices(const struct solver *solver, const struct table *table, size_t state,
			   size_t *ret_order)
{
	size_t count = 0, placing = table->n_placings - 1;

	for (size_t k = 0; k < solver->n_kinds; k++)
		count += solver->kinds[k].n_atoms;
	for (size_t i = count; i-- > 0;) {
		size_t at = placing * table->n_states + state;
		const struct kind *kind = &solver->kinds[table->choices[at]];

		ret_order[i] = kind->atoms[count_placed(kind, placing) - 1];
		state = table->before[at];
		placing -= kind->stride;
	}
	return state;
}

static void try_kind(const struct solver *solver, struct table *table, size_t placing, size_t state,
		     size_t index)
{
	const struct kind *kind = &solver->kinds[index];
	uint64_t end = rs_place_end(solver->place, kind->class, table->ends[placing * table->n_states + state]);
	size_t at = (placing + kind->stride) * table->n_states + rs_place_state(solver->place, end);

	/* Of one state, ends compare as their bits do. */
	if (end >= table->ends[at])
		return;
	table->ends[at] = end;
	table->choices[at] = (uint32_t)index;
	table->before[at] = (uint16_t)state;
}

static void fill_table(const struct solver *solver, struct table *table)
{
	for (size_t placing = 0; placing < table->n_placings; placing++)
		for (size_t k = 0; k < solver->n_kinds; k++) {
			if (!may_come(solver, &solver->kinds[k], placing))
				continue;
			for (size_t state = 0; state < table->n_states; state++)
				if (table->ends[placing * table->n_states + state] != UINT64_MAX)
					try_kind(solver, table, placing, state, k);
		}
}

/* The best beginnings that end in each state, with this region. */
static void solve_exactly(struct solver *solver, size_t n_placings)
{
	size_t n_states = solver->place->n_states, n_cells = n_placings * n_states;
	struct table table = { .n_placings = n_placings, .n_states = n_states };
	struct beginning *next = rs_arena_array(solver->arena, struct beginning, n_states);

	table.ends = (uint64_t *)rs_alloc(n_cells * sizeof *table.ends);
	table.choices = (uint32_t *)rs_alloc(n_cells * sizeof *table.choices);
	table.before = (uint16_t *)rs_alloc(n_cells * sizeof *table.before);
	memset(table.ends, 0xff, n_cells * sizeof *table.ends);
	for (size_t state = 0; state < n_states; state++)
		table.ends[state] = solver->beginnings[state].end;
	fill_table(solver, &table);
	for (size_t state = 0; state < n_states; state++) {
		struct beginning *beginning = &next[state];
		size_t from;

		beginning->end = table.ends[(n_placings - 1) * n_states + state];
		if (beginning->end == UINT64_MAX)
			continue;
		beginning->order = rs_arena_array(solver->arena, size_t, solver->problem->n_atoms);
		from = take_choices(solver, &table, state, beginning->order + solver->n_placed);
		if (solver->n_placed)
			memcpy(beginning->order, solver->beginnings[from].order,
			       solver->n_placed * sizeof *beginning->order);
	}
	solver->beginnings = next;
	free(table.ends);
	free(table.choices);
	free(table.before);
}

/* The state of the beginning with the fewest bits; the dead one when there is no other. */
static size_t find_least(const struct solver *solver)
{
	size_t least = solver->place->n_states - 1;

	for (size_t state = least; state-- > 0;) {
		uint64_t end = solver->beginnings[state].end, known = solver->beginnings[least].end;

		if (end != UINT64_MAX &&
		    (known == UINT64_MAX || rs_place_is_dead(solver->place, known) ||
		     rs_place_bits(solver->place, end) <= rs_place_bits(solver->place, known)))
			least = state;
	}
	return least;
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
static struct kind *choose_tightest(const struct solver *solver, uint64_t end)
{
	struct kind *best = NULL;
	uint64_t best_hole = 0, best_align = 0;

	for (size_t k = 0; k < solver->n_kinds; k++) {
		struct kind *kind = &solver->kinds[k];
		const struct rs_atom *atom = &solver->problem->atoms[kind->atoms[0]];
		uint64_t hole, next;

		if (!is_open(solver, kind))
			continue;
		next = rs_place_end(solver->place, kind->class, end);
		hole = rs_place_bits(solver->place, next) - rs_place_bits(solver->place, end) -
		       atom->least_bits;
		if (rs_place_is_dead(solver->place, next))
			hole = UINT64_MAX;
		if (!best || hole < best_hole || (hole == best_hole && atom->align_bytes > best_align)) {
			best = kind;
			best_hole = hole;
			best_align = atom->align_bytes;
		}
	}
	return best;
}

/* May end in a dead end, where joins are not permitted. */
static void solve_greedily(struct solver *solver)
{
	struct beginning *from = &solver->beginnings[find_least(solver)], *next;
	struct beginning reached = *from;
	size_t n_placed = solver->n_placed;
	struct kind *kind;

	if (!reached.order)
		reached.order = rs_arena_array(solver->arena, size_t, solver->problem->n_atoms);
	while ((kind = choose_tightest(solver, reached.end))) {
		reached.end = rs_place_end(solver->place, kind->class, reached.end);
		reached.order[n_placed++] = kind->atoms[kind->n_placed++];
	}
	next = rs_arena_array(solver->arena, struct beginning, solver->place->n_states);
	for (size_t state = 0; state < solver->place->n_states; state++)
		next[state].end = UINT64_MAX;
	next[rs_place_state(solver->place, reached.end)] = reached;
	solver->beginnings = next;
	solver->proven = false;
}

static void solve_region(struct solver *solver, size_t region)
{
	size_t n_placings;

	collect_kinds(solver, region);
	n_placings = count_placings(solver);
	if (n_placings)
		solve_exactly(solver, n_placings);
	else
		solve_greedily(solver);
	for (size_t k = 0; k < solver->n_kinds; k++)
		solver->n_placed += solver->kinds[k].n_atoms;
}

void rs_bytes_solve(struct rs_arena *arena, struct rs_place *place, struct rs_bytes *ret_bytes)
{
	const struct rs_problem *problem = place->problem;
	struct solver solver = { .arena = arena, .place = place, .problem = problem, .proven = true };
	const struct beginning *least;
	uint64_t sum = 0;

	solver.kind_of = rs_arena_array(arena, size_t, problem->n_classes);
	solver.beginnings = rs_arena_array(arena, struct beginning, place->n_states);
	for (size_t state = 1; state < place->n_states; state++)
		solver.beginnings[state].end = UINT64_MAX;
	for (size_t region = 0; region < problem->n_regions; region++)
		solve_region(&solver, region);
	for (size_t a = 0; a < problem->n_atoms; a++)
		sum += problem->atoms[a].least_bits;
	least = &solver.beginnings[find_least(&solver)];
	ret_bytes->order = least->order ? least->order : rs_arena_array(arena, size_t, problem->n_atoms);
	ret_bytes->size_bytes = rs_place_size(place, least->end);
	ret_bytes->least_bytes = solver.proven ? ret_bytes->size_bytes : rs_problem_round_size(problem, sum);
}
