#include "plan/problem.h"

#include <string.h>

#include "plan/permit.h"
#include "plan/touches.h"

#define MOST_JOINED_BYTES (UINT64_C(1) << 40)

struct build {
	struct rs_arena *arena;
	struct rs_problem *problem;
	const struct rs_record *record;
	const bool *carried;
	size_t *next, *previous; /* of units that must follow one another; RS_NONE */
	size_t *region;          /* of a unit: number of its run of equal regions */
	size_t *atom_of;         /* a unit's atom; RS_NONE for carried ones before a region's first */
	struct rs_atom *atoms;
	bool conflict;
};

static size_t *new_indices(struct rs_arena *arena, size_t count)
{
	size_t *indices = rs_arena_array(arena, size_t, count + 1);

	for (size_t i = 0; i < count; i++)
		indices[i] = RS_NONE;
	return indices;
}

static void number_regions(struct build *build)
{
	size_t number = 0;

	build->region = rs_arena_array(build->arena, size_t, build->record->n_units);
	for (size_t u = 0; u < build->record->n_units; u++) {
		if (u > 0 && build->record->units[u].region != build->record->units[u - 1].region)
			number++;
		build->region[u] = number;
	}
	build->problem->n_regions = build->record->n_units ? number + 1 : 0;
}

static void link_units(struct build *build, size_t unit, size_t other)
{
	if (build->next[unit] == other)
		return;
	if (build->next[unit] != RS_NONE || build->previous[other] != RS_NONE ||
	    build->region[unit] != build->region[other]) {
		build->conflict = true;
		return;
	}
	build->next[unit] = other;
	build->previous[other] = unit;
}

static void link_all(struct build *build)
{
	const struct rs_binding *binding = build->problem->binding;

	build->next = new_indices(build->arena, build->record->n_units);
	build->previous = new_indices(build->arena, build->record->n_units);
	for (size_t i = 0; i < rs_permit_count(build->record, binding); i++) {
		const struct rs_constraint *constraint = rs_permit_get(build->record, binding, i);

		if (constraint->kind == RS_KEEP_NEXT)
			link_units(build, constraint->unit, constraint->other);
	}
}

/* The unit that a chain begins with; RS_NONE when it has no beginning. */
static size_t find_head(const struct build *build, size_t unit)
{
	size_t head = unit;

	while (build->previous[head] != RS_NONE) {
		head = build->previous[head];
		if (head == unit)
			return RS_NONE;
	}
	return head;
}

static size_t count_carried_behind(const struct build *build, size_t unit)
{
	size_t count = 0;

	for (size_t u = unit + 1;
	     u < build->record->n_units && build->carried[u] && build->region[u] == build->region[unit]; u++)
		count++;
	return count;
}

static void fill_units(struct build *build, size_t head, size_t atom)
{
	size_t *units = NULL, count = 0, capacity = 0;

	for (size_t unit = head; unit != RS_NONE; unit = build->next[unit]) {
		size_t behind = count_carried_behind(build, unit);

		for (size_t u = unit; u <= unit + behind; u++) {
			build->atom_of[u] = atom;
			*rs_array_push(build->arena, units, count, capacity) = u;
		}
	}
	build->atoms[atom].units = units;
	build->atoms[atom].n_units = count;
	build->atoms[atom].region = build->region[head];
}

static void fill_tops(struct build *build, struct rs_atom *atom)
{
	const struct rs_record *record = build->record;
	const struct rs_member **tops;
	size_t count = 0;

	for (size_t i = 0; i < atom->n_units; i++)
		atom->n_tops += record->units[atom->units[i]].n_members;
	tops = rs_arena_array(build->arena, const struct rs_member *, atom->n_tops);
	atom->tops = tops;
	for (size_t i = 0; i < atom->n_units; i++) {
		const struct rs_unit *unit = &record->units[atom->units[i]];
		size_t member = unit->first_member;

		for (size_t k = 0; k < unit->n_members; k++) {
			const struct rs_member *top = &record->members[member];

			tops[count++] = top;
			atom->least_bits += top->size_bits;
			if (atom->align_bytes < top->align_bytes)
				atom->align_bytes = top->align_bytes;
			if (atom->align_bytes < top->requested_align_bytes)
				atom->align_bytes = top->requested_align_bytes;
			member = rs_record_next_sibling(record, member);
		}
	}
}

