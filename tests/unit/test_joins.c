/*
 * Runs of bit-fields side by side: which orders are permitted, what is said about them, and what the optimizer
 * makes of records that hold many.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "draw.h"
#include "join_rule.h"
#include "make_record.h"
#include "plan/joins.h"
#include "plan/place.h"
#include "records_fixture.h"

static bool is_permitted(struct make *make, const size_t *order)
{
	return rs_plan_is_permitted(make->arena, &make->record, make_binding(make), order, NULL);
}

static void add_run(struct make *make, const char *name)
{
	make_unit(make, 0);
	make_bitfield(make, name, 1, 4);
}

/* x, a, y, b, z: three runs. */
static void make_runs(struct rs_arena *arena, struct make *make)
{
	make_init(make, arena, "s");
	add_run(make, "x");
	make_unit(make, 0);
	make_member(make, "a", 8, 8);
	add_run(make, "y");
	make_unit(make, 0);
	make_member(make, "b", 8, 8);
	add_run(make, "z");
	make_record(make);
}

static const size_t all_joined[] = { 0, 4, 2, 1, 3 };

static void test_writers(void **state)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	struct make make;

	(void)state;
	make_runs(arena, &make);
	make_path(&make, "one", 1, 1);
	make_access(&make, "x", "w");
	make_access(&make, "z", "r");
	assert_true(is_permitted(&make, all_joined));
	make_path(&make, "two", 1, 1);
	make_access(&make, "y", "r");
	assert_true(is_permitted(&make, all_joined));
	/* z parts them, but is the same memory location as both */
	make_access(&make, "y", "rw");
	assert_false(is_permitted(&make, all_joined));
	assert_true(is_permitted(&make, (const size_t[]) { 0, 4, 1, 2, 3 }));
	make.binding.allow = RS_ALLOW_JOIN;
	assert_true(is_permitted(&make, all_joined));
}

static void test_one_path_writes_all(void **state)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	struct make make;

	(void)state;
	make_runs(arena, &make);
	make_path(&make, "one", 1, 1);
	make_access(&make, "x", "w");
	make_access(&make, "y", "w");
	make_access(&make, "z", "w");
	assert_true(is_permitted(&make, all_joined));
	/* before other CPUs see the object nobody races */
	make_path(&make, "init", 0, 1);
	make_access(&make, "x", "w");
	make_access(&make, "y", "w");
	assert_true(is_permitted(&make, all_joined));
	/* a run that two paths write is joined to none that either writes */
	make_path(&make, "two", 1, 1);
	make_access(&make, "x", "w");
	assert_false(is_permitted(&make, (const size_t[]) { 0, 2, 1, 3, 4 }));
	assert_true(is_permitted(&make, (const size_t[]) { 2, 4, 1, 3, 0 }));
}

static void test_zero_width_parts(void **state)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	struct make make;

	(void)state;
	make_runs(arena, &make);
	make_unit(&make, 0);
	make_bitfield(&make, "", 0, 4);
	make_bitfield(&make, "w", 1, 4);
	make_record(&make);
	make_path(&make, "one", 1, 1);
	make_access(&make, "x", "w");
	make_path(&make, "two", 1, 1);
	make_access(&make, "w", "w");
	assert_true(is_permitted(&make, (const size_t[]) { 0, 5, 1, 2, 3, 4 }));
	assert_false(is_permitted(&make, (const size_t[]) { 1, 2, 3, 4, 5, 0 }));
}

static void test_hidden(void **state)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	struct make make;

	(void)state;
	make_runs(arena, &make);
	make.units[2].has_hidden_bitfields = true;
	assert_false(is_permitted(&make, (const size_t[]) { 0, 2, 1, 3, 4 }));
	assert_true(is_permitted(&make, (const size_t[]) { 0, 4, 1, 2, 3 }));
	make.units[2].has_hidden_bitfields = false;
	make.units[2].origin = RS_UNIT_MACRO;
	assert_false(is_permitted(&make, (const size_t[]) { 0, 2, 1, 3, 4 }));
	/* what #if holds may be empty elsewhere: then x and y stand side by side */
	make.units[2].origin = RS_UNIT_PLAIN;
	make.units[1].origin = RS_UNIT_CONDITIONAL;
	make_record(&make);
	make_path(&make, "one", 1, 1);
	make_access(&make, "x", "w");
	make_path(&make, "two", 1, 1);
	make_access(&make, "z", "w");
	assert_false(is_permitted(&make, (const size_t[]) { 0, 1, 4, 2, 3 }));
	assert_true(is_permitted(&make, (const size_t[]) { 0, 2, 1, 3, 4 }));
}

