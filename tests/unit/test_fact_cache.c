/* What is kept between runs: found again as long as it is true, and never believed when it is not. */
#include "tu_fixture.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "parse/fact_cache.h"
#include "parse/scan_unit.h"

static const char answer_text[] = "what was found";

static struct rs_bytes bytes_of(const char *text)
{
	return (struct rs_bytes) { text, strlen(text) };
}

/* What was written a moment ago counts as still changing. */
static void settle(void)
{
	nanosleep(&(struct timespec) { .tv_nsec = 80000000 }, NULL);
}

static int setup_cache(void **state)
{
	int status = setup(state);

	setenv("XDG_CACHE_HOME", scratch_path("cache"), 1);
	return status;
}

static struct rs_fact_cache *open_cache(void)
{
	struct rs_fact_cache *cache = rs_fact_cache_open();

	assert_non_null(cache);
	return cache;
}

static bool find(const char *key)
{
	RS_CLEANUP(rs_file_states_destroyp) struct rs_file_states *states = rs_file_states_create();
	struct rs_fact_cache *cache = open_cache();
	struct rs_dependencies dependencies;
	struct rs_bytes answer;
	bool is_found = rs_fact_cache_find(cache, bytes_of(key), states, arena, &dependencies, &answer);

	rs_fact_cache_close(cache);
	if (is_found) {
		assert_int_equal(answer.size, strlen(answer_text));
		assert_memory_equal(answer.data, answer_text, answer.size);
	}
	return is_found;
}

static void keep_with(const char *key, const struct rs_dependencies *dependencies)
{
	struct rs_fact_cache *cache = open_cache();

	rs_fact_cache_keep(cache, bytes_of(key), dependencies, bytes_of(answer_text));
	rs_fact_cache_close(cache);
}

static struct rs_dependencies collect(uint64_t started_ns)
{
	RS_CLEANUP(rs_file_states_destroyp) struct rs_file_states *states = rs_file_states_create();
	struct rs_dependencies dependencies;

	rs_dependencies_collect(tu, NULL, 0, started_ns, states, arena, &dependencies);
	return dependencies;
}

static struct rs_dependencies collect_all(void)
{
	settle();
	const struct rs_dependencies dependencies = collect(rs_file_state_now_ns());

	assert_true(dependencies.is_complete);
	return dependencies;
}

/* Reads main.c with first/ and second/ as folders of headers, and keeps an answer about it. */
static void keep_main(const char *key)
{
	static const char *flags[] = { "-Ifirst", "-Isecond" };

	mkdir("first", 0777);
	mkdir("second", 0777);
	settle();
	uint64_t started_ns = rs_file_state_now_ns();
	use_flags(flags, RS_COUNT_OF(flags));
	open_file("main.c");
	const struct rs_dependencies dependencies = collect(started_ns);
	assert_true(dependencies.is_complete);
	keep_with(key, &dependencies);
	assert_true(find(key));
}

static void keep_simple(const char *key)
{
	mkdir("second", 0777);
	write_text("second/a.h", "struct a { int x; };\n");
	write_text("main.c", "#include \"a.h\"\nstruct a v;\n");
	keep_main(key);
}

static void test_is_found_again(void **state)
{
	(void)state;
	keep_simple("one");
	assert_true(find("one"));
	assert_false(find("two"));
	/* The text alone counts. */
	write_text("second/a.h", "struct a { int x; };\n");
	assert_true(find("one"));
}

static void test_changed_header(void **state)
{
	(void)state;
	keep_simple("one");
	write_text("second/a.h", "struct a { int y; };\n");
	assert_false(find("one"));
	write_text("second/a.h", "struct a { int x; };\n");
	assert_true(find("one"));
	unlink("second/a.h");
	assert_false(find("one"));
}

