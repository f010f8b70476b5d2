/* valgrind's DHAT and the runtime's file: counts by byte of whole blocks. */
#include "import_fixture.h"

#include "make_record.h"

/* struct peer { long key; struct { int a, b; } in; char name[4]; }, 24 bytes */
static const struct rs_record *make_peer(struct make *make, struct rs_arena *arena)
{
	make_init(make, arena, "peer");
	make_unit(make, 0);
	make_member(make, "key", 8, 8);
	make_unit(make, 0);
	make_open(make, "in", 8, 4);
	make_inside(make, "a", 0, 4)->path = "in.a";
	make_inside(make, "b", 4, 4)->path = "in.b";
	make_close(make);
	make_unit(make, 0);
	make_member(make, "name", 4, 1);
	return make_record(make);
}

static void start_import(struct import_test *test, struct make *make, struct rs_arena *arena,
			 const char *format, const char *text)
{
	import_init(test, arena, format, text);
	import_offer(test, make_peer(make, arena));
}

static const char *dhat_text(struct rs_arena *arena, const char *stacks)
{
	return rs_arena_printf(arena,
			       "{\"dhatFileVersion\":2,\"mode\":\"heap\",\"pps\":[%s],"
			       "\"ftbl\":[\"[root]\",\"0x1: new_peer (p.c:3)\",\"0x2: other (p.c:9)\"]}",
			       stacks);
}

#define PEER_STACK(acc)  "{\"tb\":48,\"tbk\":2,\"rb\":100,\"wb\":20,\"acc\":[" acc "],\"fs\":[1]}"
#define OTHER_STACK(acc) "{\"tb\":24,\"tbk\":1,\"rb\":100,\"wb\":0,\"acc\":[" acc "],\"fs\":[2]}"

static void test_dhat(void **state)
{
	struct import_test test;
	struct make make;

	start_import(&test, &make, *state, NULL,
		     dhat_text(*state, PEER_STACK("-8,560,-4,40,-4,3,9,7,-2,0,-4,0")));
	import_read(&test);
	assert_int_equal(test.import.n_rows, 4);
	import_expect_row(&test, 0, "peer", "key", 560, 0);
	import_expect_row(&test, 1, "peer", "in.a", 40, 0);
	import_expect_row(&test, 2, "peer", "in.b", 3, 0);
	import_expect_row(&test, 3, "peer", "name", 9, 0); /* its most used byte */
	assert_string_equal(test.import.trust, "counted");
	assert_true(test.import.is_complete);
	assert_true(import_has_note(&test, "does not say which accesses write"));
}

/* Two stacks of one size are both taken, with a warning; --allocation chooses. */
static void test_dhat_allocation(void **state)
{
	const char *text = dhat_text(*state, PEER_STACK("-24,1") "," OTHER_STACK("-24,2"));
	struct import_test test;
	struct make make;

	start_import(&test, &make, *state, NULL, text);
	import_read(&test);
	assert_int_equal(test.import.n_rows, 8);
	assert_true(import_has_note(&test, "2 allocation stacks"));
	start_import(&test, &make, *state, NULL, text);
	test.import.allocation = "other";
	import_read(&test);
	assert_int_equal(test.import.n_rows, 4);
	import_expect_row(&test, 0, "peer", "key", 2, 0);
	start_import(&test, &make, *state, NULL, text);
	test.import.allocation = "nobody";
	import_read(&test);
	assert_int_equal(test.import.n_rows, 0);
	assert_true(import_has_note(&test, "nothing is known of peer"));
}

/* Blocks of several objects are folded, when the user says that they are such. */
static void test_dhat_array(void **state)
{
	const char *text =
		dhat_text(*state, "{\"tb\":48,\"tbk\":1,\"rb\":0,\"wb\":9,\"acc\":[-24,5,-24,6],\"fs\":[1]}");
	struct import_test test;
	struct make make;

	start_import(&test, &make, *state, NULL, text);
	import_read(&test);
	assert_int_equal(test.import.n_rows, 0);
	start_import(&test, &make, *state, NULL, text);
	test.import.allocation = "new_peer";
	import_read(&test);
	import_expect_row(&test, 0, "peer", "key", 0, 11); /* nobody reads: they are writes */
}

