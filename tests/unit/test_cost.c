#include "plan/cost.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "oracle_json.h"

enum { MAX_MEMBERS = 32, MAX_PATHS = 16 };

/* A record and a binding put together by hand. */
struct fixture {
	struct rs_arena *arena;
	struct rs_member members[MAX_MEMBERS];
	uint64_t offset_bits[MAX_MEMBERS];
	struct rs_record record;
	struct rs_bound_path paths[MAX_PATHS];
	struct rs_binding binding;
};

static void start(struct fixture *f, unsigned n_cpus)
{
	memset(f, 0, sizeof *f);
	f->arena = rs_arena_create();
	f->record.members = f->members;
	f->binding.record = &f->record;
	f->binding.paths = f->paths;
	f->binding.n_cpus = n_cpus;
	f->binding.n_phases = 1;
	f->binding.machine = (struct rs_machine) { .line_bytes = 64,
						   .cpus = n_cpus,
						   .t_hit_ns = 1,
						   .t_coherence_ns = 60,
						   .t_upgrade_ns = 60,
						   .t_l3_ns = 15,
						   .t_memory_ns = 110 };
}

static void finish(struct fixture *f)
{
	rs_arena_destroy(f->arena);
}

static size_t add_member(struct fixture *f, const char *name, uint64_t offset_bytes, uint64_t size_bytes)
{
	size_t index = f->record.n_members++;

	assert_true(index < MAX_MEMBERS);
	f->members[index] = (struct rs_member) { .name = name,
						 .path = name,
						 .parent = RS_NONE,
						 .offset_bits = offset_bytes * 8,
						 .size_bits = size_bytes * 8 };
	f->offset_bits[index] = offset_bytes * 8;
	return index;
}

static struct rs_bound_path *add_path(struct fixture *f, double rate, const double *shares)
{
	struct rs_bound_path *path = &f->paths[f->binding.n_paths++];
	double *even = rs_arena_array(f->arena, double, f->binding.n_cpus);

	assert_true(f->binding.n_paths <= MAX_PATHS);
	for (size_t c = 0; c < f->binding.n_cpus; c++)
		even[c] = 1.0 / (double)f->binding.n_cpus;
	path->name = "path";
	path->rate = rate;
	path->shares = shares ? shares : even;
	path->accesses = rs_arena_array(f->arena, struct rs_bound_access, MAX_MEMBERS);
	return path;
}

static void add_access(struct rs_bound_path *path, size_t member, bool writes)
{
	struct rs_bound_access *accesses = (struct rs_bound_access *)(uintptr_t)path->accesses;

	accesses[path->n_accesses++] = (struct rs_bound_access) { member, !writes, writes };
}

static size_t find_member(const struct fixture *f, const char *name)
{
	for (size_t m = 0; m < f->record.n_members; m++)
		if (!strcmp(f->members[m].name, name))
			return m;
	fail_msg("no member %s", name);
	return RS_NONE;
}

/* names: separated by blanks; a leading '!' writes. */
static void add_accesses(struct fixture *f, struct rs_bound_path *path, const char *names)
{
	char *text = rs_arena_strdup(f->arena, names), *state = NULL;

	for (char *name = strtok_r(text, " ", &state); name; name = strtok_r(NULL, " ", &state))
		add_access(path, find_member(f, name + (*name == '!')), *name == '!');
}

static double cost_of(struct fixture *f)
{
	return rs_cost_layout(rs_cost_create(f->arena, &f->binding), f->offset_bits, f->record.size_bytes);
}

static void assert_near(double actual, double expected, double tolerance)
{
	if (!(fabs(actual - expected) <= tolerance * fmax(1, fabs(expected))))
		fail_msg("%.17g is not %.17g", actual, expected);
}

