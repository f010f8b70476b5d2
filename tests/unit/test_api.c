/*
 * The public functions, as a program that links the library would call them.
 */
#include "restruct/restruct.h"
#include "scratch.h"

static const char header[] = "struct s {\n\tchar a;\n\tlong b;\n\tchar c;\n};\n"
			     "struct done { long a; };\n"
			     "struct packed { char a; long b; } __attribute__((packed));\n";
static const char *const no_flags[] = { NULL };

static struct restruct *open_header(const char *name)
{
	struct restruct *r = restruct_create();

	scratch_write("api.h", header, strlen(header));
	restruct_set_flags(r, no_flags, 0);
	restruct_set_root(r, scratch_root);
	restruct_add_target(r, scratch_path("api.h"), name);
	return r;
}

static void assert_prints(struct restruct *r, const char *format, const char *wanted)
{
	size_t length = 0;
	char *text = restruct_print(r, &(struct restruct_print_options) { .format = format }, &length);

	assert_non_null(text);
	assert_int_equal(length, strlen(text));
	assert_non_null(strstr(text, wanted));
	free(text);
}

static void test_versions(void **state)
{
	(void)state;
	assert_true(strchr(restruct_version(), '.') != NULL);
	assert_true(strstr(restruct_compiler_version(), "clang") != NULL);
	assert_true(restruct_has_format("text"));
	assert_true(restruct_has_format("json"));
	assert_false(restruct_has_format("yaml"));
	assert_false(restruct_has_format(""));
	restruct_destroy(NULL);
}

static void test_questions_in_turn(void **state)
{
	struct restruct *r = open_header("s");

	(void)state;
	assert_int_equal(restruct_annotate(r), RESTRUCT_OK);
	assert_prints(r, NULL, "/* XXX 7 bytes hole, try to pack */");
	assert_int_equal(restruct_optimize(r), RESTRUCT_OK);
	assert_prints(r, "text", "plan 1 moves");
	assert_int_equal(restruct_emit(r), RESTRUCT_OK);
	assert_prints(r, "text", "+++ b/api.h");
	assert_prints(r, "json", "\"verified\": true");
	assert_int_equal(restruct_annotate(r), RESTRUCT_OK);
	assert_prints(r, "json", "\"plans\": []");
	assert_string_equal(restruct_file(r, 0), scratch_path("api.h"));
	assert_null(restruct_file(r, 1));
	assert_null(restruct_error(r));
	restruct_destroy(r);
}

static void test_apply(void **state)
{
	struct restruct *r = open_header("s");

	(void)state;
	assert_int_equal(restruct_apply(r), RESTRUCT_USAGE);
	assert_non_null(strstr(restruct_error(r), "nothing was emitted"));
	assert_int_equal(restruct_optimize(r), RESTRUCT_OK);
	assert_int_equal(restruct_apply(r), RESTRUCT_USAGE);
	assert_int_equal(restruct_emit(r), RESTRUCT_OK);
	assert_int_equal(restruct_apply(r), RESTRUCT_OK);
	/* The file is now another one than was read. */
	assert_int_equal(restruct_apply(r), RESTRUCT_FAILED);
	assert_non_null(strstr(restruct_error(r), "changed"));
	restruct_destroy(r);
}

static void test_reasons(void **state)
{
	struct restruct *r = open_header(NULL);

	(void)state;
	assert_int_equal(restruct_emit(r), RESTRUCT_FINDINGS);
	assert_non_null(strstr(restruct_refusal(r, 0), "api.h:6: no gain: struct 'done'"));
	assert_non_null(strstr(restruct_refusal(r, 1), "api.h:7: refused: struct 'packed'"));
	assert_null(restruct_refusal(r, 2));
	restruct_destroy(r);
}

static void test_errors(void **state)
{
	struct restruct *r = open_header("nosuch");

	(void)state;
	assert_null(restruct_print(r, NULL, NULL));
	assert_non_null(strstr(restruct_error(r), "nothing was asked"));
	assert_int_equal(restruct_optimize(r), RESTRUCT_FAILED);
	assert_non_null(strstr(restruct_error(r), "no struct 'nosuch'"));
	assert_null(restruct_print(r, NULL, NULL));
	assert_null(restruct_file(r, 0));
	restruct_destroy(r);

	r = open_header("s");
	assert_int_equal(restruct_annotate(r), RESTRUCT_OK);
	assert_null(restruct_print(r, &(struct restruct_print_options) { .format = "yaml" }, NULL));
	assert_non_null(strstr(restruct_error(r), "yaml"));
	restruct_destroy(r);

	r = open_header("s");
	restruct_set_line_bytes(r, 48);
	assert_int_equal(restruct_annotate(r), RESTRUCT_USAGE);
	restruct_destroy(r);
}

static void test_buffer_and_order(void **state)
{
	static const char text[] = "struct t { char d; long e; char f; };";
	static const char *const order[] = { "f" };
	struct restruct *r = restruct_create();

	(void)state;
	restruct_set_flags(r, no_flags, 0);
	restruct_set_root(r, scratch_root);
	restruct_add_buffer(r, scratch_path("not-there.h"), text, strlen(text));
	restruct_add_target(r, scratch_path("not-there.h"), "t");
	restruct_set_order(r, order, 1);
	assert_int_equal(restruct_emit(r), RESTRUCT_OK);
	assert_prints(r, NULL, "+struct t { char f; char d; long e; };");
	restruct_destroy(r);
}

static void test_plan_file(void **state)
{
	struct restruct *r = open_header("s");
	size_t length;

	(void)state;
	assert_int_equal(restruct_optimize(r), RESTRUCT_OK);
	char *json = restruct_print(r, &(struct restruct_print_options) { .format = "json" }, &length);
	scratch_write("plan.json", json, length);
	free(json);
	restruct_destroy(r);

	r = restruct_create();
	assert_int_equal(restruct_add_plan_file(r, scratch_path("plan.json"), 9), RESTRUCT_FAILED);
	assert_non_null(strstr(restruct_error(r), "that plan"));
	assert_int_equal(restruct_add_plan_file(r, scratch_path("plan.json"), 0), RESTRUCT_OK);
	restruct_set_root(r, scratch_root);
	assert_int_equal(restruct_emit(r), RESTRUCT_OK);
	assert_prints(r, NULL, "+\tlong b;");
	restruct_destroy(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_versions),  cmocka_unit_test(test_questions_in_turn),
		cmocka_unit_test(test_apply),     cmocka_unit_test(test_reasons),
		cmocka_unit_test(test_errors),    cmocka_unit_test(test_buffer_and_order),
		cmocka_unit_test(test_plan_file),
	};

	return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