/* Of the same size and with the old time of change, as tools leave it that unpack archives. */
static void test_changed_behind_its_time(void **state)
{
	struct stat before;

	(void)state;
	keep_simple("one");
	settle();
	assert_true(find("one")); /* from now on the times are enough */
	assert_int_equal(stat("second/a.h", &before), 0);
	write_text("second/a.h", "struct a { int y; };\n");
	const struct timespec times[] = { before.st_atim, before.st_mtim };
	assert_int_equal(utimensat(AT_FDCWD, "second/a.h", times, 0), 0);
	assert_false(find("one"));
}

static void test_new_header_in_front(void **state)
{
	(void)state;
	keep_simple("one");
	write_text("first/a.h", "struct a { int x; };\n");
	assert_false(find("one"));
	unlink("first/a.h");
	assert_true(find("one"));
	write_text("a.h", "struct a { int x; };\n"); /* beside the source */
	assert_false(find("one"));
}

/* A header behind the one that was found plays no part, but is noticed, too: that does no harm. */
static void test_link_that_leads_elsewhere(void **state)
{
	(void)state;
	mkdir("second", 0777);
	write_text("real.h", "struct a { int x; };\n");
	write_text("other.h", "struct a { int x; };\n");
	assert_int_equal(symlink("../real.h", "second/a.h"), 0);
	write_text("main.c", "#include <a.h>\nstruct a v;\n");
	keep_main("one");
	unlink("second/a.h");
	assert_int_equal(symlink("../other.h", "second/a.h"), 0);
	assert_false(find("one"));
}

static void test_name_in_a_folder_that_comes(void **state)
{
	(void)state;
	mkdir("second", 0777);
	mkdir("second/sub", 0777);
	write_text("second/sub/a.h", "struct a { int x; };\n");
	write_text("main.c", "#include <sub/a.h>\nstruct a v;\n");
	keep_main("one");
	mkdir("first/sub", 0777);
	write_text("first/sub/a.h", "struct a { char x; };\n");
	assert_false(find("one"));
}

static void test_name_that_was_not_found(void **state)
{
	(void)state;
	write_text("main.c", "#if __has_include(\"extra.h\")\n#include \"extra.h\"\n#endif\nint v;\n");
	keep_main("one");
	write_text("first/extra.h", "\n");
	assert_false(find("one"));
}

/* The name of what a macro includes is written nowhere. */
static void test_name_that_a_macro_makes(void **state)
{
	(void)state;
	mkdir("second", 0777);
	write_text("second/made.h", "struct a { int x; };\n");
	write_text("main.c", "#define TEXT(x) <x.h>\n#define NAME TEXT(made)\n#include NAME\nstruct a v;\n");
	keep_main("one");
	write_text("first/made.h", "struct a { int x; };\n");
	assert_false(find("one"));
	unlink("first/made.h");
	assert_true(find("one"));
	/* One that is switched off asks for nothing. */
	write_text("main.c", "#ifdef NAME\n#include NAME\n#endif\nint v;\n");
	keep_main("two");
}

/* What a test by macro asks for is not known, so nothing is kept. */
static void test_test_by_macro(void **state)
{
	(void)state;
	write_text("main.c", "#define NAME \"n.h\"\n#if __has_include(NAME)\n#include NAME\n#endif\nint v;\n");
	open_file("main.c");
	settle();
	const struct rs_dependencies dependencies = collect(rs_file_state_now_ns());
	assert_false(dependencies.is_complete);
	keep_with("one", &dependencies);
	assert_false(find("one"));
}

/* A name that came into the folder while the source was read may have come too late. */
static void test_folder_that_changes_meanwhile(void **state)
{
	(void)state;
	write_text("main.c", "#include \"a.h\"\n");
	write_text("a.h", "int v;\n");
	settle();
	uint64_t started_ns = rs_file_state_now_ns();
	open_file("main.c");
	write_text("b.h", "\n");
	assert_false(collect(started_ns).is_complete);
	settle();
	assert_true(collect(rs_file_state_now_ns()).is_complete);
}