/* The seed text's struct inet_peer, 168 bytes. */
static void build_inet_peer(struct fixture *f)
{
	start(f, 16);
	add_member(f, "avl_left", 0, 8);
	add_member(f, "avl_right", 8, 8);
	add_member(f, "daddr", 16, 20);
	add_member(f, "avl_height", 36, 4);
	add_member(f, "dtime", 40, 4);
	add_member(f, "refcnt", 44, 4);
	add_member(f, "rid", 48, 4);
	add_member(f, "ip_id_count", 52, 4);
	add_member(f, "tcp_ts", 56, 4);
	add_member(f, "tcp_ts_stamp", 60, 4);
	add_member(f, "metrics", 64, 56);
	add_member(f, "rate_tokens", 120, 8);
	add_member(f, "rate_last", 128, 8);
	add_member(f, "pmtu_expires", 136, 8);
	add_member(f, "pmtu_orig", 144, 4);
	add_member(f, "pmtu_learned", 148, 4);
	add_member(f, "redirect_learned", 152, 16);
	f->record.size_bytes = 168;
	add_accesses(f, add_path(f, 100, NULL), "avl_left avl_right daddr avl_height");
	add_accesses(f, add_path(f, 20, NULL), "!refcnt");
	add_accesses(f, add_path(f, 20, NULL), "!refcnt !dtime");
	add_accesses(f, add_path(f, 20, NULL), "!ip_id_count");
	add_accesses(f, add_path(f, 5, NULL), "!rid");
	add_accesses(f, add_path(f, 2, NULL), "metrics");
}

static void move_member(struct fixture *f, const char *name, uint64_t offset_bytes)
{
	f->offset_bits[find_member(f, name)] = offset_bytes * 8;
}

/* The union keeps its inside; its members are those from rid on. */
static void move_union(struct fixture *f, uint64_t offset_bytes)
{
	for (size_t m = find_member(f, "rid"); m < find_member(f, "metrics"); m++)
		f->offset_bits[m] = f->members[m].offset_bits + (offset_bytes - 48) * 8;
}

static void test_inet_peer_before(void **state)
{
	struct fixture f;

	(void)state;
	build_inet_peer(&f);
	assert_near(cost_of(&f), 9098.776, 1e-7);
	finish(&f);
}

/* As published: the counters leave the first line for the end of the struct, metrics … fill the gap. */
static void test_inet_peer_published(void **state)
{
	struct fixture f;

	(void)state;
	build_inet_peer(&f);
	move_member(&f, "metrics", 40);
	move_member(&f, "rate_tokens", 96);
	move_member(&f, "rate_last", 104);
	move_member(&f, "pmtu_expires", 112);
	move_member(&f, "pmtu_orig", 120);
	move_member(&f, "pmtu_learned", 124);
	move_member(&f, "redirect_learned", 128);
	move_union(&f, 144);
	move_member(&f, "dtime", 160);
	move_member(&f, "refcnt", 164);
	assert_near(cost_of(&f), 3825.25, 1e-9);
	finish(&f);
}

/* dtime, refcnt, the whole union, then the keys: what units alone can do. */
static void test_inet_peer_by_units(void **state)
{
	struct fixture f;

	(void)state;
	build_inet_peer(&f);
	move_member(&f, "dtime", 0);
	move_member(&f, "refcnt", 4);
	for (size_t m = find_member(&f, "rid"); m < f.record.n_members; m++)
		f.offset_bits[m] = f.members[m].offset_bits - 40 * 8;
	move_member(&f, "avl_left", 128);
	move_member(&f, "avl_right", 136);
	move_member(&f, "daddr", 144);
	move_member(&f, "avl_height", 164);
	assert_near(cost_of(&f), 3944.368, 1e-7);
	finish(&f);
}

