#include "profile/bind.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A record by hand; lock stands behind a barrier. */
enum { AVL, LEFT, RIGHT, DADDR, ANONYMOUS, METRICS, RCU, REFCNT, FLAG_A, FLAG_B, DTIME, LOCK, N_MEMBERS };
enum { N_UNITS = 7 };

#define MEMBER(member_path, inside, of, in_unit)                                                             \
	{                                                                                                    \
		.name = member_path, .path = member_path, .parent = of, .n_inside = inside, .unit = in_unit, \
		.size_bits = 64                                                                              \
	}

static struct rs_member members[N_MEMBERS] = {
	[AVL] = MEMBER("avl", 2, RS_NONE, 0),       [LEFT] = MEMBER("avl.left", 0, AVL, 0),
	[RIGHT] = MEMBER("avl.right", 0, AVL, 0),   [DADDR] = MEMBER("daddr", 0, RS_NONE, 1),
	[ANONYMOUS] = MEMBER("", 2, RS_NONE, 2),    [METRICS] = MEMBER("metrics", 0, ANONYMOUS, 2),
	[RCU] = MEMBER("rcu", 0, ANONYMOUS, 2),     [REFCNT] = MEMBER("refcnt", 0, RS_NONE, 3),
	[FLAG_A] = MEMBER("flag_a", 0, RS_NONE, 4), [FLAG_B] = MEMBER("flag_b", 0, RS_NONE, 4),
	[DTIME] = MEMBER("dtime", 0, RS_NONE, 5),   [LOCK] = MEMBER("lock", 0, RS_NONE, 6),
};

struct fixture {
	struct rs_arena *arena;
	struct rs_unit units[N_UNITS];
	struct rs_constraint own[4];
	struct rs_record record;
	struct rs_profile profile;
	struct rs_binding binding;
	struct rs_notes notes;
	struct rs_builder message;
};

static int start(void **state)
{
	struct fixture *f = (struct fixture *)rs_alloc(sizeof *f);

	f->arena = rs_arena_create();
	rs_notes_init(&f->notes, f->arena);
	members[METRICS].is_array = true;
	members[METRICS].array_count = 14;
	f->units[6].region = 1;
	f->record = (struct rs_record) { .name = "inet_peer",
					 .members = members,
					 .n_members = N_MEMBERS,
					 .units = f->units,
					 .n_units = N_UNITS,
					 .constraints = f->own,
					 .size_bytes = 96 };
	*state = f;
	return 0;
}

static int finish(void **state)
{
	struct fixture *f = (struct fixture *)*state;

	rs_builder_deinit(&f->message);
	rs_arena_destroy(f->arena);
	free(f);
	return 0;
}

/* body: what stands inside the struct's braces. */
static struct rs_error *bind_with(struct fixture *f, const struct rs_placement *placement, const char *machine,
				  const char *body)
{
	char *text = rs_arena_printf(
		f->arena,
		"{ \"restruct_profile\": 1, \"machine\": { %s },\n\"structs\": { \"inet_peer\": {\n%s\n} } }",
		machine, body);

	assert_null(rs_profile_parse(f->arena, "p.json", text, strlen(text), &f->profile));
	return rs_bind(f->arena, &f->profile, rs_profile_find(&f->profile, "inet_peer"), &f->record, placement,
		       &f->notes, &f->binding);
}

static void bind(struct fixture *f, const char *body)
{
	struct rs_error *error = bind_with(f, NULL, "", body);

	if (error)
		fail_msg("%s", error->message);
}

static void assert_error(struct fixture *f, struct rs_error *error, const char *expected)
{
	assert_non_null(error);
	rs_error_print(error, &f->message);
	rs_error_destroy(error);
	assert_string_equal(f->message.data, expected);
}

static void assert_refused(struct fixture *f, const char *body, const char *expected)
{
	assert_error(f, bind_with(f, NULL, "", body), expected);
}

static void assert_number(double actual, double expected)
{
	if (!(fabs(actual - expected) <= 1e-12 * fmax(1, fabs(expected))))
		fail_msg("%.17g is not %.17g", actual, expected);
}