static void test_missing_header_comes(void **state)
{
	struct rs_scan_units units = { 0 };
	const char *arguments[] = { "cc", "-c", "main.c" };
	const struct rs_compile_command command = { .file = scratch_path("main.c"),
						    .directory = scratch_root,
						    .arguments = arguments,
						    .n_arguments = RS_COUNT_OF(arguments),
						    .is_c = true };

	(void)state;
	write_text("main.c", "#define MADE \"made.h\"\n#include \"missing.h\"\n#include MADE\nint v;\n");
	settle();
	make_parser();
	rs_scan_units_add_command(arena, &command, NULL, &units);
	uint64_t started_ns = rs_file_state_now_ns();
	struct rs_error *error = rs_scan_unit_read(parser, &units.items[0], &tu);
	assert_non_null(error);
	rs_error_destroy(error);
	assert_non_null(tu);
	const struct rs_dependencies dependencies = collect(started_ns);
	assert_true(dependencies.is_complete);
	keep_with("one", &dependencies);
	assert_true(find("one"));
	write_text("missing.h", "\n");
	assert_false(find("one"));
	unlink("missing.h");
	assert_true(find("one"));
	write_text("made.h", "\n");
	assert_false(find("one"));
}

/* --- the files --- */

static const char *entry_path(void)
{
	static char path[PATH_MAX];
	FILE *list = popen("ls cache/restruct/*.facts", "r");

	assert_non_null(list);
	assert_non_null(fgets(path, sizeof path, list));
	pclose(list);
	path[strcspn(path, "\n")] = '\0';
	return path;
}

static void test_damaged_entries(void **state)
{
	size_t size;

	(void)state;
	keep_simple("one");
	const char *path = entry_path();
	char *good = scratch_read(path, &size);
	for (size_t i = 0; i < size; i += 1 + size / 200) {
		scratch_write(path, good, i);
		assert_false(find("one"));
		good[i] ^= 0x11;
		scratch_write(path, good, size);
		assert_false(find("one"));
		good[i] ^= 0x11;
	}
	scratch_write(path, "", 0);
	assert_false(find("one"));
	open_file("main.c");
	const struct rs_dependencies dependencies = collect_all();
	keep_with("one", &dependencies); /* written over */
	assert_true(find("one"));
	free(good);
}

/* As if two keys had the same hash. */
static void test_entry_of_another_key(void **state)
{
	(void)state;
	keep_simple("one");
	assert_int_equal(scratch_run("mv cache/restruct/*.facts kept"), 0);
	keep_main("two");
	assert_int_equal(scratch_run("mv kept \"$(ls cache/restruct/*.facts)\""), 0);
	assert_false(find("two"));
}

/* No folder can be made below a file. */
static void test_folder_that_cannot_be_made(void **state)
{
	(void)state;
	write_text("file", "");
	setenv("XDG_CACHE_HOME", scratch_path("file"), 1);
	assert_null(rs_fact_cache_open());
	rs_fact_cache_close(NULL);
}

static void test_folder_that_cannot_be_written(void **state)
{
	(void)state;
	keep_simple("one");
	const struct rs_dependencies dependencies = collect_all();
	struct rs_fact_cache *cache = open_cache();
	assert_int_equal(scratch_run("mv cache/restruct cache/moved && touch cache/restruct"), 0);
	rs_fact_cache_keep(cache, bytes_of("two"), &dependencies, bytes_of(answer_text));
	rs_fact_cache_trim(cache, 0, 0);
	rs_fact_cache_close(cache);
	assert_int_equal(scratch_run("rm cache/restruct && mv cache/moved cache/restruct"), 0);
	assert_true(find("one"));
	assert_false(find("two"));
}

