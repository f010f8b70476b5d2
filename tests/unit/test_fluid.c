/*
 * The lower bound for many members: against every order of small records, and where it has to be exact; the
 * linear programs that it solves, by duality.
 */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "draw.h"
#include "make_record.h"
#include "plan/fluid.h"
#include "plan/simplex.h"

enum { N_CASES = 400, N_PROGRAMS = 500, MOST_ROWS = 9, MOST_COLUMNS = 9 };

/* Scalars, arrays that cross lines, a line-aligned member, a struct of several lines that stays first. */
static void add_units(struct rs_arena *arena, struct make *make, unsigned n_units)
{
	bool has_head = draw(3) == 0;

	for (unsigned i = 0; i < n_units; i++) {
		unsigned align = 1u << draw(4), kind = draw(8);
		const char *name = rs_arena_printf(arena, "m%u", i);

		make_unit(make, 0);
		if (i == 0 && has_head) {
			make_open(make, name, 136 + 8 * draw(12), 8);
			for (unsigned k = 0; k < 3; k++)
				make_inside(make, rs_arena_printf(arena, "m%u.%u", i, k), draw(128), 8);
			make_close(make);
			make_keep(make, RS_KEEP_FIRST, 0, RS_NONE);
		} else if (kind == 0) {
			make_member(make, name, 1 + draw(160), 64);
		} else {
			make_member(make, name, (uint64_t)align * (kind == 1 ? 1 + draw(12) : 1), align);
		}
	}
	make_record(make);
}

static void add_paths(struct make *make)
{
	unsigned n_paths = 1 + draw(4);
	double util = draw(2) ? 0.1 * draw(6) : 0;

	for (unsigned p = 0; p < n_paths; p++) {
		struct make_path *path =
			make_path_on(make, "path", 1 + draw(100), draw(2) ? 0 : draw(4), 1 + draw(8));

		path->bound.util = util;
		for (size_t m = 0; m < make->record.n_members; m++)
			if (draw(2) && make->record.members[m].n_inside == 0)
				make_access_member(make, m, draw(3) ? "r" : "w");
	}
	make_binding(make);
}

static void ignore(void *context, const size_t *lines, size_t n_lines)
{
	(void)lines;
	*(size_t *)context += n_lines;
}

static double bound(struct rs_arena *arena, const struct make *make, double enough_ns)
{
	const struct rs_cost *cost = rs_cost_create(arena, &make->binding);
	const struct rs_problem *problem =
		rs_problem_create(arena, &make->record, &make->binding, cost, make->record.size_bytes * 2);
	size_t n_lines = 0;
	struct rs_fluid fluid = {
		.n_steps = 2e6, .enough_ns = &enough_ns, .visit = ignore, .context = &n_lines
	};

	if (!problem->n_touched)
		return 0;
	fluid.place = rs_place_create(arena, problem);
	return rs_fluid_bound(&fluid);
}

static double least_cost(struct rs_arena *arena, const struct make *make)
{
	const struct rs_plan_options options = { .max_size_bytes = make->record.size_bytes * 2 };
	struct rs_plan_set set;
	double least;

	rs_plan_optimize(arena, &make->record, &make->binding, &options, &set);
	assert_true(set.proven);
	least = set.original.cost_ns;
	for (size_t i = 0; i < set.n_plans; i++)
		least = fmin(least, set.plans[i].cost_ns);
	return least;
}

static void test_never_above(void **state)
{
	double sum = 0;

	(void)state;
	for (unsigned i = 0; i < N_CASES; i++) {
		RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
		struct make *make = rs_arena_new(arena, struct make);
		double least, low;

		random_state = i + 1;
		make_init(make, arena, "peer");
		add_units(arena, make, 3 + draw(5));
		add_paths(make);
		least = least_cost(arena, make);
		low = bound(arena, make, 2 * least + 1);
		if (low > least * (1 + 1e-9))
			fail_msg("case %u: %.9g is no bound of %.9g", i, low, least);
		sum += least > 0 ? low / least : 1;
	}
	/* A bound of nothing would be true, too. */
	assert_true(sum > 0.8 * N_CASES);
}

/* Members that fill their lines exactly, by signature: the bound is what they cost. */
static void test_exact(void **state)
{
	(void)state;
	for (unsigned n_lines = 1; n_lines < 6; n_lines++) {
		RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
		struct make *make = rs_arena_new(arena, struct make);
		double least;

		make_init(make, arena, "peer");
		for (unsigned i = 0; i < 16 * n_lines; i++) {
			make_unit(make, 0);
			make_member(make, rs_arena_printf(arena, "m%u", i), 8, 8);
		}
		make_record(make);
		for (unsigned p = 0; p < 2; p++) {
			struct make_path *path = make_path_on(make, p ? "writer" : "reader", 10, 0, 8);

			path->bound.util = 0.1;
			for (size_t m = p; m < make->record.n_members; m += 2)
				make_access_member(make, m, p ? "w" : "r");
		}
		make_binding(make);
		least = least_cost(arena, make);
		assert_true(fabs(bound(arena, make, 2 * least) - least) <= 1e-6 * least);
	}
}

