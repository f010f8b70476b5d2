/*
 * Plans: the worked example, moves, orders by hand, constraints, and what the default pick is.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "make_record.h"
#include "plan/moves.h"

struct fixture {
	struct rs_arena *arena;
	struct make make;
};

static int setup(void **state)
{
	struct fixture *fixture = (struct fixture *)calloc(1, sizeof *fixture);

	fixture->arena = rs_arena_create();
	make_init(&fixture->make, fixture->arena, "s");
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = (struct fixture *)*state;

	rs_arena_destroy(fixture->arena);
	free(fixture);
	return 0;
}

static void add_unit(struct make *make, const char *name, uint64_t size, uint32_t align)
{
	make_unit(make, 0);
	make_member(make, name, size, align);
}

static void make_peer_union(struct make *make)
{
	static const struct {
		const char *name;
		uint64_t offset, size;
	} inside[] = {
		{ "rid", 48, 4 },           { "ip_id_count", 52, 4 },        { "tcp_ts", 56, 4 },
		{ "tcp_ts_stamp", 60, 4 },  { "metrics", 64, 56 },           { "rate_tokens", 120, 4 },
		{ "rate_last", 128, 8 },    { "pmtu_expires", 136, 8 },      { "pmtu_orig", 144, 4 },
		{ "pmtu_learned", 148, 4 }, { "redirect_learned", 152, 16 },
	};

	make_unit(make, 0);
	make_open(make, "", 120, 8)->is_union = true;
	for (size_t i = 0; i < RS_COUNT_OF(inside); i++)
		make_inside(make, inside[i].name, inside[i].offset - 48, inside[i].size);
	make_close(make);
}

static void make_peer_paths(struct make *make)
{
	make->binding.machine.t_upgrade_ns = 60;
	make_path(make, "lookup", 100, 16);
	make_access(make, "avl_left", "r");
	make_access(make, "avl_right", "r");
	make_access(make, "daddr", "r");
	make_access(make, "avl_height", "r");
	make_path(make, "get", 20, 16);
	make_access(make, "refcnt", "w");
	make_path(make, "put", 20, 16);
	make_access(make, "refcnt", "w");
	make_access(make, "dtime", "w");
	make_path(make, "id", 20, 16);
	make_access(make, "ip_id_count", "w");
	make_path(make, "frag", 5, 16);
	make_access(make, "rid", "w");
	make_path(make, "metrics", 2, 16);
	make_access(make, "metrics", "r");
}

static const struct rs_record *make_peer(struct make *make)
{
	const struct rs_record *record;

	make_unit(make, 0);
	make_member(make, "avl_left", 8, 8);
	make_member(make, "avl_right", 8, 8);
	add_unit(make, "daddr", 20, 4);
	add_unit(make, "avl_height", 4, 4);
	add_unit(make, "dtime", 4, 4);
	add_unit(make, "refcnt", 4, 4);
	make_peer_union(make);
	record = make_record(make);
	make_peer_paths(make);
	return record;
}

static void test_peer(void **state)
{
	struct fixture *fixture = (struct fixture *)*state;
	const struct rs_record *record = make_peer(&fixture->make);
	const struct rs_plan *best;
	struct rs_plan_set set;
	static const size_t expected[] = { 3, 4, 5, 0, 1, 2 };

	assert_int_equal(record->size_bytes, 168);
	rs_plan_optimize(fixture->arena, record, make_binding(&fixture->make), NULL, &set);
	assert_true(fabs(set.original.cost_ns - 9098.776) < 0.001);
	assert_true(set.proven);
	assert_true(fabs(set.lower_bound_ns - 3944.368) < 0.001);
	assert_true(set.n_plans > 0);
	best = &set.plans[set.n_plans - 1];
	assert_true(fabs(best->cost_ns - 3944.368) < 0.001);
	assert_int_equal(best->size_bytes, 168);
	assert_int_equal(best->moved_blocks, 1);
	assert_memory_equal(best->order, expected, sizeof expected);
	assert_int_not_equal(set.pick, RS_NONE);
	assert_true(9098.776 - set.plans[set.pick].cost_ns >= 0.95 * (9098.776 - 3944.368));
}

/* Whether applying the operations gives the order. */
static void check_operations(struct rs_arena *arena, const struct rs_record *record, const size_t *order)
{
	struct rs_operation *operations;
	struct rs_moves moves = rs_moves_list(arena, record, order, &operations);
	size_t *applied = rs_arena_array(arena, size_t, record->n_units);

	rs_moves_apply(arena, record->n_units, operations, moves.n_blocks, applied);
	assert_memory_equal(applied, order, record->n_units * sizeof *order);
	for (size_t i = 0; i < moves.n_blocks; i++)
		assert_true(operations[i].first_unit + operations[i].n_units <= record->n_units);
}