static void test_makes_room(void **state)
{
	(void)state;
	keep_simple("one");
	struct rs_fact_cache *cache = open_cache();
	write_text("cache/restruct/notes.txt", "mine\n");
	rs_fact_cache_trim(cache, 1 << 20, 1000);
	assert_true(find("one"));
	assert_int_equal(scratch_run("touch -d '3 days ago' cache/restruct/*.facts"), 0);
	assert_int_equal(scratch_run("touch -d '3 days ago' cache/restruct/0123456789abcdef.facts.XyZabc"), 0);
	rs_fact_cache_trim(cache, 1 << 20, 4 * 24 * 60 * 60);
	assert_int_equal(scratch_run("test -z \"$(find cache -name '*.facts.*')\""), 0);
	rs_fact_cache_trim(cache, 1 << 20, 24 * 60 * 60);
	assert_false(find("one"));
	open_file("main.c");
	const struct rs_dependencies dependencies = collect_all();
	for (char key[] = "a"; key[0] <= 'e'; key[0]++)
		keep_with(key, &dependencies);
	assert_int_equal(scratch_run("test $(ls cache/restruct/*.facts | wc -l) = 5"), 0);
	struct stat status;
	assert_int_equal(stat(entry_path(), &status), 0);
	rs_fact_cache_trim(cache, 5 * (uint64_t)status.st_size / 2, 1000);
	assert_int_equal(scratch_run("test $(ls cache/restruct/*.facts | wc -l) = 2"), 0);
	rs_fact_cache_close(cache);
	scratch_expect("cache/restruct/notes.txt", "mine\n", 5); /* others' files are left alone */
}

/* Each of two processes finds whole entries only, whoever wrote them. */
static void test_two_processes(void **state)
{
	int status;

	(void)state;
	keep_simple("one");
	const struct rs_dependencies dependencies = collect_all();
	pid_t pid = fork();
	assert_true(pid >= 0);
	for (int i = 0; i < 200; i++) {
		char key[] = { (char)('a' + i % 5), '\0' };

		keep_with(key, &dependencies);
		bool is_found = find(key);
		if (!is_found && pid == 0)
			_exit(1);
		assert_true(is_found);
	}
	if (pid == 0)
		_exit(0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	assert_int_equal(scratch_run("test -z \"$(find cache -name '*.facts.*')\""), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_is_found_again, setup_cache, teardown),
		cmocka_unit_test_setup_teardown(test_changed_header, setup_cache, teardown),
		cmocka_unit_test_setup_teardown(test_changed_behind_its_time, setup_cache, teardown),
		cmocka_unit_test_setup_teardown(test_new_header_in_front, setup_cache, teardown),
		cmocka_unit_test_setup_teardown(test_link_that_leads_elsewhere, setup_cache, teardown),
		cmocka_unit_test_setup_teardown(test_name_in_a_folder_that_comes, setup_cache, teardown),
		cmocka_unit_test_setup_teardown(test_name_that_was_not_found, setup_cache, teardown),
		cmocka_unit_test_setup_teardown(test_name_that_a_macro_makes, setup_cache, teardown),
		cmocka_unit_test_setup_teardown(test_test_by_macro, setup_cache, teardown),
		cmocka_unit_test_setup_teardown(test_folder_that_changes_meanwhile, setup_cache, teardown),
		cmocka_unit_test_setup_teardown(test_missing_header_comes, setup_cache, teardown),
		cmocka_unit_test_setup_teardown(test_damaged_entries, setup_cache, teardown),
		cmocka_unit_test_setup_teardown(test_entry_of_another_key, setup_cache, teardown),
		cmocka_unit_test_setup_teardown(test_folder_that_cannot_be_made, setup_cache, teardown),
		cmocka_unit_test_setup_teardown(test_folder_that_cannot_be_written, setup_cache, teardown),
		cmocka_unit_test_setup_teardown(test_makes_room, setup_cache, teardown),
		cmocka_unit_test_setup_teardown(test_two_processes, setup_cache, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
