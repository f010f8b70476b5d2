/*
 * The exact search against brute force over all permitted orders, on random records and profiles.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "join_rule.h"
#include "make_record.h"
#include "plan/bytes.h"
#include "plan/search.h"

enum { N_CASES = 2400, MOST_RANDOM_UNITS = 7 };

static uint64_t random_state;

static unsigned draw(unsigned limit)
{
	random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)((random_state >> 33) % limit);
}

static const char *draw_name(struct rs_arena *arena, struct make *make)
{
	return rs_arena_printf(arena, "m%zu", make->record.n_members);
}

static void add_scalar(struct rs_arena *arena, struct make *make)
{
	static const unsigned sizes[] = { 1, 2, 4, 4, 8, 8, 8, 16 };
	unsigned size = sizes[draw(RS_COUNT_OF(sizes))];

	make_member(make, draw_name(arena, make), size, size);
}

static void add_bytes(struct rs_arena *arena, struct make *make)
{
	unsigned align = 1u << draw(4), count = 1 + draw(9);

	make_member(make, draw_name(arena, make), (uint64_t)align * count, align)->is_array = true;
}

static void add_long_array(struct rs_arena *arena, struct make *make)
{
	unsigned align = 1u << draw(4);

	make_member(make, draw_name(arena, make), (uint64_t)align * (65 + draw(200)) / align * align, align)
		->is_array = true;
}

/* An attribute on the member: the size is no multiple of the alignment. */
static void add_over_aligned(struct rs_arena *arena, struct make *make)
{
	make_member(make, draw_name(arena, make), 1 + draw(24), 16u << draw(4));
}

static void add_bitfields(struct rs_arena *arena, struct make *make)
{
	unsigned count = 1 + draw(4);

	for (unsigned i = 0; i < count; i++) {
		unsigned size = 1u << draw(4), width = draw(12) ? 1 + draw(size * 8) : 0;

		make_bitfield(make, width ? draw_name(arena, make) : "", width, size);
	}
}

static void add_declarators(struct rs_arena *arena, struct make *make)
{
	unsigned size = 1u << draw(4), count = 2 + draw(3);

	for (unsigned i = 0; i < count; i++)
		make_member(make, draw_name(arena, make), size, size);
}

/* Members of any alignment, one after the other, as a macro or an #if block makes them. */
static void add_mixed(struct rs_arena *arena, struct make *make)
{
	unsigned count = 2 + draw(2);

	for (unsigned i = 0; i < count; i++)
		add_scalar(arena, make);
}

static void add_aggregate(struct rs_arena *arena, struct make *make)
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

static void add_unit(struct rs_arena *arena, struct make *make)
{
	static const add_fn kinds[] = { add_scalar,      add_scalar,    add_scalar,       add_scalar,
					add_bytes,       add_bytes,     add_mixed,        add_bitfields,
					add_declarators, add_aggregate, add_over_aligned, add_long_array };

	if (many_bitfields && draw(2))
		add_bitfields(arena, make);
	else
		kinds[draw(RS_COUNT_OF(kinds))](arena, make);
}

static void add_units(struct rs_arena *arena, struct make *make, size_t n_units)
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
static void add_constraints(struct make *make)
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

static void add_paths(struct make *make, size_t n_paths)
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

static void place_somewhere(struct rs_arena *arena, struct make *make)
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

static void make_case(struct rs_arena *arena, struct make *make, unsigned seed)
{
	random_state = seed;
	make_init(make, arena, "random");
	add_units(arena, make, 1 + draw(MOST_RANDOM_UNITS));
	add_constraints(make);
	make_record(make);
	add_paths(make, 1 + draw(4));
	place_somewhere(arena, make);
	if (many_bitfields && draw(4) == 0)
		make->binding.allow |= RS_ALLOW_JOIN;
	if (draw(10) == 0)
		make->binding.max_size = make->record.size_bytes + 8 * draw(9);
	make_binding(make);
}

/* Costs of lines already met, by the set of accesses that have a part in them. */
struct line_costs {
	uint64_t *sets; /* open addressing; 0 is free, and costs nothing */
	double *costs;
	size_t n_buckets, n_entries;
};

