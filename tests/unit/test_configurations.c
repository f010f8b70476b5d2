/*
 * One record in two configurations: what is the same, what one says holds in the other, and which order of
 * units an order is there.
 */
#include "records_fixture.h"

#include "record/configurations.h"

struct two {
	struct parsed main;
	struct rs_tu *tu;
	const struct rs_record *other;
};

/* The one struct of the text, and as it is with -DX. */
static void begin(struct two *two, const char *text)
{
	static const char *const flags[] = { "-DX" };
	const struct rs_record_query query = { .file = scratch_path("t.h") };
	const struct rs_record **found = NULL;
	size_t count = 0;

	parse_text(&two->main, text);
	struct rs_error *error = rs_tu_vary(two->main.tu, flags, 1, &two->tu);
	if (!error)
		error = rs_records_find(two->tu, two->main.arena, &query, &found, &count);
	if (error)
		fail_msg("%s", error->message);
	assert_int_equal(count, 1);
	two->other = found[0];
}

static void end(struct two *two)
{
	rs_tu_destroy(two->tu);
	parsed_end(&two->main);
}

static const struct rs_record *unite(struct two *two, struct rs_pin_list *list)
{
	const struct rs_configuration other = { .name = "x", .record = two->other };

	list->arena = two->main.arena;
	return rs_configurations_unite(two->main.records[0], &other, 1, list);
}

static void test_same(void **state)
{
	struct two two;

	(void)state;
	begin(&two, "#ifdef X\nint unrelated;\n#endif\nstruct s { char a; long b; };\n");
	assert_true(rs_configurations_are_same(two.main.records[0], two.other));
	assert_true(rs_records_fingerprint(two.main.tu, two.main.records[0]) ==
		    rs_records_fingerprint(two.tu, two.main.records[0]));
	end(&two);
	begin(&two, "#ifdef X\ntypedef long t;\n#else\ntypedef int t;\n#endif\nstruct s { char a; t b; };\n");
	assert_false(rs_configurations_are_same(two.main.records[0], two.other));
	assert_true(rs_records_fingerprint(two.main.tu, two.main.records[0]) !=
		    rs_records_fingerprint(two.tu, two.main.records[0]));
	end(&two);
}

/* A name that only the other has stands for the unit that spells it. */
static void test_names(void **state)
{
	struct rs_pin_list list = { 0 };
	struct two two;

	(void)state;
	begin(&two, "struct s {\n\tchar a;\n#ifdef X\n\tint only;\n#endif\n\tlong b;\n};\n");
	const struct rs_record *united = unite(&two, &list);
	const struct rs_alias *alias = rs_record_find_alias(united, "only");
	assert_non_null(alias);
	assert_int_equal(alias->unit, 1);
	assert_null(rs_record_find_alias(united, "b"));
	assert_int_equal(list.n_pins, 0);
	end(&two);
}

/* What makes nothing in the other configuration does not move. */
static void test_absent_unit(void **state)
{
	struct rs_pin_list list = { 0 };
	struct two two;

	(void)state;
	begin(&two, "#ifdef X\n#define OPT(d)\n#else\n#define OPT(d) d\n#endif\n"
		    "struct s {\n\tchar a;\n\tOPT(long b);\n\tchar c;\n};\n");
	const struct rs_record *main = two.main.records[0];
	const struct rs_record *united = unite(&two, &list);
	size_t unit = main->members[rs_record_find_member(main, "b")].unit;
	size_t before = main->members[rs_record_find_member(main, "a")].unit;
	size_t behind = main->members[rs_record_find_member(main, "c")].unit;
	assert_int_not_equal(united->units[unit].region, united->units[before].region);
	assert_int_not_equal(united->units[before].region, united->units[behind].region);
	assert_true(list.n_pins > 0);
	end(&two);
}

/* A unit that the main configuration does not have stays where it is, whatever moves around it. */
static void test_fixed_unit(void **state)
{
	static const char text[] = "#ifdef X\n#define OPT(d) d\n#else\n#define OPT(d)\n#endif\n"
				   "struct s {\n\tchar a;\n\tint i;\n\tOPT(long b);\n\tchar c;\n};\n";
	static const size_t order[] = { 1, 0, 2 };
	struct rs_pin_list list = { 0 };
	size_t projected[4];
	struct two two;

	(void)state;
	begin(&two, text);
	const struct rs_record *united = unite(&two, &list);
	assert_int_equal(united->n_units, 3);
	assert_int_equal(two.other->n_units, 4);
	rs_configurations_project(united, two.other, order, projected);
	assert_int_equal(projected[0], 1);
	assert_int_equal(projected[1], 0);
	assert_int_equal(projected[2], 2);
	assert_int_equal(projected[3], 3);
	end(&two);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_absent_unit),
		cmocka_unit_test(test_fixed_unit),
	};

	return cmocka_run_group_tests_name("configurations", tests, scratch_make, scratch_remove);
}
