#include "tu_fixture.h"

#include <sys/stat.h>

#include "parse/conditionals.h"

static void a_source_is_read_alone(void **state)
{
	(void)state;
	size_t count;

	write_text("a.c",
		   "#include <stddef.h>\nstruct s { size_t n; char c; };\nenum { N = sizeof(struct s) };\n"
		   "int f(void) { return undeclared_in_a_body; }\n");
	open_file("a.c");
	expect_main_file("a.c");
	assert_int_equal(find_value("N"), 16);
	rs_tu_diagnostics(tu, &count);
	assert_int_equal(count, 0);
	expect_text(rs_tu_triple(tu), "-");
	expect_text(rs_parser_version(), "clang version ");
	assert_int_equal(notes.n_items, 0);
}

static void a_header_that_stands_alone_is_read_alone(void **state)
{
	(void)state;
	size_t count;

	write_text("b.h", "typedef int b_t;\n");
	write_text("a.h",
		   "#pragma once\n#include \"b.h\"\nstruct a { b_t b; };\nenum { N = sizeof(struct a) };\n");
	open_file(scratch_path("a.h"));
	expect_main_file("a.h");
	assert_int_equal(find_value("N"), 4);
	rs_tu_diagnostics(tu, &count);
	assert_int_equal(count, 0);
}

static void a_header_that_needs_more_says_what(void **state)
{
	(void)state;
	write_text("a.h", "\n\nstruct a {\n\tu8 kind;\n};\n");
	expect_open_error(
		"a.h", RS_ERROR_PARSE, "a.h:4:2",
		"unknown type name 'u8' (the header does not stand alone: give a source that includes "
		"it with --uses FILE, a compile database with -p DIR, or the type's size under "
		"\"types\" in the profile)");
	write_text("b.h", "#include \"gone.h\"\n");
	expect_open_error("b.h", RS_ERROR_PARSE, "b.h:1:10",
			  "'gone.h' file not found (give the compiler's flags after --");
}

static void a_context_gives_what_the_header_needs(void **state)
{
	(void)state;
	static const char *const contexts[] = { "other.c", "broken.c", "use.c" };

	write_text("a.h", "struct a { u8 kind; };\nenum { N = sizeof(struct a) };\n");
	write_text("other.c", "int x;\n");
	write_text("broken.c", "typedef char u8; int 7;\n#include \"a.h\"\n");
	/* What is wrong behind the header does not matter. */
	write_text("use.c",
		   "typedef struct { char x[3]; } u8;\n#include \"a.h\"\nint f(gone_t);\n#error late\n");
	options.contexts = contexts;
	options.n_contexts = 3;
	open_file("a.h");
	expect_main_file("use.c");
	assert_int_equal(find_value("N"), 3);
	assert_int_equal(count_notes("read through use.c"), 1);
}

static void contexts_that_do_not_help_say_why(void **state)
{
	(void)state;
	static const char *const contexts[] = { "other.c", "broken.c" };

	write_text("a.h", "struct a { u8 kind; };\n");
	write_text("other.c", "int x;\n");
	write_text("broken.c", "typedef char u8;\nint 7;\n#include \"a.h\"\n");
	options.contexts = contexts;
	options.n_contexts = 1;
	expect_open_error("a.h", RS_ERROR_PARSE, "a.h:1:12", "no file given with --uses includes it");
	rs_parser_destroy(parser);
	parser = NULL;
	options.n_contexts = 2;
	expect_open_error("a.h", RS_ERROR_PARSE, "broken.c:2:5", "(reading it through broken.c)");
}

static void contexts_must_be_there_and_be_c(void **state)
{
	(void)state;
	static const char *const missing[] = { "none.c" }, *const other[] = { "x.m" },
				 *const cxx[] = { "x.cpp" };

	write_text("a.h", "u8 x;\n");
	write_text("x.m", "");
	write_text("x.cpp", "typedef unsigned char u8;\n#include \"a.h\"\n");
	options.contexts = missing;
	options.n_contexts = 1;
	expect_open_error("a.h", RS_ERROR_IO, "none.c:0:0", "No such file");
	rs_parser_destroy(parser);
	parser = NULL;
	options.contexts = other;
	expect_open_error("a.h", RS_ERROR_PARSE, "x.m:0:0", "another language");
	rs_parser_destroy(parser);
	parser = NULL;
	options.contexts = cxx; /* is no source that a C header is laid out in */
	expect_open_error("a.h", RS_ERROR_PARSE, "a.h:1:1", "no file given with --uses includes it");
}

