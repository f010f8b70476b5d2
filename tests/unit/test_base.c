#include "scratch.h"

#include "base/file.h"
#include "base/notes.h"
#include "base/utf8.h"

#define TEXT(literal) (literal), sizeof(literal) - 1

static jmp_buf no_memory;

static void leave(void)
{
	longjmp(no_memory, 1);
}

static void arena_memory_is_zeroed_and_aligned(void **state)
{
	(void)state;
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();

	for (size_t size = 0; size < 200000; size = size * 2 + 1) {
		char *memory = (char *)rs_arena_alloc(arena, size);

		assert_true((uintptr_t)memory % _Alignof(max_align_t) == 0);
		for (size_t i = 0; i < size; i++)
			assert_true(memory[i] == 0);
		memset(memory, 'x', size);
	}
	assert_string_equal(rs_arena_strndup(arena, "abc", 2), "ab");
	assert_string_equal(rs_arena_strndup(arena, NULL, 0), "");
	assert_string_equal(rs_arena_printf(arena, "%s-%05d", "x", 42), "x-00042");
	rs_arena_destroy(NULL);
}

static void arrays_grow(void **state)
{
	(void)state;
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	int *items = NULL;
	size_t n_items = 0, items_capacity = 0;

	for (int i = 0; i < 1000; i++) {
		int *item = rs_array_push(arena, items, n_items, items_capacity);

		assert_int_equal(*item, 0);
		*item = i;
	}
	assert_int_equal(n_items, 1000);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(items[i], i);
}

static void nth_allocation_fails(void **state)
{
	volatile int reached = 0;
	void *volatile first = NULL;

	(void)state;
	rs_alloc_set_oom_handler(leave);
	rs_alloc_fail_after(2);
	if (setjmp(no_memory) == 0) {
		first = rs_alloc(10);
		reached = 1;
		free(rs_alloc(10));
		reached = 2;
	}
	rs_alloc_set_oom_handler(NULL);
	assert_int_equal(reached, 1);
	free(first);
	free(rs_realloc(rs_alloc(0), 0));
}

static void builder_grows_and_stays_terminated(void **state)
{
	(void)state;
	RS_CLEANUP(rs_builder_deinit) struct rs_builder out;

	rs_builder_init(&out);
	rs_builder_append(&out, "", 0);
	assert_string_equal(out.data, "");
	rs_builder_appends(&out, "ab");
	rs_builder_appendc(&out, 'c');
	rs_builder_pad(&out, '.', 300);
	rs_builder_printf(&out, "%d|%s", 7, "x");
	assert_int_equal(out.length, 306);
	assert_int_equal(strlen(out.data), 306);
	assert_string_equal(out.data + 300, "...7|x");
	rs_builder_append(&out, "\0z", 2);
	assert_int_equal(out.length, 308);
	assert_memory_equal(out.data + 306, "\0z", 3);
}

static void errors_print(void **state)
{
	(void)state;
	RS_CLEANUP(rs_builder_deinit) struct rs_builder out = { 0 };
	struct rs_error *error = rs_error_create(RS_ERROR_PARSE, "a.h", 3, 7, "no %s", "type");

	rs_error_print(error, &out);
	error = rs_error_prefix(error, "in %s", "b");
	error->column = 0;
	rs_error_print(error, &out);
	error->line = 0;
	rs_error_print(error, &out);
	rs_error_destroy(error);
	error = rs_error_create(RS_ERROR_USAGE, NULL, 0, 0, "bad option");
	rs_error_print(error, &out);
	rs_error_destroy(error);
	assert_string_equal(out.data, "restruct: a.h:3:7: error: no type\n"
				      "restruct: a.h:3: error: in b: no type\n"
				      "restruct: a.h: error: in b: no type\n"
				      "restruct: error: bad option\n");
	assert_null(rs_error_prefix(NULL, "x"));
	rs_error_destroy(NULL);
}

static void notes_are_kept_once(void **state)
{
	(void)state;
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	struct rs_notes notes;

	rs_notes_init(&notes, arena);
	for (int i = 0; i < 3; i++) {
		rs_notes_add(&notes, RS_NOTE_WARNING, "a.c", 1, 2, "flag %s", "-x");
		rs_notes_add(&notes, RS_NOTE_WARNING, NULL, 0, 0, "flag %s", "-x");
		rs_notes_add(&notes, RS_NOTE_INFO, "a.c", 1, 3, "flag %s", "-x");
	}
	assert_int_equal(notes.n_items, 3);
	assert_string_equal(notes.items[0].message, "flag -x");
	assert_null(notes.items[1].path);
}

static void hash_is_fnv1a(void **state)
{
	(void)state;
	assert_true(rs_hash_bytes("", 0) == 0xcbf29ce484222325);
	assert_true(rs_hash_bytes("a", 1) == 0xaf63dc4c8601ec8c);
	assert_true(rs_hash_bytes("foobar", 6) == 0x85944171f73967e8);
}