static void test_paths(void **state)
{
	struct fixture *f = *state;
	const struct rs_bound_path *path;

	bind(f, "\"instances\": 7, \"max_size\": 128, \"allow\": [\"pad\"], \"paths\": ["
		"{ \"name\": \"get\", \"rate\": 30, \"burst\": 3, \"cpus\": 4, \"util\": 0.5, \"reads\": "
		"[\"daddr\"] },"
		"{ \"name\": \"put\", \"rate\": 5, \"cpus\": [9, 1], \"shares\": [0.25, 0.75],"
		"  \"atomics\": [\"refcnt\"], \"reads\": [\"dtime\"], \"writes\": [\"dtime\"] } ]");
	assert_int_equal(f->binding.n_paths, 2);
	assert_int_equal(f->binding.n_cpus, 10);
	assert_int_equal(f->binding.n_phases, 1);
	assert_number(f->binding.instances, 7);
	assert_int_equal(f->binding.max_size, 128);
	assert_int_equal(f->binding.allow, RS_ALLOW_PAD);
	path = &f->binding.paths[0];
	assert_number(path->rate, 10);
	assert_number(path->util, 0.5);
	assert_number(path->shares[3], 0.25);
	assert_number(path->shares[4], 0);
	path = &f->binding.paths[1];
	assert_number(path->util, 0.1);
	assert_number(path->shares[9], 0.25);
	assert_number(path->shares[1], 0.75);
	assert_int_equal(path->n_accesses, 2);
	assert_int_equal(path->accesses[0].member, REFCNT);
	assert_true(path->accesses[0].writes && !path->accesses[0].reads);
	assert_int_equal(path->accesses[1].member, DTIME);
	assert_true(path->accesses[1].writes && path->accesses[1].reads);
}

static void test_names(void **state)
{
	struct fixture *f = *state;
	const struct rs_bound_path *path;

	bind(f, "\"paths\": [ { \"name\": \"p\", \"rate\": 1, \"reads\":"
		" [\"avl.left\", \"metrics[0]\", \"metrics[13]\", \"metrics[2].x\", \"avl\", \"flag_b\"] } ]");
	path = &f->binding.paths[0];
	assert_int_equal(path->n_accesses, 4);
	assert_int_equal(path->accesses[0].member, LEFT);
	assert_int_equal(path->accesses[1].member, METRICS);
	assert_int_equal(path->accesses[2].member, AVL);
	assert_int_equal(path->accesses[3].member, FLAG_B);
}

#define READS(name) "\"paths\": [ { \"name\": \"p\", \"rate\": 1,\n\"reads\": [\"daddr\", \"" name "\"] } ]"

static void test_unknown_member(void **state)
{
	assert_refused(
		*state, READS("refcont"),
		"restruct: p.json:4:20: error: inet_peer has no member 'refcont' (did you mean 'refcnt'?)\n");
}

static void test_unknown_member_far_from_all(void **state)
{
	assert_refused(*state, READS("q"), "restruct: p.json:4:20: error: inet_peer has no member 'q'\n");
}

static void test_nested_member_needs_its_path(void **state)
{
	assert_refused(
		*state, READS("left"),
		"restruct: p.json:4:20: error: inet_peer has no member 'left' (did you mean 'avl.left'?)\n");
}

static void test_index_out_of_range(void **state)
{
	assert_refused(*state, READS("metrics[14]"),
		       "restruct: p.json:4:20: error: 'metrics' of inet_peer has no element 14, only 14\n");
}

static void test_index_of_no_array(void **state)
{
	assert_refused(*state, READS("daddr[0]"),
		       "restruct: p.json:4:20: error: 'daddr' of inet_peer is no array\n");
}

static void test_broken_index(void **state)
{
	assert_refused(*state, READS("metrics[x]"),
		       "restruct: p.json:4:20: error: inet_peer has no member 'metrics[x]' (did you mean "
		       "'metrics'?)\n");
}

static void test_index_of_unknown_member(void **state)
{
	assert_refused(
		*state, READS("metric[1]"),
		"restruct: p.json:4:20: error: inet_peer has no member 'metric' (did you mean 'metrics'?)\n");
}

static void test_unknown_field(void **state)
{
	assert_refused(*state, "\"fields\": { \"dtime\": {},\n \"dtim\": { \"reads\": 3 } }",
		       "restruct: p.json:4:2: error: inet_peer has no member 'dtim' (did you mean 'dtime'?)\n");
}

