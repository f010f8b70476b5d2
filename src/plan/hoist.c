#include "plan/hoist.h"

#include <string.h>

#include "record/layout.h"

struct hoist {
	struct rs_arena *arena;
	const struct rs_record *old;
	const bool *leaves;
	struct rs_member *members; /* of the new record; offsets inside count from the enclosing one at first */
	size_t n_members;
	struct rs_unit *units;
	struct rs_gap *gaps;
	size_t n_units;
	size_t *member_of, *unit_of; /* by old index */
};

static bool is_anonymous_inside(const struct rs_record *record, size_t member)
{
	size_t parent = record->members[member].parent;

	for (; parent != RS_NONE; parent = record->members[parent].parent)
		if (!record->members[parent].is_anonymous)
			return false;
	return record->members[member].parent != RS_NONE;
}

static size_t end_of(const struct rs_record *record, size_t member)
{
	return member + 1 + record->members[member].n_inside;
}

static bool loses_any(const struct hoist *hoist, size_t aggregate)
{
	for (size_t m = aggregate + 1; m < end_of(hoist->old, aggregate); m++)
		if (hoist->leaves[m])
			return true;
	return false;
}

static bool is_packed(const struct rs_record *record, size_t aggregate)
{
	for (size_t m = aggregate + 1; m < end_of(record, aggregate); m++)
		if (record->members[m].align_bytes > record->members[aggregate].align_bytes)
			return true;
	return false;
}

static bool keeps_any(const struct hoist *hoist, size_t aggregate)
{
	for (size_t m = aggregate + 1; m < end_of(hoist->old, aggregate);
	     m = rs_record_next_sibling(hoist->old, m))
		if (!hoist->leaves[m])
			return true;
	return false;
}

static bool is_possible(const struct hoist *hoist)
{
	const struct rs_record *old = hoist->old;

	for (size_t m = 0; m < old->n_members; m++) {
		if (hoist->leaves[m] && (old->members[m].is_bitfield || !is_anonymous_inside(old, m)))
			return false;
		if (old->members[m].is_aggregate && loses_any(hoist, m) &&
		    (is_packed(old, m) || !keeps_any(hoist, m)))
			return false;
	}
	return true;
}

/* --- members --- */

static size_t add_member(struct hoist *hoist, size_t old, size_t parent, size_t unit)
{
	size_t index = hoist->n_members++;
	struct rs_member *member = &hoist->members[index];

	*member = hoist->old->members[old];
	member->parent = parent;
	member->unit = unit;
	if (parent == RS_NONE)
		member->offset_bits = 0;
	else
		member->offset_bits -= hoist->old->members[hoist->old->members[old].parent].offset_bits;
	hoist->member_of[old] = index;
	return index;
}

/* What is left in an aggregate is laid out anew. */
static void close_aggregate(struct hoist *hoist, size_t aggregate)
{
	struct rs_member *own = &hoist->members[aggregate];
	uint64_t end = 0, size = 0, align = own->requested_align_bytes;

	for (size_t m = aggregate + 1; m < hoist->n_members; m += 1 + hoist->members[m].n_inside) {
		struct rs_member *member = &hoist->members[m];
		uint64_t from = own->is_union ? 0 : end;

		member->offset_bits = rs_layout_place(member, &from);
		end = from;
		size = from > size ? from : size;
		align = member->align_bytes > align ? member->align_bytes : align;
	}
	align = align ? align : 1;
	own->align_bytes = (uint32_t)align;
	own->size_bits = (size + align * 8 - 1) / (align * 8) * align * 8;
}

static void add_tree(struct hoist *hoist, size_t old, size_t parent, size_t unit)
{
	size_t index = add_member(hoist, old, parent, unit);

	for (size_t m = old + 1; m < end_of(hoist->old, old); m = rs_record_next_sibling(hoist->old, m))
		if (!hoist->leaves[m])
			add_tree(hoist, m, index, unit);
	hoist->members[index].n_inside = hoist->n_members - index - 1;
	if (hoist->old->members[old].is_aggregate && loses_any(hoist, old))
		close_aggregate(hoist, index);
}

/* --- units --- */

static size_t add_unit(struct hoist *hoist, const struct rs_unit *like, size_t n_members)
{
	size_t index = hoist->n_units++;

	hoist->units[index] = *like;
	hoist->units[index].first_member = hoist->n_members;
	hoist->units[index].n_members = n_members;
	return index;
}

static void add_left(struct hoist *hoist, const struct rs_unit *old, size_t member)
{
	size_t unit = add_unit(hoist, old, 1);

	hoist->units[unit].origin = RS_UNIT_PLAIN;
	hoist->units[unit].n_lines = 1;
	hoist->units[unit].part = hoist->units[unit].n_parts = 0;
	hoist->units[unit].name = hoist->old->members[member].path;
	add_tree(hoist, member, RS_NONE, unit);
}

static size_t end_of_unit(const struct rs_record *record, const struct rs_unit *unit)
{
	size_t member = unit->first_member;

	for (size_t i = 0; i < unit->n_members; i++)
		member = rs_record_next_sibling(record, member);
	return member;
}

