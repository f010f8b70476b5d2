#include "record/layout.h"

#include <stdlib.h>
#include <string.h>

static uint64_t round_up(uint64_t value, uint64_t multiple)
{
	return multiple ? (value + multiple - 1) / multiple * multiple : value;
}

/* The ABI's rule compares with the size of the declared type, but aligns to its alignment, raised by what an
 * attribute asks for: the two differ for long long on 32-bit x86. */
static uint64_t place_bitfield(const struct rs_member *member, uint64_t end_bits)
{
	uint64_t requested = (uint64_t)member->requested_align_bytes * 8;
	uint64_t align = (uint64_t)member->align_bytes * 8;
	uint64_t unit = (uint64_t)member->type_size_bytes * 8;

	if (align < requested)
		align = requested;
	if (align == 0)
		return end_bits;
	if (member->size_bits == 0 || end_bits % align + member->size_bits > unit)
		return round_up(end_bits, align);
	return round_up(end_bits, requested);
}

uint64_t rs_layout_place(const struct rs_member *member, uint64_t *end_bits)
{
	uint64_t offset = member->is_bitfield
				  ? place_bitfield(member, *end_bits)
				  : round_up(round_up(*end_bits, 8), (uint64_t)member->align_bytes * 8);

	*end_bits = offset + member->size_bits;
	return offset;
}

static uint64_t size_from_end(const struct rs_record *record, uint64_t end_bits)
{
	return round_up(round_up(end_bits, 8) / 8, record->align_bytes);
}

/* What lies inside a member moves with it. */
static void move_with_inside(const struct rs_record *record, size_t member, uint64_t offset_bits,
			     uint64_t *ret_offset_bits)
{
	const struct rs_member *members = record->members;
	size_t end = rs_record_next_sibling(record, member);

	for (size_t i = member; i < end; i++)
		ret_offset_bits[i] = offset_bits + (members[i].offset_bits - members[member].offset_bits);
}

void rs_layout_compute(const struct rs_record *record, const size_t *unit_order, uint64_t *ret_offset_bits,
		       uint64_t *ret_size_bytes)
{
	uint64_t end_bits = 0;

	/* Members without a unit (the record is refused then) are shown where they are. */
	for (size_t i = 0; ret_offset_bits && i < record->n_members; i++)
		ret_offset_bits[i] = record->members[i].offset_bits;
	for (size_t u = 0; u < record->n_units; u++) {
		const struct rs_unit *unit = &record->units[unit_order[u]];
		size_t member = unit->first_member;

		for (size_t i = 0; i < unit->n_members; i++) {
			uint64_t offset = rs_layout_place(&record->members[member], &end_bits);

			if (ret_offset_bits)
				move_with_inside(record, member, offset, ret_offset_bits);
			member = rs_record_next_sibling(record, member);
		}
	}
	*ret_size_bytes = size_from_end(record, end_bits);
}

bool rs_layout_agrees(const struct rs_record *record, size_t *ret_member)
{
	uint64_t end_bits = 0;

	for (size_t i = 0; i < record->n_members; i = rs_record_next_sibling(record, i))
		if (rs_layout_place(&record->members[i], &end_bits) != record->members[i].offset_bits) {
			*ret_member = i;
			return false;
		}
	if (size_from_end(record, end_bits) != record->size_bytes) {
		*ret_member = RS_NONE;
		return false;
	}
	return true;
}

struct placed {
	uint64_t offset_bits, end_bits;
	size_t member;
};

static int placed_compare(const void *a, const void *b)
{
	const struct placed *x = (const struct placed *)a, *y = (const struct placed *)b;

	if (x->offset_bits != y->offset_bits)
		return x->offset_bits < y->offset_bits ? -1 : 1;
	if (x->end_bits != y->end_bits)
		return x->end_bits < y->end_bits ? -1 : 1;
	return x->member < y->member ? -1 : x->member > y->member;
}

static struct placed *sort_top_level(struct rs_arena *arena, const struct rs_record *record,
				     const uint64_t *offset_bits, size_t *ret_count)
{
	struct placed *placed = rs_arena_array(arena, struct placed, record->n_members);
	size_t count = 0;

	for (size_t i = 0; i < record->n_members; i = rs_record_next_sibling(record, i))
		placed[count++] = (struct placed) { .offset_bits = offset_bits[i],
						    .end_bits = offset_bits[i] + record->members[i].size_bits,
						    .member = i };
	if (count > 1)
		qsort(placed, count, sizeof(*placed), placed_compare);
	*ret_count = count;
	return placed;
}

struct hole_list {
	struct rs_arena *arena;
	struct rs_hole *items;
	size_t n_items, items_capacity;
};

static void add_hole(struct hole_list *list, uint64_t from, uint64_t to, size_t after_member)
{
	if (from < to)
		*rs_array_push(list->arena, list->items, list->n_items, list->items_capacity) =
			(struct rs_hole) { from, to - from, after_member };
}

static void add_holes_between(struct hole_list *list, uint64_t from, uint64_t to, size_t after_member)
{
	uint64_t byte = round_up(from, 8);

	if (byte > to)
		byte = to;
	add_hole(list, from, byte, after_member);
	add_hole(list, byte, to, after_member);
}

struct rs_hole *rs_layout_holes(struct rs_arena *arena, const struct rs_record *record,
				const uint64_t *offset_bits, uint64_t size_bytes, size_t *ret_count)
{
	struct hole_list list = { .arena = arena };
	size_t count, after = RS_NONE;
	struct placed *placed = sort_top_level(arena, record, offset_bits, &count);
	uint64_t end_bits = 0;

	for (size_t i = 0; i < count; i++) {
		add_holes_between(&list, end_bits, placed[i].offset_bits, after);
		if (placed[i].end_bits >= end_bits) {
			end_bits = placed[i].end_bits;
			after = placed[i].member;
		}
	}
	add_holes_between(&list, end_bits, size_bytes * 8, after);
	*ret_count = list.n_items;
	return list.items;
}