static void make_atoms(struct build *build)
{
	size_t n_units = build->record->n_units;

	build->atoms = rs_arena_array(build->arena, struct rs_atom, n_units);
	build->atom_of = new_indices(build->arena, n_units);
	for (size_t u = 0; u < n_units && !build->conflict; u++) {
		struct rs_atom *atom = &build->atoms[build->problem->n_atoms];
		size_t head;

		if (build->carried[u] || build->atom_of[u] != RS_NONE)
			continue;
		head = find_head(build, u);
		build->conflict = head == RS_NONE;
		if (build->conflict)
			return;
		fill_units(build, head, build->problem->n_atoms++);
		fill_tops(build, atom);
		if (build->problem->max_align_bytes < atom->align_bytes)
			build->problem->max_align_bytes = atom->align_bytes;
	}
	build->problem->atoms = build->atoms;
}

static void make_heads(struct build *build)
{
	size_t n_regions = build->problem->n_regions;
	size_t **heads = rs_arena_array(build->arena, size_t *, n_regions);
	size_t *n_heads = rs_arena_array(build->arena, size_t, n_regions);
	size_t *capacities = rs_arena_array(build->arena, size_t, n_regions);

	for (size_t u = 0; u < build->record->n_units; u++) {
		size_t r = build->region[u];

		if (build->atom_of[u] == RS_NONE)
			*rs_array_push(build->arena, heads[r], n_heads[r], capacities[r]) = u;
	}
	build->problem->heads = (const size_t *const *)heads;
	build->problem->n_heads = n_heads;
}

static void add_precedence(struct build *build, uint64_t *matrix, size_t unit, size_t other)
{
	size_t before = build->atom_of[unit], behind = build->atom_of[other];

	if (before != behind)
		matrix[before * build->problem->row_words + behind / 64] |= UINT64_C(1) << behind % 64;
}

/* A unit that comes first stands before all of its region that do not come still earlier; "last" likewise. */
static void add_extreme(struct build *build, uint64_t *matrix, size_t index)
{
	const struct rs_problem *problem = build->problem;
	const struct rs_constraint *own = rs_permit_get(build->record, problem->binding, index);
	size_t rank = rs_permit_rank(build->record, problem->binding, index);
	bool *nearer = rs_arena_array(build->arena, bool, build->record->n_units);

	for (size_t i = 0; i < index; i++) {
		const struct rs_constraint *earlier = rs_permit_get(build->record, problem->binding, i);

		if (earlier->kind == own->kind && rs_permit_rank(build->record, problem->binding, i) < rank)
			nearer[earlier->unit] = true;
	}
	for (size_t u = 0; u < build->record->n_units; u++) {
		if (u == own->unit || nearer[u] || build->carried[u] ||
		    build->region[u] != build->region[own->unit])
			continue;
		if (own->kind == RS_KEEP_FIRST)
			add_precedence(build, matrix, own->unit, u);
		else
			add_precedence(build, matrix, u, own->unit);
	}
}

static void make_precedence(struct build *build)
{
	struct rs_problem *problem = build->problem;
	uint64_t *matrix;

	problem->row_words = problem->n_atoms / 64 + 1;
	matrix = rs_arena_array(build->arena, uint64_t, problem->n_atoms * problem->row_words);
	problem->precedes = matrix;
	for (size_t i = 0; i < rs_permit_count(build->record, problem->binding); i++) {
		const struct rs_constraint *constraint = rs_permit_get(build->record, problem->binding, i);

		if (constraint->kind == RS_KEEP_BEFORE)
			add_precedence(build, matrix, constraint->unit, constraint->other);
		else if (constraint->kind == RS_KEEP_FIRST || constraint->kind == RS_KEEP_LAST)
			add_extreme(build, matrix, i);
	}
}

bool rs_problem_precedes(const struct rs_problem *problem, size_t atom, size_t other)
{
	return problem->precedes[atom * problem->row_words + other / 64] >> other % 64 & 1;
}

static bool is_next(const struct rs_problem *problem, const bool *placed, size_t atom)
{
	for (size_t other = 0; other < problem->n_atoms; other++)
		if (!placed[other] && other != atom &&
		    (problem->atoms[other].region < problem->atoms[atom].region ||
		     rs_problem_precedes(problem, other, atom)))
			return false;
	return true;
}

