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

static bool is_better(double cost, uint64_t bytes, double than_cost, uint64_t than_bytes)
{
	if (isinf(cost))
		return false;
	return is_near(cost, than_cost) ? bytes < than_bytes : cost < than_cost;
}

/* The original need not keep companions, and there may be no order that does. */
static void check_companions_set(unsigned seed, const struct rs_plan_set *set, const struct brute *brute)
{
	double cost = set->original.cost_ns;
	uint64_t bytes = set->original.size_bytes;
	bool gains = is_better(brute->least_ns, brute->bytes_at_least, cost, bytes);

	for (size_t i = 0; i < set->n_plans; i++) {
		const struct rs_plan *plan = &set->plans[i];

		if (plan->size_bytes > brute->limit)
			fail_case(seed, "size", (double)plan->size_bytes, (double)brute->limit);
		if (!rs_plan_is_permitted(brute->arena, brute->record, brute->binding, plan->order, NULL))
			fail_case(seed, "permitted", 0, 1);
		if (is_better(plan->cost_ns, plan->size_bytes, cost, bytes)) {
			cost = plan->cost_ns;
			bytes = plan->size_bytes;
		}
	}
	if (gains && (!is_near(cost, brute->least_ns) || bytes != brute->bytes_at_least))
		fail_case(seed, "best", cost, brute->least_ns);
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

static struct rs_score search_best(struct rs_arena *arena, const struct make *make, const struct rs_cost *cost)
{
	const struct rs_problem *problem =
		rs_problem_create(arena, &make->record, cost ? &make->binding : NULL, cost, 0);
	struct rs_place *place = rs_place_create(arena, problem);
	struct rs_bytes bytes;
	struct rs_search search = { .place = place, .n_steps = 20000000 };

	rs_bytes_solve(arena, rs_place_create_free(arena, problem), &bytes);
	search.bound = cost ? rs_bound_create(arena, place, 5e8) : NULL;
	search.least_bytes = bytes.least_bytes;
	search.best = rs_arena_array(arena, size_t, problem->n_atoms);
	search.score = (struct rs_score) { INFINITY, UINT64_MAX };
	assert_true(rs_search_run(&search));
	return search.score;
}

static void compare_large(unsigned seed, bool with_cost, size_t *n_gains, size_t *n_proven)
{
	struct rs_arena *arena = rs_arena_create();
	const struct rs_cost *cost = NULL;
	struct make make;
	struct rs_plan_set set;
	struct rs_score best;

	make_large_case(arena, &make, seed);
	if (with_cost && make.binding.placement.kind != RS_PLACE_ARRAY)
		cost = rs_cost_create(arena, &make.binding);
	best = search_best(arena, &make, cost);
	rs_plan_optimize(arena, &make.record, cost ? &make.binding : NULL, NULL, &set);
	double least = INFINITY;
	uint64_t bytes = UINT64_MAX;
	for (size_t i = 0; i < set.n_plans; i++) {
		const struct rs_plan *plan = &set.plans[i];

		assert_true(rs_plan_is_permitted(arena, &make.record, cost ? &make.binding : NULL, plan->order,
						 NULL));
		if (is_better(plan->cost_ns, plan->size_bytes, least, bytes)) {
			least = plan->cost_ns;
			bytes = plan->size_bytes;
		}
	}
	bool gains = is_better(best.cost_ns, best.size_bytes, set.original.cost_ns, set.original.size_bytes);
	*n_gains += gains;
	*n_proven += gains && set.proven;
	if (gains && set.lower_bound_ns > best.cost_ns * (1 + 1e-9))
		fail_case(seed, "large lower bound", set.lower_bound_ns, best.cost_ns);
	if (gains && (!is_near(least, best.cost_ns) || bytes != best.size_bytes))
		fail_case(seed, "large", least, best.cost_ns);
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
