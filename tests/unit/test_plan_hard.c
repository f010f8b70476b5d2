/*
 * What must hold of any plan, on records, profiles and pins that are made to be awkward: it is permitted, not
 * worse than what stands there, not too large, not below the bounds, the same each time, and final.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "draw.h"
#include "make_record.h"

enum { N_CASES = 120, MOST_CPUS = 4096 };

static const char *draw_name(struct make *make)
{
	return rs_arena_printf(make->arena, "m%zu", make->record.n_members);
}

static void add_scalar(struct make *make)
{
	unsigned size = 1u << draw(4);

	make_member(make, draw_name(make), size, size);
}

static void add_huge(struct make *make)
{
	unsigned align = 1u << draw(4);

	make_member(make, draw_name(make), (uint64_t)align * (1 + draw(5000 / align)), align);
}

static void add_aligned(struct make *make)
{
	make_member(make, draw_name(make), 1 + draw(80), 1u << draw(10));
}

static void add_nothing(struct make *make)
{
	if (draw(2))
		make_member(make, draw_name(make), 0, 1u << draw(7)); /* long x[0] */
}

static void add_bitfields(struct make *make)
{
	unsigned count = 1 + draw(9);

	for (unsigned i = 0; i < count; i++) {
		unsigned size = 1u << draw(4);

		make_bitfield(make, draw_name(make), draw(9) ? 1 + draw(size * 8) : 0, size);
	}
}

static void add_several(struct make *make)
{
	unsigned count = 2 + draw(5);

	for (unsigned i = 0; i < count; i++)
		add_scalar(make);
}

static void add_aggregate(struct make *make)
{
	unsigned align = 1u << draw(4), size = align * (1 + draw(200)), count = 1 + draw(6);

	make_open(make, draw_name(make), size, align);
	for (unsigned i = 0; i < count; i++) {
		unsigned offset = draw(size);

		make_inside(make, draw_name(make), offset, 1 + draw(size - offset));
	}
	make_close(make);
}

static unsigned draw_n_units(void)
{
	switch (draw(40)) {
	case 0:
		return 300;
	case 1:
	case 2:
		return 40 + draw(40);
	default:
		return 1 + draw(draw(2) ? 9 : 25);
	}
}

static void add_units(struct make *make)
{
	void (*const kinds[])(struct make *) = { add_scalar,    add_scalar,  add_scalar,  add_scalar,
						 add_scalar,    add_several, add_aligned, add_bitfields,
						 add_aggregate, add_nothing, add_huge };
	unsigned n_units = draw_n_units(), n_kinds = draw(3) ? RS_COUNT_OF(kinds) : 5, rate = draw(3) ? 0 : 6;
	size_t region = 0;

	for (unsigned u = 0; u < n_units && make->record.n_members + 12 < MAKE_MEMBERS; u++) {
		region += u && rate && draw(rate) == 0;
		make->units[make_unit(make, region)].n_lines = draw(4);
		kinds[draw(n_kinds)](make);
	}
	if (draw(6) == 0) {
		make_unit(make, region);
		make_flexible(make, draw_name(make), 1u << draw(4));
		make_keep(make, RS_KEEP_LAST, make->record.n_units - 1, RS_NONE);
	}
}

static void add_gaps(struct make *make)
{
	struct rs_gap *gaps = rs_arena_array(make->arena, struct rs_gap, make->record.n_units + 1);

	for (size_t u = 0; u < make->record.n_units; u++) {
		gaps[u].has_blank_line = draw(6) == 0;
		gaps[u].has_comment = draw(9) == 0;
	}
	make->record.gaps = gaps;
}

/* Any, whether the order as it stands keeps them or not, and whether any order can. */
static void add_pins(struct make *make)
{
	unsigned n_units = (unsigned)make->record.n_units, count = draw(2) ? 0 : draw(9);

	for (unsigned i = 0; i < count; i++) {
		size_t unit = draw(n_units), other = draw(3) ? unit + 1 : draw(n_units);

		if (unit == other || other >= n_units)
			continue;
		if (draw(2))
			make_keep(make, (enum rs_constraint_kind)draw(4), unit, other);
		else
			make_bound_keep(make, (enum rs_constraint_kind)draw(4), unit, other);
	}
}