static void refuse_dhat(void *state, const char *stack, const char *part)
{
	struct rs_arena *arena = (struct rs_arena *)state;
	struct import_test test;
	struct make make;

	start_import(&test, &make, arena, "dhat", dhat_text(arena, stack));
	import_refuse_at(&test, 1, part);
}

static void test_dhat_refusals(void **state)
{
	struct import_test test;
	struct make make;

	refuse_dhat(*state, PEER_STACK("-8,-8"), "count of accesses");
	refuse_dhat(*state, PEER_STACK("-8"), "count of accesses");
	refuse_dhat(*state, PEER_STACK("1e19"), "count of accesses");
	refuse_dhat(*state, PEER_STACK("\"8\""), "count of accesses");
	refuse_dhat(*state, PEER_STACK("-1025,1"), "at most 1024 bytes");
	refuse_dhat(*state, PEER_STACK("-1024,1,1"), "at most 1024 bytes");
	refuse_dhat(*state, PEER_STACK("-1.5,1"), "at most 1024 bytes");
	refuse_dhat(*state, "{\"tb\":48,\"tbk\":-2,\"rb\":1,\"wb\":1}", "tbk: -2 is no count");
	refuse_dhat(*state, "{\"tb\":48,\"rb\":1,\"wb\":1}", "\"tbk\"");
	refuse_dhat(*state, "{\"tb\":48,\"tbk\":2,\"rb\":1,\"wb\":1,\"acc\":7}", "expected an array");
	start_import(&test, &make, *state, "dhat", "{\"dhatFileVersion\":3,\"pps\":[],\"ftbl\":[]}");
	import_refuse_at(&test, 1, "dhatFileVersion 1 or 2, found 3");
	start_import(&test, &make, *state, "dhat", "{\"dhatFileVersion\":2,\"pps\":[]}");
	import_refuse_at(&test, 1, "\"ftbl\"");
	import_refuse(*state, "dhat", "{\"dhatFileVersion\":2,\"pps\":[],\"ftbl\":[]}", 0, "it counts bytes");
}

static const char *access_text(struct rs_arena *arena, const char *bytes)
{
	return rs_arena_printf(
		arena,
		"{\"restruct_access\":1,\"structs\":{\"peer\":{\"size\":24,\"sample\":1,\"objects\":3,"
		"\"bytes\":[%s]}}}",
		bytes);
}

static void test_access(void **state)
{
	struct import_test test;
	struct make make;

	start_import(&test, &make, *state, NULL,
		     access_text(*state,
				 "[0,5,1,0,0,0,2,1],[1,1,0,0,2,0,1,0],[8,0,0,4,0,1,0,3],[12,0,7,0,0,1,0,1]"));
	import_read(&test);
	import_expect_row(&test, 0, "peer", "key", 8, 1);
	import_expect_row(&test, 1, "peer", "in.a", 0, 5);
	import_expect_row(&test, 2, "peer", "in.b", 0, 8);
	import_expect_row(&test, 3, "peer", "name", 0, 0);
	assert_int_equal(test.import.rows[0].cpus, 2);
	assert_int_equal(test.import.rows[1].cpus, 3);
	assert_true(test.import.rows[1].is_atomic);
	assert_false(test.import.rows[2].is_atomic);
	assert_string_equal(test.import.trust, "measured");
}

static const char *paths_text(struct rs_arena *arena, unsigned threads, const char *paths)
{
	return rs_arena_printf(
		arena,
		"{\"restruct_access\":1,\"threads\":%u,\"cpus\":4,\"structs\":{\"peer\":{\"size\":24,"
		"\"sample\":10,\"most_objects\":3,\"threads_per_object\":1.9,\"bytes\":[],"
		"\"paths\":[%s]}}}",
		threads, paths);
}

#define ACCESS_PATH(function, phase, counts, masks) \
	"{\"function\":\"" function "\",\"phase\":\"" phase "\"," counts "," masks "}"
#define COUNTS(visits, repeats, turns, threads) \
	"\"visits\":" visits ",\"repeats\":" repeats ",\"turns\":" turns ",\"threads\":" threads
#define MASKS(reads, writes, atomics) "\"reads\":[" reads "],\"writes\":[" writes "],\"atomics\":[" atomics "]"

