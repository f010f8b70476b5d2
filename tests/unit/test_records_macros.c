/*
 * Members that macros make in part or that nothing can name: what may move around them.
 */
#include "records_fixture.h"

/* Braces of a nested type that come from macros: the pieces of its text are no declarations. */
static void test_torn_declarations(void **state)
{
	struct parsed parsed;

	(void)state;
	parse_text(&parsed, "#define BEGIN struct {\n"
			    "#define END(name) } name;\n"
			    "struct torn {\n"
			    "	char a;\n"
			    "	BEGIN\n"
			    "		int b;\n"
			    "		char c;\n"
			    "	END(in)\n"
			    "	char d;\n"
			    "	long e;\n"
			    "};\n"
			    "#define ENTRY(type) struct { struct type *next, **prev; }\n"
			    "struct whole {\n"
			    "	char a;\n"
			    "	ENTRY(whole) link;\n"
			    "	ENTRY(whole)\n"
			    "		other;\n"
			    "	char d;\n"
			    "};\n");
	assert_refused(record_named(&parsed, "torn"), "unclear-body");
	assert_not_refused(record_named(&parsed, "whole"));
	assert_string_equal(units_text(parsed.arena, record_named(&parsed, "whole")),
			    "char a;|ENTRY(whole) link;|ENTRY(whole)\n\t\tother;|char d;");
	parsed_end(&parsed);
}

/* Padding with a name made of its line keeps what stands on its two sides apart. */
static void test_separators(void **state)
{
	static const size_t regions[] = { 0, 0, 1, 2, 2, 2 };
	struct parsed parsed;

	(void)state;
	parse_text(&parsed, "#define JOIN(a, b) a##b\n"
			    "#define NAME(line) JOIN(pad_, line)\n"
			    "#define PAD(n) char NAME(__LINE__)[n]\n"
			    "#define FIELD(name) char name##276\n"
			    "struct s {\n"
			    "	char a;\n"
			    "	long b;\n"
			    "	PAD(63);\n"
			    "	char c;\n"
			    "	long d;\n"
			    "	FIELD(e);\n"
			    "};\n");
	const struct rs_record *record = record_named(&parsed, "s");
	assert_not_refused(record);
	assert_int_equal(record->n_units, RS_COUNT_OF(regions));
	for (size_t i = 0; i < record->n_units; i++)
		assert_int_equal(record->units[i].region, regions[i]);
	parsed_end(&parsed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_torn_declarations),
		cmocka_unit_test(test_separators),
	};

	return cmocka_run_group_tests_name("records_macros", tests, scratch_make, scratch_remove);
}