/* rs_cost_line() adds up to rs_cost_layout() where there are no neighbours and one base. */
static void test_lines_add_up(void **state)
{
	static const bool writes[3][6] = { { false, true, true, true, true, false }, { false }, { false } };
	static const uint16_t counts[3][6] = { { 4, 1, 2, 1, 1, 0 }, { 0, 0, 0, 0, 0, 1 }, { 0 } };
	const struct rs_cost *cost;
	struct fixture f;
	double sum = 0;

	(void)state;
	build_inet_peer(&f);
	for (size_t p = 0; p < f.binding.n_paths; p++)
		f.paths[p].util = 0.1;
	cost = rs_cost_create(f.arena, &f.binding);
	for (size_t line = 0; line < 3; line++)
		sum += rs_cost_line(cost, counts[line], writes[line]);
	assert_near(cost_of(&f), sum, 1e-12);
	assert_true(sum > 9098.8 + 1);
	finish(&f);
}

/* 256 CPUs that all run the same are one class: the figures of the uniform pool hold. */
static void test_uniform_pool(void **state)
{
	double reads = 7, writes = 3, others = 255, pool = reads + writes, expected;
	struct fixture f;

	(void)state;
	start(&f, 256);
	add_member(&f, "n", 0, 8);
	f.record.size_bytes = 8;
	add_accesses(&f, add_path(&f, reads, NULL), "n");
	add_accesses(&f, add_path(&f, writes, NULL), "!n");
	expected = pool + reads * 60 * others * writes / (others * writes + pool) +
		   writes * 60 * others * pool / (others * pool + writes);
	assert_near(cost_of(&f), expected, 1e-9);
	finish(&f);
}

static void test_one_cpu_shares_nothing(void **state)
{
	struct fixture f;

	(void)state;
	start(&f, 1);
	add_member(&f, "n", 0, 8);
	f.record.size_bytes = 8;
	add_accesses(&f, add_path(&f, 5, NULL), "!n");
	f.paths[0].util = 1;
	assert_near(cost_of(&f), 5, 1e-12);
	finish(&f);
}

/* Two writers on a line each: the first writes a, CPU 0 alone; the second b, CPU 1 alone. */
static void build_two_counters(struct fixture *f, double rate)
{
	static const double first[] = { 1, 0 }, second[] = { 0, 1 };

	start(f, 2);
	add_member(f, "a", 0, 8);
	add_member(f, "b", 8, 8);
	f->record.size_bytes = 16;
	add_accesses(f, add_path(f, rate, first), "!a");
	add_accesses(f, add_path(f, rate, second), "!b");
}

static void test_phases_do_not_mix(void **state)
{
	struct fixture f;

	(void)state;
	build_two_counters(&f, 10);
	assert_near(cost_of(&f), 20 + 2 * 10 * 0.5 * 60, 1e-12);
	f.binding.n_phases = 2;
	f.paths[1].phase = 1;
	assert_near(cost_of(&f), 20, 1e-12);
	finish(&f);
}

static void test_report_tells_false_from_true(void **state)
{
	struct rs_line_report *lines;
	struct fixture f;
	size_t count;

	(void)state;
	build_two_counters(&f, 10);
	lines = rs_cost_report(f.arena, rs_cost_create(f.arena, &f.binding), f.offset_bits, 16, &count);
	assert_int_equal(count, 1);
	assert_int_equal(lines[0].n_writers, 2);
	assert_int_equal(lines[0].n_victims, 2);
	assert_near(lines[0].false_ns, 600, 1e-12);
	assert_near(lines[0].true_ns, 0, 1e-12);
	assert_near(lines[0].cost_ns, 620, 1e-12);
	assert_near(lines[0].write_share, 1, 1e-12);
	finish(&f);
}

static void test_report_of_a_shared_counter_is_true(void **state)
{
	struct rs_line_report *lines;
	struct fixture f;
	size_t count;

	(void)state;
	start(&f, 4);
	add_member(&f, "refs", 0, 4);
	add_member(&f, "cold", 64, 8);
	f.record.size_bytes = 72;
	add_accesses(&f, add_path(&f, 10, NULL), "!refs");
	lines = rs_cost_report(f.arena, rs_cost_create(f.arena, &f.binding), f.offset_bits, 72, &count);
	assert_int_equal(count, 1);
	assert_near(lines[0].true_ns, 10 * 0.75 * 60, 1e-12);
	assert_near(lines[0].false_ns, 0, 1e-12);
	finish(&f);
}

