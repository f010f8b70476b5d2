#include "plan/companions.h"

#include <stdlib.h>

#include "plan/permit.h"
#include "record/layout.h"

/* Bits from the record's start; empty: end is not behind start. */
struct extent {
	uint64_t start, end;
};

const struct rs_companions *rs_companions_find(struct rs_arena *arena, const struct rs_record *record,
					       const struct rs_binding *binding)
{
	struct rs_companions *companions = NULL;

	for (size_t i = 0; i < rs_permit_count(record, binding); i++) {
		const struct rs_constraint *constraint = rs_permit_get(record, binding, i);

		if (constraint->kind != RS_KEEP_ON_LINE)
			continue;
		if (!companions) {
			companions = rs_arena_new(arena, struct rs_companions);
			companions->record = record;
			companions->line_bytes =
				binding ? rs_cost_line_bytes_of(binding) : constraint->line_bytes;
		}
		if (companions->n_pairs == RS_COMPANIONS_MOST_PAIRS)
			break;
		companions->members[companions->n_pairs][0] = constraint->member;
		companions->members[companions->n_pairs++][1] = constraint->other_member;
	}
	return companions;
}

static uint64_t line_of(const struct rs_companions *companions, const struct rs_cost_base *base, uint64_t bits)
{
	return (base->offset_bytes * 8 + bits) / (companions->line_bytes * 8);
}

/* Whether all from the first bit to the last one lies on one line for every base. */
static bool is_on_line(const struct rs_companions *companions, const struct rs_cost_base *bases, size_t n_bases,
		       uint64_t first, uint64_t last)
{
	for (size_t b = 0; b < n_bases; b++)
		if (line_of(companions, &bases[b], first) != line_of(companions, &bases[b], last))
			return false;
	return true;
}

static bool holds_member(const struct rs_companions *companions, const struct rs_member *top, size_t member)
{
	size_t index = (size_t)(top - companions->record->members);

	return member >= index && member <= index + top->n_inside;
}

bool rs_companions_has(const struct rs_companions *companions, const struct rs_member *const *tops,
		       size_t n_tops)
{
	for (size_t t = 0; t < n_tops; t++)
		for (size_t p = 0; p < companions->n_pairs; p++)
			if (holds_member(companions, tops[t], companions->members[p][0]) ||
			    holds_member(companions, tops[t], companions->members[p][1]))
				return true;
	return false;
}

/* A run as it is laid out: where it ends, and the members of the pairs that it has. */
struct placed {
	uint64_t end_bits;
	struct extent extents[RS_COMPANIONS_MOST_PAIRS][2];
	bool has[RS_COMPANIONS_MOST_PAIRS][2];
};

static void place_member(const struct rs_companions *companions, const struct rs_member *top, uint64_t offset,
			 size_t pair, size_t side, struct placed *placed)
{
	const struct rs_member *member = &companions->record->members[companions->members[pair][side]];
	uint64_t start = offset + (member->offset_bits - top->offset_bits);

	if (!holds_member(companions, top, companions->members[pair][side]))
		return;
	placed->has[pair][side] = true;
	placed->extents[pair][side] = (struct extent) { start, start + member->size_bits };
}

static struct placed place_run(const struct rs_companions *companions, const struct rs_companion_run *run)
{
	struct placed placed = { .end_bits = run->end_bits };

