#include "profile/hold.h"

#include <stdlib.h>
#include <string.h>

#include "profile/names.h"

/* Constraints while they are collected: the record's own first, then the profile's. */
struct hold {
	struct rs_arena *arena;
	const struct rs_record *record;
	struct rs_constraint *constraints;
	size_t n_constraints, capacity;
};

/* Units that KEEP_NEXT ties together are one block. */
struct blocks {
	size_t *next, *before; /* neighbours of a unit that are fixed; RS_NONE */
	size_t *head;          /* first unit of the unit's block */
	size_t *place;         /* in the block */
};

static void init_blocks(struct rs_arena *arena, size_t n_units, struct blocks *ret_blocks)
{
	size_t *values = rs_arena_array(arena, size_t, 4 * n_units);

	*ret_blocks = (struct blocks) { values, values + n_units, values + 2 * n_units, values + 3 * n_units };
	for (size_t u = 0; u < n_units; u++)
		ret_blocks->next[u] = ret_blocks->before[u] = ret_blocks->head[u] = RS_NONE;
}

/* False when a unit would have two neighbours on one side. */
static bool tie(const struct hold *hold, struct blocks *blocks)
{
	for (size_t i = 0; i < hold->n_constraints; i++) {
		const struct rs_constraint *constraint = &hold->constraints[i];
		size_t unit = constraint->unit, other = constraint->other;

		if (constraint->kind != RS_KEEP_NEXT)
			continue;
		if ((blocks->next[unit] != RS_NONE && blocks->next[unit] != other) ||
		    (blocks->before[other] != RS_NONE && blocks->before[other] != unit))
			return false;
		blocks->next[unit] = other;
		blocks->before[other] = unit;
	}
	return true;
}

/* False when units follow each other in a circle: such a block has no head. */
static bool number_blocks(const struct hold *hold, struct blocks *blocks)
{
	size_t n_units = hold->record->n_units;

	for (size_t u = 0; u < n_units; u++) {
		size_t place = 0;

		if (blocks->before[u] != RS_NONE)
			continue;
		for (size_t unit = u; unit != RS_NONE; unit = blocks->next[unit]) {
			blocks->head[unit] = u;
			blocks->place[unit] = place++;
		}
	}
	for (size_t u = 0; u < n_units; u++)
		if (blocks->head[u] == RS_NONE)
			return false;
	return true;
}

/* Whether a constraint says that the block of `head` comes after one that is not placed yet. */
static bool must_wait(const struct hold *hold, const struct blocks *blocks, const bool *placed, size_t head)
{
	const struct rs_unit *units = hold->record->units;

	for (size_t i = 0; i < hold->n_constraints; i++) {
		const struct rs_constraint *constraint = &hold->constraints[i];
		size_t block = blocks->head[constraint->unit];
		bool same_region = units[constraint->unit].region == units[head].region;

		if (constraint->kind == RS_KEEP_BEFORE && blocks->head[constraint->other] == head &&
		    block != head && !placed[block])
			return true;
		if (constraint->kind == RS_KEEP_FIRST && same_region && block != head && !placed[block])
			return true;
		if (constraint->kind != RS_KEEP_LAST || block != head)
			continue;
		for (size_t u = 0; u < hold->record->n_units; u++)
			if (units[u].region == units[head].region && blocks->head[u] != head &&
			    !placed[blocks->head[u]])
				return true;
	}
	return false;
}

static bool keeps_inside(const struct hold *hold, const struct blocks *blocks)
{
	for (size_t i = 0; i < hold->n_constraints; i++) {
		const struct rs_constraint *constraint = &hold->constraints[i];

		if ((constraint->kind == RS_KEEP_FIRST && blocks->before[constraint->unit] != RS_NONE) ||
		    (constraint->kind == RS_KEEP_LAST && blocks->next[constraint->unit] != RS_NONE))
			return false;
		if (constraint->kind == RS_KEEP_BEFORE &&
		    blocks->head[constraint->unit] == blocks->head[constraint->other] &&
		    blocks->place[constraint->unit] >= blocks->place[constraint->other])
			return false;
	}
	return true;
}

/* Places one block after the other as long as one need not wait; what is left then waits for itself. */
static bool can_be_ordered(const struct hold *hold, const struct blocks *blocks)
{
	size_t n_units = hold->record->n_units, n_placed;
	bool *placed = rs_arena_array(hold->arena, bool, n_units);

	do {
		n_placed = 0;
		for (size_t u = 0; u < n_units; u++)
			if (blocks->head[u] == u && !placed[u] && !must_wait(hold, blocks, placed, u)) {
				placed[u] = true;
				n_placed++;
			}
	} while (n_placed);
	for (size_t u = 0; u < n_units; u++)
		if (blocks->head[u] == u && !placed[u])
			return false;
	return true;
}