/* The lowest atom that may come next, again and again: the original order wherever it is permitted. */
static void make_start(struct build *build)
{
	struct rs_problem *problem = build->problem;
	bool *placed = rs_arena_array(build->arena, bool, problem->n_atoms);
	size_t *start = rs_arena_array(build->arena, size_t, problem->n_atoms);
	size_t *units = rs_arena_array(build->arena, size_t, build->record->n_units);

	for (size_t i = 0; i < problem->n_atoms; i++) {
		size_t atom = 0;

		while (atom < problem->n_atoms && (placed[atom] || !is_next(problem, placed, atom)))
			atom++;
		if (atom == problem->n_atoms)
			return;
		placed[atom] = true;
		start[i] = atom;
	}
	problem->start = start;
	rs_problem_expand(problem, start, units);
	problem->is_feasible = rs_permit_check_sequence(build->arena, build->record, problem->binding, units);
}

bool rs_problem_lies_like(const struct rs_member *a, const struct rs_member *b)
{
	if (a->is_bitfield != b->is_bitfield || a->size_bits != b->size_bits ||
	    a->align_bytes != b->align_bytes)
		return false;
	return !a->is_bitfield || (a->type_size_bytes == b->type_size_bytes &&
				   a->requested_align_bytes == b->requested_align_bytes);
}

static bool is_touched_like(const struct rs_touch *a, const struct rs_touch *b)
{
	return a->top == b->top && a->inside_bits == b->inside_bits && a->size_bits == b->size_bits &&
	       a->signature == b->signature;
}

rs_join_state rs_problem_pass(const struct rs_problem *problem, size_t atom, rs_join_state state)
{
	const struct rs_atom *passed = &problem->atoms[atom];

	for (size_t i = 0; i < passed->n_units; i++)
		state = rs_joins_pass(problem->joins, passed->units[i], state);
	return state;
}

bool rs_problem_has_companion(const struct rs_problem *problem, size_t atom)
{
	return problem->companions &&
	       rs_companions_has(problem->companions, problem->atoms[atom].tops, problem->atoms[atom].n_tops);
}

bool rs_problem_is_held_like(const struct rs_problem *problem, size_t a, size_t b)
{
	for (size_t other = 0; other < problem->n_atoms; other++)
		if (rs_problem_precedes(problem, a, other) != rs_problem_precedes(problem, b, other) ||
		    rs_problem_precedes(problem, other, a) != rs_problem_precedes(problem, other, b))
			return false;
	if (problem->companions &&
	    (rs_problem_has_companion(problem, a) || rs_problem_has_companion(problem, b)))
		return false;
	for (rs_join_state state = 0; state < rs_joins_count(problem->joins); state++)
		if (rs_problem_pass(problem, a, state) != rs_problem_pass(problem, b, state))
			return false;
	return true;
}

static bool is_interchangeable(const struct rs_problem *problem, size_t one, size_t two)
{
	const struct rs_atom *a = &problem->atoms[one], *b = &problem->atoms[two];

	if (a->region != b->region || a->n_tops != b->n_tops || a->n_touches != b->n_touches)
		return false;
	for (size_t i = 0; i < a->n_tops; i++)
		if (!rs_problem_lies_like(a->tops[i], b->tops[i]))
			return false;
	for (size_t i = 0; i < a->n_touches; i++)
		if (!is_touched_like(&a->touches[i], &b->touches[i]))
			return false;
	return rs_problem_is_held_like(problem, one, two);
}

/* An atom's class: the number of the first atom that it is interchangeable with. */
static size_t find_class(const struct rs_problem *problem, const struct rs_atom_class *classes, size_t atom)
{
	size_t k = 0;

	while (k < problem->n_classes && !is_interchangeable(problem, classes[k].atoms[0], atom))
		k++;
	return k;
}

static bool stands_before(const struct rs_problem *problem, size_t a, size_t b)
{
	return problem->atoms[a].region == problem->atoms[b].region && rs_problem_precedes(problem, a, b);
}