static void test_unknown_hoist(void **state)
{
	assert_refused(*state, "\"hoist\": [\"metrics\", \"rcuu\"]",
		       "restruct: p.json:3:10: error: inet_peer has no member 'rcuu' (did you mean 'rcu'?)\n");
}

static void test_unknown_lock(void **state)
{
	assert_refused(*state, "\"paths\": [ { \"name\": \"p\", \"rate\": 1, \"contended\": [\"lokc\"] } ]",
		       "restruct: p.json:3:51: error: inet_peer has no member 'lokc' (did you mean 'lock'?)\n");
}

static void test_unknown_pin(void **state)
{
	assert_refused(*state, "\"pins\": { \"before\": [ [\"dtime\", \"daddr\"], [\"dtime\", \"xyzzy\"] ] }",
		       "restruct: p.json:3:43: error: inet_peer has no member 'xyzzy'\n");
}

/* The simple form: each kind of access is a path of its own. */
static void test_fields(void **state)
{
	struct fixture *f = *state;

	bind(f, "\"fields\": { \"daddr\": { \"reads\": 5, \"cpus\": 2 }, \"dtime\": { \"reads\": 3, "
		"\"writes\": 4 },"
		" \"refcnt\": { \"kind\": \"atomic\", \"writes\": 6 }, \"lock\": {} }");
	assert_int_equal(f->binding.n_paths, 4);
	assert_int_equal(f->binding.n_cpus, 8);
	assert_string_equal(f->binding.paths[0].name, "field daddr");
	assert_number(f->binding.paths[0].shares[1], 0.5);
	assert_number(f->binding.paths[0].shares[2], 0);
	assert_string_equal(f->binding.paths[1].name, "field dtime (reads)");
	assert_number(f->binding.paths[1].rate, 3);
	assert_true(f->binding.paths[1].accesses[0].reads && !f->binding.paths[1].accesses[0].writes);
	assert_string_equal(f->binding.paths[2].name, "field dtime (writes)");
	assert_number(f->binding.paths[2].rate, 4);
	assert_true(f->binding.paths[2].accesses[0].writes);
	assert_number(f->binding.paths[2].shares[7], 0.125);
	assert_true(f->binding.heat[REFCNT].is_atomic);
	assert_false(f->binding.heat[DTIME].is_atomic);
}

static void test_heat(void **state)
{
	struct fixture *f = *state;

	bind(f, "\"paths\": [ { \"name\": \"walk\", \"rate\": 10, \"reads\": [\"avl.left\", \"avl.right\", "
		"\"metrics\"] },"
		"{ \"name\": \"link\", \"rate\": 2, \"writes\": [\"avl\"], \"atomics\": [\"refcnt\"] },"
		"{ \"name\": \"new\", \"rate\": 9, \"phase\": \"init\", \"writes\": [\"daddr\"] } ],"
		"\"fields\": { \"avl.left\": { \"reads\": 1 } }");
	assert_number(f->binding.heat[LEFT].reads, 11);
	assert_number(f->binding.heat[AVL].reads, 21);
	assert_number(f->binding.heat[AVL].writes, 2);
	assert_number(f->binding.heat[ANONYMOUS].reads, 10);
	assert_number(f->binding.heat[DADDR].writes, 0);
	assert_true(f->binding.heat[REFCNT].is_atomic);
}

static void test_phases(void **state)
{
	struct fixture *f = *state;

	bind(f, "\"paths\": [ { \"name\": \"a\", \"rate\": 1, \"phase\": \"load\" }, { \"name\": \"b\", "
		"\"rate\": 2 },"
		"{ \"name\": \"c\", \"rate\": 3, \"phase\": \"init\" }, { \"name\": \"d\", \"rate\": 4, "
		"\"phase\": \"load\" },"
		"{ \"name\": \"e\", \"rate\": 5, \"phase\": \"teardown\" }, { \"name\": \"f\", \"rate\": 6, "
		"\"phase\": \"steady\" } ]");
	assert_int_equal(f->binding.n_phases, 4);
	assert_int_equal(f->binding.paths[0].phase, 1);
	assert_int_equal(f->binding.paths[1].phase, 0);
	assert_int_equal(f->binding.paths[2].phase, 2);
	assert_int_equal(f->binding.paths[3].phase, 1);
	assert_int_equal(f->binding.paths[4].phase, 3);
	assert_int_equal(f->binding.paths[5].phase, 0);
	assert_number(f->binding.paths[2].rate, 0);
	assert_number(f->binding.paths[3].rate, 4);
	assert_number(f->binding.paths[4].rate, 0);
}