/* What is read and never written beside a counter: misses are false, the writers' upgrades are too. */
static void test_report_sums_to_cost(void **state)
{
	struct rs_line_report *lines;
	const struct rs_cost *cost;
	struct fixture f;
	double hits = 0, sum = 0;
	size_t count;

	(void)state;
	build_inet_peer(&f);
	for (size_t p = 0; p < f.binding.n_paths; p++)
		f.paths[p].util = 0.1;
	cost = rs_cost_create(f.arena, &f.binding);
	lines = rs_cost_report(f.arena, cost, f.offset_bits, 168, &count);
	assert_int_equal(count, 2);
	for (size_t i = 0; i < count; i++) {
		sum += lines[i].true_ns + lines[i].false_ns;
		assert_true(lines[i].true_ns >= 0 && lines[i].false_ns >= 0);
	}
	for (size_t p = 0; p < f.binding.n_paths; p++)
		hits += f.paths[p].rate * (double)rs_cost_lines_of_path(cost, p, f.offset_bits, 168);
	assert_near(hits + sum, cost_of(&f), 1e-12);
	assert_true(lines[0].false_ns > lines[0].true_ns);
	assert_int_equal(lines[0].n_writers, 4);
	assert_int_equal(lines[0].n_victims, 8);
	assert_int_equal(lines[1].n_writers, 0);
	finish(&f);
}

static void test_bases(void **state)
{
	struct rs_cost_base bases[8];
	struct rs_placement_base embedded[] = { { "rtable", "dst", 40 }, { "rt6_info", "dst", 72 } };
	struct rs_cost *cost;
	struct fixture f;

	(void)state;
	build_inet_peer(&f);
	cost = rs_cost_create(f.arena, &f.binding);
	assert_int_equal(rs_cost_bases(cost, 168, bases, 8), 1);
	f.binding.placement = (struct rs_placement) { .kind = RS_PLACE_ALIGNED, .align_bytes = 16 };
	assert_int_equal(rs_cost_bases(cost, 168, bases, 8), 4);
	assert_int_equal(bases[3].offset_bytes, 48);
	assert_near(bases[3].weight, 0.25, 0);
	f.binding.placement.align_bytes = 4096;
	assert_int_equal(rs_cost_bases(cost, 168, bases, 8), 1);
	f.binding.placement.align_bytes = 4;
	assert_int_equal(rs_cost_bases(cost, 168, bases, 8), 16);
	f.binding.placement.kind = RS_PLACE_ARRAY;
	assert_int_equal(rs_cost_bases(cost, 168, bases, 8), 8);
	assert_int_equal(bases[1].offset_bytes, 8);
	assert_int_equal(rs_cost_bases(cost, 192, bases, 8), 1);
	f.binding.placement =
		(struct rs_placement) { .kind = RS_PLACE_EMBEDDED, .bases = embedded, .n_bases = 2 };
	assert_int_equal(rs_cost_bases(cost, 168, bases, 8), 2);
	assert_int_equal(bases[0].offset_bytes, 40);
	assert_int_equal(bases[1].offset_bytes, 8);
	finish(&f);
}