static void add_old_unit(struct hoist *hoist, size_t index)
{
	const struct rs_unit *old = &hoist->old->units[index];
	size_t end = end_of_unit(hoist->old, old), member = old->first_member, unit;

	hoist->gaps[hoist->n_units] = hoist->old->gaps[index];
	for (size_t m = old->first_member; m < end; m++)
		if (hoist->leaves[m])
			add_left(hoist, old, m);
	unit = add_unit(hoist, old, old->n_members);
	hoist->unit_of[index] = unit;
	for (size_t i = 0; i < old->n_members; i++) {
		add_tree(hoist, member, RS_NONE, unit);
		member = rs_record_next_sibling(hoist->old, member);
	}
}

/* Offsets inside from the start of the top-level member; a member follows what encloses it. */
static void sum_offsets(struct hoist *hoist)
{
	for (size_t m = 0; m < hoist->n_members; m++)
		if (hoist->members[m].parent != RS_NONE)
			hoist->members[m].offset_bits += hoist->members[hoist->members[m].parent].offset_bits;
}

static const struct rs_constraint *map_constraints(const struct hoist *hoist,
						   const struct rs_constraint *constraints, size_t count)
{
	struct rs_constraint *mapped = rs_arena_array(hoist->arena, struct rs_constraint, count);

	for (size_t i = 0; i < count; i++) {
		mapped[i] = constraints[i];
		mapped[i].unit = hoist->unit_of[constraints[i].unit];
		if (constraints[i].kind == RS_KEEP_BEFORE || constraints[i].kind == RS_KEEP_NEXT ||
		    constraints[i].kind == RS_KEEP_ON_LINE)
			mapped[i].other = hoist->unit_of[constraints[i].other];
		if (constraints[i].kind != RS_KEEP_ON_LINE)
			continue;
		mapped[i].member = hoist->member_of[constraints[i].member];
		mapped[i].other_member = hoist->member_of[constraints[i].other_member];
		mapped[i].unit = hoist->members[mapped[i].member].unit;
		mapped[i].other = hoist->members[mapped[i].other_member].unit;
	}
	return mapped;
}

static void lay_out(struct hoist *hoist, struct rs_record *record)
{
	size_t *order = rs_arena_array(hoist->arena, size_t, hoist->n_units);
	uint64_t *offsets = rs_arena_array(hoist->arena, uint64_t, hoist->n_members);

	for (size_t u = 0; u < hoist->n_units; u++)
		order[u] = u;
	rs_layout_compute(record, order, offsets, &record->size_bytes);
	for (size_t m = 0; m < hoist->n_members; m++)
		hoist->members[m].offset_bits = offsets[m];
}

static void make_record(struct hoist *hoist, struct rs_record *record)
{
	*record = *hoist->old;
	for (size_t u = 0; u < hoist->old->n_units; u++)
		add_old_unit(hoist, u);
	hoist->gaps[hoist->n_units] = hoist->old->gaps[hoist->old->n_units];
	sum_offsets(hoist);
	record->members = hoist->members;
	record->n_members = hoist->n_members;
	record->units = hoist->units;
	record->n_units = hoist->n_units;
	record->gaps = hoist->gaps;
	record->constraints = map_constraints(hoist, hoist->old->constraints, hoist->old->n_constraints);
	record->aliases = NULL;
	record->n_aliases = 0;
	lay_out(hoist, record);
}

/* --- the profile --- */

static void map_paths(const struct hoist *hoist, struct rs_binding *binding)
{
	struct rs_bound_path *paths = rs_arena_array(hoist->arena, struct rs_bound_path, binding->n_paths);

	for (size_t p = 0; p < binding->n_paths; p++) {
		size_t count = binding->paths[p].n_accesses;
		struct rs_bound_access *accesses = rs_arena_array(hoist->arena, struct rs_bound_access, count);

		for (size_t i = 0; i < count; i++) {
			accesses[i] = binding->paths[p].accesses[i];
			accesses[i].member = hoist->member_of[accesses[i].member];
		}
		paths[p] = binding->paths[p];
		paths[p].accesses = accesses;
	}
	binding->paths = paths;
}

static void make_binding(const struct hoist *hoist, const struct rs_binding *old, struct rs_hoisted *hoisted)
{
	struct rs_binding *binding = &hoisted->binding;
	struct rs_member_heat *heat = rs_arena_array(hoist->arena, struct rs_member_heat, hoist->n_members);

	*binding = *old;
	binding->record = &hoisted->record;
	binding->as_it_stands = old->as_it_stands ? old->as_it_stands : old;
	for (size_t m = 0; m < hoist->old->n_members; m++)
		heat[hoist->member_of[m]] = old->heat[m];
	binding->heat = heat;
	map_paths(hoist, binding);
	binding->constraints = map_constraints(hoist, old->constraints, old->n_constraints);
	binding->n_groups = binding->n_offsets = 0;
}

bool rs_hoist_model(struct rs_arena *arena, const struct rs_record *record, const struct rs_binding *binding,
		    const bool *leaves, struct rs_hoisted *ret_hoisted)
{
	struct hoist hoist = { .arena = arena, .old = record, .leaves = leaves };

	if (!is_possible(&hoist))
		return false;
	hoist.members = rs_arena_array(arena, struct rs_member, record->n_members);
	hoist.units = rs_arena_array(arena, struct rs_unit, record->n_units + record->n_members);
	hoist.gaps = rs_arena_array(arena, struct rs_gap, record->n_units + record->n_members + 1);
	hoist.member_of = rs_arena_array(arena, size_t, record->n_members);
	hoist.unit_of = rs_arena_array(arena, size_t, record->n_units);
	make_record(&hoist, &ret_hoisted->record);
	make_binding(&hoist, binding, ret_hoisted);
	return true;
}
