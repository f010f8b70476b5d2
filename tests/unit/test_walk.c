#include "scratch.h"

#include "base/builder.h"
#include "base/path.h"
#include "base/walk.h"

static struct rs_arena *arena;
static struct rs_notes notes;

static int setup(void **state)
{
	arena = rs_arena_create();
	rs_notes_init(&notes, arena);
	return scratch_make(state);
}

static int teardown(void **state)
{
	rs_arena_destroy(arena);
	return scratch_remove(state);
}

static void expect_walk(size_t max_entries, rs_walk_wants_fn wants, const char *expected)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	const char *root = rs_path_canonical(arena, scratch_root);
	struct rs_walk walk = rs_walk_files(arena, scratch_root, max_entries, wants, &notes);

	rs_builder_appends(&text, "");
	for (size_t i = 0; i < walk.n_paths; i++)
		rs_builder_printf(&text, "%s%s", i ? " " : "", rs_path_below(walk.paths[i], root));
	assert_string_equal(text.data, expected);
}

static bool wants_c(const char *name)
{
	size_t length = strlen(name);

	return length > 2 && strcmp(name + length - 2, ".c") == 0;
}

static void walks_in_order(void **state)
{
	(void)state;
	assert_int_equal(scratch_run("mkdir -p b/x a && touch z.c b/x/2.c b/x/1.c b/y.h a/k.c A.c"), 0);
	expect_walk(100, NULL, "A.c a/k.c b/x/1.c b/x/2.c b/y.h z.c");
	expect_walk(100, wants_c, "A.c a/k.c b/x/1.c b/x/2.c z.c");
	assert_int_equal(notes.n_items, 0);
}

static void passes_over_what_is_no_source(void **state)
{
	(void)state;
	assert_int_equal(
		scratch_run(
			"mkdir -p .git .hg .pc/src CVS node_modules/m build-a/meson-info cmake-build/x out/o "
			"build/src rebuild && for d in .git .hg .pc/src CVS node_modules/m build-a "
			"cmake-build/x out/o build/src rebuild; do touch $d/f.c; done; "
			"touch cmake-build/CMakeCache.txt out/build.ninja CMakeCache.txt; "
			"ln -s rebuild linked; ln -s . loop; ln -s rebuild/f.c link.c; mkfifo pipe.c"),
		0);
	expect_walk(100, wants_c, "build/src/f.c rebuild/f.c");
}

static void says_where_it_stopped(void **state)
{
	(void)state;
	assert_int_equal(scratch_run("touch a.c b.c c.c d.c"), 0);
	expect_walk(4, wants_c, "a.c b.c c.c d.c");
	assert_int_equal(notes.n_items, 0);
	struct rs_walk walk = rs_walk_files(arena, scratch_root, 2, NULL, &notes);
	assert_int_equal(walk.n_paths, 2);
	assert_int_equal(notes.n_items, 1);
	assert_non_null(strstr(notes.items[0].message, "more than 2"));
}

static void a_missing_root_is_noted(void **state)
{
	(void)state;
	struct rs_walk walk = rs_walk_files(arena, scratch_path("none"), 10, NULL, &notes);

	assert_int_equal(walk.n_paths, 0);
	assert_int_equal(notes.n_items, 1);
}

static void reads_text_alone(void **state)
{
	char *text, *large = (char *)calloc(1, RS_WALK_MAX_BYTES + 1);
	size_t size;

	(void)state;
	memset(large, 'x', RS_WALK_MAX_BYTES + 1);
	scratch_write("text", "int x;\n", 7);
	scratch_write("binary", "int\0x", 5);
	scratch_write("late", large, 8192);
	scratch_write("empty", "", 0);
	scratch_write("large", large, RS_WALK_MAX_BYTES + 1);
	scratch_write("limit", large, RS_WALK_MAX_BYTES);
	free(large);
	assert_true(rs_walk_read(arena, scratch_path("text"), &notes, &text, &size));
	assert_string_equal(text, "int x;\n");
	assert_int_equal(size, 7);
	assert_false(rs_walk_read(arena, scratch_path("binary"), &notes, &text, &size));
	assert_true(rs_walk_read(arena, scratch_path("late"), &notes, &text, &size));
	assert_true(rs_walk_read(arena, scratch_path("empty"), &notes, &text, &size));
	assert_false(rs_walk_read(arena, scratch_path("large"), &notes, &text, &size));
	assert_true(rs_walk_read(arena, scratch_path("limit"), &notes, &text, &size));
	assert_false(rs_walk_read(arena, scratch_path("missing"), &notes, &text, &size));
	assert_false(rs_walk_read(arena, scratch_path("."), &notes, &text, &size));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(walks_in_order, setup, teardown),
		cmocka_unit_test_setup_teardown(passes_over_what_is_no_source, setup, teardown),
		cmocka_unit_test_setup_teardown(says_where_it_stopped, setup, teardown),
		cmocka_unit_test_setup_teardown(a_missing_root_is_noted, setup, teardown),
		cmocka_unit_test_setup_teardown(reads_text_alone, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
