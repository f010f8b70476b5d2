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

#include "brute_force.h"

enum { N_CASES = 2400 };

static void check_set(unsigned seed, const struct rs_plan_set *set, const struct brute *brute)
{
	struct rs_score best = check_plans(seed, set, brute);

	if (!is_near(best.cost_ns, brute->least_ns))
		fail_case(seed, "cost", best.cost_ns, brute->least_ns);
	if (best.size_bytes != brute->bytes_at_least)
		fail_case(seed, "bytes", (double)best.size_bytes, (double)brute->bytes_at_least);
	if (set->lower_bound_ns > brute->least_ns * (1 + 1e-9))
		fail_case(seed, "lower bound", set->lower_bound_ns, brute->least_ns);
	if (set->lower_bound_bytes != brute->least_bytes)
		fail_case(seed, "lower bound of bytes", (double)set->lower_bound_bytes,
			  (double)brute->least_bytes);
	if (!set->proven)
		fail_case(seed, "proven", 0, 1);
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