static const char two_paths[] =
	ACCESS_PATH("put", "steady", COUNTS("4", "4", "2", "3"), MASKS("", "", "[8,1]")) "," ACCESS_PATH(
		"find", "steady", COUNTS("5", "50", "5", "1"),
		MASKS("[0,1],[12,1]", "[12,4]", "")) "," ACCESS_PATH("find", "init", COUNTS("3", "3", "0", "1"),
								     MASKS("", "[0,24]", ""));

/* The fullest first; one on more threads than use an object is on as many CPUs as use one. */
static void test_access_paths(void **state)
{
	struct import_test test;
	struct make make;

	start_import(&test, &make, *state, NULL, paths_text(*state, 4, two_paths));
	import_read(&test);
	assert_int_equal(test.import.n_rows, 7);
	import_expect_row(&test, 0, "peer", "key", 500, 0);
	import_expect_row(&test, 1, "peer", "in.b", 500, 500);
	import_expect_row(&test, 2, "peer", "in.a", 0, 40);
	assert_string_equal(test.import.rows[0].path, "find");
	assert_string_equal(test.import.rows[3].path, "find:2");
	assert_string_equal(test.import.rows[3].phase, "init");
	assert_null(test.import.rows[0].phase);
	assert_int_equal(test.import.rows[0].cpus, 1);
	assert_int_equal(test.import.rows[2].cpus, 2);
	assert_true(test.import.rows[2].is_atomic);
	import_expect_number(test.import.instances[0], 30);
	assert_string_equal(test.import.trust, "sampled");
}

static const struct rs_profile_path *build_paths(struct import_test *test, struct make *make,
						 struct rs_arena *arena, unsigned threads)
{
	start_import(test, make, arena, NULL, paths_text(arena, threads, two_paths));
	import_read(test);
	rs_import_join(&test->import, NULL, 0, false, 0);
	import_build(test);
	assert_int_equal(test->profile.structs[0].n_paths, 3);
	return test->profile.structs[0].paths;
}

static void test_access_bursts(void **state)
{
	struct import_test test;
	struct make make;
	const struct rs_profile_path *paths = build_paths(&test, &make, *state, 4);

	import_expect_number(paths[0].burst, 10); /* a loop */
	import_expect_number(paths[1].burst, 2);  /* two visits in a row */
	import_expect_number(test.profile.structs[0].instances, 30);
	assert_int_equal(paths[1].accesses[0].kinds, RS_ACCESS_ATOMIC);
	paths = build_paths(&test, &make, *state, 5); /* more threads than CPUs */
	import_expect_number(paths[0].burst, 10);
	import_expect_number(paths[1].burst, 1);
	assert_true(import_has_note(&test, "the scheduler's doing"));
}

static void test_access_refusals(void **state)
{
	static const struct {
		const char *bytes, *part;
	} wrong[] = {
		{ "[24,1,0,0,0,0,1,0]", "behind the struct's 24" },
		{ "[0,1,0,0,0,0,1]", "array of 8 numbers" },
		{ "[0,-1,0,0,0,0,1,0]", "count from 0" },
		{ "[0,\"1\",0,0,0,0,1,0]", "count from 0" },
		{ "7", "array of 8 numbers" },
		{ "[0.5,1,0,0,0,0,1,0]", "a whole number" },
		{ "[0,1,0,0,0,0,1,0],[0,1,0,0,0,0,1,0]", "twice" },
	};
	struct import_test test;
	struct make make;

	for (size_t i = 0; i < RS_COUNT_OF(wrong); i++) {
		start_import(&test, &make, *state, "access", access_text(*state, wrong[i].bytes));
		import_refuse_at(&test, 1, wrong[i].part);
	}
	start_import(&test, &make, *state, "access", "{\"restruct_access\":1,\"structs\":{}}");
	import_refuse_at(&test, 1, "peer was not watched");
	start_import(&test, &make, *state, "access", "{\"restruct_access\":9,\"structs\":{}}");
	import_refuse_at(&test, 1, "found 9");
	start_import(&test, &make, *state, "access",
		     "{\"restruct_access\":1,\"structs\":{\"peer\":{\"size\":20,\"bytes\":[]}}}");
	import_refuse_at(&test, 1, "peer has 24 bytes");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_dhat, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_dhat_allocation, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_dhat_array, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_dhat_refusals, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_access, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_access_paths, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_access_bursts, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_access_refusals, import_start, import_finish),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