static void shuffle(size_t *order, size_t n, uint64_t *random)
{
	for (size_t i = 0; i < n; i++)
		order[i] = i;
	for (size_t i = n; i > 1; i--) {
		size_t other, kept = order[i - 1];

		*random = *random * UINT64_C(6364136223846793005) + 1442695040888963407;
		other = (size_t)(*random >> 33) % i;
		order[i - 1] = order[other];
		order[other] = kept;
	}
}

static void test_operations(void **state)
{
	struct fixture *fixture = (struct fixture *)*state;
	uint64_t random = 1;
	size_t order[12];

	for (size_t i = 0; i < RS_COUNT_OF(order); i++) {
		add_unit(&fixture->make, "m", 4, 4);
		fixture->make.units[i].n_lines = 1 + (unsigned)i % 3;
	}
	make_record(&fixture->make);
	for (int i = 0; i < 2000; i++) {
		shuffle(order, RS_COUNT_OF(order), &random);
		check_operations(fixture->arena, &fixture->make.record, order);
	}
}

static void test_moves(void **state)
{
	static const struct {
		size_t order[6], n_blocks, changed_lines;
	} cases[] = {
		{ { 0, 1, 2, 3, 4, 5 }, 0, 0 }, { { 1, 2, 3, 4, 5, 0 }, 1, 2 }, { { 3, 4, 5, 0, 1, 2 }, 1, 6 },
		{ { 1, 0, 2, 3, 5, 4 }, 2, 4 }, { { 2, 3, 0, 1, 4, 5 }, 1, 4 }, { { 5, 4, 3, 2, 1, 0 }, 5, 10 },
		{ { 0, 3, 4, 1, 2, 5 }, 1, 4 }, { { 4, 0, 5, 1, 2, 3 }, 2, 4 },
	};
	struct fixture *fixture = (struct fixture *)*state;

	for (int i = 0; i < 6; i++)
		add_unit(&fixture->make, "m", 4, 4);
	make_record(&fixture->make);
	for (size_t i = 0; i < RS_COUNT_OF(cases); i++) {
		struct rs_operation *operations;
		struct rs_moves moves =
			rs_moves_list(fixture->arena, &fixture->make.record, cases[i].order, &operations);

		assert_int_equal(moves.changed_lines, cases[i].changed_lines);
		assert_int_equal(moves.n_blocks, cases[i].n_blocks);
	}
}

/* A unit of many lines stays, its neighbour goes. */
static void test_moves_weigh_lines(void **state)
{
	struct fixture *fixture = (struct fixture *)*state;
	static const size_t order[] = { 1, 2, 0 };
	struct rs_operation *operations;
	struct rs_moves moves;

	for (int i = 0; i < 3; i++)
		add_unit(&fixture->make, "m", 4, 4);
	fixture->make.units[0].n_lines = 9;
	make_record(&fixture->make);
	moves = rs_moves_list(fixture->arena, &fixture->make.record, order, &operations);
	assert_int_equal(moves.changed_lines, 4);
	assert_int_equal(moves.n_blocks, 1);
	assert_int_equal(operations[0].first_unit, 1);
	assert_int_equal(operations[0].n_units, 2);
	assert_int_equal(operations[0].after_unit, RS_NONE);
}