static void test_notes(void **state)
{
	struct fixture *f = *state;

	bind(f,
	     "\"paths\": [ { \"name\": \"a\", \"rate\": 1 }, { \"name\": \"b\", \"rate\": 1, \"cpus\": 2 } ],"
	     "\"fields\": { \"dtime\": { \"reads\": 1 } }");
	assert_int_equal(f->notes.n_items, 2);
	assert_string_equal(f->notes.items[0].message,
			    "inet_peer: \"cpus\" is not said for 2 of its paths and fields; 8 are assumed");
	assert_int_equal(f->notes.items[0].severity, RS_NOTE_INFO);
	assert_int_equal(f->notes.items[0].line, 2);
	assert_string_equal(
		f->notes.items[1].message,
		"inet_peer: \"placement\" is not said; objects are assumed to begin on a cache line");
}

static void test_no_notes_when_all_is_said(void **state)
{
	struct fixture *f = *state;

	assert_null(
		bind_with(f, NULL, "\"cpus\": 4",
			  "\"placement\": \"line-aligned\", \"paths\": [ { \"name\": \"a\", \"rate\": 1 } ]"));
	assert_int_equal(f->notes.n_items, 0);
	assert_int_equal(f->binding.n_cpus, 4);
}

static void test_contended_lock_is_warned_of(void **state)
{
	struct fixture *f = *state;

	assert_null(bind_with(f, NULL, "\"cpus\": 4",
			      "\"placement\": \"line-aligned\", \"paths\": [ { \"name\": \"a\", \"rate\": 1,"
			      " \"atomics\": [\"lock\"], \"contended\": [\"lock\"] } ]"));
	assert_int_equal(f->notes.n_items, 1);
	assert_int_equal(f->notes.items[0].severity, RS_NOTE_WARNING);
}

static void assert_constraint(const struct fixture *f, size_t index, enum rs_constraint_kind kind, size_t unit,
			      size_t other)
{
	assert_true(index < f->binding.n_constraints);
	assert_int_equal(f->binding.constraints[index].kind, kind);
	assert_int_equal(f->binding.constraints[index].unit, unit);
	assert_int_equal(f->binding.constraints[index].other, other);
}

static void test_pins(void **state)
{
	struct fixture *f = *state;

	f->own[0] = (struct rs_constraint) { RS_KEEP_BEFORE, 5, 1 };
	f->record.n_constraints = 1;
	bind(f, "\"pins\": { \"first\": [\"dtime\", \"refcnt\"], \"together\": [[\"metrics\", \"avl\"]],"
		" \"before\": [[\"flag_a\", \"flag_b\", \"metrics\"], [\"daddr\", \"lock\"]] }");
	assert_int_equal(f->binding.n_constraints, 4);
	assert_constraint(f, 0, RS_KEEP_FIRST, 5, RS_NONE);
	assert_constraint(f, 1, RS_KEEP_NEXT, 5, 3);
	assert_constraint(f, 2, RS_KEEP_NEXT, 2, 0);
	assert_constraint(f, 3, RS_KEEP_BEFORE, 4, 2);
}

#define PINS(lists) "\"pins\": { " lists " }"
#define NO_ORDER(at, name)                                                                          \
	"restruct: p.json:3:" at ": error: no order of inet_peer keeps this pin of '" name "' and " \
	"the others\n"

static void test_first_against_the_record(void **state)
{
	struct fixture *f = *state;

	f->own[0] = (struct rs_constraint) { RS_KEEP_FIRST, 1, RS_NONE };
	f->record.n_constraints = 1;
	assert_refused(f, PINS("\"first\": [\"dtime\"]"), NO_ORDER("20", "dtime"));
}

static void test_last_against_before(void **state)
{
	struct fixture *f = *state;

	f->own[0] = (struct rs_constraint) { RS_KEEP_LAST, 1, RS_NONE };
	f->record.n_constraints = 1;
	assert_refused(f, PINS("\"before\": [[\"daddr\", \"dtime\"]]"), NO_ORDER("22", "daddr"));
}