static void utf8_is_strict(void **state)
{
	static const struct {
		const char *text;
		size_t size, length;
	} cases[] = {
		{ TEXT(""), 0 },
		{ TEXT("a"), 1 },
		{ TEXT("\0"), 1 },
		{ TEXT("\x7f"), 1 },
		{ TEXT("\x80"), 0 },
		{ TEXT("\xc1\xbf"), 0 },
		{ TEXT("\xc2\x80"), 2 },
		{ TEXT("\xc2\x7f"), 0 },
		{ TEXT("\xdf\xbfz"), 2 },
		{ TEXT("\xe0\x9f\xbf"), 0 },
		{ TEXT("\xe0\xa0\x80"), 3 },
		{ TEXT("\xed\x9f\xbf"), 3 },
		{ TEXT("\xed\xa0\x80"), 0 },
		{ TEXT("\xef\xbf\xbf"), 3 },
		{ TEXT("\xef\xbf"), 0 },
		{ TEXT("\xf0\x8f\xbf\xbf"), 0 },
		{ TEXT("\xf0\x90\x80\x80"), 4 },
		{ TEXT("\xf4\x8f\xbf\xbf"), 4 },
		{ TEXT("\xf4\x90\x80\x80"), 0 },
		{ TEXT("\xf1\x80\x80"), 0 },
		{ TEXT("\xf1\x80\x80z"), 0 },
		{ TEXT("\xf5\x80\x80\x80"), 0 },
	};

	(void)state;
	for (size_t i = 0; i < RS_COUNT_OF(cases); i++)
		assert_int_equal(rs_utf8_length(cases[i].text, cases[i].size), cases[i].length);
}

static void paths_as_text(void **state)
{
	static const struct {
		const char *path, *directory, *basename;
	} cases[] = {
		{ "a", ".", "a" }, { "a/b", "a", "b" },  { "/a", "/", "a" },
		{ "/", "/", "" },  { "a//b", "a", "b" }, { "/a/b/c.h", "/a/b", "c.h" },
		{ "a/", ".", "" }, { "", ".", "" },      { "//x", "/", "x" },
	};
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();

	(void)state;
	for (size_t i = 0; i < RS_COUNT_OF(cases); i++) {
		assert_string_equal(rs_path_directory(arena, cases[i].path), cases[i].directory);
		assert_string_equal(rs_path_basename(cases[i].path), cases[i].basename);
	}
	assert_string_equal(rs_path_absolute(arena, "/x", "/y"), "/y");
	assert_string_equal(rs_path_absolute(arena, "/x/", "y/../z"), "/x/y/../z");
	assert_string_equal(rs_path_below("/a/b/c", "/a"), "b/c");
	assert_string_equal(rs_path_below("/a/b/c", "/a/"), "b/c");
	assert_string_equal(rs_path_below("/ab/c", "/a"), "/ab/c");
	assert_string_equal(rs_path_below("/a", "/a"), "/a");
	assert_string_equal(rs_path_below("/a/b", "/"), "a/b");
	assert_string_equal(rs_path_below("/a/b", NULL), "/a/b");
	assert_string_equal(rs_path_below("/a/b", ""), "/a/b");
}

static void expect_canonical(const char *path, const char *expected)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	char *root = realpath(scratch_root, NULL);

	assert_string_equal(rs_path_canonical(arena, scratch_path(path)),
			    rs_arena_printf(arena, "%s%s", root, expected));
	free(root);
}

static void paths_are_made_canonical(void **state)
{
	(void)state;
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();

	assert_int_equal(scratch_run("mkdir -p c/real/deep && touch c/real/f.h && ln -s real/deep c/link && "
				     "ln -s nowhere c/dangling && ln -s loop c/loop"),
			 0);
	expect_canonical("c/link/../f.h", "/c/real/f.h");
	expect_canonical("c/./real//f.h", "/c/real/f.h");
	expect_canonical("c/link/../missing.h", "/c/real/missing.h");
	expect_canonical("c/link/new/./sub/../x.h", "/c/real/deep/new/x.h");
	expect_canonical("c/missing/../real", "/c/real");
	expect_canonical("c/dangling", "/c/dangling");
	expect_canonical("c/loop/x", "/c/loop/x");
	expect_canonical("c/real/f.h/x", "/c/real/f.h/x");
	assert_string_equal(rs_path_canonical(arena, "/"), "/");
	assert_string_equal(rs_path_canonical(arena, "/../.."), "/");
	assert_string_equal(rs_path_canonical(arena, "/nowhere-at-all/../.."), "/");
	char *current = getcwd(NULL, 0);
	assert_string_equal(rs_path_absolute(arena, "sub", "x"), rs_arena_printf(arena, "%s/sub/x", current));
	free(current);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arena_memory_is_zeroed_and_aligned),
		cmocka_unit_test(arrays_grow),
		cmocka_unit_test(nth_allocation_fails),
		cmocka_unit_test(builder_grows_and_stays_terminated),
		cmocka_unit_test(errors_print),
		cmocka_unit_test(notes_are_kept_once),
		cmocka_unit_test(hash_is_fnv1a),
		cmocka_unit_test(utf8_is_strict),
		cmocka_unit_test(paths_as_text),
		cmocka_unit_test(paths_are_made_canonical),
	};

	return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
