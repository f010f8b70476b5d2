#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "draw.h"
#include "make_record.h"
#include "oracle_json.h"
#include "plan/array_bound.h"
#include "plan/nested.h"
#include "record/embedding.h"

/* --- the layout of containers --- */

/* struct { u8 a; struct { u8 b; REC x; u32 c; } y; u8 d; }, REC of 12 bytes aligned to 4. */
static void make_deep(struct make *make, struct rs_arena *arena)
{
	make_init(make, arena, "outer");
	make_unit(make, 0);
	make_member(make, "a", 1, 1);
	make_unit(make, 0);
	make_open(make, "y", 20, 4);
	make_inside(make, "y.b", 0, 1);
	make_inside(make, "y.x", 4, 12)->align_bytes = 4;
	make_inside(make, "y.c", 16, 4)->align_bytes = 4;
	make_close(make);
	make_unit(make, 0);
	make_member(make, "d", 1, 1);
}

static void test_what_follows_moves(void **state)
{
	struct rs_arena *arena = rs_arena_create();
	uint64_t offsets[8], size;
	struct make make;

	(void)state;
	make_deep(&make, arena);
	const struct rs_record *outer = make_record(&make);
	size_t x = rs_record_find_member(outer, "y.x");
	rs_embedding_compute(outer, x, 12, offsets, &size);
	for (size_t m = 0; m < outer->n_members; m++)
		assert_int_equal(offsets[m], outer->members[m].offset_bits);
	assert_int_equal(size, outer->size_bytes);
	rs_embedding_compute(outer, x, 16, offsets, &size);
	assert_int_equal(offsets[x] / 8, 8);
	assert_int_equal(offsets[rs_record_find_member(outer, "y.c")] / 8, 24);
	assert_int_equal(offsets[rs_record_find_member(outer, "d")] / 8, 28);
	assert_int_equal(size, 32);
	rs_arena_destroy(arena);
}

static void test_arrays_grow_by_all_elements(void **state)
{
	struct rs_arena *arena = rs_arena_create();
	uint64_t offsets[4], size;
	struct make make;

	(void)state;
	make_init(&make, arena, "outer");
	make_unit(&make, 0);
	struct rs_member *array = make_member(&make, "x", 24, 8);
	array->is_array = true;
	array->array_count = 3;
	make_unit(&make, 0);
	make_member(&make, "y", 4, 4);
	rs_embedding_compute(make_record(&make), 0, 16, offsets, &size);
	assert_int_equal(offsets[1] / 8, 48);
	assert_int_equal(size, 56);
	rs_arena_destroy(arena);
}

/* --- the cost beside the oracle --- */

struct fixture {
	struct rs_arena *arena;
	struct rs_record record;
	struct rs_binding binding;
	uint64_t *offset_bits;
	size_t n_containers;
};

static void load_record(struct fixture *f, const struct rs_json *json)
{
	const struct rs_json *fields = rs_json_find(json, "fields");
	struct rs_member *members = rs_arena_array(f->arena, struct rs_member, fields->n_children);
	size_t count = 0;

	f->offset_bits = rs_arena_array(f->arena, uint64_t, fields->n_children);
	for (const struct rs_json *field = fields->first; field; field = field->next, count++) {
		f->offset_bits[count] = (uint64_t)item(field, 0) * 8;
		members[count] = (struct rs_member) { .path = "m",
						      .parent = RS_NONE,
						      .offset_bits = f->offset_bits[count],
						      .size_bits = (uint64_t)item(field, 1) * 8 };
	}
	f->record = (struct rs_record) { .name = "inner",
					 .members = members,
					 .n_members = count,
					 .size_bytes = (uint64_t)number_of(json, "size_before") };
}

/* As it stands: with the record at the size that it had. */
static const struct rs_record *load_container(struct fixture *f, const struct rs_json *json)
{
	const struct rs_json *list = rs_json_find(json, "members");
	size_t at = (size_t)number_of(json, "at"), count = 0;
	struct make *make = rs_arena_new(f->arena, struct make);

	make_init(make, f->arena, "outer");
	for (const struct rs_json *member = list->first; member; member = member->next, count++) {
		make_unit(make, 0);
		make_member(make, "m", count == at ? f->record.size_bytes : (uint64_t)item(member, 0),
			    (uint32_t)item(member, 1));
	}
	return make_record(make);
}