static void test_bytes_alone(void **state)
{
	struct fixture *fixture = (struct fixture *)*state;
	struct make *make = &fixture->make;
	struct rs_plan_set set;

	add_unit(make, "a", 1, 1);
	add_unit(make, "b", 8, 8);
	add_unit(make, "c", 1, 1);
	add_unit(make, "d", 8, 8);
	make_record(make);
	rs_plan_optimize(fixture->arena, &make->record, NULL, NULL, &set);
	assert_int_equal(set.original.size_bytes, 32);
	assert_int_equal(set.n_plans, 1);
	assert_int_equal(set.plans[0].size_bytes, 24);
	assert_int_equal(set.plans[0].id, 1);
	assert_int_equal(set.plans[0].changed_lines, 2);
	assert_int_equal(set.plans[0].moved_blocks, 1);
	assert_int_equal(set.pick, 0);
	assert_true(set.proven);
	assert_int_equal(set.lower_bound_bytes, 24);
}

/* Padding that only moves is no gain. */
static void test_no_gain(void **state)
{
	struct fixture *fixture = (struct fixture *)*state;
	struct rs_plan_set set;

	add_unit(&fixture->make, "a", 4, 4);
	add_unit(&fixture->make, "b", 8, 8);
	add_unit(&fixture->make, "c", 8, 8);
	make_record(&fixture->make);
	rs_plan_optimize(fixture->arena, &fixture->make.record, NULL, NULL, &set);
	assert_int_equal(set.n_plans, 0);
	assert_int_equal(set.pick, RS_NONE);
	assert_true(set.proven);
}

/* One path touches one field: no layout costs less, but bytes are still saved. */
static void test_bytes_at_equal_cost(void **state)
{
	struct fixture *fixture = (struct fixture *)*state;
	struct make *make = &fixture->make;
	struct rs_plan_set set;

	add_unit(make, "a", 1, 1);
	add_unit(make, "b", 8, 8);
	add_unit(make, "c", 1, 1);
	make_record(make);
	make_path(make, "p", 10, 4);
	make_access(make, "b", "r");
	rs_plan_optimize(fixture->arena, &make->record, make_binding(make), NULL, &set);
	assert_int_not_equal(set.pick, RS_NONE);
	assert_int_equal(set.plans[set.pick].size_bytes, 16);
	assert_true(set.plans[set.pick].cost_ns == set.original.cost_ns);
	assert_true(set.proven);
}

static void test_refused(void **state)
{
	struct fixture *fixture = (struct fixture *)*state;
	struct rs_pin pin = { .code = "packed", .strength = RS_PIN_HARD, .unit = RS_NONE, .refuses = true };
	struct rs_plan_set set;

	add_unit(&fixture->make, "a", 1, 1);
	add_unit(&fixture->make, "b", 8, 8);
	add_unit(&fixture->make, "c", 1, 1);
	make_record(&fixture->make);
	fixture->make.record.pins = &pin;
	fixture->make.record.n_pins = 1;
	rs_plan_optimize(fixture->arena, &fixture->make.record, NULL, NULL, &set);
	assert_int_equal(set.n_plans, 0);
	assert_int_equal(set.pick, RS_NONE);
}

/* Two written fields on a reader's line; the cap decides whether they may be pushed out by growing. */
static void test_limits(void **state)
{
	struct fixture *fixture = (struct fixture *)*state;
	struct make *make = &fixture->make;
	struct rs_plan_options options = { .max_moves = 1 };
	struct rs_plan_set set;

	for (int i = 0; i < 7; i++)
		add_unit(make, rs_arena_printf(fixture->arena, "m%d", i), i & 1 ? 24 : 8, 8);
	make_record(make);
	make_path(make, "reader", 100, 8);
	make_access(make, "m0", "r");
	make_access(make, "m4", "r");
	make_path(make, "writer", 10, 8);
	make_access(make, "m2", "w");
	rs_plan_optimize(fixture->arena, &make->record, make_binding(make), &options, &set);
	for (size_t i = 0; i < set.n_plans; i++) {
		assert_true(set.plans[i].moved_blocks <= 1);
		assert_true(set.plans[i].size_bytes <= make->record.size_bytes);
		assert_true(i == 0 || set.plans[i - 1].changed_lines <= set.plans[i].changed_lines);
	}
	options.max_size_bytes = make->record.size_bytes - 8;
	rs_plan_optimize(fixture->arena, &make->record, make_binding(make), &options, &set);
	assert_int_equal(set.n_plans, 0);
}

