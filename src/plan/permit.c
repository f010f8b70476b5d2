#include "plan/permit.h"

#include "plan/companions.h"
#include "plan/joins.h"
#include "record/layout.h"

size_t rs_permit_count(const struct rs_record *record, const struct rs_binding *binding)
{
	return record->n_constraints + (binding ? binding->n_constraints : 0);
}

const struct rs_constraint *rs_permit_get(const struct rs_record *record, const struct rs_binding *binding,
					  size_t index)
{
	return index < record->n_constraints ? &record->constraints[index]
					     : &binding->constraints[index - record->n_constraints];
}

static bool has_other(const struct rs_constraint *constraint)
{
	return constraint->kind == RS_KEEP_BEFORE || constraint->kind == RS_KEEP_NEXT ||
	       constraint->kind == RS_KEEP_ON_LINE;
}

bool *rs_permit_find_carried(struct rs_arena *arena, const struct rs_record *record,
			     const struct rs_binding *binding)
{
	bool *carried = rs_arena_array(arena, bool, record->n_units);

	for (size_t u = 0; u < record->n_units; u++)
		carried[u] = record->units[u].n_members == 0;
	for (size_t i = 0; i < rs_permit_count(record, binding); i++) {
		const struct rs_constraint *constraint = rs_permit_get(record, binding, i);

		carried[constraint->unit] = false;
		if (has_other(constraint))
			carried[constraint->other] = false;
	}
	return carried;
}

size_t rs_permit_rank(const struct rs_record *record, const struct rs_binding *binding, size_t index)
{
	const struct rs_constraint *own = rs_permit_get(record, binding, index);
	size_t rank = 0;

	for (size_t i = 0; i < index; i++) {
		const struct rs_constraint *earlier = rs_permit_get(record, binding, i);
		bool known = earlier->kind != own->kind || earlier->unit == own->unit ||
			     record->units[earlier->unit].region != record->units[own->unit].region;

		for (size_t j = 0; j < i && !known; j++) {
			const struct rs_constraint *same = rs_permit_get(record, binding, j);

			known = same->kind == earlier->kind && same->unit == earlier->unit;
		}
		rank += !known;
	}
	return rank;
}

/* Where a unit stands among the units of its region that are not carried. */
struct place {
	size_t from_start, from_end, position;
};

static struct place *find_places(struct rs_arena *arena, const struct rs_record *record, const bool *carried,
				 const size_t *order)
{
	struct place *places = rs_arena_array(arena, struct place, record->n_units);

	for (size_t start = 0, end; start < record->n_units; start = end) {
		size_t count = 0, seen = 0;

		for (end = start; end < record->n_units &&
				  record->units[order[end]].region == record->units[order[start]].region;
		     end++)
			count += !carried[order[end]];
		for (size_t i = start; i < end; i++) {
			size_t behind = count - seen;

			places[order[i]] = (struct place) { seen, behind ? behind - 1 : 0, i };
			seen += !carried[order[i]];
		}
	}
	return places;
}

static const char *check_regions(struct rs_arena *arena, const struct rs_record *record, const size_t *order)
{
	for (size_t i = 0; i < record->n_units; i++)
		if (record->units[order[i]].region != record->units[i].region)
			return rs_arena_printf(arena, "'%s' may not leave its part of the struct",
					       record->units[order[i]].name);
	return NULL;
}

static const char *check_joins(struct rs_arena *arena, const struct rs_record *record,
			       const struct rs_binding *binding, const size_t *order)
{
	const struct rs_joins *joins = rs_joins_find(arena, record, binding);
	rs_join_state state = 0;

	for (size_t i = 0; i < record->n_units; i++) {
		state = rs_joins_pass(joins, order[i], state);
		if (state == RS_JOINS_NEVER)
			return rs_arena_printf(
				arena,
				"'%s' would be joined to the bit-fields before it, which other paths write, "
				"or which look different in other configurations",
				record->units[order[i]].name);
	}
	return NULL;
}

struct permit {
	struct rs_arena *arena;
	const struct rs_record *record;
	const struct rs_binding *binding;
	const struct place *places;
};

static const char *check_constraint(const struct permit *permit, size_t index)
{
	const struct rs_record *record = permit->record;
	const struct rs_constraint *constraint = rs_permit_get(record, permit->binding, index);
	const struct place *unit = &permit->places[constraint->unit];
	const char *name = record->units[constraint->unit].name;
	const char *other = has_other(constraint) ? record->units[constraint->other].name : NULL;

	switch (constraint->kind) {
	case RS_KEEP_FIRST:
		if (unit->from_start == rs_permit_rank(record, permit->binding, index))
			return NULL;
		return rs_arena_printf(permit->arena, "'%s' must come first", name);
	case RS_KEEP_LAST:
		if (unit->from_end == rs_permit_rank(record, permit->binding, index))
			return NULL;
		return rs_arena_printf(permit->arena, "'%s' must come last", name);
	case RS_KEEP_BEFORE:
		if (unit->position < permit->places[constraint->other].position)
			return NULL;
		return rs_arena_printf(permit->arena, "'%s' must stay before '%s'", name, other);
	case RS_KEEP_NEXT:
		if (record->units[constraint->unit].region == record->units[constraint->other].region &&
		    unit->from_start + 1 == permit->places[constraint->other].from_start)
			return NULL;
		return rs_arena_printf(permit->arena, "'%s' must directly follow '%s'", other, name);
	case RS_KEEP_ON_LINE: /* a matter of the whole layout */
		return NULL;
	}
	return NULL;
}

static const char *check_companions(struct rs_arena *arena, const struct rs_record *record,
				    const struct rs_binding *binding, const size_t *order)
{
	const struct rs_companions *companions = rs_companions_find(arena, record, binding);
	uint64_t *offsets, size_bytes;
	size_t broken;

	if (!companions)
		return NULL;
	offsets = rs_arena_array(arena, uint64_t, record->n_members);
	rs_layout_compute(record, order, offsets, &size_bytes);
	rs_companions_count_kept(companions, binding, offsets, size_bytes, &broken);
	if (broken == RS_NONE)
		return NULL;
	return rs_arena_printf(arena, "'%s' must lie on a line with '%s', wherever objects begin",
			       record->members[companions->members[broken][0]].path,
			       record->members[companions->members[broken][1]].path);
}

static const char *check_sequence(struct rs_arena *arena, const struct rs_record *record,
				  const struct rs_binding *binding, const size_t *order)
{
	const char *reason = check_regions(arena, record, order);

	if (!reason)
		reason = check_joins(arena, record, binding, order);
	if (!reason) {
		struct permit permit = { arena, record, binding, NULL };

		permit.places =
			find_places(arena, record, rs_permit_find_carried(arena, record, binding), order);
		for (size_t i = 0; i < rs_permit_count(record, binding) && !reason; i++)
			reason = check_constraint(&permit, i);
	}
	return reason;
}

bool rs_permit_check(struct rs_arena *arena, const struct rs_record *record, const struct rs_binding *binding,
		     const size_t *order, const char **ret_reason)
{
	const char *reason = check_sequence(arena, record, binding, order);

	if (!reason)
		reason = check_companions(arena, record, binding, order);
	if (reason && ret_reason)
		*ret_reason = reason;
	return !reason;
}

bool rs_permit_check_sequence(struct rs_arena *arena, const struct rs_record *record,
			      const struct rs_binding *binding, const size_t *order)
{
	return !check_sequence(arena, record, binding, order);
}
