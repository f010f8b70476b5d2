#include "tu_fixture.h"

static void bodies_are_read_on_request(void **state)
{
	(void)state;
	write_text("a.c", "int f(void) { return undeclared_in_a_body; }\n");
	options.with_bodies = true;
	expect_open_error("a.c", RS_ERROR_PARSE, "a.c:1:22", "use of undeclared identifier");
}

static void a_database_is_found_and_its_flags_are_used(void **state)
{
	(void)state;
	assert_int_equal(scratch_run("mkdir -p build src include"), 0);
	write_text("include/a.h", "typedef int a_t[LEN];\nenum { N = sizeof(a_t) };\n");
	write_text("src/a.c", "#include \"a.h\"\n");
	write_text(
		"build/compile_commands.json",
		rs_arena_printf(arena,
				"[{\"directory\":\"%s/build\",\"file\":\"../src/a.c\",\"command\":\"ccache gcc "
				"-I../include -DLEN=5 -MD -MF x.d -o a.o -c ../src/a.c -Werror -flto "
				"-fconserve-stack\"}]",
				scratch_root));
	open_file("src/a.c");
	assert_int_equal(find_value("N"), 20);
	assert_int_equal(count_notes("dropped -fconserve-stack, which clang"), 1);
	open_file("include/a.h");
	expect_main_file("include/a.h");
	assert_int_equal(find_value("N"), 20);
	assert_int_equal(notes.n_items, 1);
	assert_false(rs_file_exists(scratch_path("build/x.d")));
	assert_false(rs_file_exists(scratch_path("build/a.o")));
	/* The folder of the process is the user's. */
	assert_string_equal(rs_path_canonical(arena, "."), scratch_root);
}

static void several_entries_are_tried_in_order(void **state)
{
	(void)state;
	write_text("a.c", "enum { N = LEN };\n");
	write_database("compile_commands.json", "{\"file\":\"a.c\",\"command\":\"cc\"},"
						"{\"file\":\"a.c\",\"command\":\"cc -DLEN=2\"},"
						"{\"file\":\"a.c\",\"command\":\"cc -DLEN=3\"}");
	open_file("a.c");
	assert_int_equal(find_value("N"), 2);
	assert_int_equal(count_notes("is compiled in 3 ways: read as in entry 2"), 1);
}

static void a_source_without_entry_takes_its_neighbours(void **state)
{
	(void)state;
	write_text("a.c", "enum { N = LEN };\n");
	write_text("b.c", "");
	write_database("compile_commands.json", "{\"file\":\"b.c\",\"command\":\"cc -DLEN=2\"}");
	open_file("a.c");
	assert_int_equal(find_value("N"), 2);
	assert_int_equal(count_notes("has no entry in"), 1);
}

static void broken_databases_stop(void **state)
{
	(void)state;
	write_text("a.c", "int x;\n");
	write_text("compile_commands.json", "[\n{]");
	expect_open_error("a.c", RS_ERROR_SYNTAX,
			  rs_arena_printf(arena, "%s/compile_commands.json:2:2", scratch_root), "");
	rs_parser_destroy(parser);
	parser = NULL;
	options.build_directory = scratch_root;
	struct rs_error *error = rs_parser_create(&options, &notes, &parser);
	assert_non_null(error);
	assert_int_equal(error->code, RS_ERROR_SYNTAX);
	rs_error_destroy(error);
	/* With flags nobody asks a database. */
	options.has_flags = true;
	open_file("a.c");
}

static void flags_after_the_dashes_are_used(void **state)
{
	(void)state;
	static const char *const flags[] = {
		"gcc", "a.c", "-DN_=7", "-Iinc", "-include", "pre.h",       "-fno-such-thing",
		"-MD", "-MF", "x.d",    "-o",    "x.o",      "-save-temps", "-ftime-trace"
	};

	assert_int_equal(scratch_run("mkdir inc"), 0);
	write_text("inc/i.h", "typedef char i_t[N_];\n");
	write_text("pre.h", "typedef int pre_t;\n");
	write_text("pre.h.gch", "not a header of clang");
	write_text("a.c", "#include <i.h>\nstruct a { pre_t p; i_t i; };\nenum { N = sizeof(struct a) };\n");
	use_flags(flags, RS_COUNT_OF(flags));
	open_file("a.c");
	assert_int_equal(find_value("N"), 12);
	assert_int_equal(count_notes("dropped -fno-such-thing, which clang"), 1);
	assert_int_equal(scratch_run("test \"$(ls)\" = 'a.c\ninc\npre.h\npre.h.gch'"), 0);
}