static void make_three(struct make *make)
{
	add_unit(make, "first", 4, 4);
	add_unit(make, "second", 4, 4);
	make_unit(make, 0); /* a switched-off block, carried behind "second" */
	add_unit(make, "third", 4, 4);
	make_member(make, "third_too", 4, 4);
	make_record(make);
}

static void test_names(void **state)
{
	struct fixture *fixture = (struct fixture *)*state;
	struct make *make = &fixture->make;
	const char *const names[] = { "third", "third_too", "second" };
	static const size_t expected[] = { 3, 1, 2, 0 };
	struct rs_plan plan;

	make_three(make);
	assert_null(rs_plan_from_names(fixture->arena, &make->record, NULL, names, 3, &plan));
	assert_memory_equal(plan.order, expected, sizeof expected);
	assert_int_equal(plan.offset_bits[0], 96);
	assert_int_equal(plan.size_bytes, 16);
	assert_null(rs_plan_from_names(fixture->arena, &make->record, NULL, names, 0, &plan));
	assert_int_equal(plan.moved_blocks, 0);
}

static void check_refused_names(struct rs_arena *arena, struct make *make, const char *const *names,
				size_t count, enum rs_error_code code, const char *part)
{
	RS_CLEANUP(rs_error_destroyp) struct rs_error *error = NULL;
	struct rs_plan plan;

	error = rs_plan_from_names(arena, &make->record, NULL, names, count, &plan);
	assert_non_null(error);
	assert_int_equal(error->code, code);
	assert_non_null(strstr(error->message, part));
}

static void test_wrong_names(void **state)
{
	struct fixture *fixture = (struct fixture *)*state;
	struct make *make = &fixture->make;
	const char *const unknown[] = { "secund" }, *const twice[] = { "second", "first", "second" };
	const char *const apart[] = { "third", "first", "third_too" }, *const second[] = { "second" };

	make_three(make);
	check_refused_names(fixture->arena, make, unknown, 1, RS_ERROR_NOT_FOUND, "did you mean 'second'");
	check_refused_names(fixture->arena, make, twice, 3, RS_ERROR_USAGE, "twice");
	check_refused_names(fixture->arena, make, apart, 3, RS_ERROR_USAGE, "moves together with 'third'");
	make_keep(make, RS_KEEP_FIRST, 0, RS_NONE);
	check_refused_names(fixture->arena, make, second, 1, RS_ERROR_USAGE, "'first' must come first");
}

static void check_permitted(struct fixture *fixture, const size_t *order, const char *reason)
{
	const char *found = NULL;
	bool permitted = rs_plan_is_permitted(fixture->arena, &fixture->make.record,
					      make_binding(&fixture->make), order, &found);

	assert_int_equal(permitted, reason == NULL);
	if (reason)
		assert_non_null(strstr(found, reason));
}

static void test_permitted(void **state)
{
	struct fixture *fixture = (struct fixture *)*state;
	struct make *make = &fixture->make;
	static const size_t good[] = { 1, 0, 2, 3, 5, 4 }, crossing[] = { 1, 0, 4, 3, 5, 2 };
	static const size_t early[] = { 0, 1, 2, 3, 5, 4 }, apart[] = { 1, 2, 0, 3, 5, 4 };
	static const size_t late[] = { 1, 0, 2, 4, 3, 5 }, swapped[] = { 1, 0, 2, 5, 3, 4 };

	for (int i = 0; i < 6; i++) {
		make_unit(make, i / 3);
		make_member(make, rs_arena_printf(fixture->arena, "m%d", i), 4, 4);
	}
	make_record(make);
	make_keep(make, RS_KEEP_FIRST, 1, RS_NONE);
	make_keep(make, RS_KEEP_LAST, 4, RS_NONE);
	make_keep(make, RS_KEEP_BEFORE, 3, 5);
	make_bound_keep(make, RS_KEEP_NEXT, 1, 0);
	check_permitted(fixture, good, NULL);
	check_permitted(fixture, crossing, "may not leave");
	check_permitted(fixture, early, "'m1' must come first");
	check_permitted(fixture, apart, "'m0' must directly follow 'm1'");
	check_permitted(fixture, late, "'m4' must come last");
	check_permitted(fixture, swapped, "'m3' must stay before 'm5'");
}

