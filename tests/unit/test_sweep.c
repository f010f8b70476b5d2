/*
 * The sweep over lines against brute force over all permitted orders: it never claims more than the least cost, and
 * what it says of the lines becomes an order of that cost wherever one is found.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "brute_force.h"
#include "plan/sweep.h"

enum { N_CASES = 400 };

static bool is_strict;

struct tally {
	size_t n_run, n_met, n_orders;
};

/* Units as they are in structs with little idle room: nothing but scalars, arrays, bit-fields or aggregates. */
static void make_tight_case(struct rs_arena *arena, struct make *make, unsigned seed)
{
	static const add_fn kinds[] = { add_scalar, add_scalar, add_bytes, add_bitfields, add_aggregate, add_declarators };
	static const unsigned lines[] = { 16, 32, 32, 64 };
	unsigned n_kinds;

	random_state = seed;
	n_kinds = 1 + draw(RS_COUNT_OF(kinds));
	make_init(make, arena, "tight");
	for (unsigned u = 5 + draw(MOST_RANDOM_UNITS - 5); u > 0; u--) {
		make_unit(make, 0);
		kinds[draw(n_kinds)](arena, make);
	}
	make_record(make);
	add_paths(make, 1 + draw(4));
	make->binding.machine.line_bytes = lines[draw(RS_COUNT_OF(lines))];
	make_binding(make);
}

static void check_order(unsigned seed, const struct rs_sweep *sweep, struct tally *tally)
{
	const struct rs_problem *problem = sweep->place->problem;
	size_t *order = (size_t *)calloc(problem->n_atoms + 1, sizeof *order);
	struct rs_realize realize = {
		.place = sweep->place, .wanted = sweep->wanted, .n_steps = 1000000, .order = order
	};
	struct rs_score score;

	if (rs_realize_run(&realize)) {
		score = rs_place_score(sweep->place, order);
		if (!is_near(score.cost_ns, sweep->least_ns))
			fail_case(seed, "cost of the order", score.cost_ns, sweep->least_ns);
		assert_true(score.size_bytes <= problem->max_size_bytes);
		tally->n_orders++;
	}
	free(order);
}

static void check_case(struct rs_arena *arena, unsigned seed, struct make *make, struct tally *tally)
{
	const struct rs_cost *cost = rs_cost_create(arena, &make->binding);
	struct brute *brute = brute_force(arena, &make->record, &make->binding, cost);
	const struct rs_problem *problem = rs_problem_create(arena, &make->record, &make->binding, cost, 0);
	struct rs_place *place = rs_place_create(arena, problem);
	struct rs_sweep sweep = { .place = place,
				  .bound = rs_bound_create(arena, place, 5e8),
				  .is_strict = is_strict,
				  .enough_ns = INFINITY,
				  .n_steps = 20000000 };

	sweep.wanted = rs_arena_array(arena, struct rs_wanted, problem->n_atoms);
	if (isinf(brute->least_ns) || !rs_sweep_run(&sweep))
		return;
	tally->n_run++;
	tally->n_met += is_near(sweep.least_ns, brute->least_ns);
	if (sweep.least_ns > brute->least_ns * (1 + 1e-9))
		fail_case(seed, "least of the lines", sweep.least_ns, brute->least_ns);
	if (sweep.is_better)
		check_order(seed, &sweep, tally);
}

static void compare(unsigned first_seed, void (*make_one)(struct rs_arena *, struct make *, unsigned))
{
	struct tally tally = { 0 };

	for (unsigned seed = first_seed; seed < first_seed + N_CASES; seed++) {
		RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
		struct make *make = rs_arena_new(arena, struct make);

		make_one(arena, make, seed);
		check_case(arena, seed, make, &tally);
	}
	print_message("# %zu swept: the least is met in %zu, an order was made in %zu\n", tally.n_run, tally.n_met,
		      tally.n_orders);
	assert_true(tally.n_run > N_CASES / 4);
	assert_true(tally.n_met * 20 >= tally.n_run * 17);
	assert_true(tally.n_orders * 4 >= tally.n_run * 3);
}

static void test_any(void **state)
{
	(void)state;
	compare(15000, make_case);
}

static void test_tight(void **state)
{
	(void)state;
	compare(18600, make_tight_case);
}

static void test_strict(void **state)
{
	(void)state;
	is_strict = true;
	compare(15000, make_case);
	compare(23200, make_tight_case);
	is_strict = false;
}

static void test_bitfields(void **state)
{
	(void)state;
	many_bitfields = true;
	compare(5000, make_case);
	is_strict = true;
	compare(5000, make_case);
	is_strict = false;
	many_bitfields = false;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_any),
		cmocka_unit_test(test_tight),
		cmocka_unit_test(test_strict),
		cmocka_unit_test(test_bitfields),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