/* An access of a path: a member and what the path does with it. */
struct access {
	size_t path, member;
	bool writes;
};

enum { MOST_ACCESSES = 64, MOST_LINES = 4096 };

struct brute {
	struct rs_arena *arena;
	const struct rs_record *record;
	const struct rs_binding *binding;
	const struct rs_cost *cost;
	struct line_costs lines;
	struct access accesses[MOST_ACCESSES];
	size_t n_accesses;   /* more than MOST_ACCESSES: whole layouts are costed */
	uint64_t *line_sets; /* scratch: by line */
	struct rs_cost_base bases[64];
	size_t n_bases;
	uint64_t limit;
	struct join_rule joins;
	size_t order[MOST_RANDOM_UNITS];
	uint64_t *offsets;
	double least_ns;
	uint64_t bytes_at_least, least_bytes;
};

static bool is_near(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

static double cost_set(const struct brute *brute, uint64_t set)
{
	uint16_t counts[MAKE_PATHS] = { 0 };
	bool writes[MAKE_PATHS] = { false };

	for (size_t i = 0; i < brute->n_accesses; i++) {
		if (!(set >> i & 1))
			continue;
		counts[brute->accesses[i].path]++;
		writes[brute->accesses[i].path] |= brute->accesses[i].writes;
	}
	return rs_cost_line(brute->cost, counts, writes);
}

static double find_line_cost(struct brute *brute, uint64_t set)
{
	struct line_costs *lines = &brute->lines;
	size_t bucket = (set * UINT64_C(0x9e3779b97f4a7c15) >> 40) & (lines->n_buckets - 1);

	if (!set)
		return 0;
	while (lines->sets[bucket] && lines->sets[bucket] != set)
		bucket = (bucket + 1) & (lines->n_buckets - 1);
	if (lines->sets[bucket])
		return lines->costs[bucket];
	if (++lines->n_entries * 2 > lines->n_buckets)
		return cost_set(brute, set);
	lines->sets[bucket] = set;
	return lines->costs[bucket] = cost_set(brute, set);
}

/* The definition, line by line: not the optimizer's steps and not the evaluator's borders. */
static double cost_at_base(struct brute *brute, uint64_t base_bytes)
{
	uint64_t line_bits = rs_cost_line_bytes(brute->cost) * 8, last_line = 0;
	double cost = 0;

	for (size_t i = 0; i < brute->n_accesses; i++) {
		const struct rs_member *member = &brute->record->members[brute->accesses[i].member];
		uint64_t start = base_bytes * 8 + brute->offsets[brute->accesses[i].member];
		uint64_t bits = member->size_bits ? member->size_bits : 8;

		for (uint64_t line = start / line_bits; line <= (start + bits - 1) / line_bits; line++) {
			brute->line_sets[line] |= UINT64_C(1) << i;
			last_line = line > last_line ? line : last_line;
		}
	}
	for (uint64_t line = 0; line <= last_line; line++) {
		cost += find_line_cost(brute, brute->line_sets[line]);
		brute->line_sets[line] = 0;
	}
	return cost;
}

static double cost_order(struct brute *brute, uint64_t size)
{
	double cost = 0;

	if (brute->binding->placement.kind == RS_PLACE_ARRAY || brute->n_accesses > MOST_ACCESSES)
		return rs_cost_layout(brute->cost, brute->offsets, size);
	for (size_t b = 0; b < brute->n_bases; b++)
		cost += brute->bases[b].weight * cost_at_base(brute, brute->bases[b].offset_bytes);
	return cost;
}

static void judge(struct brute *brute)
{
	size_t n_constraints =
		brute->record->n_constraints + (brute->binding ? brute->binding->n_constraints : 0);
	uint64_t size;
	double cost = 0;

	if (join_rule_breaks(&brute->joins, brute->order))
		return;
	if (n_constraints &&
	    !rs_plan_is_permitted(brute->arena, brute->record, brute->binding, brute->order, NULL))
		return;
	rs_layout_compute(brute->record, brute->order, brute->offsets, &size);
	if (size < brute->least_bytes)
		brute->least_bytes = size;
	if (size > brute->limit)
		return;
	if (brute->cost)
		cost = cost_order(brute, size);
	if (cost < brute->least_ns * (1 - 1e-9)) {
		brute->least_ns = cost;
		brute->bytes_at_least = size;
	} else if (cost <= brute->least_ns * (1 + 1e-9) && size < brute->bytes_at_least) {
		brute->bytes_at_least = size;
	}
}

/* Units do not leave their region. */
static void permute(struct brute *brute, size_t position)
{
	const struct rs_unit *units = brute->record->units;
	size_t n = brute->record->n_units;

	if (position == n) {
		judge(brute);
		return;
	}
	for (size_t i = position; i < n; i++) {
		size_t unit = brute->order[i];

		if (units[unit].region != units[position].region)
			continue;
		brute->order[i] = brute->order[position];
		brute->order[position] = unit;
		permute(brute, position + 1);
		brute->order[position] = brute->order[i];
		brute->order[i] = unit;
	}
}

static void prepare_costs(struct brute *brute)
{
	uint64_t size;

	for (size_t p = 0; p < brute->binding->n_paths; p++)
		for (size_t i = 0; i < brute->binding->paths[p].n_accesses; i++) {
			const struct rs_bound_access *access = &brute->binding->paths[p].accesses[i];

			if (brute->n_accesses++ < MOST_ACCESSES)
				brute->accesses[brute->n_accesses - 1] =
					(struct access) { p, access->member, access->writes };
		}
	brute->lines.n_buckets = 1 << 14;
	brute->lines.sets = rs_arena_array(brute->arena, uint64_t, brute->lines.n_buckets);
	brute->lines.costs = rs_arena_array(brute->arena, double, brute->lines.n_buckets);
	brute->line_sets = rs_arena_array(brute->arena, uint64_t, MOST_LINES);
	brute->n_bases = rs_cost_bases(brute->cost, brute->record->size_bytes, brute->bases, 64);
	rs_layout_compute(brute->record, brute->order, brute->offsets, &size);
	if (!is_near(cost_order(brute, size), rs_cost_layout(brute->cost, brute->offsets, size)))
		fail_msg("the line costs do not add up to the layout's");
}

static struct brute *brute_force(struct rs_arena *arena, const struct rs_record *record,
				 const struct rs_binding *binding, const struct rs_cost *cost)
{
	struct brute *brute = rs_arena_new(arena, struct brute);

	*brute = (struct brute) { .arena = arena,
				  .record = record,
				  .binding = binding,
				  .cost = cost,
				  .least_ns = INFINITY,
				  .least_bytes = UINT64_MAX };
	brute->limit = binding && binding->max_size ? binding->max_size : record->size_bytes;
	brute->offsets = rs_arena_array(arena, uint64_t, record->n_members);
	for (size_t i = 0; i < record->n_units; i++)
		brute->order[i] = i;
	join_rule_init(&brute->joins, arena, record, binding);
	if (cost)
		prepare_costs(brute);
	permute(brute, 0);
	return brute;
}

static void fail_case(unsigned seed, const char *what, double got, double expected)
{
	print_error("seed %u: %s: %.12g, brute force %.12g\n", seed, what, got, expected);
	fail();
}

/* The best of the plans, or the original where there are none. */
static void check_set(unsigned seed, const struct rs_plan_set *set, const struct brute *brute)
{
	double cost = set->original.cost_ns;
	uint64_t bytes = set->original.size_bytes;

	for (size_t i = 0; i < set->n_plans; i++) {
		const struct rs_plan *plan = &set->plans[i];

		if (plan->size_bytes > brute->limit)
			fail_case(seed, "size", (double)plan->size_bytes, (double)brute->limit);
		if (!rs_plan_is_permitted(brute->arena, brute->record, brute->binding, plan->order, NULL))
			fail_case(seed, "permitted", 0, 1);
		if (is_near(plan->cost_ns, cost) ? plan->size_bytes < bytes : plan->cost_ns < cost) {
			cost = plan->cost_ns;
			bytes = plan->size_bytes;
		}
	}
	if (!is_near(cost, brute->least_ns))
		fail_case(seed, "cost", cost, brute->least_ns);
	if (bytes != brute->bytes_at_least)
		fail_case(seed, "bytes", (double)bytes, (double)brute->bytes_at_least);
	if (set->lower_bound_ns > brute->least_ns * (1 + 1e-9))
		fail_case(seed, "lower bound", set->lower_bound_ns, brute->least_ns);
	if (set->lower_bound_bytes != brute->least_bytes)
		fail_case(seed, "lower bound of bytes", (double)set->lower_bound_bytes,
			  (double)brute->least_bytes);
	if (!set->proven)
		fail_case(seed, "proven", 0, 1);
}

/* Branch and bound, which the optimizer itself uses for larger problems only. */
static bool check_search(struct rs_arena *arena, unsigned seed, const struct rs_record *record,
			 const struct rs_binding *binding, const struct brute *brute)
{
	const struct rs_problem *problem = rs_problem_create(arena, record, binding, brute->cost, 0);
	struct rs_place *place = rs_place_create(arena, problem);
	struct rs_bytes bytes;
	struct rs_search search = { .place = place, .n_steps = 2000000 };

	rs_bytes_solve(arena, place, &bytes);
	search.bound = rs_bound_create(arena, place, 5e8);
	search.least_bytes = bytes.least_bytes;
	search.best = rs_arena_array(arena, size_t, problem->n_atoms);
	search.score = (struct rs_score) { 1e300, UINT64_MAX };
	if (search.bound->least_ns > brute->least_ns * (1 + 1e-9))
		fail_case(seed, "root bound", search.bound->least_ns, brute->least_ns);
	if (!rs_search_run(&search))
		fail_case(seed, "search ended", 0, 1);
	if (!is_near(search.score.cost_ns, brute->least_ns))
		fail_case(seed, "search cost", search.score.cost_ns, brute->least_ns);
	if (search.score.size_bytes != brute->bytes_at_least)
		fail_case(seed, "search bytes", (double)search.score.size_bytes, (double)brute->bytes_at_least);
	return place->is_separable && is_near(search.bound->least_ns, brute->least_ns);
}

static void compare_all(void)
{
	size_t n_met = 0, n_gains = 0;

	for (unsigned seed = 1; seed <= N_CASES; seed++) {
		struct rs_arena *arena = rs_arena_create();
		struct make make;
		struct rs_plan_set set;
		struct brute *brute;
		const struct rs_cost *cost;

		make_case(arena, &make, seed);
		cost = rs_cost_create(arena, &make.binding);
		brute = brute_force(arena, &make.record, &make.binding, cost);
		rs_plan_optimize(arena, &make.record, &make.binding, NULL, &set);
		check_set(seed, &set, brute);
		n_gains += set.n_plans > 0;
		n_met += check_search(arena, seed, &make.record, &make.binding, brute);
		rs_arena_destroy(arena);
	}
	print_message("# %d random structs: %zu with a gain; the root bound is met in %zu\n", N_CASES, n_gains,
		      n_met);
}

static void test_brute_force(void **state)
{
	(void)state;
	compare_all();
}

/* Runs of bit-fields are joined for bytes, but not those that different paths write. */
static void test_brute_force_joins(void **state)
{
	(void)state;
	many_bitfields = true;
	compare_all();
	many_bitfields = false;
}

static void test_brute_force_bytes(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= N_CASES; seed++) {
		struct rs_arena *arena = rs_arena_create();
		struct make make;
		struct rs_plan_set set;
		struct brute *brute;

		make_case(arena, &make, seed + 100000);
		brute = brute_force(arena, &make.record, NULL, NULL);
		rs_plan_optimize(arena, &make.record, NULL, NULL, &set);
		check_set(seed + 100000, &set, brute);
		rs_arena_destroy(arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_brute_force),
		cmocka_unit_test(test_brute_force_joins),
		cmocka_unit_test(test_brute_force_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