static bool can_be_kept(const struct hold *hold)
{
	struct blocks blocks;

	init_blocks(hold->arena, hold->record->n_units, &blocks);
	return tie(hold, &blocks) && number_blocks(hold, &blocks) && keeps_inside(hold, &blocks) &&
	       can_be_ordered(hold, &blocks);
}

static struct rs_error *list_error(const struct rs_profile_names *list, const char *format, const char *a,
				   const char *b)
{
	return rs_error_create(RS_ERROR_SYNTAX, list->file, list->line, list->column, format, a, b);
}

static void add(struct hold *hold, enum rs_constraint_kind kind, size_t unit, size_t other)
{
	*rs_array_push(hold->arena, hold->constraints, hold->n_constraints, hold->capacity) =
		(struct rs_constraint) { kind, unit, other };
}

/* What a name stands for; a member that only another configuration has is known by the unit that spells it. */
struct held {
	size_t member, unit;
};

static struct rs_error *find_held(const struct hold *hold, const char *name, struct rs_name_place place,
				  struct held *ret_held)
{
	const struct rs_alias *alias = rs_record_find_alias(hold->record, name);
	size_t member = RS_NONE;

	RS_TRY(rs_names_find(hold->arena, hold->record, name, place, &member));
	ret_held->member = member;
	if (member != RS_NONE)
		ret_held->unit = hold->record->members[member].unit;
	else
		ret_held->unit = alias ? alias->unit : RS_NONE;
	return NULL;
}

/* Two names that follow each other in a list. Inside one unit the text fixes the order already. */
static struct rs_error *add_pair(struct hold *hold, const struct rs_profile_names *list, size_t index,
				 enum rs_constraint_kind kind, const struct held *held)
{
	const struct rs_record *record = hold->record;
	const char *a_name = list->names[index], *b_name = list->names[index + 1];
	size_t a = held[index].unit, b = held[index + 1].unit;

	if (a == RS_NONE || b == RS_NONE)
		return NULL;
	if (a == b && held[index].member != RS_NONE && held[index + 1].member != RS_NONE &&
	    held[index].member > held[index + 1].member)
		return list_error(
			list, "'%s' cannot come before '%s': one declaration holds both the other way round",
			a_name, b_name);
	if (a == b)
		return NULL;
	if (record->units[a].region != record->units[b].region) {
		if (kind == RS_KEEP_BEFORE && a < b)
			return NULL;
		return list_error(list,
				  "'%s' and '%s' cannot meet so: a barrier in the source stands between them",
				  a_name, b_name);
	}
	add(hold, kind, a, b);
	return NULL;
}

/* One list of names; with `first` the first of them heads its region. */
static struct rs_error *add_list(struct hold *hold, const struct rs_profile_names *list,
				 enum rs_constraint_kind kind, bool first)
{
	struct rs_name_place place = { list->file, list->line, list->column };
	struct held *held = rs_arena_array(hold->arena, struct held, list->n_names);

	if (!list->n_names)
		return NULL;
	for (size_t i = 0; i < list->n_names; i++)
		RS_TRY(find_held(hold, list->names[i], place, &held[i]));
	if (first && held[0].unit != RS_NONE)
		add(hold, RS_KEEP_FIRST, held[0].unit, RS_NONE);
	for (size_t i = 0; i + 1 < list->n_names; i++)
		RS_TRY(add_pair(hold, list, i, kind, held));
	if (!can_be_kept(hold))
		return list_error(list, "no order of %s keeps this pin of '%s' and the others",
				  hold->record->name, list->names[0]);
	return NULL;
}

bool rs_hold_is_possible(struct rs_arena *arena, const struct rs_record *record)
{
	struct hold hold = { .arena = arena, .record = record };

	for (size_t i = 0; i < record->n_constraints; i++)
		add(&hold, record->constraints[i].kind, record->constraints[i].unit,
		    record->constraints[i].other);
	return can_be_kept(&hold);
}

struct rs_error *rs_hold_bind(struct rs_arena *arena, const struct rs_profile_struct *type,
			      const struct rs_record *record, const struct rs_constraint **ret_constraints,
			      size_t *ret_count)
{
	struct hold hold = { .arena = arena, .record = record };
	size_t n_own;

	for (size_t i = 0; i < record->n_constraints; i++)
		add(&hold, record->constraints[i].kind, record->constraints[i].unit,
		    record->constraints[i].other);
	if (!can_be_kept(&hold)) /* not the profile's fault: then its pins answer for themselves alone */
		hold.n_constraints = 0;
	n_own = hold.n_constraints;
	RS_TRY(add_list(&hold, &type->first, RS_KEEP_NEXT, true));
	for (size_t i = 0; i < type->n_together; i++)
		RS_TRY(add_list(&hold, &type->together[i], RS_KEEP_NEXT, false));
	for (size_t i = 0; i < type->n_before; i++)
		RS_TRY(add_list(&hold, &type->before[i], RS_KEEP_BEFORE, false));
	*ret_constraints = n_own ? hold.constraints + n_own : hold.constraints;
	*ret_count = hold.n_constraints - n_own;
	return NULL;
}
