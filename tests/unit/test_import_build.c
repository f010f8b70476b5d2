/* Rows → profile; profiles → one: what adds up, and what does not. */
#include "import_fixture.h"

#include "profile/merge.h"
#include "profile/scale.h"
#include "profile/trust.h"

static struct rs_profile read_profile(struct rs_arena *arena, const char *format, const char *text)
{
	struct import_test test;

	import_init(&test, arena, format, text);
	import_read(&test);
	rs_import_join(&test.import, NULL, 0, false, 0);
	import_build(&test);
	return test.profile;
}

static const struct rs_profile_field *field_of(const struct rs_profile *profile, const char *name)
{
	const struct rs_profile_struct *peer = rs_profile_find(profile, "peer");

	assert_non_null(peer);
	for (size_t i = 0; i < peer->n_fields; i++)
		if (strcmp(peer->fields[i].name, name) == 0)
			return &peer->fields[i];
	fail_msg("no field %s", name);
	return NULL;
}

/* Rows of one field add up; those of a path make a path, whose rate is that of its most used field. */
static void test_rows(void **state)
{
	struct rs_profile profile = read_profile(*state, "csv",
						 "struct,field,reads,writes,path,cpus\n"
						 "peer,key,3,0,,\npeer,key,4,1,,2\n"
						 "peer,key,10,0,find,4\npeer,next,7,0,find,2\n"
						 "other,x,1,1,,\n");
	const struct rs_profile_struct *peer = rs_profile_find(&profile, "peer");

	assert_int_equal(profile.n_structs, 2);
	import_expect_number(field_of(&profile, "key")->reads, 7);
	import_expect_number(field_of(&profile, "key")->writes, 1);
	assert_int_equal(field_of(&profile, "key")->cpus, 2);
	assert_int_equal(peer->n_paths, 1);
	import_expect_number(peer->paths[0].rate, 10);
	assert_int_equal(peer->paths[0].n_cpus, 4);
	assert_int_equal(peer->paths[0].n_accesses, 2);
	import_expect_number(peer->sources[0].rows, 5);
}

static void test_structs_that_were_asked_for(void **state)
{
	static const char *const peer[] = { "peer" }, *const nobody[] = { "nobody" };
	struct import_test test;

	import_init(&test, *state, "csv", "struct,field,reads\npeer,key,3\nother,x,1\n");
	import_read(&test);
	assert_null(rs_import_build(&test.import, peer, 1, &test.profile));
	assert_int_equal(test.profile.n_structs, 1);
	assert_true(import_has_note(&test, "1 row of structs that were not asked for"));
	struct rs_error *error = rs_import_build(&test.import, nobody, 1, &test.profile);
	assert_non_null(error);
	assert_non_null(strstr(error->message, "nothing in it speaks of struct 'nobody'"));
	rs_error_destroy(error);
}

#define LOADS  "# Samples: 9 of event 'cpu/mem-loads,ldlat=30/P'\n"
#define STORES "# Samples: 9 of event 'cpu/mem-stores/P'\n"
#define ROW    "# Overhead  Samples  Data Type Offset\n  50.00%  5  struct peer +8 (key)\n"

/* Two events have rates of their own: each says what it counts, and none is compared with the other. */
static void test_mixed_units(void **state)
{
	struct rs_profile both = read_profile(*state, "perf-report", LOADS ROW STORES ROW);
	const struct rs_profile_struct *peer = rs_profile_find(&both, "peer");

	assert_string_equal(peer->sources[0].reads_unit, "samples of loads above a latency");
	assert_string_equal(peer->sources[0].writes_unit, "samples of stores");
	assert_false(rs_profile_has_one_unit(peer->sources, peer->n_sources));
	struct rs_profile loads = read_profile(*state, "perf-report", LOADS ROW);
	peer = rs_profile_find(&loads, "peer");
	assert_null(peer->sources[0].writes_unit); /* nothing is counted in it */
	assert_true(rs_profile_has_one_unit(peer->sources, peer->n_sources));
}

static void refuse_sum(const struct rs_profile *sum, const struct rs_profile *next, const char *part)
{
	struct rs_error *error = rs_profile_check_units(sum, next);

	assert_non_null(error);
	assert_int_equal(error->code, RS_ERROR_USAGE);
	if (!strstr(error->message, part))
		fail_msg("no '%s' in: %s", part, error->message);
	rs_error_destroy(error);
}