/* A header whose #if may turn out otherwise where it is used is not taken alone when a user is known. */
static void conditions_are_those_of_the_context(void **state)
{
	(void)state;
	static const char *const contexts[] = { "use.c" };
	static const char header[] =
		"#ifndef A_H\n#define A_H\nstruct a { int x;\n#ifdef BIG\nlong y;\n#endif\n};\n"
		"enum { N = sizeof(struct a) };\n#endif\n";

	write_text("a.h", header);
	write_text("use.c", "#define BIG\n#include \"a.h\"\n");
	open_file("a.h");
	assert_int_equal(find_value("N"), 4);
	rs_tu_destroy(tu);
	rs_parser_destroy(parser);
	tu = NULL;
	parser = NULL;
	options.contexts = contexts;
	options.n_contexts = 1;
	open_file("a.h");
	assert_int_equal(find_value("N"), 16);
	write_text("use.c", "#define BIG\nint 7;\n#include \"a.h\"\n");
	open_file("a.h");
	assert_int_equal(find_value("N"), 4);
	assert_int_equal(count_notes("read alone"), 1);
}

static void guards_are_no_conditions(void **state)
{
	(void)state;
	static const char *const plain[] = {
		"",
		"int x;",
		"#ifndef A\n#define A\nint x;\n#endif",
		"/* c */\n# if !defined ( A )\n# define A 1\nint x;\n#endif",
		"#pragma once\n#include \"x.h\"\n#ifdef __cplusplus\nextern\n#endif",
		"// #if 0\nchar *s = \"#if\";"
	};
	static const char *const conditional[] = { "#ifdef A\n#endif",
						   "#ifndef A\n#define B\n#endif",
						   "int x;\n#if A\n#endif",
						   "#ifndef A\n#define A\n#if B\n#endif\n#endif",
						   "#ifndef A\n#define A\n#elif B\n#endif",
						   "#if A\n#define A\n#endif" };

	for (size_t i = 0; i < RS_COUNT_OF(plain); i++)
		if (rs_conditionals_in_text(plain[i], strlen(plain[i])))
			fail_msg("conditional: %s", plain[i]);
	for (size_t i = 0; i < RS_COUNT_OF(conditional); i++)
		if (!rs_conditionals_in_text(conditional[i], strlen(conditional[i])))
			fail_msg("plain: %s", conditional[i]);
}

static void a_header_is_found_through_the_database(void **state)
{
	(void)state;
	assert_int_equal(scratch_run("mkdir -p near far"), 0);
	write_text("near/a.h", "struct a { u8 kind; };\nenum { N = sizeof(struct a) };\n");
	write_text("near/all.h", "typedef short u8;\n#include \"a.h\"\n");
	write_text("near/x.c", "int x;\n");
	write_text("far/bad.c", "int 7;\n#include \"../near/a.h\"\n");
	write_text("far/use.c", "#include \"../near/all.h\"\n");
	write_database("compile_commands.json",
		       "{\"directory\":\".\",\"file\":\"near/x.c\",\"arguments\":[\"cc\"]},"
		       "{\"directory\":\".\",\"file\":\"far/x.cpp\",\"arguments\":[\"cc\"]},"
		       "{\"directory\":\".\",\"file\":\"far/gone.c\",\"arguments\":[\"cc\"]},"
		       "{\"directory\":\".\",\"file\":\"far/bad.c\",\"arguments\":[\"cc\"]},"
		       "{\"directory\":\".\",\"file\":\"far/use.c\",\"arguments\":[\"cc\"]}");
	open_file("near/a.h");
	expect_main_file("far/use.c");
	assert_int_equal(find_value("N"), 2);
	assert_int_equal(count_notes("read through far/use.c"), 1);
}

static void a_database_that_does_not_help_is_named(void **state)
{
	(void)state;
	write_text("a.h", "struct a { u8 kind; };\n");
	write_text("x.c", "int x;\n");
	write_database("compile_commands.json", "{\"file\":\"x.c\",\"command\":\"cc x.c\"}");
	expect_open_error("a.h", RS_ERROR_PARSE, "a.h:1:12", "none of the 1 sources tried from");
	write_text("x.c", "\nint 7;\n#include \"a.h\"\n");
	expect_open_error("a.h", RS_ERROR_PARSE, "x.c:2:5", "(reading it through x.c)");
}