static void test_remarks(void **state)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	const struct rs_pin *remarks;
	struct make make;
	size_t count;

	(void)state;
	make_runs(arena, &make);
	rs_joins_remark(arena, &make.record, (const size_t[]) { 1, 0, 3, 2, 4 }, &remarks, &count);
	assert_int_equal(count, 1);
	assert_string_equal(remarks[0].code, "bitfield-join");
	assert_non_null(strstr(remarks[0].message, "'y' and 'z'"));
	rs_joins_remark(arena, &make.record, all_joined, &remarks, &count);
	assert_int_equal(count, 1);
	assert_non_null(strstr(remarks[0].message, "'x', 'z' and 'y'"));
	rs_joins_remark(arena, &make.record, (const size_t[]) { 0, 1, 4, 3, 2 }, &remarks, &count);
	assert_int_equal(count, 0);
}

/* What the text hides from the compiler. */
static void test_text(void **state)
{
	struct parsed parsed;
	const struct rs_record *record;

	(void)state;
	parse_text(&parsed, "struct s {\n\tunsigned x : 1;\n\tlong a;\n#ifdef NOT\n\tunsigned y : 1;\n#endif\n"
			    "\tlong b;\n#ifdef NOT\n\tstruct { int q : 2; } in;\n#endif\n"
			    "\tlong c;\n\tint z : 2;\n#ifndef NOT\n\tint w : 2;\n#endif\n};\n");
	record = record_named(&parsed, "s");
	for (size_t u = 0; u < record->n_units; u++)
		assert_int_equal(record->units[u].has_hidden_bitfields,
				 strchr("yz", record->units[u].name[0]) || record->units[u].name[0] == '#'
					 ? memmem(record->source->text + record->units[u].span.start,
						  record->units[u].span.end - record->units[u].span.start,
						  "struct", 6) == NULL
					 : false);
	parsed_end(&parsed);
}

static void make_random(struct rs_arena *arena, struct make *make, unsigned seed)
{
	size_t n_units = 10 + seed % 12;

	random_state = seed;
	make_init(make, arena, "random");
	for (size_t u = 0; u < n_units; u++) {
		const char *name = rs_arena_printf(arena, "m%zu", u);

		make_unit(make, u > n_units / 2 && draw(2) ? 1 : make->units[u ? u - 1 : 0].region);
		uint32_t size = 1u << draw(4);

		if (draw(2))
			make_member(make, name, size, size);
		else
			make_bitfield(make, name, 1 + draw(8), size);
	}
	make_record(make);
	for (size_t p = 0; p < 1 + draw(4); p++) {
		make_path_on(make, "path", 1 + draw(50), draw(4), 1 + draw(4));
		for (size_t m = 0; m < make->record.n_members; m++)
			if (draw(3) == 0)
				make_access_member(make, m, draw(2) ? "r" : "w");
	}
	make_binding(make);
}

/* More than can all be tried: every plan is permitted, lies where the layout says, and is no larger than the
 * bound says it can be. */
static void test_large(void **state)
{
	size_t n_plans = 0, n_joined = 0;

	(void)state;
	for (unsigned seed = 1; seed <= 60; seed++) {
		RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
		const struct rs_plan_options options = { .time_limit_s = 0.2 };
		struct make make;
		struct rs_plan_set set;
		struct join_rule rule;

		make_random(arena, &make, seed);
		join_rule_init(&rule, arena, &make.record, &make.binding);
		rs_plan_optimize(arena, &make.record, &make.binding, &options, &set);
		for (size_t i = 0; i < set.n_plans; i++) {
			assert_false(join_rule_breaks(&rule, set.plans[i].order));
			assert_true(set.plans[i].size_bytes >= set.lower_bound_bytes);
			assert_true(set.plans[i].size_bytes <= make.record.size_bytes);
			n_joined += set.plans[i].n_remarks > 0;
			n_plans++;
		}
	}
	print_message("# %zu plans, %zu of them join bit-fields\n", n_plans, n_joined);
	assert_true(n_joined > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_writers),
		cmocka_unit_test(test_one_path_writes_all),
		cmocka_unit_test(test_zero_width_parts),
		cmocka_unit_test(test_hidden),
		cmocka_unit_test(test_remarks),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_large),
	};

	return cmocka_run_group_tests_name("joins", tests, scratch_make, scratch_remove);
}