/* The profile wants an order that the struct does not have: plans keep it, if they gain. */
static void test_pins_of_profile(void **state)
{
	struct fixture *fixture = (struct fixture *)*state;
	struct make *make = &fixture->make;
	struct rs_plan_set set;

	add_unit(make, "a", 1, 1);
	add_unit(make, "b", 8, 8);
	add_unit(make, "c", 1, 1);
	add_unit(make, "d", 8, 8);
	make_record(make);
	make_bound_keep(make, RS_KEEP_FIRST, 3, RS_NONE);
	make_bound_keep(make, RS_KEEP_FIRST, 1, RS_NONE);
	make_binding(make);
	rs_plan_optimize(fixture->arena, &make->record, &make->binding, NULL, &set);
	assert_int_equal(set.n_plans, 1);
	assert_int_equal(set.plans[0].order[0], 3);
	assert_int_equal(set.plans[0].order[1], 1);
	assert_int_equal(set.plans[0].size_bytes, 24);
	make_bound_keep(make, RS_KEEP_BEFORE, 1, 3);
	rs_plan_optimize(fixture->arena, &make->record, &make->binding, NULL, &set);
	assert_int_equal(set.n_plans, 0);
}

/* The record as the plan leaves it. */
static void make_reordered(struct make *from, const struct rs_plan *plan, struct make *ret_to)
{
	make_init(ret_to, from->arena, "again");
	for (size_t i = 0; i < from->record.n_units; i++) {
		const struct rs_unit *unit = &from->units[plan->order[i]];
		const struct rs_member *member = &from->members[unit->first_member];

		make_unit(ret_to, unit->region);
		make_member(ret_to, member->name, member->size_bits / 8, member->align_bytes);
	}
	make_record(ret_to);
}

static void repeat_paths(const struct make *from, struct make *to)
{
	for (size_t p = 0; p < from->binding.n_paths; p++) {
		const struct make_path *path = &from->paths[p];

		make_path(to, path->bound.name, path->bound.rate, 8);
		for (size_t i = 0; i < path->bound.n_accesses; i++)
			make_access(to, from->members[path->accesses[i].member].name,
				    path->accesses[i].writes ? "w" : "r");
	}
}

static void make_mixture(struct fixture *fixture, unsigned n_units, unsigned seed)
{
	struct make *make = &fixture->make;

	make_init(make, fixture->arena, "mixture");
	for (unsigned i = 0; i < n_units; i++) {
		unsigned size = 1u << (i * seed * 7 + i / 3) % 4;

		add_unit(make, rs_arena_printf(fixture->arena, "m%u", i), size, size);
	}
	make_record(make);
	for (unsigned p = 0; p < 3; p++) {
		make_path(make, "path", 10 + 20 * p, 8);
		for (unsigned i = p; i < n_units; i += 3 + p)
			make_access_member(make, i, (i + p + seed) % 3 ? "r" : "w");
	}
	make_binding(make);
}