static void a_source_made_to_be_included_is_found(void **state)
{
	(void)state;
	write_text("part.c", "enum { N = sizeof(part_t) };\n");
	write_text("whole.c", "typedef char part_t[6];\n#include \"part.c\"\n");
	write_database("compile_commands.json", "{\"file\":\"whole.c\",\"command\":\"cc\"}");
	open_file("part.c");
	expect_main_file("whole.c");
	assert_int_equal(find_value("N"), 6);
}

static void what_is_no_source_is_refused(void **state)
{
	(void)state;
	assert_int_equal(mkdir("dir.h", 0777), 0);
	expect_open_error("none.c", RS_ERROR_IO, "none.c:0:0", "No such file or directory");
	expect_open_error("dir.h", RS_ERROR_IO, "dir.h:0:0", "this is a folder");
}

static void preludes_give_types(void **state)
{
	(void)state;
	write_text("a.h", "struct a {\n\tu8 kind;\n\tlock_t lock;\n};\nenum { N = sizeof(struct a) };\n");
	options.prelude = "typedef struct { char x[1]; } u8;\ntypedef struct { long x[2]; } lock_t;\n";
	open_file("a.h");
	expect_main_file("a.h");
	assert_int_equal(find_value("N"), 24);
	const struct rs_source *source;
	assert_null(rs_tu_source(tu, rs_tu_requested_file(tu), arena, &source));
	assert_memory_equal(source->text, "struct a {", 10);
	rs_tu_destroy(tu);
	rs_parser_destroy(parser);
	tu = NULL;
	parser = NULL;
	options.prelude = "typedef char u8;\n";
	expect_open_error("a.h", RS_ERROR_PARSE, "a.h:3:2", "unknown type name 'lock_t'");
	rs_parser_destroy(parser);
	parser = NULL;
	options.prelude = "typedef what u8;\n";
	expect_open_error("a.h", RS_ERROR_PARSE, "<types of the profile>:1:9", "'what'");
}

/* The sources know better: what they define is not overridden, nor a conflict. */
static void preludes_do_not_get_in_the_way(void **state)
{
	(void)state;
	static const char *const contexts[] = { "use.c" };

	write_text("a.h", "typedef char u8;\nenum { N = sizeof(u8) };\n");
	write_text("b.h", "enum { N = sizeof(u8) };\n");
	write_text("use.c", "typedef short u8;\n#include \"b.h\"\n");
	options.prelude = "typedef long u8;\n";
	options.contexts = contexts;
	options.n_contexts = 1;
	open_file("a.h");
	assert_int_equal(find_value("N"), 1);
	open_file("b.h");
	assert_int_equal(find_value("N"), 2);
}

static void unsaved_text_stands_for_files(void **state)
{
	(void)state;
	const struct rs_buffer buffers[] = {
		{ .path = "a.h", .text = "enum { N = 2 };\n", .size = 16 },
		{ .path = "/no/such/folder/v.h", .text = "#include \"w.h\"\nenum { M = W };\n", .size = 30 },
		{ .path = "/no/such/folder/w.h", .text = "#define W 3\n", .size = 12 },
	};
	const struct rs_source *source;

	write_text("a.h", "enum { N = 1 };\n");
	options.buffers = buffers;
	options.n_buffers = RS_COUNT_OF(buffers);
	open_file("./a.h");
	assert_int_equal(find_value("N"), 2);
	assert_null(rs_tu_source(tu, rs_tu_requested_file(tu), arena, &source));
	assert_string_equal(source->text, "enum { N = 2 };\n");
	assert_string_equal(source->path, "./a.h");
	assert_string_equal(source->realpath, scratch_path("a.h"));
	open_file("/no/such/folder/v.h");
	assert_int_equal(find_value("M"), 3);
	assert_non_null(rs_tu_file(tu, "/no/such/folder/w.h"));
	assert_null(rs_tu_file(tu, "a.h"));
}

static void sources_outlive_their_unit(void **state)
{
	(void)state;
	const struct rs_source *source;

	write_text("use.c", "#include \"a.h\"\n");
	write_text("a.h", "int a;\r\n");
	open_file("use.c");
	assert_null(rs_tu_source(tu, rs_tu_file(tu, "a.h"), arena, &source));
	rs_tu_destroy(tu);
	tu = NULL;
	assert_string_equal(source->text, "int a;\r\n");
	assert_string_equal(source->path, scratch_path("a.h"));
	assert_int_equal(source->hash, rs_hash_bytes("int a;\r\n", 8));
}

