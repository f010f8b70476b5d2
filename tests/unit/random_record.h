/*
 * Random records and profiles for tests of the optimizer: members of all kinds, regions, constraints,
 * placements. A seed gives the same case everywhere.
 */
#ifndef RS_TESTS_RANDOM_RECORD_H
#define RS_TESTS_RANDOM_RECORD_H

#include "draw.h"
#include "make_record.h"

enum { MOST_RANDOM_UNITS = 7 };

static inline const char *draw_name(struct rs_arena *arena, struct make *make)
{
	return rs_arena_printf(arena, "m%zu", make->record.n_members);
}

static inline void add_scalar(struct rs_arena *arena, struct make *make)
{
	static const unsigned sizes[] = { 1, 2, 4, 4, 8, 8, 8, 16 };
	unsigned size = sizes[draw(RS_COUNT_OF(sizes))];

	make_member(make, draw_name(arena, make), size, size);
}

static inline void add_bytes(struct rs_arena *arena, struct make *make)
{
	unsigned align = 1u << draw(4), count = 1 + draw(9);

	make_member(make, draw_name(arena, make), (uint64_t)align * count, align)->is_array = true;
}

static inline void add_long_array(struct rs_arena *arena, struct make *make)
{
	unsigned align = 1u << draw(4);

	make_member(make, draw_name(arena, make), (uint64_t)align * (65 + draw(200)) / align * align, align)
		->is_array = true;
}

/* An attribute on the member: the size is no multiple of the alignment. */
static inline void add_over_aligned(struct rs_arena *arena, struct make *make)
{
	make_member(make, draw_name(arena, make), 1 + draw(24), 16u << draw(4));
}

static inline void add_bitfields(struct rs_arena *arena, struct make *make)
{
	unsigned count = 1 + draw(4);

	for (unsigned i = 0; i < count; i++) {
		unsigned size = 1u << draw(4), width = draw(12) ? 1 + draw(size * 8) : 0;

		make_bitfield(make, width ? draw_name(arena, make) : "", width, size);
	}
}

static inline void add_declarators(struct rs_arena *arena, struct make *make)
{
	unsigned size = 1u << draw(4), count = 2 + draw(3);

	for (unsigned i = 0; i < count; i++)
		make_member(make, draw_name(arena, make), size, size);
}

/* Members of any alignment, one after the other, as a macro or an #if block makes them. */
static inline void add_mixed(struct rs_arena *arena, struct make *make)
{
	unsigned count = 2 + draw(2);

	for (unsigned i = 0; i < count; i++)
		add_scalar(arena, make);
}

static inline void add_aggregate(struct rs_arena *arena, struct make *make)
{
	unsigned align = 1u << draw(4), size = align * (2 + draw(20)), count = 1 + draw(4);

	make_open(make, draw_name(arena, make), size, align);
	for (unsigned i = 0; i < count; i++) {
		unsigned inside = 1 + draw(8), offset = draw(size);

		make_inside(make, draw_name(arena, make), offset,
			    offset + inside > size ? size - offset : inside);
	}
	make_close(make);
}

typedef void (*add_fn)(struct rs_arena *arena, struct make *make);

static bool many_bitfields; /* every other unit is a run of them */

static inline void add_unit(struct rs_arena *arena, struct make *make)
{
	static const add_fn kinds[] = { add_scalar,      add_scalar,    add_scalar,       add_scalar,
					add_bytes,       add_bytes,     add_mixed,        add_bitfields,
					add_declarators, add_aggregate, add_over_aligned, add_long_array };

	if (many_bitfields && draw(2))
		add_bitfields(arena, make);
	else
		kinds[draw(RS_COUNT_OF(kinds))](arena, make);
}

static inline void add_units(struct rs_arena *arena, struct make *make, size_t n_units)
{
	size_t region = 0;

	for (size_t u = 0; u < n_units; u++) {
		region += u > 0 && draw(12) == 0;
		make->units[make_unit(make, region)].n_lines = 1 + draw(3);
		if (draw(25) == 0)
			continue; /* a switched-off block */
		add_unit(arena, make);
	}
	if (n_units < MOST_RANDOM_UNITS && draw(8) == 0) {
		make_unit(make, region);
		make_flexible(make, draw_name(arena, make), 1u << draw(4));
		make_keep(make, RS_KEEP_LAST, make->record.n_units - 1, RS_NONE);
	}
}

