#include "plan/touches.h"

#include <stdlib.h>
#include <string.h>

struct finder {
	struct rs_arena *arena;
	const struct rs_problem *problem;
	struct rs_use **uses; /* of each member */
	size_t *n_uses, *uses_capacity;
	struct rs_signature *signatures;
	size_t n_signatures, signatures_capacity;
};

static void collect_uses(struct finder *finder)
{
	const struct rs_binding *binding = finder->problem->binding;

	for (size_t p = 0; p < binding->n_paths; p++) {
		const struct rs_bound_path *path = &binding->paths[p];

		for (size_t i = 0; i < path->n_accesses && path->rate > 0; i++) {
			const struct rs_bound_access *access = &path->accesses[i];
			size_t m = access->member;

			if (access->reads || access->writes)
				*rs_array_push(finder->arena, finder->uses[m], finder->n_uses[m],
					       finder->uses_capacity[m]) =
					(struct rs_use) { p, access->writes };
		}
	}
}

static bool has_uses(const struct rs_signature *signature, const struct rs_use *uses, size_t n_uses)
{
	if (signature->n_uses != n_uses)
		return false;
	for (size_t i = 0; i < n_uses; i++)
		if (signature->uses[i].path != uses[i].path || signature->uses[i].writes != uses[i].writes)
			return false;
	return true;
}

static uint32_t find_signature(struct finder *finder, const struct rs_use *uses, size_t n_uses)
{
	struct rs_signature *added;
	double heat = 0;

	for (size_t s = 0; s < finder->n_signatures; s++)
		if (has_uses(&finder->signatures[s], uses, n_uses))
			return (uint32_t)s;
	for (size_t i = 0; i < n_uses; i++)
		heat += finder->problem->binding->paths[uses[i].path].rate;
	added = rs_array_push(finder->arena, finder->signatures, finder->n_signatures,
			      finder->signatures_capacity);
	*added = (struct rs_signature) { uses, n_uses, heat };
	return (uint32_t)(finder->n_signatures - 1);
}

static size_t find_top(const struct rs_record *record, size_t member)
{
	while (record->members[member].parent != RS_NONE)
		member = record->members[member].parent;
	return member;
}

static void add_touch(struct finder *finder, struct rs_atom *atom, size_t *capacity, size_t member)
{
	const struct rs_record *record = finder->problem->record;
	const struct rs_member *top = &record->members[find_top(record, member)];
	struct rs_touch *touches = (struct rs_touch *)(uintptr_t)atom->touches;
	uint32_t signature = find_signature(finder, finder->uses[member], finder->n_uses[member]);
	size_t index = 0;

	while (index < atom->n_tops && atom->tops[index] != top)
		index++;
	if (index == atom->n_tops)
		return;
	*rs_array_push(finder->arena, touches, atom->n_touches, *capacity) =
		(struct rs_touch) { .top = index,
				    .inside_bits = record->members[member].offset_bits - top->offset_bits,
				    .size_bits = record->members[member].size_bits,
				    .signature = signature };
	atom->touches = touches;
	if (atom->heat < finder->signatures[signature].heat)
		atom->heat = finder->signatures[signature].heat;
}

static int compare_touches(const void *a, const void *b)
{
	const struct rs_touch *x = (const struct rs_touch *)a, *y = (const struct rs_touch *)b;

	if (x->top != y->top)
		return x->top < y->top ? -1 : 1;
	if (x->inside_bits != y->inside_bits)
		return x->inside_bits < y->inside_bits ? -1 : 1;
	if (x->size_bits != y->size_bits)
		return x->size_bits < y->size_bits ? -1 : 1;
	return x->signature < y->signature ? -1 : x->signature > y->signature;
}

void rs_touches_find(struct rs_arena *arena, struct rs_problem *problem, struct rs_atom *atoms,
		     const size_t *atom_of)
{
	size_t n_members = problem->record->n_members;
	struct finder finder = { .arena = arena, .problem = problem };
	size_t *capacities = rs_arena_array(arena, size_t, problem->n_atoms);

	finder.uses = rs_arena_array(arena, struct rs_use *, n_members);
	finder.n_uses = rs_arena_array(arena, size_t, n_members);
	finder.uses_capacity = rs_arena_array(arena, size_t, n_members);
	collect_uses(&finder);
	for (size_t m = 0; m < n_members; m++) {
		size_t unit = problem->record->members[find_top(problem->record, m)].unit;

		if (finder.n_uses[m] && unit != RS_NONE && atom_of[unit] != RS_NONE)
			add_touch(&finder, &atoms[atom_of[unit]], &capacities[atom_of[unit]], m);
	}
	for (size_t a = 0; a < problem->n_atoms; a++) {
		if (!atoms[a].n_touches)
			continue;
		problem->n_touched++;
		for (size_t i = 0; i < atoms[a].n_touches; i++)
			problem->has_empty_touch |= atoms[a].touches[i].size_bits == 0;
		qsort((struct rs_touch *)(uintptr_t)atoms[a].touches, atoms[a].n_touches,
		      sizeof(struct rs_touch), compare_touches);
	}
	problem->signatures = finder.signatures;
	problem->n_signatures = finder.n_signatures;
}
