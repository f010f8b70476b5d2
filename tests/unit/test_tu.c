#include "scratch.h"

#include <sys/stat.h>

#include "base/file.h"
#include "parse/attempt.h"
#include "parse/clang.h"
#include "parse/conditionals.h"
#include "parse/tu.h"
#include "parse/tu_internal.h"

static struct rs_arena *arena;
static struct rs_notes notes;
static struct rs_parse_options options;
static struct rs_parser *parser;
static struct rs_tu *tu;
static char start_folder[PATH_MAX];

static int setup(void **state)
{
	arena = rs_arena_create();
	rs_notes_init(&notes, arena);
	options = (struct rs_parse_options) { 0 };
	parser = NULL;
	tu = NULL;
	if (!getcwd(start_folder, sizeof start_folder) || scratch_make(state) != 0)
		return -1;
	char *root = realpath(scratch_root, NULL);
	snprintf(scratch_root, sizeof scratch_root, "%s", root);
	free(root);
	return chdir(scratch_root);
}

static int teardown(void **state)
{
	rs_tu_destroy(tu);
	rs_parser_destroy(parser);
	rs_arena_destroy(arena);
	return chdir(start_folder) == 0 ? scratch_remove(state) : -1;
}

static void write_text(const char *name, const char *text)
{
	scratch_write(name, text, strlen(text));
}

static void make_parser(void)
{
	if (parser)
		return;
	struct rs_error *error = rs_parser_create(&options, &notes, &parser);
	if (error)
		fail_msg("%s", error->message);
}

static void use_flags(const char *const *flags, size_t count)
{
	options.has_flags = true;
	options.flags = flags;
	options.n_flags = count;
}

static void open_file(const char *file)
{
	make_parser();
	rs_tu_destroy(tu);
	tu = NULL;
	struct rs_error *error = rs_tu_open(parser, file, &tu);
	if (error)
		fail_msg("%s:%u:%u: %s", error->path, error->line, error->column, error->message);
}

static void expect_main_file(const char *name)
{
	assert_string_equal(rs_tu_main_file(tu), scratch_path(name));
}

static void expect_text(const char *actual, const char *part)
{
	if (!strstr(actual, part))
		fail_msg("\"%s\" does not hold \"%s\"", actual, part);
}

/* place: "path:line:column". */
static void expect_open_error(const char *file, enum rs_error_code code, const char *place, const char *part)
{
	make_parser();
	struct rs_error *error = rs_tu_open(parser, file, &tu);

	assert_non_null(error);
	assert_int_equal(error->code, code);
	assert_string_equal(
		rs_arena_printf(arena, "%s:%u:%u", error->path ? error->path : "-", error->line, error->column),
		place);
	expect_text(error->message, part);
	rs_error_destroy(error);
	assert_null(tu);
}

static size_t count_notes(const char *part)
{
	size_t count = 0;

	for (size_t i = 0; i < notes.n_items; i++)
		count += strstr(notes.items[i].message, part) != NULL;
	return count;
}

/* The value of `enum { NAME = value }` in the unit: what the compiler computes. */
struct wanted {
	const char *name;
	long long value;
	bool found;
};

static enum CXChildVisitResult find_enumerator(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct wanted *wanted = (struct wanted *)data;

	(void)parent;
	if (clang_getCursorKind(cursor) == CXCursor_EnumConstantDecl) {
		CXString name = clang_getCursorSpelling(cursor);

		if (strcmp(clang_getCString(name), wanted->name) == 0) {
			wanted->value = clang_getEnumConstantDeclValue(cursor);
			wanted->found = true;
		}
		clang_disposeString(name);
	}
	return CXChildVisit_Recurse;
}

static long long find_value(const char *name)
{
	struct wanted wanted = { .name = name };

	clang_visitChildren(clang_getTranslationUnitCursor(rs_tu_clang(tu)), find_enumerator, &wanted);
	if (!wanted.found)
		fail_msg("no enumerator %s", name);
	return wanted.value;
}

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

static void bodies_are_read_on_request(void **state)
{
	(void)state;
	write_text("a.c", "int f(void) { return undeclared_in_a_body; }\n");
	options.with_bodies = true;
	expect_open_error("a.c", RS_ERROR_PARSE, "a.c:1:22", "use of undeclared identifier");
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
	static const char *const missing[] = { "none.c" }, *const other[] = { "x.cpp" };

	write_text("a.h", "u8 x;\n");
	write_text("x.cpp", "");
	options.contexts = missing;
	options.n_contexts = 1;
	expect_open_error("a.h", RS_ERROR_IO, "none.c:0:0", "No such file");
	rs_parser_destroy(parser);
	parser = NULL;
	options.contexts = other;
	expect_open_error("a.h", RS_ERROR_PARSE, "x.cpp:0:0", "another language");
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

static void write_database(const char *name, const char *entries)
{
	write_text(name, rs_arena_printf(arena, "[%s]\n", entries));
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

static void what_is_no_source_is_refused(void **state)
{
	(void)state;
	assert_int_equal(mkdir("dir.h", 0777), 0);
	expect_open_error("none.c", RS_ERROR_IO, "none.c:0:0", "No such file or directory");
	expect_open_error("dir.h", RS_ERROR_IO, "dir.h:0:0", "this is a folder");
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
		TEST(a_source_is_read_alone),
		TEST(bodies_are_read_on_request),
		TEST(a_header_that_stands_alone_is_read_alone),
		TEST(a_header_that_needs_more_says_what),
		TEST(a_context_gives_what_the_header_needs),
		TEST(contexts_that_do_not_help_say_why),
		TEST(contexts_must_be_there_and_be_c),
		TEST(conditions_are_those_of_the_context),
		TEST(guards_are_no_conditions),
		TEST(a_database_is_found_and_its_flags_are_used),
		TEST(a_header_is_found_through_the_database),
		TEST(a_database_that_does_not_help_is_named),
		TEST(several_entries_are_tried_in_order),
		TEST(a_source_without_entry_takes_its_neighbours),
		TEST(a_source_made_to_be_included_is_found),
		TEST(broken_databases_stop),
		TEST(flags_after_the_dashes_are_used),
		TEST(kernel_like_flags_are_taken),
		TEST(targets_shape_types),
		TEST(flags_that_change_layout_unseen_are_refused),
		TEST(flags_that_stop_libclang_are_left_out),
		TEST(newer_standards_are_read_as_the_nearest),
		TEST(other_languages_are_refused_unless_told),
		TEST(what_is_no_source_is_refused),
		TEST(wrong_resource_directories_are_refused),
		TEST(preludes_give_types),
		TEST(preludes_do_not_get_in_the_way),
		TEST(unsaved_text_stands_for_files),
		TEST(sources_outlive_their_unit),
		TEST(units_are_opened_again_with_new_text),
		TEST(warnings_show_what_a_rewrite_may_break),
		TEST(messages_name_no_places),
		TEST(names_may_hold_blanks_and_go_through_links),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
