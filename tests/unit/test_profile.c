#include "profile/profile.h"

#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"

static int start(void **state)
{
	*state = rs_arena_create();
	return 0;
}

static int finish(void **state)
{
	rs_arena_destroy((struct rs_arena *)*state);
	return 0;
}

/* A file of the source tree. */
static char *locate(struct rs_arena *arena, const char *path)
{
	const char *root = getenv("RS_SOURCE_ROOT");

	return rs_arena_printf(arena, "%s/%s", root ? root : ".", path);
}

static struct rs_error *parse(struct rs_arena *arena, const char *text, struct rs_profile *profile)
{
	return rs_profile_parse(arena, "p.json", text, strlen(text), profile);
}

static void assert_number(double actual, double expected)
{
	if (!(fabs(actual - expected) <= 1e-12 * fmax(1, fabs(expected))))
		fail_msg("%.17g is not %.17g", actual, expected);
}

static void test_defaults(void **state)
{
	struct rs_profile profile;

	assert_null(parse(*state, "{ \"restruct_profile\": 1 }", &profile));
	assert_int_equal(profile.machine.line_bytes, 64);
	assert_int_equal(profile.machine.cpus, 8);
	assert_number(profile.machine.t_hit_ns, 1);
	assert_number(profile.machine.t_coherence_ns, 60);
	assert_number(profile.machine.t_upgrade_ns, 36);
	assert_number(profile.machine.t_l3_ns, 15);
	assert_number(profile.machine.t_memory_ns, 110);
	assert_number(profile.machine.cache_lines, 0);
	assert_number(profile.machine.util, 0.1);
	assert_false(profile.machine.pair);
	assert_int_equal(profile.n_structs, 0);
	assert_null(rs_profile_prelude(*state, &profile));
}

/* An upgrade that is not given follows the miss that is. */
static void test_upgrade_follows_coherence(void **state)
{
	struct rs_profile profile;

	assert_null(parse(*state, "{ \"restruct_profile\": 1, \"machine\": { \"t_coherence_ns\": 140 } }",
			  &profile));
	assert_number(profile.machine.t_upgrade_ns, 84);
}

static void read_full(struct rs_arena *arena, struct rs_profile *profile)
{
	const char *path = locate(arena, "tests/data/profiles/full.json");

	assert_null(rs_profile_read(arena, &path, 1, profile));
}

static void test_machine(void **state)
{
	struct rs_profile profile;

	read_full(*state, &profile);
	assert_int_equal(profile.machine.line_bytes, 128);
	assert_int_equal(profile.machine.cpus, 16);
	assert_number(profile.machine.t_hit_ns, 2);
	assert_number(profile.machine.t_coherence_ns, 100);
	assert_number(profile.machine.t_upgrade_ns, 70);
	assert_number(profile.machine.t_l3_ns, 20);
	assert_number(profile.machine.t_memory_ns, 90);
	assert_number(profile.machine.cache_lines, 512);
	assert_number(profile.machine.util, 0.25);
	assert_true(profile.machine.pair);
	assert_int_equal(profile.machine_given, (1u << (RS_MACHINE_PAIR + 1)) - 1);
}

static void test_paths(void **state)
{
	const struct rs_profile_struct *type;
	const struct rs_profile_path *put, *setup;
	struct rs_profile profile;

	read_full(*state, &profile);
	type = rs_profile_find(&profile, "inet_peer");
	assert_ptr_equal(type, rs_profile_find(&profile, "struct inet_peer"));
	assert_null(rs_profile_find(&profile, "inet_pear"));
	assert_int_equal(type->n_paths, 3);
	assert_int_equal(type->paths[0].n_cpus, 16);
	assert_null(type->paths[0].cpus);
	assert_true(type->paths[0].util < 0);
	put = &type->paths[1];
	assert_int_equal(put->n_cpus, 3);
	assert_int_equal(put->cpus[2], 5);
	assert_number(put->shares[0], 0.5);
	assert_number(put->burst, 4);
	assert_number(put->util, 0.5);
	assert_null(put->phase);
	assert_string_equal(put->contended.names[0], "lock");
	assert_int_equal(put->n_accesses, 3);
	assert_string_equal(put->accesses[0].field, "refcnt");
	assert_int_equal(put->accesses[0].kinds, RS_ACCESS_ATOMIC);
	assert_int_equal(put->accesses[1].kinds, RS_ACCESS_READ);
	assert_int_equal(put->accesses[2].kinds, RS_ACCESS_WRITE);
	assert_int_equal(put->accesses[2].line, 20);
	assert_int_equal(put->accesses[2].column, 64);
	setup = &type->paths[2];
	assert_string_equal(setup->phase, "init");
	assert_int_equal(setup->n_cpus, 3);
	assert_number(setup->shares[0] + setup->shares[1] + setup->shares[2], 1);
}

