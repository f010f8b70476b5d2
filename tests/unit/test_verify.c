/*
 * What verification lets pass and what it stops, on whole files: an order is carried out and parsed again.
 */
#include "records_fixture.h"

#include "rewrite/rewrite.h"
#include "rewrite/verify.h"

/* Carries out the order of the units (digits) and verifies it. */
static struct rs_error *verify_order(const char *before, const char *name, const char *digits)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	struct parsed parsed;
	struct rs_plan plan;
	struct rs_edit *edits;
	size_t order[10], count;

	parse_text(&parsed, before);
	const struct rs_record *record = record_named(&parsed, name);
	assert_not_refused(record);
	assert_int_equal(strlen(digits), record->n_units);
	for (size_t i = 0; i < record->n_units; i++)
		order[i] = (size_t)(digits[i] - '0');
	rs_plan_from_order(parsed.arena, record, NULL, order, &plan);
	rs_rewrite_order(parsed.arena, record, order, &edits, &count);
	rs_edit_apply(record->source, edits, count, &text);
	const struct rs_verification verification = { .record = record, .plan = &plan };
	struct rs_error *error = rs_verify(parsed.tu, record->source, text.data, text.length, &verification, 1,
					   edits, count, NULL);
	parsed_end(&parsed);
	return error;
}

static void expect_verified(const char *before, const char *name, const char *digits)
{
	struct rs_error *error = verify_order(before, name, digits);

	if (error)
		fail_msg("%s: %s", name, error->message);
}

/* Lines move, and with them a name that a macro makes of __LINE__. */
static void test_names_of_lines(void **state)
{
	static const char text[] = "#define JOIN(a, b) a##b\n"
				   "#define NAME(line) JOIN(pad_, line)\n"
				   "#define PAD(n) char NAME(__LINE__)[n]\n"
				   "struct s {\n"
				   "	/* two\n"
				   "	   lines */\n"
				   "	char a;\n"
				   "\n"
				   "	long b;\n"
				   "	PAD(63);\n"
				   "	char c;\n"
				   "	int d;\n"
				   "};\n"
				   "struct t { struct s in; char e; };\n";

	(void)state;
	expect_verified(text, "s", "01243");
	expect_verified("struct first {\n	char a; int b;\n	char c;\n};\n"
			"#define JOIN(a, b) a##b\n"
			"#define NAME(line) JOIN(pad_, line)\n"
			"struct s { char NAME(__LINE__); int x; };\n",
			"first", "102");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_of_lines),
	};

	return cmocka_run_group_tests_name("verify", tests, scratch_make, scratch_remove);
}