static void kernel_like_flags_are_taken(void **state)
{
	(void)state;
	static const char *const flags[] = { "gcc-12",
					     "-Wp,-MMD,.a.o.d",
					     "-nostdinc",
					     "-D__KERNEL__",
					     "-fmacro-prefix-map=./=",
					     "-Werror",
					     "-Wno-trigraphs",
					     "-fno-strict-aliasing",
					     "-fshort-wchar",
					     "-fno-PIE",
					     "-Werror=implicit-function-declaration",
					     "-std=gnu11",
					     "-mno-sse",
					     "-fcf-protection=none",
					     "-m64",
					     "-falign-jumps=1",
					     "-mpreferred-stack-boundary=3",
					     "-mskip-rax-setup",
					     "-mtune=generic",
					     "-mcmodel=kernel",
					     "-mindirect-branch=thunk-extern",
					     "-mindirect-branch-register",
					     "-mfunction-return=thunk-extern",
					     "-mharden-sls=all",
					     "-O2",
					     "--param=allow-store-data-races=0",
					     "-fstack-protector-strong",
					     "-ftrivial-auto-var-init=zero",
					     "-pg",
					     "-mrecord-mcount",
					     "-mfentry",
					     "-fconserve-stack",
					     "-fzero-call-used-regs=used-gpr",
					     "-g",
					     "-gdwarf-5",
					     "-fplugin=./scripts/gcc-plugins/structleak_plugin.so",
					     "-DKBUILD_MODNAME=\"a\"",
					     "--target=x86_64-linux-gnu" };

	write_text("a.c",
		   "#ifndef __KERNEL__\n#error user\n#endif\nstruct a { long l; char c; };\n"
		   "enum { N = sizeof(struct a) + sizeof(L'x') };\nstatic int unused(void) { return 0; }\n");
	use_flags(flags, RS_COUNT_OF(flags));
	open_file("a.c");
	assert_int_equal(find_value("N"), 18);
	assert_int_equal(count_notes("dropped -fconserve-stack"), 1);
	assert_int_equal(count_notes("dropped -fplugin="), 1);
	assert_int_equal(scratch_run("test \"$(ls -A)\" = a.c"), 0);
}

static void targets_shape_types(void **state)
{
	(void)state;
	static const char *const flags[] = { "arm-none-eabi-gcc-12", "-DX" };

	write_text("a.c", "enum e { E };\nstruct a { char c; void *p; };\n"
			  "enum { N = sizeof(enum e) * 100 + sizeof(struct a) };\n");
	use_flags(flags, RS_COUNT_OF(flags));
	open_file("a.c");
	assert_int_equal(find_value("N"), 108);
	expect_text(rs_tu_triple(tu), "arm");
}

static void flags_that_change_layout_unseen_are_refused(void **state)
{
	(void)state;
	static const char *const unknown[] = { "-m96bit-long-double" };
	static const char *const target[] = { "--target=no-such-machine" };

	write_text("a.c", "int x;\n");
	use_flags(unknown, 1);
	expect_open_error("a.c", RS_ERROR_PARSE, "a.c:0:0",
			  "-m96bit-long-double, which changes how types are laid");
	rs_parser_destroy(parser);
	parser = NULL;
	use_flags(target, 1);
	expect_open_error("a.c", RS_ERROR_PARSE, "a.c:0:0", "probably for --target=no-such-machine");
}

static void flags_that_stop_libclang_are_left_out(void **state)
{
	(void)state;
	static const char *const flags[] = { "-march=no-such-cpu", "-DN_=3", "-fno-common" };

	write_text("a.c", "enum { N = N_ };\n");
	use_flags(flags, RS_COUNT_OF(flags));
	open_file("a.c");
	assert_int_equal(find_value("N"), 3);
	assert_int_equal(count_notes("dropped -march=no-such-cpu"), 1);
}

static void newer_standards_are_read_as_the_nearest(void **state)
{
	(void)state;
	static const char *const flags[] = { "-std=gnu23" };

	write_text("a.c", "enum { N = __STDC_VERSION__ > 201710L };\n");
	use_flags(flags, 1);
	open_file("a.c");
	assert_int_equal(find_value("N"), 1);
}

static void standards_of_the_other_language_are_left_out(void **state)
{
	(void)state;
	static const char *const flags[] = { "-std=c++20", "-std=c11" };

	write_text("a.c", "enum { N = __STDC_VERSION__ == 201112L };\n");
	write_text("a.cpp", "enum { N = __cplusplus >= 201709L };\n");
	use_flags(flags, 2);
	open_file("a.c");
	assert_int_equal(find_value("N"), 1);
	assert_int_equal(count_notes("dropped -std=c++20, which is not for C"), 1);
	assert_int_equal(count_notes("dropped -std=c11"), 0);
	rs_tu_destroy(tu);
	tu = NULL;
	assert_null(rs_tu_open_use(parser, "a.cpp", &tu));
	assert_true(rs_tu_is_cxx(tu));
	assert_int_equal(find_value("N"), 1);
	assert_int_equal(count_notes("dropped -std=c11, which is not for C++"), 1);
}