static void test_rest_of_a_struct(void **state)
{
	const struct rs_profile_struct *type;
	struct rs_profile profile;

	read_full(*state, &profile);
	type = rs_profile_find(&profile, "inet_peer");
	assert_true(type->has_placement);
	assert_int_equal(type->placement.kind, RS_PLACE_ALIGNED);
	assert_int_equal(type->placement.align_bytes, 16);
	assert_number(type->instances, 4096);
	assert_int_equal(type->max_size, 192);
	assert_int_equal(type->n_fields, 2);
	assert_number(type->fields[0].writes, 0.5);
	assert_int_equal(type->fields[0].cpus, 4);
	assert_true(type->fields[1].is_atomic);
	assert_int_equal(type->allow, RS_ALLOW_HOIST | RS_ALLOW_ALIGN | RS_ALLOW_GROW);
	assert_int_equal(type->hoist.n_names, 2);
	assert_int_equal(type->first.n_names, 1);
	assert_int_equal(type->n_together, 1);
	assert_string_equal(type->together[0].names[1], "slot_map_padding");
	assert_int_equal(type->n_before, 2);
	assert_string_equal(type->before[1].names[0], "a");
	assert_string_equal(type->sources[0].trust, "sampled");
	assert_string_equal(type->sources[0].version, "6.8");
}

static void test_placements(void **state)
{
	const struct rs_placement *placement;
	struct rs_profile profile;

	read_full(*state, &profile);
	assert_int_equal(rs_profile_find(&profile, "plain")->placement.kind, RS_PLACE_LINE_ALIGNED);
	assert_int_equal(rs_profile_find(&profile, "row")->placement.kind, RS_PLACE_ARRAY);
	placement = &rs_profile_find(&profile, "dst_entry")->placement;
	assert_int_equal(placement->kind, RS_PLACE_EMBEDDED);
	assert_int_equal(placement->n_bases, 3);
	assert_int_equal(placement->bases[1].base_bytes, 32);
	assert_string_equal(placement->bases[2].container, "rt6_info");
	assert_int_equal(placement->bases[2].base_bytes, 0);
}

static void test_prelude(void **state)
{
	struct rs_profile profile;

	read_full(*state, &profile);
	assert_string_equal(rs_profile_prelude(*state, &profile),
			    "typedef struct { _Alignas(4) unsigned char bytes[4]; } atomic_t;\n"
			    "struct rcu_head { _Alignas(8) unsigned char bytes[16]; };\n"
			    "union nothing { _Alignas(1) unsigned char bytes[0]; };\n");
}

static char *write_temporary(struct rs_arena *arena, const char *text)
{
	const char *folder = getenv("TMPDIR");
	char *path = rs_arena_printf(arena, "%s/restruct-profile-XXXXXX", folder ? folder : "/tmp");
	int descriptor = mkstemp(path);

	assert_true(descriptor >= 0);
	assert_int_equal(write(descriptor, text, strlen(text)), strlen(text));
	close(descriptor);
	return path;
}

static void merge(struct rs_arena *arena, const char *first, const char *second, struct rs_profile *ret_profile)
{
	const char *paths[] = { write_temporary(arena, first), write_temporary(arena, second) };

	assert_null(rs_profile_read(arena, paths, 2, ret_profile));
	unlink(paths[0]);
	unlink(paths[1]);
}

static void test_merge_machine(void **state)
{
	struct rs_profile profile;

	merge(*state,
	      "{ \"restruct_profile\": 1, \"machine\": { \"cpus\": 64, \"t_coherence_ns\": 140 },"
	      "  \"types\": { \"u\": { \"size\": 4, \"align\": 4 } } }",
	      "{ \"restruct_profile\": 1, \"machine\": { \"cpus\": 4, \"t_hit_ns\": 3 },"
	      "  \"types\": { \"u\": { \"size\": 8, \"align\": 8 }, \"v\": { \"size\": 1, \"align\": 1 } } }",
	      &profile);
	assert_int_equal(profile.machine.cpus, 4);
	assert_number(profile.machine.t_hit_ns, 3);
	assert_number(profile.machine.t_coherence_ns, 140);
	assert_number(profile.machine.t_upgrade_ns, 84);
	assert_int_equal(profile.n_types, 2);
	assert_int_equal(profile.types[0].size_bytes, 8);
}