/* The lines of a member that has to be first are known, whatever else moves. */
static void test_fixed_lines(void **state)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	struct make *make = rs_arena_new(arena, struct make);

	(void)state;
	make_init(make, arena, "peer");
	make_unit(make, 0);
	make_open(make, "head", 256, 8);
	for (unsigned i = 0; i < 4; i++)
		make_inside(make, rs_arena_printf(arena, "head.m%u", i), 64 * i, 8);
	make_close(make);
	make_keep(make, RS_KEEP_FIRST, 0, RS_NONE);
	make_unit(make, 0);
	make_member(make, "tail", 8, 8);
	make_record(make);
	make_path(make, "all", 1, 1);
	for (size_t m = 1; m < make->record.n_members; m++)
		make_access_member(make, m, "r");
	make_binding(make);
	assert_true(fabs(bound(arena, make, 100) - least_cost(arena, make)) <= 1e-9);
	assert_true(fabs(least_cost(arena, make) - 5 * make->binding.machine.t_hit_ns) <= 1e-9);
}

struct program {
	double matrix[MOST_ROWS * MOST_COLUMNS], limits[MOST_ROWS], values[MOST_COLUMNS];
	double amounts[MOST_COLUMNS], prices[MOST_ROWS];
	size_t n_rows, n_columns;
};

/* The last row bounds all amounts. */
static void make_program(struct program *program)
{
	program->n_rows = 1 + draw(MOST_ROWS);
	program->n_columns = 1 + draw(MOST_COLUMNS);
	for (size_t i = 0; i < program->n_rows * program->n_columns; i++)
		program->matrix[i] = (double)draw(9) - (draw(2) ? 0 : 4);
	for (size_t j = 0; j < program->n_columns; j++) {
		program->matrix[(program->n_rows - 1) * program->n_columns + j] = 1;
		program->values[j] = (double)draw(20) - 3;
	}
	for (size_t i = 0; i < program->n_rows; i++)
		program->limits[i] = draw(4) ? draw(50) : 0;
}

static void check_amounts(const struct program *program)
{
	for (size_t i = 0; i < program->n_rows; i++) {
		double sum = 0;

		for (size_t j = 0; j < program->n_columns; j++)
			sum += program->matrix[i * program->n_columns + j] * program->amounts[j];
		assert_true(sum <= program->limits[i] + 1e-6);
		assert_true(program->prices[i] >= 0);
	}
	for (size_t j = 0; j < program->n_columns; j++) {
		double sum = 0;

		for (size_t i = 0; i < program->n_rows; i++)
			sum += program->matrix[i * program->n_columns + j] * program->prices[i];
		assert_true(sum >= program->values[j] - 1e-6);
		assert_true(program->amounts[j] >= 0);
	}
}

/* Amounts and prices that keep the limits and come to the same are both optimal. */
static void test_duality(void **state)
{
	(void)state;
	for (unsigned n = 0; n < N_PROGRAMS; n++) {
		struct program program = { .n_rows = 0 };
		double gained = 0, owed = 0;

		random_state = n + 7;
		make_program(&program);
		struct rs_simplex simplex = { program.n_rows, program.n_columns, program.matrix,
					      program.limits, program.values,    1000000 };
		rs_simplex_solve(&simplex, program.amounts, program.prices);
		assert_true(simplex.n_steps > 0);
		check_amounts(&program);
		for (size_t j = 0; j < program.n_columns; j++)
			gained += program.values[j] * program.amounts[j];
		for (size_t i = 0; i < program.n_rows; i++)
			owed += program.limits[i] * program.prices[i];
		assert_true(fabs(gained - owed) <= 1e-6 * (1 + owed));
	}
}

/* Stopped at once it has nothing, which is a solution. */
static void test_no_steps(void **state)
{
	double matrix[] = { 1, 2 }, limits[] = { 4 }, values[] = { 3, 5 }, amounts[2], prices[1];
	struct rs_simplex simplex = { 1, 2, matrix, limits, values, 0 };

	(void)state;
	rs_simplex_solve(&simplex, amounts, prices);
	assert_true(amounts[0] <= 0 && amounts[1] <= 0);
	simplex.n_steps = 100;
	rs_simplex_solve(&simplex, amounts, prices);
	assert_true(fabs(3 * amounts[0] + 5 * amounts[1] - 12) < 1e-9 && fabs(prices[0] - 3) < 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_never_above), cmocka_unit_test(test_exact),
		cmocka_unit_test(test_fixed_lines), cmocka_unit_test(test_duality),
		cmocka_unit_test(test_no_steps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