static double draw_rate(void)
{
	static const double rates[] = { 0, 1e-12, 1, 1, 100, 100, 1e9, 1e18 };

	return rates[draw(RS_COUNT_OF(rates))] * (draw(2) ? 1 : 1 + draw(1000));
}

static void add_path(struct make *make, unsigned share)
{
	static const unsigned cpus[] = { 1, 1, 2, 8, 64, MOST_CPUS };
	unsigned n_cpus = cpus[draw(RS_COUNT_OF(cpus))], first = n_cpus < 64 ? draw(8) : 0;
	struct make_path *path = make_path_on(make, "path", draw_rate(), first, n_cpus);

	path->bound.util = draw(2) ? 0 : 0.25 * draw(5);
	path->bound.phase = draw(make->binding.n_phases > 1 ? 2 : 1);
	for (size_t m = 0; m < make->record.n_members && path->bound.n_accesses < MAKE_ACCESSES; m++)
		if (draw(100) < share)
			make_access_member(make, m, draw(3) ? "r" : draw(2) ? "w" : "rw");
}

/* As a profile that knows fields only gives it. */
static void add_fields(struct make *make)
{
	for (size_t m = 0; m < make->record.n_members && make->binding.n_paths < MAKE_PATHS; m++) {
		make_path(make, "field", draw_rate(), 1 + draw(16));
		make_access_member(make, m, draw(2) ? "r" : "w");
	}
}

static void add_profile(struct make *make)
{
	unsigned n_paths = 1 + draw(8);

	make->binding.n_phases = 1 + draw(2);
	switch (draw(6)) {
	case 0:
		add_fields(make);
		return;
	case 1:
		add_path(make, 100);
		return;
	default:
		for (unsigned p = 0; p < n_paths; p++)
			add_path(make, 5 + draw(50));
	}
}

static void place_it(struct make *make)
{
	struct rs_binding *binding = &make->binding;
	struct rs_placement_base *bases = rs_arena_array(make->arena, struct rs_placement_base, 3);

	binding->machine.line_bytes = 16u << (draw(3) ? 2 : draw(7));
	binding->machine.pair = draw(8) == 0;
	if (draw(4) == 0) {
		binding->machine.cache_lines = 1 + draw(2000);
		binding->instances = 1 + draw(5000);
	}
	if (draw(8) == 0)
		binding->machine.t_hit_ns = binding->machine.t_memory_ns = 0;
	binding->placement.kind = (enum rs_placement_kind)draw(4);
	binding->placement.align_bytes = binding->machine.line_bytes / (2u << draw(3));
	if (binding->placement.kind == RS_PLACE_ARRAY && make->record.n_units > 5 && make->record.n_units < 9)
		binding->placement.kind = RS_PLACE_LINE_ALIGNED; /* all orders of an element are costed whole */
	binding->placement.n_bases = 1 + draw(3);
	binding->placement.bases = bases;
	for (size_t b = 0; b < binding->placement.n_bases; b++)
		bases[b].base_bytes = draw(binding->machine.line_bytes / 8) * 8;
	if (draw(8) == 0)
		binding->allow = RS_ALLOW_GROW;
	else if (draw(8) == 0)
		binding->max_size = make->record.size_bytes + draw(3) * 64 - (draw(4) ? 0 : 8);
}

static void make_case(struct rs_arena *arena, struct make *make, unsigned seed)
{
	random_state = seed;
	make_init(make, arena, "hard");
	add_units(make);
	make_record(make);
	add_gaps(make);
	add_pins(make);
	add_profile(make);
	place_it(make);
	make_binding(make);
}

static void check(bool holds, unsigned seed, const char *what, double got, double limit)
{
	if (holds)
		return;
	print_error("seed %u: %s: %.17g, limit %.17g\n", seed, what, got, limit);
	fail();
}