	for (size_t t = 0; t < run->n_tops; t++) {
		uint64_t offset = rs_layout_place(run->tops[t], &placed.end_bits);

		for (size_t p = 0; p < companions->n_pairs; p++)
			for (size_t side = 0; side < 2; side++)
				place_member(companions, run->tops[t], offset, p, side, &placed);
	}
	return placed;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* What must lie on one line for the pair to be kept, or to be kept later: from the end before when its first
 * member stands there, to the end behind when its last one is still to come. */
static struct extent find_demand(const struct rs_companion_run *run, const struct placed *placed, size_t pair,
				 bool is_open)
{
	const struct extent *extents = placed->extents[pair];
	const bool *has = placed->has[pair];
	struct extent demand = { UINT64_MAX, 0 };

	for (size_t side = 0; side < 2; side++)
		if (has[side]) {
			demand.start = smaller(demand.start, extents[side].start);
			demand.end = larger(demand.end, extents[side].end - 1);
		}
	if (is_open)
		demand.start = run->end_bits;
	if (is_open && !has[0] && !has[1])
		demand.end = placed->end_bits;
	if (!is_open && has[0] != has[1])
		demand.end = placed->end_bits;
	return demand;
}

rs_companion_state rs_companions_pass(const struct rs_companions *companions,
				      const struct rs_companion_run *run, rs_companion_state state)
{
	struct placed placed = place_run(companions, run);

	for (size_t p = 0; p < companions->n_pairs; p++) {
		bool is_open = state >> p & 1, has_one = placed.has[p][0] != placed.has[p][1];
		struct extent demand = find_demand(run, &placed, p, is_open);

		if (demand.start <= demand.end &&
		    !is_on_line(companions, run->bases, run->n_bases, demand.start, demand.end))
			return RS_COMPANIONS_NEVER;
		if (has_one)
			state ^= (rs_companion_state)1 << p;
	}
	return state;
}

size_t rs_companions_count_kept(const struct rs_companions *companions, const struct rs_binding *binding,
				const uint64_t *offset_bits, uint64_t size_bytes, size_t *ret_broken)
{
	struct rs_cost_base origin = { 0, 1 }, *bases = &origin;
	size_t n_bases = binding ? rs_cost_bases_of(binding, size_bytes, NULL, 0) : 1, n_kept = 0;
	size_t broken = RS_NONE;

	bases = (struct rs_cost_base *)rs_alloc(n_bases * sizeof *bases);
	bases[0] = origin;
	if (binding)
		rs_cost_bases_of(binding, size_bytes, bases, n_bases);
	for (size_t p = 0; p < companions->n_pairs; p++) {
		struct extent all = { UINT64_MAX, 0 };

		for (size_t side = 0; side < 2; side++) {
			size_t member = companions->members[p][side];

			all.start = smaller(all.start, offset_bits[member]);
			all.end = larger(all.end, offset_bits[member] +
							  companions->record->members[member].size_bits - 1);
		}
		if (is_on_line(companions, bases, n_bases, all.start, all.end))
			n_kept++;
		else if (broken == RS_NONE)
			broken = p;
	}
	free(bases);
	if (ret_broken)
		*ret_broken = broken;
	return n_kept;
}

bool rs_companions_hold(const struct rs_companions *companions, const struct rs_binding *binding,
			const uint64_t *offset_bits, uint64_t size_bytes)
{
	return rs_companions_count_kept(companions, binding, offset_bits, size_bytes, NULL) ==
	       companions->n_pairs;
}

/* Places for one member in a line, in bits. */
static uint64_t step_of(const struct rs_member *member)
{
	return member->is_bitfield ? 1 : (uint64_t)8 * (member->align_bytes ? member->align_bytes : 1);
}

bool rs_companions_can_meet(const struct rs_record *record, const struct rs_binding *binding,
			    const struct rs_constraint *constraint)
{
	const struct rs_member *a = &record->members[constraint->member];
	const struct rs_member *b = &record->members[constraint->other_member];
	uint64_t line = 8 * (binding ? rs_cost_line_bytes_of(binding) : constraint->line_bytes);
	struct rs_companions companions = { .record = record, .line_bytes = line / 8 };
	bool is_array = !binding || binding->placement.kind == RS_PLACE_ARRAY, meets = false;
	size_t n_bases = is_array ? 1 : rs_cost_bases_of(binding, record->size_bytes, NULL, 0);
	struct rs_cost_base *bases = (struct rs_cost_base *)rs_alloc(n_bases * sizeof *bases);

	if (!is_array)
		rs_cost_bases_of(binding, record->size_bytes, bases, n_bases);
	for (uint64_t at = 0; at < 2 * line && !meets; at += step_of(a))
		for (uint64_t other = 0; other < 2 * line && !meets; other += step_of(b)) {
			uint64_t end = larger(at + a->size_bits, other + b->size_bits);
			bool overlap = at < other + b->size_bits && other < at + a->size_bits;

			meets = !overlap &&
				is_on_line(&companions, bases, n_bases, smaller(at, other), end - 1);
		}
	free(bases);
	return meets;
}