static void test_cycle(void **state)
{
	assert_refused(*state, PINS("\"before\": [[\"avl\", \"daddr\", \"dtime\"], [\"dtime\", \"avl.left\"]]"),
		       NO_ORDER("49", "dtime"));
}

static void test_cycle_through_first(void **state)
{
	assert_refused(*state, PINS("\"first\": [\"dtime\"], \"before\": [[\"avl\", \"dtime\"]]"),
		       NO_ORDER("42", "avl"));
}

static void test_two_followers(void **state)
{
	assert_refused(*state, PINS("\"together\": [[\"avl\", \"daddr\"], [\"avl\", \"dtime\"]]"),
		       NO_ORDER("42", "avl"));
}

static void test_circle_of_followers(void **state)
{
	assert_refused(*state, PINS("\"together\": [[\"avl\", \"daddr\"], [\"daddr\", \"avl\"]]"),
		       NO_ORDER("42", "daddr"));
}

static void test_between_what_is_together(void **state)
{
	assert_refused(*state,
		       PINS("\"together\": [[\"avl\", \"daddr\", \"dtime\"]], \"before\": [[\"avl\", "
			    "\"refcnt\", \"dtime\"]]"),
		       NO_ORDER("63", "avl"));
}

static void test_against_the_order_in_a_block(void **state)
{
	assert_refused(
		*state,
		PINS("\"together\": [[\"avl\", \"daddr\", \"dtime\"]], \"before\": [[\"dtime\", \"avl\"]]"),
		NO_ORDER("63", "dtime"));
}

static void test_first_inside_a_block(void **state)
{
	assert_refused(*state, PINS("\"first\": [\"daddr\"], \"together\": [[\"avl\", \"daddr\"]]"),
		       NO_ORDER("44", "avl"));
}

static void test_one_unit_the_other_way_round(void **state)
{
	assert_refused(
		*state, PINS("\"before\": [[\"flag_b\", \"flag_a\"]]"),
		"restruct: p.json:3:22: error: 'flag_b' cannot come before 'flag_a': one declaration holds "
		"both the other way round\n");
}

static void test_across_a_barrier(void **state)
{
	assert_refused(
		*state, PINS("\"together\": [[\"dtime\", \"lock\"]]"),
		"restruct: p.json:3:24: error: 'dtime' and 'lock' cannot meet so: a barrier in the source "
		"stands between them\n");
}

static void test_one_unit_twice_apart(void **state)
{
	assert_refused(*state, PINS("\"together\": [[\"avl.left\", \"daddr\", \"avl.right\"]]"),
		       NO_ORDER("24", "avl.left"));
}

/* A record whose own constraints contradict each other does not make every pin wrong. */
static void test_contradictions_of_the_record(void **state)
{
	struct fixture *f = *state;

	f->own[0] = (struct rs_constraint) { RS_KEEP_FIRST, 1, RS_NONE };
	f->own[1] = (struct rs_constraint) { RS_KEEP_FIRST, 2, RS_NONE };
	f->record.n_constraints = 2;
	bind(f, PINS("\"before\": [[\"avl\", \"dtime\"]]"));
	assert_int_equal(f->binding.n_constraints, 1);
	assert_constraint(f, 0, RS_KEEP_BEFORE, 0, 5);
}

enum { OUTER_GENID, OUTER_PEER, OUTER_PEER_DADDR };

static struct rs_error *bind_nested(struct fixture *f, const char *body, bool is_known)
{
	static const struct rs_member inside[] = {
		[OUTER_GENID] = { .name = "genid", .path = "genid", .parent = RS_NONE, .size_bits = 32 },
		[OUTER_PEER] = { .name = "peer", .path = "peer", .parent = RS_NONE, .n_inside = 1 },
		[OUTER_PEER_DADDR] = { .name = "daddr", .path = "peer.daddr", .parent = OUTER_PEER },
	};
	static const struct rs_record outer = { .name = "route",
						.members = inside,
						.n_members = RS_COUNT_OF(inside) };
	struct rs_placement_base bases[] = {
		{ .container = "route",
		  .member = "peer",
		  .record = is_known ? &outer : NULL,
		  .at = OUTER_PEER },
		{ .container = "other", .member = "peer" },
	};
	struct rs_placement placement = { .kind = RS_PLACE_EMBEDDED, .bases = bases, .n_bases = 2 };

	return bind_with(f, &placement, "", body);
}