static void add_outside(struct fixture *f, struct rs_around *around, size_t path, const struct rs_json *list)
{
	struct rs_outside_access *accesses =
		rs_arena_array(f->arena, struct rs_outside_access, around->n_accesses + list->n_children);

	for (size_t i = 0; i < around->n_accesses; i++)
		accesses[i] = around->accesses[i];
	for (const struct rs_json *access = list->first; access; access = access->next)
		accesses[around->n_accesses++] =
			(struct rs_outside_access) { path, (size_t)item(access, 0), item(access, 1) == 0,
						     item(access, 1) != 0 };
	around->accesses = accesses;
}

static bool is_empty(const struct rs_json *lists)
{
	for (const struct rs_json *list = lists->first; list; list = list->next)
		if (list->n_children)
			return false;
	return true;
}

static const struct rs_around *load_around(struct fixture *f, const struct rs_json *json, size_t number,
					   const struct rs_json *container)
{
	struct rs_around *around = rs_arena_new(f->arena, struct rs_around);
	const struct rs_json *paths = rs_json_find(json, "paths");
	bool *runs = rs_arena_array(f->arena, bool, paths->n_children);
	size_t p = 0;

	around->container = load_container(f, container);
	around->at = (size_t)number_of(container, "at");
	around->runs = runs;
	for (const struct rs_json *path = paths->first; path; path = path->next, p++) {
		const struct rs_json *lists = rs_json_find(path, "outside"), *own = lists->first;

		for (size_t i = 0; i < number; i++)
			own = own->next;
		runs[p] = own->n_children > 0 || is_empty(lists);
		add_outside(f, around, p, own);
	}
	return around;
}

static void load_placement(struct fixture *f, const struct rs_json *json)
{
	const struct rs_json *list = rs_json_find(json, "containers");
	struct rs_placement_base *bases = rs_arena_array(f->arena, struct rs_placement_base, list->n_children);
	size_t count = 0;

	for (const struct rs_json *container = list->first; container; container = container->next, count++) {
		struct rs_placement_base *base = &bases[count];

		base->around = load_around(f, json, count, container);
		base->record = base->around->container;
		base->at = base->around->at;
		base->base_bytes = (uint64_t)number_of(container, "base") +
				   base->record->members[base->at].offset_bits / 8;
	}
	f->binding.placement =
		(struct rs_placement) { .kind = RS_PLACE_EMBEDDED, .bases = bases, .n_bases = count };
}

static void load_accesses(struct fixture *f, const struct rs_json *json, struct rs_bound_path *path)
{
	const struct rs_json *reads = rs_json_find(json, "reads"), *writes = rs_json_find(json, "writes");
	struct rs_bound_access *accesses =
		rs_arena_array(f->arena, struct rs_bound_access, reads->n_children + writes->n_children);

	for (const struct rs_json *name = reads->first; name; name = name->next)
		accesses[path->n_accesses++] = (struct rs_bound_access) { (size_t)name->number, true, false };
	for (const struct rs_json *name = writes->first; name; name = name->next)
		accesses[path->n_accesses++] = (struct rs_bound_access) { (size_t)name->number, false, true };
	path->accesses = accesses;
}

static void load_paths(struct fixture *f, const struct rs_json *json)
{
	const struct rs_json *list = rs_json_find(json, "paths");
	struct rs_bound_path *paths = rs_arena_array(f->arena, struct rs_bound_path, list->n_children);

	for (const struct rs_json *path = list->first; path; path = path->next) {
		struct rs_bound_path *own = &paths[f->binding.n_paths++];
		double *shares = rs_arena_array(f->arena, double, f->binding.n_cpus);

		for (size_t c = 0; c < f->binding.n_cpus; c++)
			shares[c] = item(rs_json_find(path, "shares"), c);
		*own = (struct rs_bound_path) { .name = "path",
						.rate = number_of(path, "rate"),
						.util = number_of(path, "util"),
						.shares = shares };
		load_accesses(f, path, own);
	}
	f->binding.paths = paths;
}