static void units_are_opened_again_with_new_text(void **state)
{
	(void)state;
	static const char *const contexts[] = { "use.c" };
	static const char text[] =
		"struct a { u8 y; int x; };\n_Static_assert(__builtin_offsetof(struct a, x) == 0, "
		"\"x first\");\nenum { N = sizeof(struct a) };\n";
	const struct rs_buffer replaced = { .path = "a.h", .text = text, .size = sizeof text - 1 };
	const struct rs_diagnostic *found;
	struct rs_tu *again = NULL;
	size_t count;

	write_text("a.h", "struct a { int x; u8 y; };\nenum { N = sizeof(struct a) };\n");
	write_text("use.c", "typedef char u8;\n#include \"a.h\"\n#include \"gone.h\"\n"
			    "struct a a = { 1, .x = 2 };\n");
	options.contexts = contexts;
	options.n_contexts = 1;
	open_file("a.h");
	rs_tu_diagnostics(tu, &count);
	assert_int_equal(count, 2); /* gone.h; and x is initialised twice */
	assert_null(rs_tu_reopen(tu, &replaced, 1, &again));
	rs_tu_destroy(tu);
	tu = again;
	expect_main_file("use.c");
	assert_int_equal(find_value("N"), 8);
	found = rs_tu_diagnostics(tu, &count);
	assert_int_equal(count, 2); /* gone.h; and what the header asserts */
	assert_true(found[0].is_error);
	assert_string_equal(found[0].path, "a.h");
	assert_int_equal(found[0].line, 2);
	expect_text(found[0].message, "x first");
	expect_text(found[1].message, "gone.h");
}

/* What a unit is known for is known while it sleeps; it wakes as what it was, or not at all. */
static void units_sleep_and_wake(void **state)
{
	(void)state;
	struct rs_buffer unsaved = { .path = "unsaved.h", .text = "enum { M = 3 };\n", .size = 16 };
	struct rs_error *error;
	size_t count;

	write_text("a.h", "enum { N = 8 };\n");
	write_text("a.c", "#include \"a.h\"\n#include \"unsaved.h\"\nint n[] = { 1, [0] = 2 };\n");
	write_text("other.h", "int x;\n");
	options.buffers = &unsaved;
	options.n_buffers = 1;
	open_file("a.c");
	for (int i = 0; i < 2; i++) {
		rs_tu_sleep(tu);
		assert_true(rs_tu_is_asleep(tu));
		expect_main_file("a.c");
		assert_int_equal(rs_tu_diagnostics(tu, &count)->line, 3);
		assert_int_equal(count, 1);
		assert_true(rs_tu_reads(tu, "a.h"));
		assert_true(rs_tu_reads(tu, "unsaved.h"));
		assert_false(rs_tu_reads(tu, "other.h"));
		assert_null(rs_tu_wake(tu));
		assert_null(rs_tu_wake(tu));
		assert_false(rs_tu_is_asleep(tu));
		assert_int_equal(find_value("N"), 8);
		assert_int_equal(find_value("M"), 3);
		assert_true(rs_tu_reads(tu, "a.h"));
		assert_false(rs_tu_reads(tu, "other.h"));
	}
	rs_tu_sleep(tu);
	rs_tu_sleep(tu);
	write_text("a.h", "enum { N = 9 };\n");
	error = rs_tu_wake(tu);
	assert_non_null(error);
	assert_int_equal(error->code, RS_ERROR_CHANGED);
	rs_error_destroy(error);
	assert_true(rs_tu_is_asleep(tu));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	static const struct CMUnitTest tests[] = {
		TEST(units_sleep_and_wake),
		TEST(a_source_is_read_alone),
		TEST(a_header_that_stands_alone_is_read_alone),
		TEST(a_header_that_needs_more_says_what),
		TEST(a_context_gives_what_the_header_needs),
		TEST(contexts_that_do_not_help_say_why),
		TEST(contexts_must_be_there_and_be_c),
		TEST(conditions_are_those_of_the_context),
		TEST(guards_are_no_conditions),
		TEST(a_header_is_found_through_the_database),
		TEST(a_database_that_does_not_help_is_named),
		TEST(a_source_made_to_be_included_is_found),
		TEST(what_is_no_source_is_refused),
		TEST(preludes_give_types),
		TEST(preludes_do_not_get_in_the_way),
		TEST(unsaved_text_stands_for_files),
		TEST(sources_outlive_their_unit),
		TEST(units_are_opened_again_with_new_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