static void other_languages_are_refused_unless_told(void **state)
{
	(void)state;
	static const char *const c[] = { "-x", "c" }, *const cxx[] = { "-xc++" };

	write_text("a.cpp", "enum { N = sizeof('x') };\n");
	write_text("a.h", "int x;\n");
	expect_open_error("a.cpp", RS_ERROR_PARSE, "a.cpp:0:0", "restruct lays out C");
	rs_parser_destroy(parser);
	parser = NULL;
	use_flags(c, 2);
	open_file("a.cpp");
	assert_int_equal(find_value("N"), 4);
	rs_tu_destroy(tu);
	rs_parser_destroy(parser);
	tu = NULL;
	parser = NULL;
	use_flags(cxx, 1);
	expect_open_error("a.h", RS_ERROR_PARSE, "a.h:0:0", "another language: c++");
}

static void wrong_resource_directories_are_refused(void **state)
{
	(void)state;
	options.resource_directory = "/nowhere";
	struct rs_error *error = rs_parser_create(&options, &notes, &parser);

	assert_non_null(error);
	assert_int_equal(error->code, RS_ERROR_NOT_FOUND);
	assert_string_equal(error->path, "/nowhere");
	rs_error_destroy(error);
}

static void warnings_show_what_a_rewrite_may_break(void **state)
{
	(void)state;
	static const struct warning {
		const char *text, *message;
	} warnings[] = {
		{ "struct a { char *p; int n; };\nstruct a x = { 1, 0 };", "incompatible integer to pointer" },
		{ "struct a { int n; };\nstruct a x = { .n = 1, .n = 2 };", "initializer overrides prior" },
		{ "struct f { int n; char d[]; };\nstruct a { struct f f; int z; };", "variable sized type" },
		{ "/* a /* b */\nint x;", "within block comment" },
		{ "struct __attribute__((no_such_thing)) a { int x; };", "attribute" },
		{ "struct a { int; };", "does not declare anything" },
		{ "int f(struct later *p);", "will not be visible outside" },
		{ "#if 1\n#endif x\n", "extra tokens" },
		{ "struct a { int n[2], m; };\nstruct a x = { 1, 2, 3 };", "suggest braces" },
	};

	for (size_t i = 0; i < RS_COUNT_OF(warnings); i++) {
		const struct rs_diagnostic *found;
		size_t count;

		write_text("w.c", warnings[i].text);
		open_file("w.c");
		found = rs_tu_diagnostics(tu, &count);
		if (count == 0 || found[0].is_error)
			fail_msg("no warning: %s", warnings[i].text);
		expect_text(rs_arena_printf(arena, "%s|%s", found[0].message, found[count - 1].message),
			    warnings[i].message);
	}
}

static void messages_name_no_places(void **state)
{
	(void)state;
	const struct rs_diagnostic *found;
	size_t count;

	write_text("a.c", "struct a {\n\tstruct { int n; char d[]; } f;\n\tint z;\n};\n");
	open_file("a.c");
	found = rs_tu_diagnostics(tu, &count);
	assert_int_equal(count, 1);
	assert_null(strstr(found[0].message, "a.c"));
	expect_text(found[0].message, "(unnamed struct)'");
}

static void names_may_hold_blanks_and_go_through_links(void **state)
{
	(void)state;
	assert_int_equal(scratch_run("mkdir -p 'a b/in c' && ln -s 'a b' link"), 0);
	write_text("a b/in c/x y.h", "enum { N = 1 };\n");
	write_text("a b/m n.c", "#include \"x y.h\"\n");
	write_text(
		"a b/compile_commands.json",
		rs_arena_printf(
			arena,
			"[{\"directory\":\"%s/a b\",\"file\":\"m n.c\",\"command\":\"cc '-Iin c' 'm n.c'\"}]",
			scratch_root));
	open_file("link/m n.c");
	assert_int_equal(find_value("N"), 1);
	expect_main_file("a b/m n.c");
	assert_int_equal(chdir("a b/in c"), 0);
	open_file("../m n.c");
	assert_int_equal(find_value("N"), 1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	static const struct CMUnitTest tests[] = {
		TEST(bodies_are_read_on_request),
		TEST(a_database_is_found_and_its_flags_are_used),
		TEST(several_entries_are_tried_in_order),
		TEST(a_source_without_entry_takes_its_neighbours),
		TEST(broken_databases_stop),
		TEST(flags_after_the_dashes_are_used),
		TEST(kernel_like_flags_are_taken),
		TEST(targets_shape_types),
		TEST(flags_that_change_layout_unseen_are_refused),
		TEST(flags_that_stop_libclang_are_left_out),
		TEST(newer_standards_are_read_as_the_nearest),
		TEST(standards_of_the_other_language_are_left_out),
		TEST(other_languages_are_refused_unless_told),
		TEST(wrong_resource_directories_are_refused),
		TEST(warnings_show_what_a_rewrite_may_break),
		TEST(messages_name_no_places),
		TEST(names_may_hold_blanks_and_go_through_links),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