static void load_case(struct fixture *f, const struct rs_json *json)
{
	const struct rs_json *times = rs_json_find(json, "times");

	memset(f, 0, sizeof *f);
	f->arena = rs_arena_create();
	load_record(f, json);
	f->binding.record = &f->record;
	f->binding.n_phases = 1;
	f->binding.n_cpus = (size_t)number_of(json, "cpus");
	f->binding.machine = (struct rs_machine) { .line_bytes = (unsigned)number_of(json, "line"),
						   .t_hit_ns = item(times, 0),
						   .t_coherence_ns = item(times, 1),
						   .t_upgrade_ns = item(times, 2),
						   .t_memory_ns = item(times, 3),
						   .pair = rs_json_find(json, "pair")->boolean };
	load_placement(f, json);
	load_paths(f, json);
}

static void test_random_containers(void **state)
{
	struct rs_arena *arena = rs_arena_create();

	(void)state;
	for (const struct rs_json *json = read_oracle(arena, "nesting-oracle.json", 200); json;
	     json = json->next) {
		double expected = number_of(json, "cost"), cost;
		struct fixture f;

		load_case(&f, json);
		cost = rs_cost_layout(rs_cost_create(f.arena, &f.binding), f.offset_bits,
				      (uint64_t)number_of(json, "size"));
		if (!(fabs(cost - expected) <= 1e-9 * fmax(1, expected)))
			fail_msg("%.17g is not %.17g", cost, expected);
		rs_arena_destroy(f.arena);
	}
	rs_arena_destroy(arena);
}

/* --- the optimizer sees the neighbours --- */

/* Six fields of eight bytes, of which `count` is written all the time, in a container whose `genid`, right
 * behind, is read all the time. A record of 48 bytes leaves 16 of its line. */
static const struct rs_binding *make_neighbours(struct rs_arena *arena, bool with_genid)
{
	static const char *const names[] = { "count", "a", "b", "c", "d", "e" };
	struct make *make = rs_arena_new(arena, struct make), *outer = rs_arena_new(arena, struct make);
	struct rs_outside_access *access = rs_arena_new(arena, struct rs_outside_access);
	struct rs_around *around = rs_arena_new(arena, struct rs_around);
	struct rs_placement_base *base = rs_arena_new(arena, struct rs_placement_base);
	bool *runs = rs_arena_array(arena, bool, 3);

	make_init(make, arena, "inner");
	for (size_t i = 0; i < RS_COUNT_OF(names); i++) {
		make_unit(make, 0);
		make_member(make, names[i], i == 5 ? 40 : 8, 8);
	}
	make_record(make);
	make_init(outer, arena, "outer");
	make_unit(outer, 0);
	make_member(outer, "inner", make->record.size_bytes, 8);
	make_unit(outer, 0);
	make_member(outer, "genid", 8, 8);
	make_path(make, "hold", 100, 8);
	make_access(make, "count", "w");
	make_path(make, "use", 100, 8);
	make_access(make, "a", "r");
	make_path(make, "check", 50, 8);
	for (size_t p = 0; p < 3; p++)
		runs[p] = true;
	*access = (struct rs_outside_access) { .path = 2, .member = 1, .reads = true };
	*around = (struct rs_around) { make_record(outer), 0, access, with_genid, runs };
	*base = (struct rs_placement_base) { .container = "outer", .member = "inner", .around = around };
	make->binding.placement =
		(struct rs_placement) { .kind = RS_PLACE_EMBEDDED, .bases = base, .n_bases = 1 };
	return make_binding(make);
}

static size_t line_of(const struct rs_plan *plan, const struct rs_record *record, const char *name)
{
	return (size_t)(plan->offset_bits[rs_record_find_member(record, name)] / 512);
}

/* 80 bytes: `count` may lie with the neighbour on the second line, or with the reader on the first. */
static void test_writer_keeps_away_from_neighbours(void **state)
{
	struct rs_arena *arena = rs_arena_create();
	struct rs_plan_set set;

	(void)state;
	for (int with_genid = 0; with_genid < 2; with_genid++) {
		const struct rs_binding *binding = make_neighbours(arena, with_genid);
		const struct rs_plan *best;

		rs_plan_optimize(arena, binding->record, binding, NULL, &set);
		assert_int_not_equal(set.pick, RS_NONE);
		best = &set.plans[set.pick];
		assert_int_not_equal(line_of(best, binding->record, "count"),
				     line_of(best, binding->record, "a"));
		if (with_genid)
			assert_int_equal(line_of(best, binding->record, "count"), 0);
	}
	rs_arena_destroy(arena);
}