static void test_merge_structs(void **state)
{
	const struct rs_profile_struct *type;
	struct rs_profile profile;

	merge(*state,
	      "{ \"restruct_profile\": 1, \"structs\": { \"s\": { \"placement\": { \"array\": true }, "
	      "\"max_size\": 64,"
	      "  \"allow\": [\"pad\"], \"hoist\": [\"a\"], \"pins\": { \"before\": [[\"a\", \"b\"]] },"
	      "  \"paths\": [ { \"name\": \"get\", \"rate\": 3, \"reads\": [\"a\"] },"
	      "               { \"name\": \"put\", \"rate\": 5, \"writes\": [\"a\"] } ],"
	      "  \"fields\": { \"a\": { \"reads\": 1 } } } } }",
	      "{ \"restruct_profile\": 1, \"structs\": { \"t\": {}, \"s\": { \"max_size\": 128, \"instances\": "
	      "9,"
	      "  \"allow\": [\"grow\"], \"hoist\": [\"b\", \"a\"], \"pins\": { \"before\": [[\"b\", \"c\"]] },"
	      "  \"paths\": [ { \"name\": \"get\", \"rate\": 4, \"reads\": [\"a\"] },"
	      "               { \"name\": \"put\", \"rate\": 7, \"cpus\": 2, \"writes\": [\"a\"] },"
	      "               { \"name\": \"scan\", \"rate\": 1 } ],"
	      "  \"fields\": { \"a\": { \"reads\": 2, \"writes\": 1, \"kind\": \"atomic\" }, \"b\": {} } } } }",
	      &profile);
	assert_int_equal(profile.n_structs, 2);
	type = rs_profile_find(&profile, "s");
	assert_int_equal(type->placement.kind, RS_PLACE_ARRAY);
	assert_int_equal(type->max_size, 128);
	assert_number(type->instances, 9);
	assert_int_equal(type->allow, RS_ALLOW_PAD | RS_ALLOW_GROW);
	assert_int_equal(type->hoist.n_names, 2);
	assert_int_equal(type->n_before, 2);
	assert_int_equal(type->n_paths, 4);
	assert_string_equal(type->paths[0].name, "get");
	assert_number(type->paths[0].rate, 7);
	assert_number(type->paths[1].rate, 5);
	assert_string_equal(type->paths[2].name, "put#2");
	assert_number(type->paths[2].rate, 7);
	assert_int_equal(type->n_fields, 2);
	assert_number(type->fields[0].reads, 3);
	assert_number(type->fields[0].writes, 1);
	assert_true(type->fields[0].is_atomic);
}

static void test_missing_file(void **state)
{
	const char *path = "/nonexistent/p.json";
	struct rs_profile profile;
	struct rs_error *error = rs_profile_read(*state, &path, 1, &profile);

	assert_non_null(error);
	assert_int_equal(error->code, RS_ERROR_IO);
	rs_error_destroy(error);
}

/* name: of a broken profile without ".json"; what the program says of it stands in name.txt. */
static void check_broken(struct rs_arena *arena, const char *name)
{
	const char *path = rs_arena_printf(arena, "tests/bad/profiles/%s.json", name);
	struct rs_builder message RS_CLEANUP(rs_builder_deinit) = { 0 };
	struct rs_profile profile = { .n_structs = 77 };
	char *text, *expected;
	size_t size;

	assert_null(rs_file_read(arena, locate(arena, path), &text, &size));
	struct rs_error *error RS_CLEANUP(rs_error_destroyp) =
		rs_profile_parse(arena, path, text, size, &profile);
	if (!error)
		fail_msg("%s is accepted", path);
	assert_int_equal(profile.n_structs, 77);
	assert_int_equal(error->code, RS_ERROR_SYNTAX);
	rs_error_print(error, &message);
	path = rs_arena_printf(arena, "tests/bad/profiles/%s.txt", name);
	assert_null(rs_file_read(arena, locate(arena, path), &expected, &size));
	assert_string_equal(message.data, expected);
}

static void test_broken_files(void **state)
{
	DIR *folder = opendir(locate(*state, "tests/bad/profiles"));
	const struct dirent *entry;
	size_t count = 0;

	assert_non_null(folder);
	while ((entry = readdir(folder))) {
		size_t length = strlen(entry->d_name);

		if (length < 5 || strcmp(entry->d_name + length - 5, ".json") != 0)
			continue;
		check_broken(*state, rs_arena_strndup(*state, entry->d_name, length - 5));
		count++;
	}
	closedir(folder);
	assert_true(count >= 25);
}

/* Every beginning of a valid file but the whole is an error, and none makes the reader stumble. */
static void test_cut_short(void **state)
{
	struct rs_arena *arena;
	char *text;
	size_t size;

	assert_null(rs_file_read(*state, locate(*state, "tests/data/profiles/full.json"), &text, &size));
	while (text[size - 1] == '\n')
		size--;
	for (size_t cut = 0; cut < size; cut++) {
		struct rs_profile profile;

		arena = rs_arena_create();
		struct rs_error *error = rs_profile_parse(arena, "p.json", text, cut, &profile);
		assert_non_null(error);
		rs_error_destroy(error);
		rs_arena_destroy(arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_defaults, start, finish),
		cmocka_unit_test_setup_teardown(test_upgrade_follows_coherence, start, finish),
		cmocka_unit_test_setup_teardown(test_machine, start, finish),
		cmocka_unit_test_setup_teardown(test_paths, start, finish),
		cmocka_unit_test_setup_teardown(test_rest_of_a_struct, start, finish),
		cmocka_unit_test_setup_teardown(test_placements, start, finish),
		cmocka_unit_test_setup_teardown(test_prelude, start, finish),
		cmocka_unit_test_setup_teardown(test_merge_machine, start, finish),
		cmocka_unit_test_setup_teardown(test_merge_structs, start, finish),
		cmocka_unit_test_setup_teardown(test_missing_file, start, finish),
		cmocka_unit_test_setup_teardown(test_broken_files, start, finish),
		cmocka_unit_test_setup_teardown(test_cut_short, start, finish),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