/* Constraints that the order as it stands fulfils. */
static inline void add_constraints(struct make *make)
{
	size_t n_units = make->record.n_units, unit = draw((unsigned)n_units), other;

	if (draw(3) || n_units < 2)
		return;
	switch (draw(3)) {
	case 0:
		while (unit > 0 && make->units[unit - 1].region == make->units[unit].region)
			unit--;
		make_keep(make, RS_KEEP_FIRST, unit, RS_NONE);
		break;
	case 1:
		other = draw((unsigned)n_units);
		if (unit != other)
			make_keep(make, RS_KEEP_BEFORE, unit < other ? unit : other,
				  unit < other ? other : unit);
		break;
	default:
		if (unit + 1 < n_units && make->units[unit].region == make->units[unit + 1].region)
			make_bound_keep(make, RS_KEEP_NEXT, unit, unit + 1);
	}
}

static inline void add_paths(struct make *make, size_t n_paths)
{
	for (size_t p = 0; p < n_paths; p++) {
		unsigned first = draw(2) ? 0 : draw(6);
		struct make_path *path = make_path_on(make, "path", 0.5 + draw(100), first, 1 + draw(8));

		path->bound.util = draw(3) ? 0 : 0.05 * draw(8);
		for (size_t m = 0; m < make->record.n_members; m++)
			if (draw(3) == 0)
				make_access_member(make, m, draw(3) ? "r" : draw(2) ? "w" : "rw");
	}
}

static inline void place_somewhere(struct rs_arena *arena, struct make *make)
{
	static const unsigned lines[] = { 64, 64, 64, 32, 128 };
	struct rs_binding *binding = &make->binding;

	binding->machine.line_bytes = lines[draw(RS_COUNT_OF(lines))];
	binding->machine.pair = draw(10) == 0;
	if (draw(4) == 0)
		binding->machine.t_upgrade_ns = draw(100);
	if (draw(6) == 0) {
		binding->machine.cache_lines = 1 + draw(64);
		binding->instances = 1 + draw(64);
	}
	switch (draw(8)) {
	case 0:
		binding->placement =
			(struct rs_placement) { .kind = RS_PLACE_ALIGNED, .align_bytes = 8u << draw(3) };
		break;
	case 1:
		binding->placement.kind = RS_PLACE_ARRAY;
		break;
	case 2: {
		struct rs_placement_base *bases = rs_arena_array(arena, struct rs_placement_base, 2);

		bases[0].base_bytes = 8 * draw(8);
		bases[1].base_bytes = 8 * draw(8);
		binding->placement =
			(struct rs_placement) { .kind = RS_PLACE_EMBEDDED, .bases = bases, .n_bases = 2 };
		break;
	}
	default:
		break;
	}
}

static bool with_companions; /* one pair or two of members that must share a line */

/* Small ones mostly: large ones share no line with anything. */
static inline size_t draw_companion(const struct make *make)
{
	for (unsigned tries = 0; tries < 40; tries++) {
		size_t member = draw((unsigned)make->record.n_members);
		uint64_t bits = make->members[member].size_bits;

		if (bits > 0 && (bits <= 256 || draw(20) == 0))
			return member;
	}
	return RS_NONE;
}

static inline void add_companions(struct make *make)
{
	for (unsigned n = 1 + draw(2); n > 0 && make->record.n_members > 1; n--) {
		size_t member = draw_companion(make), other = draw_companion(make);
		struct rs_constraint *constraint = &make->constraints[make->record.n_constraints];

		if (member == RS_NONE || other == RS_NONE || member == other)
			continue;
		make_keep(make, RS_KEEP_ON_LINE, make->members[member].unit, make->members[other].unit);
		constraint->member = member;
		constraint->other_member = other;
		constraint->line_bytes = 32u << draw(3);
	}
}

static inline void make_case(struct rs_arena *arena, struct make *make, unsigned seed)
{
	random_state = seed;
	make_init(make, arena, "random");
	add_units(arena, make, 1 + draw(MOST_RANDOM_UNITS));
	add_constraints(make);
	if (with_companions)
		add_companions(make);
	make_record(make);
	add_paths(make, 1 + draw(4));
	place_somewhere(arena, make);
	if (many_bitfields && draw(4) == 0)
		make->binding.allow |= RS_ALLOW_JOIN;
	if (draw(10) == 0)
		make->binding.max_size = make->record.size_bytes + 8 * draw(9);
	make_binding(make);
}

#endif