/* Every order of six atoms; the bound is below them all. */
static double find_least(struct rs_place *place, size_t *order, size_t from)
{
	size_t n_atoms = place->problem->n_atoms;
	double least = INFINITY;

	if (from == n_atoms)
		return rs_place_score(place, order).cost_ns;
	for (size_t i = from; i < n_atoms; i++) {
		size_t first = order[from];

		order[from] = order[i];
		order[i] = first;
		least = fmin(least, find_least(place, order, from + 1));
		order[i] = order[from];
		order[from] = first;
	}
	return least;
}

static void test_bound_is_below_every_order(void **state)
{
	struct rs_arena *arena = rs_arena_create();

	(void)state;
	for (int with_genid = 0; with_genid < 2; with_genid++) {
		const struct rs_binding *binding = make_neighbours(arena, with_genid);
		const struct rs_problem *problem =
			rs_problem_create(arena, binding->record, binding, rs_cost_create(arena, binding), 0);
		struct rs_place *place = rs_place_create(arena, problem);
		size_t order[] = { 0, 1, 2, 3, 4, 5 };
		double bound = rs_nested_bound(arena, problem, 1e6), least;

		assert_int_equal(problem->n_atoms, RS_COUNT_OF(order));
		assert_false(place->is_separable);
		least = find_least(place, order, 0);
		assert_true(bound > 0 && bound <= least * (1 + 1e-12));
	}
	rs_arena_destroy(arena);
}

static const struct rs_around *make_random_around(struct make *make)
{
	struct rs_arena *arena = make->arena;
	struct make *outer = rs_arena_new(arena, struct make);
	struct rs_around *around = rs_arena_new(arena, struct rs_around);
	struct rs_outside_access *accesses = rs_arena_array(arena, struct rs_outside_access, 4);
	bool *runs = rs_arena_array(arena, bool, 4);
	size_t at = draw(3);

	make_init(outer, arena, "outer");
	for (size_t m = 0; m < 4; m++) {
		make_unit(outer, 0);
		make_member(outer, "m", m == at ? make->record.size_bytes : 8u << draw(3), 8);
	}
	for (size_t p = 0; p < 4; p++) {
		size_t member = (at + 1 + draw(3)) % 4;

		runs[p] = draw(4) > 0;
		if (runs[p] && draw(2))
			accesses[around->n_accesses++] =
				(struct rs_outside_access) { p, member, true, draw(2) };
	}
	around->container = make_record(outer);
	around->at = at;
	around->accesses = accesses;
	around->runs = runs;
	return around;
}

/* Five units of 8 to 40 bytes, four paths, two containers. */
static const struct rs_binding *make_random(struct rs_arena *arena)
{
	static const char *const names[] = { "a", "b", "c", "d", "e" };
	static const char *const kinds[] = { "r", "w", "rw" };
	struct make *make = rs_arena_new(arena, struct make);
	struct rs_placement_base *bases = rs_arena_array(arena, struct rs_placement_base, 2);

	make_init(make, arena, "inner");
	for (size_t i = 0; i < RS_COUNT_OF(names); i++) {
		make_unit(make, 0);
		make_member(make, names[i], 8 * (1 + draw(5)), 8);
	}
	make_record(make);
	for (size_t p = 0; p < 4; p++) {
		make_path(make, "path", 1 + draw(50), 1 + draw(8));
		for (size_t i = 0; i < RS_COUNT_OF(names); i++)
			if (draw(2))
				make_access(make, names[i], kinds[draw(3)]);
	}
	for (size_t b = 0; b < 2; b++) {
		bases[b].around = make_random_around(make);
		bases[b].record = bases[b].around->container;
		bases[b].at = bases[b].around->at;
		bases[b].base_bytes = bases[b].record->members[bases[b].at].offset_bits / 8 + 8 * draw(4);
	}
	make->binding.placement =
		(struct rs_placement) { .kind = RS_PLACE_EMBEDDED, .bases = bases, .n_bases = 2 };
	return make_binding(make);
}

