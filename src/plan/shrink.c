#include "plan/shrink.h"

#include <string.h>

#include "plan/permit.h"
#include "plan/place.h"
#include "record/layout.h"

enum { MOST_MOVED_UNITS = 64 };

/* The record and what is bound to it, with the smaller members. */
struct shrinking {
	struct rs_record record;
	struct rs_binding binding;
	const struct rs_binding *bound; /* NULL without a profile */
	const struct rs_cost *cost;
	size_t *order, *trial; /* of units */
	uint64_t *offsets;
	struct rs_score score; /* of the order */
};

static void make_record(struct rs_arena *arena, const struct rs_record *record, const struct rs_shrink *shrink,
			struct shrinking *shrinking)
{
	struct rs_member *members = rs_arena_array(arena, struct rs_member, record->n_members);

	memcpy(members, record->members, record->n_members * sizeof *members);
	for (size_t i = 0; i < shrink->n_members; i++) {
		struct rs_member *member = &members[shrink->members[i]];

		member->size_bits = shrink->bytes[i] * 8;
		member->align_bytes = (uint32_t)shrink->bytes[i];
		member->type_size_bytes = (uint32_t)shrink->bytes[i];
		if (member->requested_align_bytes > member->align_bytes)
			member->align_bytes = member->requested_align_bytes;
	}
	shrinking->record = *record;
	shrinking->record.members = members;
}

/* How long lines stay in the cache is a matter of the struct as it stands. */
static void make_binding(struct rs_arena *arena, const struct rs_binding *binding, struct shrinking *shrinking)
{
	if (!binding)
		return;
	shrinking->binding = *binding;
	shrinking->binding.record = &shrinking->record;
	if (!binding->as_it_stands)
		shrinking->binding.as_it_stands = binding;
	shrinking->bound = &shrinking->binding;
	shrinking->cost = rs_cost_create(arena, shrinking->bound);
}

static struct rs_score score_order(struct shrinking *shrinking, const size_t *order)
{
	struct rs_score score = { 0, 0 };

	rs_layout_compute(&shrinking->record, order, shrinking->offsets, &score.size_bytes);
	if (shrinking->cost)
		score.cost_ns = rs_cost_layout(shrinking->cost, shrinking->offsets, score.size_bytes);
	return score;
}

static bool is_among(const size_t *units, size_t count, size_t unit)
{
	for (size_t i = 0; i < count; i++)
		if (units[i] == unit)
			return true;
	return false;
}

/* The order with the units, one behind the other, behind so many of the rest. */
static void put_units(const struct shrinking *shrinking, const size_t *units, size_t n_units, size_t n_before)
{
	size_t count = 0, n_passed = 0;

	for (size_t i = 0; i <= shrinking->record.n_units; i++) {
		for (size_t k = 0; n_passed == n_before && k < n_units; k++)
			shrinking->trial[count++] = units[k];
		n_before = n_passed == n_before ? SIZE_MAX : n_before;
		if (i == shrinking->record.n_units || is_among(units, n_units, shrinking->order[i]))
			continue;
		shrinking->trial[count++] = shrinking->order[i];
		n_passed++;
	}
}

static void place_units(struct shrinking *shrinking, size_t *best, const size_t *units, size_t n_units)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *scratch = rs_arena_create();
	size_t n = shrinking->record.n_units;

	memcpy(best, shrinking->order, n * sizeof *best);
	for (size_t to = 0; to + n_units <= n; to++) {
		struct rs_score score;

		put_units(shrinking, units, n_units, to);
		score = score_order(shrinking, shrinking->trial);
		if (rs_score_compare(score, shrinking->score) >= 0 ||
		    !rs_permit_check(scratch, &shrinking->record, shrinking->bound, shrinking->trial, NULL))
			continue;
		shrinking->score = score;
		memcpy(best, shrinking->trial, n * sizeof *best);
	}
	memcpy(shrinking->order, best, n * sizeof *best);
}

void rs_shrink_try(struct rs_arena *arena, const struct rs_explain_subject *subject,
		   const struct rs_shrink *shrink, struct rs_shrunk *ret_shrunk)
{
	struct shrinking *shrinking = rs_arena_new(arena, struct shrinking);
	size_t n_units = subject->record->n_units;
	size_t *best = rs_arena_array(arena, size_t, n_units), units[RS_SHRINK_MOST_MEMBERS];

	make_record(arena, subject->record, shrink, shrinking);
	make_binding(arena, subject->binding, shrinking);
	shrinking->order = rs_arena_array(arena, size_t, n_units);
	shrinking->trial = rs_arena_array(arena, size_t, n_units);
	shrinking->offsets = rs_arena_array(arena, uint64_t, subject->record->n_members);
	memcpy(shrinking->order, subject->order, n_units * sizeof *shrinking->order);
	shrinking->score = score_order(shrinking, shrinking->order);
	for (size_t i = 0; i < shrink->n_members; i++)
		units[i] = subject->record->members[shrink->members[i]].unit;
	if (n_units <= MOST_MOVED_UNITS)
		place_units(shrinking, best, units, shrink->n_members);
	for (size_t i = 0; i < shrink->n_members && n_units <= MOST_MOVED_UNITS; i++)
		place_units(shrinking, best, &units[i], 1);
	score_order(shrinking, shrinking->order);
	*ret_shrunk = (struct rs_shrunk) { .size_bytes = shrinking->score.size_bytes,
					   .cost_ns = shrinking->score.cost_ns,
					   .offset_bits = shrinking->offsets,
					   .cost = shrinking->cost };
}