static bool is_below(double a, double b)
{
	return a < b && b - a > 1e-9 * fmax(fabs(a), fabs(b));
}

static uint64_t limit_of(const struct rs_record *record, const struct rs_binding *binding)
{
	if (!binding)
		return record->size_bytes;
	if (binding->max_size)
		return binding->max_size;
	return binding->allow & RS_ALLOW_GROW ? UINT64_MAX : record->size_bytes;
}

static void check_plan(unsigned seed, const struct make *make, const struct rs_binding *binding,
		       const struct rs_plan_set *set, const struct rs_plan *plan)
{
	const struct rs_plan *original = &set->original;
	uint64_t limit = limit_of(&make->record, binding);

	check(rs_plan_is_permitted(make->arena, &make->record, binding, plan->order, NULL), seed, "permitted",
	      0, 1);
	check(plan->size_bytes <= limit, seed, "size", (double)plan->size_bytes, (double)limit);
	check(isfinite(plan->cost_ns), seed, "finite", plan->cost_ns, 0);
	check(!is_below(original->cost_ns, plan->cost_ns), seed, "cost", plan->cost_ns, original->cost_ns);
	check(is_below(plan->cost_ns, original->cost_ns) || plan->size_bytes < original->size_bytes, seed,
	      "gain", plan->cost_ns, original->cost_ns);
	check(!is_below(plan->cost_ns, set->lower_bound_ns), seed, "bound", plan->cost_ns, set->lower_bound_ns);
	check(plan->size_bytes >= set->lower_bound_bytes, seed, "bound of bytes", (double)plan->size_bytes,
	      (double)set->lower_bound_bytes);
}

static void check_same(unsigned seed, const struct make *make, const struct rs_plan_set *a,
		       const struct rs_plan_set *b)
{
	check(a->n_plans == b->n_plans && a->pick == b->pick, seed, "same plans", (double)a->n_plans,
	      (double)b->n_plans);
	for (size_t i = 0; i < a->n_plans; i++)
		check(memcmp(a->plans[i].order, b->plans[i].order,
			     make->record.n_units * sizeof *a->plans[i].order) == 0,
		      seed, "same order of plan", (double)i, 0);
}

static void check_set(unsigned seed, const struct make *make, const struct rs_binding *binding,
		      const struct rs_plan_set *set)
{
	if (!is_below(set->original.cost_ns, set->lower_bound_ns) ||
	    !rs_plan_is_permitted(make->arena, &make->record, binding, set->original.order, NULL) ||
	    set->original.size_bytes > limit_of(&make->record, binding))
		;
	else
		check(false, seed, "bound of the original", set->original.cost_ns, set->lower_bound_ns);
	for (size_t i = 0; i < set->n_plans; i++)
		check_plan(seed, make, binding, set, &set->plans[i]);
	check((set->pick == RS_NONE) == (set->n_plans == 0), seed, "pick", (double)set->pick,
	      (double)set->n_plans);
}

static void test_hard(void **state)
{
	static struct make make;
	struct rs_plan_options options = { .time_limit_s = 0.01 };
	size_t n_gains = 0, n_proven = 0;

	(void)state;
	for (unsigned seed = 1; seed <= N_CASES; seed++) {
		struct rs_arena *arena = rs_arena_create();
		struct rs_plan_set set, same, bytes;

		make_case(arena, &make, seed);
		rs_plan_optimize(arena, &make.record, &make.binding, &options, &set);
		check_set(seed, &make, &make.binding, &set);
		rs_plan_optimize(arena, &make.record, &make.binding, &options, &same);
		check_same(seed, &make, &set, &same);
		rs_plan_optimize(arena, &make.record, NULL, &options, &bytes);
		check_set(seed, &make, NULL, &bytes);
		n_gains += set.n_plans > 0;
		n_proven += set.proven;
		rs_arena_destroy(arena);
	}
	print_message("# %d awkward structs: %zu with a gain, %zu proven\n", N_CASES, n_gains, n_proven);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_hard) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