static void test_random_bounds_and_plans(void **state)
{
	unsigned n_best = 0;

	(void)state;
	random_state = 5;
	for (unsigned round = 0; round < 60; round++) {
		struct rs_arena *arena = rs_arena_create();
		const struct rs_binding *binding = make_random(arena);
		const struct rs_problem *problem =
			rs_problem_create(arena, binding->record, binding, rs_cost_create(arena, binding), 0);
		struct rs_place *place = rs_place_create(arena, problem);
		size_t order[] = { 0, 1, 2, 3, 4 };
		double bound = rs_nested_bound(arena, problem, 1e6), least = find_least(place, order, 0), found;
		struct rs_plan_set set;

		assert_true(bound <= least * (1 + 1e-12));
		rs_plan_optimize(arena, binding->record, binding, NULL, &set);
		found = set.original.cost_ns;
		for (size_t i = 0; i < set.n_plans; i++)
			found = fmin(found, set.plans[i].cost_ns);
		assert_true(set.lower_bound_ns <= least * (1 + 1e-9));
		assert_true(found >= least * (1 - 1e-9));
		n_best += found <= least * (1 + 1e-9);
		rs_arena_destroy(arena);
	}
	assert_int_equal(n_best, 60);
}

/* Five members of 1 to 40 bytes in elements side by side. */
static const struct rs_binding *make_random_array(struct rs_arena *arena)
{
	static const char *const names[] = { "a", "b", "c", "d", "e" };
	static const char *const kinds[] = { "r", "w", "rw" };
	struct make *make = rs_arena_new(arena, struct make);

	make_init(make, arena, "element");
	for (size_t i = 0; i < RS_COUNT_OF(names); i++) {
		uint32_t align_bytes = 1u << draw(4);

		make_unit(make, 0);
		make_member(make, names[i], (uint64_t)align_bytes * (1 + draw(5)), align_bytes);
	}
	make_record(make);
	for (size_t p = 0; p < 4; p++) {
		make_path(make, "path", 1 + draw(50), 1 + draw(8));
		for (size_t i = 0; i < RS_COUNT_OF(names); i++)
			if (draw(2))
				make_access(make, names[i], kinds[draw(3)]);
	}
	make->binding.machine.line_bytes = 16u << draw(3);
	make->binding.placement = (struct rs_placement) { .kind = RS_PLACE_ARRAY };
	return make_binding(make);
}

static void test_bound_is_below_every_order_of_elements(void **state)
{
	unsigned n_near = 0;

	(void)state;
	random_state = 7;
	for (unsigned round = 0; round < 200; round++) {
		struct rs_arena *arena = rs_arena_create();
		const struct rs_binding *binding = make_random_array(arena);
		const struct rs_problem *problem = rs_problem_create(arena, binding->record, binding,
								     rs_cost_create(arena, binding), 1024);
		size_t order[] = { 0, 1, 2, 3, 4 };
		double bound = rs_array_bound(arena, problem, 1e6);
		double least = find_least(rs_place_create(arena, problem), order, 0);

		assert_true(bound <= least * (1 + 1e-12));
		n_near += bound >= 0.5 * least;
		rs_arena_destroy(arena);
	}
	assert_in_range(n_near, 100, 200);
}

/* --- reports --- */

static void test_report_names_fields_of_the_container(void **state)
{
	struct rs_arena *arena = rs_arena_create();
	const struct rs_binding *binding = make_neighbours(arena, true);
	const struct rs_record *record = binding->record;
	uint64_t offsets[8] = { 0 };
	struct rs_line_report *lines;
	size_t count;

	(void)state;
	for (size_t m = 0; m < record->n_members; m++)
		offsets[m] = record->members[m].offset_bits;
	offsets[rs_record_find_member(record, "count")] = 72 * 8;
	lines = rs_cost_report(arena, rs_cost_create(arena, binding), offsets, record->size_bytes, &count);
	assert_int_equal(count, 2);
	assert_int_equal(lines[0].n_outsiders, 0);
	assert_int_equal(lines[1].n_outsiders, 1);
	assert_string_equal(lines[1].outsiders[0].name, "outer.genid");
	assert_true(lines[1].outsiders[0].is_victim);
	assert_false(lines[1].outsiders[0].is_writer);
	assert_true(lines[1].false_ns > 0);
	rs_arena_destroy(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_follows_moves),
		cmocka_unit_test(test_arrays_grow_by_all_elements),
		cmocka_unit_test(test_random_containers),
		cmocka_unit_test(test_writer_keeps_away_from_neighbours),
		cmocka_unit_test(test_bound_is_below_every_order),
		cmocka_unit_test(test_random_bounds_and_plans),
		cmocka_unit_test(test_bound_is_below_every_order_of_elements),
		cmocka_unit_test(test_report_names_fields_of_the_container),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