static void test_units_that_do_not_add_up(void **state)
{
	struct rs_profile samples = read_profile(*state, "perf-report", LOADS ROW);
	struct rs_profile accesses = read_profile(*state, "csv", "struct,field,reads\npeer,key,3\n");
	struct rs_profile writes = read_profile(*state, "csv", "struct,field,writes\npeer,key,3\n");
	struct rs_profile other = read_profile(*state, "csv", "struct,field,reads\nother,key,3\n");

	refuse_sum(&samples, &accesses, "they do not add up");
	refuse_sum(&accesses, &samples, "samples of loads above a latency");
	assert_null(rs_profile_check_units(&samples, &samples));
	assert_null(rs_profile_check_units(&samples, &other));  /* of another struct */
	assert_null(rs_profile_check_units(&samples, &writes)); /* never added, and known to differ: */
	rs_profile_merge(*state, &samples, &writes);
	const struct rs_profile_struct *peer = rs_profile_find(&samples, "peer");
	assert_int_equal(peer->n_sources, 2);
	assert_false(rs_profile_has_one_unit(peer->sources, peer->n_sources));
}

/* Weights bring both to a scale; the sources say so. */
static void test_weights(void **state)
{
	struct rs_profile samples = read_profile(*state, "perf-report", LOADS ROW);
	struct rs_profile accesses = read_profile(*state, "csv", "struct,field,reads\npeer,key,3\n");

	rs_profile_scale(*state, &samples, "a.json", 2);
	rs_profile_scale(*state, &accesses, "b.json", 0.5);
	assert_null(rs_profile_check_units(&samples, &accesses));
	rs_profile_merge(*state, &samples, &accesses);
	const struct rs_profile_struct *peer = rs_profile_find(&samples, "peer");
	import_expect_number(field_of(&samples, "key")->reads, 11.5);
	assert_int_equal(peer->n_sources, 2);
	import_expect_number(peer->sources[0].weight, 2);
	import_expect_number(peer->sources[1].weight, 0.5);
	assert_string_equal(rs_profile_trust(peer->sources, peer->n_sources), "stated");
}

static void test_paths_that_merge(void **state)
{
	static const char text[] = "struct,field,reads,path\npeer,key,10,find\npeer,use,10,find\n";
	struct rs_profile sum = read_profile(*state, "csv", text), same = read_profile(*state, "csv", text);
	struct rs_profile other = read_profile(*state, "csv", "struct,field,reads,path\npeer,key,4,find\n");

	rs_profile_merge(*state, &sum, &same);
	rs_profile_merge(*state, &sum, &other);
	const struct rs_profile_struct *peer = rs_profile_find(&sum, "peer");
	assert_int_equal(peer->n_paths, 2);
	import_expect_number(peer->paths[0].rate, 20);
	assert_string_equal(peer->paths[1].name, "find#2"); /* the same function on another set of fields */
	import_expect_number(peer->paths[1].rate, 4);
}

static void test_trust(void **state)
{
	struct rs_profile_source sources[RS_TRUST_WORDS + 1] = { 0 };

	(void)state;
	assert_null(rs_profile_trust(sources, 1));
	for (size_t i = 0; i < RS_TRUST_WORDS; i++) {
		sources[i].trust = rs_trust_words[i]; /* best first */
		assert_string_equal(rs_profile_trust(sources, RS_TRUST_WORDS + 1), rs_trust_words[i]);
	}
}

/* Many functions, each with fields of its own. */
static void test_many_paths(void **state)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	enum { MANY = 20000 };

	rs_builder_appends(&text, "struct,field,reads,path\n");
	for (unsigned i = 0; i < MANY; i++)
		rs_builder_printf(&text, "peer,f%u,%u,fn%u\npeer,key,1,fn%u\n", i % 50, i + 1, i, i);
	struct rs_profile profile = read_profile(*state, "csv", text.data);
	const struct rs_profile_struct *peer = rs_profile_find(&profile, "peer");
	assert_int_equal(peer->n_paths, MANY);
	for (unsigned i = 0; i < MANY; i++) {
		assert_int_equal(peer->paths[i].n_accesses, 2);
		import_expect_number(peer->paths[i].rate, i + 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_rows, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_structs_that_were_asked_for, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_mixed_units, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_units_that_do_not_add_up, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_weights, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_paths_that_merge, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_trust, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_many_paths, import_start, import_finish),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
