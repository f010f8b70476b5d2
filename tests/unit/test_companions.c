/*
 * Members that must share a line: the search against brute force over all orders, and the optimizer on records
 * that are too large for that against the search.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "brute_force.h"

enum { N_CASES = 1200, N_LARGE_CASES = 40 };

/* The original need not keep companions, and there may be no order that does. */
static void check_companions_set(unsigned seed, const struct rs_plan_set *set, const struct brute *brute)
{
	struct rs_score best = check_plans(seed, set, brute),
			least = { brute->least_ns, brute->bytes_at_least };
	bool gains = is_better(least, score_of(&set->original));

	if (gains && (!is_near(best.cost_ns, least.cost_ns) || best.size_bytes != least.size_bytes))
		fail_case(seed, "best", best.cost_ns, least.cost_ns);
	if (gains != (set->n_plans > 0))
		fail_case(seed, "plans", (double)set->n_plans, gains);
	if (gains && !set->proven)
		fail_case(seed, "proven", 0, 1);
	if (brute->least_bytes < UINT64_MAX && set->lower_bound_bytes > brute->least_bytes)
		fail_case(seed, "lower bound of bytes", (double)set->lower_bound_bytes,
			  (double)brute->least_bytes);
	if (gains && set->lower_bound_ns > brute->least_ns * (1 + 1e-9))
		fail_case(seed, "lower bound", set->lower_bound_ns, brute->least_ns);
}

/* With companions, by search and by the optimizer; with a profile and for bytes alone. */
static void compare_companions(bool with_cost)
{
	size_t n_gains = 0, n_none = 0, n_constrained = 0;

	for (unsigned seed = 1; seed <= N_CASES; seed++) {
		struct rs_arena *arena = rs_arena_create();
		const struct rs_binding *binding;
		struct make make;
		struct rs_plan_set set;
		struct brute *brute;

		make_case(arena, &make, seed + 300000);
		binding = with_cost ? &make.binding : NULL;
		brute = brute_force(arena, &make.record, binding,
				    with_cost ? rs_cost_create(arena, binding) : NULL);
		rs_plan_optimize(arena, &make.record, binding, NULL, &set);
		check_companions_set(seed, &set, brute);
		check_search(arena, seed, &make.record, binding, brute);
		n_gains += set.n_plans > 0;
		n_none += isinf(brute->least_ns);
		n_constrained += brute->companion_line_bytes > 0;
		rs_arena_destroy(arena);
	}
	print_message("# %zu structs with companions: %zu gain, in %zu no order keeps them\n", n_constrained,
		      n_gains, n_none);
	assert_true(n_gains > N_CASES / 10 && n_none > N_CASES / 20 && n_constrained > N_CASES / 2);
}

static void test_brute_force_companions(void **state)
{
	(void)state;
	with_companions = true;
	compare_companions(true);
	with_companions = false;
}

static void test_brute_force_companions_bytes(void **state)
{
	(void)state;
	with_companions = true;
	compare_companions(false);
	with_companions = false;
}

/* The same, of more units than brute force is for: what the search proves is the measure. */
static void make_large_case(struct rs_arena *arena, struct make *make, unsigned seed)
{
	random_state = seed;
	make_init(make, arena, "random");
	for (unsigned u = 0, n = 9 + draw(5); u < n; u++) {
		make_unit(make, 0);
		if (draw(4))
			add_scalar(arena, make);
		else
			add_bytes(arena, make);
	}
	add_companions(make);
	make_record(make);
	add_paths(make, 1 + draw(3));
	place_somewhere(arena, make);
	make_binding(make);
}

static void compare_large(unsigned seed, bool with_cost, size_t *n_gains, size_t *n_proven)
{
	struct rs_arena *arena = rs_arena_create();
	const struct rs_cost *cost = NULL;
	struct make make;
	struct rs_plan_set set;
	struct rs_score least = { INFINITY, UINT64_MAX };

	make_large_case(arena, &make, seed);
	if (with_cost && make.binding.placement.kind != RS_PLACE_ARRAY)
		cost = rs_cost_create(arena, &make.binding);
	const struct rs_binding *binding = cost ? &make.binding : NULL;
	struct rs_search search = make_search(arena, &make.record, binding, cost, 20000000);
	assert_true(rs_search_run(&search));
	rs_plan_optimize(arena, &make.record, binding, NULL, &set);
	for (size_t i = 0; i < set.n_plans; i++) {
		assert_true(rs_plan_is_permitted(arena, &make.record, binding, set.plans[i].order, NULL));
		if (is_better(score_of(&set.plans[i]), least))
			least = score_of(&set.plans[i]);
	}
	bool gains = is_better(search.score, score_of(&set.original));
	*n_gains += gains;
	*n_proven += gains && set.proven;
	if (gains && set.lower_bound_ns > search.score.cost_ns * (1 + 1e-9))
		fail_case(seed, "large lower bound", set.lower_bound_ns, search.score.cost_ns);
	if (gains &&
	    (!is_near(least.cost_ns, search.score.cost_ns) || least.size_bytes != search.score.size_bytes))
		fail_case(seed, "large", least.cost_ns, search.score.cost_ns);
	if (!gains && set.n_plans > 0)
		fail_case(seed, "large without gain", (double)set.n_plans, 0);
	rs_arena_destroy(arena);
}

static void test_large(void **state)
{
	size_t n_gains = 0, n_proven = 0;

	(void)state;
	for (unsigned seed = 1; seed <= N_LARGE_CASES; seed++)
		compare_large(seed, seed % 4 > 0, &n_gains, &n_proven);
	print_message("# %d larger structs: %zu gain, %zu of them proven within the default time\n",
		      N_LARGE_CASES, n_gains, n_proven);
	assert_true(n_gains > N_LARGE_CASES / 3 && n_proven > n_gains * 3 / 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_brute_force_companions),
		cmocka_unit_test(test_brute_force_companions_bytes),
		cmocka_unit_test(test_large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
