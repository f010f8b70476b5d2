/*
 * The default of several plans, and the cost by path that it goes by.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "draw.h"
#include "make_record.h"
#include "plan/path_cost.h"
#include "plan/pick.h"

static struct rs_pick_option option(double hot, double cold, uint64_t size_bytes, size_t burden)
{
	static double paths[32][2];
	static size_t n_options;
	double *own = paths[n_options++ % RS_COUNT_OF(paths)];

	own[0] = hot;
	own[1] = cold;
	return (struct rs_pick_option) { hot + cold, own, size_bytes, burden };
}

static void test_knee(void **state)
{
	struct rs_pick_option original = option(1000, 0, 64, 0);
	struct rs_pick_option plans[] = { option(100, 0, 64, 2), option(40, 0, 64, 4), option(1, 0, 64, 8),
					  option(0, 0, 64, 40) };

	(void)state;
	/* 90 % is too little; 3.9 % more is worth four lines, 0.1 % is not worth 32. */
	assert_int_equal(rs_pick_choose(&original, plans, 4, 2), 2);
	assert_int_equal(rs_pick_choose(&original, plans, 2, 2), 1);
	assert_int_equal(rs_pick_choose(&original, plans, 0, 2), RS_NONE);
}

static void test_no_path_is_left(void **state)
{
	struct rs_pick_option original = option(10000, 60, 64, 0);
	struct rs_pick_option plans[] = { option(10, 60, 64, 2), option(10, 1, 64, 40) };

	(void)state;
	assert_int_equal(rs_pick_choose(&original, plans, 2, 2), 1);
	/* One that gets worse in the best plan is not looked after. */
	plans[1] = option(5, 61, 64, 40);
	assert_int_equal(rs_pick_choose(&original, plans, 2, 2), 0);
}

static void test_bytes(void **state)
{
	struct rs_pick_option original = option(1000, 0, 152, 0);
	struct rs_pick_option grows[] = { option(0, 0, 256, 2), option(40, 0, 152, 9), option(0, 0, 192, 3) };
	struct rs_pick_option equal[] = { option(0, 0, 152, 2), option(0, 0, 144, 6), option(0, 0, 128, 40) };
	struct rs_pick_option same[] = { option(1000, 0, 144, 6), option(1000, 0, 144, 4),
					 option(1000, 0, 152, 2) };

	(void)state;
	assert_int_equal(rs_pick_choose(&original, grows, 3, 2), 1);
	grows[1] = option(60, 0, 152, 9);
	assert_int_equal(rs_pick_choose(&original, grows, 3, 2), 2);
	assert_int_equal(rs_pick_choose(&original, equal, 3, 2), 1);
	assert_int_equal(rs_pick_choose(&original, same, 3, 2), 1);
}

static void make_random(struct rs_arena *arena, struct make *make)
{
	for (unsigned i = 0; i < 12; i++) {
		make_unit(make, 0);
		make_member(make, rs_arena_printf(arena, "m%u", i), (uint64_t)8 * (1 + draw(4)), 8);
	}
	make_record(make);
	for (unsigned p = 0; p < 4; p++) {
		struct make_path *path =
			make_path_on(make, "path", 1 + draw(100), draw(2) ? 0 : draw(4), 1 + draw(8));

		path->bound.util = draw(2) ? 0 : 0.1;
		for (size_t m = 0; m < make->record.n_members; m++)
			if (draw(3) == 0)
				make_access_member(make, m, draw(3) ? "r" : "w");
	}
	make_binding(make);
}

/* What the paths pay adds up to what the layout costs, and a path that touches nothing pays nothing. */
static void test_paths_add_up(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 200; i++) {
		RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
		struct make *make = rs_arena_new(arena, struct make);
		uint64_t offsets[MAKE_MEMBERS];
		double paths[MAKE_PATHS], sum = 0, whole;

		random_state = i + 1;
		make_init(make, arena, "peer");
		make_random(arena, make);
		make->binding.placement.kind = i % 3 ? RS_PLACE_LINE_ALIGNED : RS_PLACE_ARRAY;
		for (size_t m = 0; m < make->record.n_members; m++)
			offsets[m] = make->record.members[m].offset_bits;
		const struct rs_cost *cost = rs_cost_create(arena, &make->binding);
		whole = rs_cost_layout(cost, offsets, make->record.size_bytes);
		rs_path_cost_compute(cost, offsets, make->record.size_bytes, paths);
		for (size_t p = 0; p < make->binding.n_paths; p++) {
			sum += paths[p];
			assert_true(make->binding.paths[p].n_accesses > 0 ? paths[p] > 0 : paths[p] <= 0);
		}
		assert_true(fabs(sum - whole) <= 1e-9 * whole);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_knee),
		cmocka_unit_test(test_no_path_is_left),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_paths_add_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
