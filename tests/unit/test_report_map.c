/*
 * The parts of the text writers: columns, declarations, the cache-line map.
 */
#include "report/declaration.h"
#include "report_fixture.h"

/* Of an anonymous union the largest alternative is drawn, when that is a struct. */
static void test_map_of_union(void **state)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder map = { 0 };
	struct make make;

	(void)state;
	make_begin(&make, "union.h", "", "peer");
	make_open(&make, "union", "", true);
	make_open(&make, "struct", "", false);
	make_field(&make, "long rid_and_more", "rid_and_more", 8, 8, 0);
	make_field(&make, "int stamp", "stamp", 4, 4, 0);
	make_field(&make, "long last", "last", 8, 8, 0);
	make_close(&make);
	make_field(&make, "char rcu[16]", "rcu", 16, 1, 0);
	make_close(&make);
	make_field(&make, "long tail", "tail", 8, 8, 0);
	make_end(&make);
	make_profile(&make);
	make_access(&make, "tick", 1, "stamp w, tail r");
	rs_map_print(&map, &make.result, &make.result.original, 64, false);
	assert_non_null(strstr(map.data, "|rid_an.|sta|   |last   |tail   |\n"));
	assert_non_null(strstr(map.data, "|........####............========\n"));
	make_free(&make);
}

static void test_map_of_other_lines(void **state)
{
	static const unsigned sizes[] = { 16, 32, 128, 256 };
	struct make make;

	(void)state;
	make_peer(&make);
	add_peer_profile(&make);
	for (size_t i = 0; i < RS_COUNT_OF(sizes); i++) {
		RS_CLEANUP(rs_builder_deinit) struct rs_builder map = { 0 };

		rs_map_print(&map, &make.result, &make.result.original, sizes[i], false);
		expect_columns(map.data, 78);
		if (sizes[i] == 128)
			expect_golden("map-128.txt", map.data);
	}
	make_free(&make);
}

static void test_columns(void **state)
{
	static const struct {
		const char *text;
		size_t columns, fit;
		const char *fitted;
	} cases[] = {
		{ "avl_left", 8, 7, "avl_le." },
		{ "avl_left", 8, 3, "avl" },
		{ "ab", 2, 4, "ab  " },
		{ "測定x", 5, 4,
		  "測."
		  ""
		  " " },
		{ "測定", 4, 1, " " },
		{ "e\xCC\x81t", 2, 2, "e\xCC\x81t" },
		{ "a\033[1m", 5, 5, "a?[1m" },
		{ "\xFFz", 2, 2, "?z" },
		{ "x\ty", 3, 3, "x y" },
		{ "\xE2\x80\xAEx", 2, 2, "?x" },
		{ "\xE6\xB8", 2, 2, "??" },
		{ "", 0, 2, "  " },
	};

	(void)state;
	for (size_t i = 0; i < RS_COUNT_OF(cases); i++) {
		RS_CLEANUP(rs_builder_deinit) struct rs_builder out = { 0 };

		assert_int_equal(rs_columns_measure(cases[i].text), cases[i].columns);
		rs_columns_fit(&out, cases[i].text, cases[i].fit);
		assert_string_equal(out.data, cases[i].fitted);
		assert_int_equal(rs_columns_measure(out.data), cases[i].fit);
	}
}

static void test_declaration(void **state)
{
	static const struct {
		const char *declaration, *name, *type, *declarator;
	} cases[] = {
		{ "int x", "x", "int", "x" },
		{ "struct list *list", "list", "struct list *", "list" },
		{ "struct list list[4]", "list", "struct list", "list[4]" },
		{ "list list", "list", "list", "list" },
		{ "const list list", "list", "const list", "list" },
		{ "const list *list", "list", "const list *", "list" },
		{ "int (*cb)(int cb, char)", "cb", "int", "(*cb)(int cb, char)" },
		{ "typeof(int) x", "x", "typeof(int)", "x" },
		{ "int b __attribute__((aligned(64)))", "b", "int", "b __attribute__((aligned(64)))" },
		{ "void (*(*table)[3])(void)", "table", "void", "(*(*table)[3])(void)" },
		{ "union u", "u", "union", "u" },
		{ "struct points[3]", "points", "struct", "points[3]" },
		{ "odd", "missing", "", "missing" },
	};
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();

	(void)state;
	for (size_t i = 0; i < RS_COUNT_OF(cases); i++) {
		const struct rs_member member = { .declaration = cases[i].declaration,
						  .name = cases[i].name,
						  .type = "" };
		struct rs_declaration split = rs_declaration_split(arena, &member);

		assert_string_equal(split.type, cases[i].type);
		assert_string_equal(split.declarator, cases[i].declarator);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_map_of_union),
		cmocka_unit_test(test_map_of_other_lines),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_declaration),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