static void test_pairs_double_the_line(void **state)
{
	struct rs_cost_base bases[8];
	struct fixture f;

	(void)state;
	build_two_counters(&f, 10);
	f.offset_bits[1] = 64 * 8;
	f.record.size_bytes = 128;
	f.binding.placement = (struct rs_placement) { .kind = RS_PLACE_ALIGNED, .align_bytes = 128 };
	assert_near(cost_of(&f), 20, 1e-12);
	f.binding.machine.pair = true;
	assert_int_equal(rs_cost_line_bytes(rs_cost_create(f.arena, &f.binding)), 128);
	assert_near(cost_of(&f), 620, 1e-12);
	/* An object that is aligned to a line alone begins in either half of a pair. */
	f.binding.placement.kind = RS_PLACE_LINE_ALIGNED;
	assert_int_equal(rs_cost_bases(rs_cost_create(f.arena, &f.binding), 128, bases, 8), 2);
	assert_near(cost_of(&f), (620 + 20) / 2.0, 1e-12);
	finish(&f);
}

/* A member of a gigabyte is one run of lines. */
static void test_huge_member(void **state)
{
	uint64_t size = (uint64_t)1 << 30;
	struct rs_line_report *lines;
	struct rs_cost *cost;
	struct fixture f;
	size_t count;

	(void)state;
	start(&f, 1);
	add_member(&f, "head", 0, 8);
	add_member(&f, "data", 8, size - 8);
	f.record.size_bytes = size;
	add_accesses(&f, add_path(&f, 1, NULL), "head data");
	cost = rs_cost_create(f.arena, &f.binding);
	assert_near(cost_of(&f), (double)(size / 64), 0);
	assert_int_equal(rs_cost_lines_of_path(cost, 0, f.offset_bits, size), size / 64);
	lines = rs_cost_report(f.arena, cost, f.offset_bits, size, &count);
	assert_int_equal(count, 3);
	assert_int_equal(lines[1].n_lines, size / 64 - 2);
	finish(&f);
}

/* A flexible array has no size of its own, but who reads it touches the line where it begins. */
static void test_flexible_member(void **state)
{
	struct fixture f;

	(void)state;
	start(&f, 1);
	add_member(&f, "data", 64, 0);
	f.record.size_bytes = 64;
	add_accesses(&f, add_path(&f, 3, NULL), "data");
	assert_near(cost_of(&f), 3, 0);
	finish(&f);
}

static void test_nothing_accessed(void **state)
{
	struct rs_cost *cost;
	struct fixture f;
	size_t count = 9;

	(void)state;
	start(&f, 4);
	add_member(&f, "n", 0, 8);
	f.record.size_bytes = 8;
	cost = rs_cost_create(f.arena, &f.binding);
	assert_near(cost_of(&f), 0, 0);
	(void)rs_cost_report(f.arena, cost, f.offset_bits, 8, &count);
	assert_int_equal(count, 0);
	f.record.size_bytes = 0;
	f.binding.placement.kind = RS_PLACE_ARRAY;
	assert_near(cost_of(&f), 0, 0);
	finish(&f);
}

/* A read-only line of one CPU: the miss rate is that of an LRU cache with too little room. */
static void test_residence(void **state)
{
	struct fixture f;
	double hit;

	(void)state;
	start(&f, 1);
	add_member(&f, "n", 0, 8);
	f.record.size_bytes = 8;
	add_accesses(&f, add_path(&f, 1, NULL), "n");
	f.binding.machine.cache_lines = 100;
	assert_near(cost_of(&f), 1, 0); /* instances not said: all fit */
	f.binding.instances = 100;
	assert_near(cost_of(&f), 1, 0);
	f.binding.instances = 400;
	hit = 0.25; /* 100 of 400 lines are in the cache */
	assert_near(cost_of(&f), 1 + (1 - hit) * 110, 1e-9);
	finish(&f);
}

/* From here on: tests/data/cost-oracle.json. */

static void load_path(struct fixture *f, const struct rs_json *json)
{
	double *shares = rs_arena_array(f->arena, double, f->binding.n_cpus);
	const struct rs_json *list = rs_json_find(json, "shares");
	struct rs_bound_path *path;

	for (size_t c = 0; c < f->binding.n_cpus; c++)
		shares[c] = item(list, c);
	path = add_path(f, number_of(json, "rate"), shares);
	path->util = number_of(json, "util");
	for (list = rs_json_find(json, "reads")->first; list; list = list->next)
		add_access(path, (size_t)list->number, false);
	for (list = rs_json_find(json, "writes")->first; list; list = list->next)
		add_access(path, (size_t)list->number, true);
}