/* Once at the optimum, nothing is left to do; and the same question has the same answer. */
static void test_idempotent(void **state)
{
	struct fixture *fixture = (struct fixture *)*state;
	static struct make again;

	for (unsigned seed = 1; seed <= 6; seed++) {
		struct rs_plan_set set, same, second;
		const struct rs_plan *best;

		make_mixture(fixture, 5 + 2 * seed, seed);
		rs_plan_optimize(fixture->arena, &fixture->make.record, &fixture->make.binding, NULL, &set);
		rs_plan_optimize(fixture->arena, &fixture->make.record, &fixture->make.binding, NULL, &same);
		assert_int_equal(set.n_plans, same.n_plans);
		for (size_t i = 0; i < set.n_plans; i++)
			assert_memory_equal(set.plans[i].order, same.plans[i].order,
					    fixture->make.record.n_units * sizeof *set.plans[i].order);
		best = &set.original;
		for (size_t i = 0; i < set.n_plans; i++)
			if (set.plans[i].cost_ns < best->cost_ns * (1 - 1e-9) ||
			    (set.plans[i].cost_ns <= best->cost_ns * (1 + 1e-9) &&
			     set.plans[i].size_bytes < best->size_bytes))
				best = &set.plans[i];
		assert_true(set.proven);
		make_reordered(&fixture->make, best, &again);
		repeat_paths(&fixture->make, &again);
		rs_plan_optimize(fixture->arena, &again.record, make_binding(&again), NULL, &second);
		assert_int_equal(second.n_plans, 0);
	}
}

/* The same bytes are reached inside the sections, with more changed lines, and across them: sections stay
 * whole. */
static void test_sections_stay_whole(void **state)
{
	struct fixture *fixture = (struct fixture *)*state;
	struct make *make = &fixture->make;
	static const struct {
		const char *name;
		unsigned size;
	} members[] = { { "family", 1 }, { "id", 8 },    { "pkts", 4 },
			{ "flags", 1 },  { "bytes", 8 }, { "errs", 2 } };
	struct rs_gap gaps[RS_COUNT_OF(members) + 1] = {
		[0] = { .has_comment = true }, [2] = { .has_comment = true }
	};
	struct rs_plan_set set;
	const size_t *order;

	make_init(make, fixture->arena, "conn");
	for (size_t i = 0; i < RS_COUNT_OF(members); i++) {
		make_unit(make, 0);
		make_member(make, members[i].name, members[i].size, members[i].size);
	}
	make_record(make);
	make->record.gaps = gaps;
	rs_plan_optimize(fixture->arena, &make->record, NULL, NULL, &set);
	assert_int_equal(set.plans[set.pick].size_bytes, 24);
	order = set.plans[set.pick].order;
	assert_true(order[0] < 2 && order[1] < 2);
}

/* Where another member could come first at the same bytes, the first one stays first, though it takes more
 * lines. */
static void test_first_stays_first(void **state)
{
	struct fixture *fixture = (struct fixture *)*state;
	struct make *make = &fixture->make;
	struct rs_plan_set set;

	make_init(make, fixture->arena, "task");
	make->units[make_unit(make, 0)].n_lines = 1;
	make_member(make, "live", 1, 1);
	make->units[make_unit(make, 0)].n_lines = 2;
	make_member(make, "link", 8, 8);
	make_unit(make, 0);
	make_member(make, "prio", 1, 1);
	make_record(make);
	rs_plan_optimize(fixture->arena, &make->record, NULL, NULL, &set);
	assert_int_equal(set.n_plans, 1);
	assert_int_equal(set.plans[0].size_bytes, 16);
	assert_int_equal(set.plans[0].order[0], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_peer, setup, teardown),
		cmocka_unit_test_setup_teardown(test_operations, setup, teardown),
		cmocka_unit_test_setup_teardown(test_moves, setup, teardown),
		cmocka_unit_test_setup_teardown(test_moves_weigh_lines, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bytes_alone, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_gain, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bytes_at_equal_cost, setup, teardown),
		cmocka_unit_test_setup_teardown(test_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(test_limits, setup, teardown),
		cmocka_unit_test_setup_teardown(test_names, setup, teardown),
		cmocka_unit_test_setup_teardown(test_wrong_names, setup, teardown),
		cmocka_unit_test_setup_teardown(test_permitted, setup, teardown),
		cmocka_unit_test_setup_teardown(test_pins_of_profile, setup, teardown),
		cmocka_unit_test_setup_teardown(test_idempotent, setup, teardown),
		cmocka_unit_test_setup_teardown(test_sections_stay_whole, setup, teardown),
		cmocka_unit_test_setup_teardown(test_first_stays_first, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