static const struct rs_around *around(const struct fixture *f, size_t base)
{
	return f->binding.placement.bases[base].around;
}

static void test_fields_of_containers(void **state)
{
	struct fixture *f = (struct fixture *)*state;

	assert_null(bind_nested(f,
				"\"paths\": [ { \"name\": \"p\", \"rate\": 1, \"reads\": [\"daddr\"] },"
				"{ \"name\": \"q\", \"rate\": 1, \"reads\": [\"daddr\", \"route.genid\"],"
				" \"writes\": [\"route.genid\"] } ]",
				true));
	assert_int_equal(f->binding.paths[1].n_accesses, 1);
	assert_int_equal(around(f, 0)->n_accesses, 1);
	assert_int_equal(around(f, 0)->accesses[0].path, 1);
	assert_int_equal(around(f, 0)->accesses[0].member, OUTER_GENID);
	assert_true(around(f, 0)->accesses[0].reads && around(f, 0)->accesses[0].writes);
	assert_true(around(f, 0)->runs[0] && around(f, 0)->runs[1]);
	assert_int_equal(around(f, 1)->n_accesses, 0);
	assert_true(around(f, 1)->runs[0]);
	assert_false(around(f, 1)->runs[1]);
}

static void test_counts_of_fields_of_containers(void **state)
{
	struct fixture *f = (struct fixture *)*state;

	assert_null(bind_nested(f, "\"fields\": { \"route.genid\": { \"reads\": 3, \"writes\": 2 } }", true));
	assert_int_equal(f->binding.n_paths, 2);
	assert_int_equal(around(f, 0)->n_accesses, 2);
	assert_true(around(f, 0)->accesses[0].reads && !around(f, 0)->accesses[0].writes);
	assert_true(around(f, 0)->accesses[1].writes && !around(f, 0)->accesses[1].reads);
}

static void test_container_that_is_not_known(void **state)
{
	struct fixture *f = (struct fixture *)*state;

	assert_null(bind_nested(f, READS("route.anything"), false));
	assert_int_equal(around(f, 0)->n_accesses, 0);
	assert_true(around(f, 0)->runs[0]);
	assert_false(around(f, 1)->runs[0]);
}

static void assert_refused_nested(struct fixture *f, const char *body, const char *expected)
{
	assert_error(f, bind_nested(f, body, true), expected);
}

static void test_unknown_fields_of_containers(void **state)
{
	assert_refused_nested(
		*state, READS("route.genit"),
		"restruct: p.json:4:20: error: route has no member 'genit' (did you mean 'genid'?)\n");
}

static void test_own_fields_by_way_of_a_container(void **state)
{
	assert_refused_nested(
		*state, READS("route.peer.daddr"),
		"restruct: p.json:4:20: error: 'route.peer.daddr' is a part of inet_peer itself, whose "
		"fields are named without a container\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, finish)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_paths),
		TEST(test_names),
		TEST(test_unknown_member),
		TEST(test_unknown_member_far_from_all),
		TEST(test_nested_member_needs_its_path),
		TEST(test_index_out_of_range),
		TEST(test_index_of_no_array),
		TEST(test_broken_index),
		TEST(test_index_of_unknown_member),
		TEST(test_unknown_field),
		TEST(test_unknown_hoist),
		TEST(test_unknown_lock),
		TEST(test_unknown_pin),
		TEST(test_fields),
		TEST(test_heat),
		TEST(test_phases),
		TEST(test_notes),
		TEST(test_no_notes_when_all_is_said),
		TEST(test_contended_lock_is_warned_of),
		TEST(test_pins),
		TEST(test_first_against_the_record),
		TEST(test_last_against_before),
		TEST(test_cycle),
		TEST(test_cycle_through_first),
		TEST(test_two_followers),
		TEST(test_circle_of_followers),
		TEST(test_between_what_is_together),
		TEST(test_against_the_order_in_a_block),
		TEST(test_first_inside_a_block),
		TEST(test_one_unit_the_other_way_round),
		TEST(test_across_a_barrier),
		TEST(test_one_unit_twice_apart),
		TEST(test_contradictions_of_the_record),
		TEST(test_fields_of_containers),
		TEST(test_counts_of_fields_of_containers),
		TEST(test_container_that_is_not_known),
		TEST(test_unknown_fields_of_containers),
		TEST(test_own_fields_by_way_of_a_container),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