/* What is not a list of bases: the program finds them by itself. */
static void load_placement(struct fixture *f, const struct rs_json *json)
{
	const struct rs_json *align = rs_json_find(json, "align"), *pair = rs_json_find(json, "pair");

	f->binding.machine.pair = pair && pair->boolean;
	if (align)
		f->binding.placement = (struct rs_placement) { .kind = RS_PLACE_ALIGNED,
							       .align_bytes = (unsigned)align->number };
	if (rs_json_find(json, "line_aligned"))
		f->binding.placement = (struct rs_placement) { .kind = RS_PLACE_LINE_ALIGNED };
}

static void load_case(struct fixture *f, const struct rs_json *json)
{
	const struct rs_json *times = rs_json_find(json, "times"), *list = rs_json_find(json, "bases");
	struct rs_placement_base *bases;

	start(f, (unsigned)number_of(json, "cpus"));
	f->binding.machine.line_bytes = (unsigned)number_of(json, "line");
	f->binding.machine.t_hit_ns = item(times, 0);
	f->binding.machine.t_coherence_ns = item(times, 1);
	f->binding.machine.t_upgrade_ns = item(times, 2);
	f->binding.machine.t_memory_ns = item(times, 3);
	f->binding.machine.cache_lines = number_of(json, "cache_lines");
	f->binding.instances = number_of(json, "instances");
	f->record.size_bytes = (uint64_t)number_of(json, "size");
	bases = rs_arena_array(f->arena, struct rs_placement_base, list->n_children);
	for (size_t b = 0; b < list->n_children; b++)
		bases[b].base_bytes = (uint64_t)item(list, b);
	f->binding.placement =
		(struct rs_placement) { .kind = rs_json_find(json, "array")->boolean ? RS_PLACE_ARRAY
										     : RS_PLACE_EMBEDDED,
					.bases = bases,
					.n_bases = list->n_children };
	load_placement(f, json);
	for (const struct rs_json *field = rs_json_find(json, "fields")->first; field; field = field->next)
		add_member(f, "m", (uint64_t)item(field, 0), (uint64_t)item(field, 1));
	for (const struct rs_json *path = rs_json_find(json, "paths")->first; path; path = path->next)
		load_path(f, path);
}

static void test_random_layouts(void **state)
{
	struct rs_arena *arena = rs_arena_create();

	(void)state;
	for (const struct rs_json *json = read_oracle(arena, "cost-oracle.json", 390); json;
	     json = json->next) {
		struct fixture f;

		load_case(&f, json);
		assert_near(cost_of(&f), number_of(json, "cost"), 1e-9);
		finish(&f);
	}
	rs_arena_destroy(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_inet_peer_before),
		cmocka_unit_test(test_inet_peer_published),
		cmocka_unit_test(test_inet_peer_by_units),
		cmocka_unit_test(test_lines_add_up),
		cmocka_unit_test(test_uniform_pool),
		cmocka_unit_test(test_one_cpu_shares_nothing),
		cmocka_unit_test(test_phases_do_not_mix),
		cmocka_unit_test(test_report_tells_false_from_true),
		cmocka_unit_test(test_report_of_a_shared_counter_is_true),
		cmocka_unit_test(test_report_sums_to_cost),
		cmocka_unit_test(test_bases),
		cmocka_unit_test(test_pairs_double_the_line),
		cmocka_unit_test(test_huge_member),
		cmocka_unit_test(test_flexible_member),
		cmocka_unit_test(test_nothing_accessed),
		cmocka_unit_test(test_residence),
		cmocka_unit_test(test_random_layouts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