static void make_classes(struct build *build)
{
	struct rs_problem *problem = build->problem;
	struct rs_atom_class *classes = rs_arena_array(build->arena, struct rs_atom_class, problem->n_atoms);
	size_t *capacities = rs_arena_array(build->arena, size_t, problem->n_atoms);

	problem->classes = classes;
	for (size_t a = 0; a < problem->n_atoms; a++) {
		size_t k = find_class(problem, classes, a);
		size_t *atoms = (size_t *)(uintptr_t)classes[k].atoms;

		*rs_array_push(build->arena, atoms, classes[k].n_atoms, capacities[k]) = a;
		classes[k].atoms = atoms;
		build->atoms[a].class = k;
		problem->n_classes += k == problem->n_classes;
	}
	for (size_t k = 0; k < problem->n_classes; k++) {
		size_t *after = NULL, capacity = 0;

		for (size_t other = 0; other < problem->n_classes; other++)
			if (stands_before(problem, classes[other].atoms[0], classes[k].atoms[0]))
				*rs_array_push(build->arena, after, classes[k].n_after, capacity) = other;
		classes[k].after = after;
	}
}

static uint64_t choose_max_size(const struct rs_problem *problem, uint64_t max_size_bytes)
{
	const struct rs_binding *binding = problem->binding;
	uint64_t sum = problem->record->align_bytes;

	if (max_size_bytes)
		return max_size_bytes;
	if (binding && binding->max_size)
		return binding->max_size;
	if (!binding || !(binding->allow & RS_ALLOW_GROW))
		return problem->record->size_bytes;
	for (size_t i = 0; i < problem->record->n_members; i = rs_record_next_sibling(problem->record, i))
		sum += problem->record->members[i].size_bits / 8 + 1 + problem->record->members[i].align_bytes;
	return sum;
}

const struct rs_problem *rs_problem_create(struct rs_arena *arena, const struct rs_record *record,
					   const struct rs_binding *binding, const struct rs_cost *cost,
					   uint64_t max_size_bytes)
{
	struct rs_problem *problem = rs_arena_new(arena, struct rs_problem);
	struct build build = { .arena = arena, .problem = problem, .record = record };

	*problem = (struct rs_problem) {
		.record = record, .binding = binding, .cost = cost, .max_align_bytes = 1
	};
	problem->max_size_bytes = choose_max_size(problem, max_size_bytes);
	problem->joins = rs_joins_find(arena, record, binding);
	problem->companions = rs_companions_find(arena, record, binding);
	build.carried = rs_permit_find_carried(arena, record, binding);
	number_regions(&build);
	link_all(&build);
	make_atoms(&build);
	/* Ends with a state have no room for more; plan/place.c. */
	if (build.conflict || ((rs_joins_count(problem->joins) > 1 || problem->companions) &&
			       record->size_bytes >= MOST_JOINED_BYTES))
		return problem;
	make_heads(&build);
	if (cost)
		rs_touches_find(arena, problem, build.atoms, build.atom_of);
	make_precedence(&build);
	make_start(&build);
	if (problem->is_feasible)
		make_classes(&build);
	return problem;
}

void rs_problem_expand(const struct rs_problem *problem, const size_t *atom_order, size_t *ret_unit_order)
{
	size_t region = 0, count = 0;

	for (size_t i = 0; i <= problem->n_atoms; i++) {
		const struct rs_atom *atom = i < problem->n_atoms ? &problem->atoms[atom_order[i]] : NULL;
		size_t upto = atom ? atom->region + 1 : problem->n_regions;

		for (; region < upto; region++)
			for (size_t u = 0; u < problem->n_heads[region]; u++)
				ret_unit_order[count++] = problem->heads[region][u];
		for (size_t u = 0; atom && u < atom->n_units; u++)
			ret_unit_order[count++] = atom->units[u];
	}
}

bool rs_problem_may_pass(const struct rs_problem *problem, const size_t *order, size_t from, size_t n,
			 size_t n_passed)
{
	size_t last = from + n + n_passed - 1;

	if (problem->atoms[order[from]].region != problem->atoms[order[last]].region)
		return false;
	for (size_t i = from; i < from + n; i++)
		for (size_t j = from + n; j <= last; j++)
			if (rs_problem_precedes(problem, order[i], order[j]))
				return false;
	return true;
}

uint64_t rs_problem_round_size(const struct rs_problem *problem, uint64_t end_bits)
{
	uint64_t align = problem->record->align_bytes ? problem->record->align_bytes : 1;

	return ((end_bits + 7) / 8 + align - 1) / align * align;
}
