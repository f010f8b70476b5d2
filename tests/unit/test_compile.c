#include "scratch.h"

#include <sys/stat.h>

#include "base/file.h"
#include "parse/clang.h"
#include "parse/compile.h"
#include "parse/flags.h"
#include "parse/shell.h"

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

static void write_text(const char *name, const char *text)
{
	scratch_write(name, text, strlen(text));
}

static const char *join(const char *const *words, size_t count)
{
	const char *text = "";

	for (size_t i = 0; i < count; i++)
		text = rs_arena_printf(arena, "%s%s%s", text, i ? " " : "", words[i]);
	return text;
}

/* The words of a command line, filtered, with blanks between them. */
static const char *filter_at(const char *directory, const char *command)
{
	struct rs_words words = { 0 };
	const char *const *arguments;
	size_t count;

	rs_shell_split(arena, command, strlen(command), &words);
	rs_compile_filter(arena, words.items, words.n_items, directory, "main.c", &notes, &arguments, &count);
	return join(arguments, count);
}

static const char *filter(const char *command)
{
	return filter_at("/w", command);
}

static size_t count_notes(const char *part)
{
	size_t count = 0;

	for (size_t i = 0; i < notes.n_items; i++)
		count += strstr(notes.items[i].message, part) != NULL;
	return count;
}

static void words_are_cut_as_a_shell_does(void **state)
{
	(void)state;
	struct rs_words words = { 0 };
	static const char command[] =
		" a 'b c' \"d \\\" \\e\" f\\ g -D'X=\"s t\"' \"\" h\"i\"'j' \\\n k\\\nl 'open";

	rs_shell_split(arena, command, sizeof command - 1, &words);
	static const char *const expected[] = { "a", "b c", "d \" \\e", "f g", "-DX=\"s t\"",
						"",  "hij", "kl",       "open" };
	assert_int_equal(words.n_items, RS_COUNT_OF(expected));
	for (size_t i = 0; i < RS_COUNT_OF(expected); i++)
		assert_string_equal(words.items[i], expected[i]);
}

static void what_decides_meaning_is_kept(void **state)
{
	(void)state;
	static const char *const same[] = {
		"-DA=1 -D B -UC -U D",
		"-I/a -I /b -isystem /c -iquote /d -idirafter /e",
		"-I=/a --sysroot=/s -isysroot /s",
		"-m32 -mabi=lp64 -march=i686 -funsigned-char -fshort-enums -fpack-struct=2 -fms-extensions",
		"-nostdinc -ffreestanding -O2 -fPIC -pthread -fsanitize=address",
		"-target aarch64-linux-gnu",
		"-fsome-flag-of-tomorrow -mno-sse",
	};

	for (size_t i = 0; i < RS_COUNT_OF(same); i++)
		assert_string_equal(filter(same[i]), same[i]);
	assert_int_equal(notes.n_items, 0);
}

static void what_writes_or_prints_is_dropped(void **state)
{
	(void)state;
	static const char *const dropped[] = {
		"-c -o x.o main.c",
		"-ox.o -E -S -v -### -H -P --version -dM -dumpbase x",
		"-M -MM -MD -MMD -MP -MG -MF x.d -MFx.d -MT y -MQ z -MJ db.json",
		"-Wp,-MD,x.d -Wp,-MMD,dir/.x.d -Xpreprocessor -MD",
		"-save-temps -save-temps=obj --save-temps -ftime-trace -ftime-trace=x.json",
		"-g -ggdb3 -gdwarf-5 -gsplit-dwarf -pg -p --coverage -fprofile-arcs -ftest-coverage",
		"-serialize-diagnostics x.dia -index-store-path dir -emit-llvm -emit-pch",
		"-fstack-usage -fdump-tree-all -fcallgraph-info -fsave-optimization-record -aux-info x",
		"-Wall -Werror -Werror=format -Wno-unused -w -pedantic-errors -fdiagnostics-color=always",
		"-flto -flto=auto -fuse-ld=gold -Wl,-z,now -Wa,--noexecstack",
		"-L/x -lm -shared -static -s -rdynamic",
		"-fmodules -fmodules-cache-path=/x -fmodule-name=y",
		"-resource-dir /x -resource-dir=/x -ferror-limit=1 -mllvm -x --param a=1 --param=b=2",
		"a.o lib.a - -- x.c",
	};

	for (size_t i = 0; i < RS_COUNT_OF(dropped); i++)
		if (*filter(dropped[i]) != '\0')
			fail_msg("%s: left %s", dropped[i], filter(dropped[i]));
	assert_int_equal(notes.n_items, 0);
}

static void the_value_of_a_dropped_flag_goes_with_it(void **state)
{
	(void)state;
	assert_string_equal(filter("-MF -I. -o -DX -DY"), "-DY");
	assert_string_equal(filter("-DX -I"), "-DX");
	assert_string_equal(filter("-DX -MF"), "-DX");
}

static void wrapped_flags_are_unwrapped(void **state)
{
	(void)state;
	assert_string_equal(filter("-Wp,-DX,-MD,a.d,-UY -Xpreprocessor -DZ"), "-DX -UY -DZ");
}

static void names_become_absolute(void **state)
{
	(void)state;
	assert_string_equal(filter("-Iinc -I ../up -isystemsys"), "-I/w/inc -I /w/../up -isystem/w/sys");
	assert_string_equal(filter("-working-directory=/v -Iinc"), "-I/v/inc");
	assert_string_equal(filter("-working-directory /v -Iinc"), "-I/v/inc");
}

static void compilers_and_wrappers_are_stripped(void **state)
{
	(void)state;
	static const char *const commands[] = {
		"gcc -DX",
		"/usr/bin/ccache gcc-12 -DX",
		"distcc ccache /opt/x/bin/cc -DX main.c",
		"ccache sccache x86_64-tool -DX",
		"env CC=1 LANG=C gcc -DX",
		"CCACHE_DIR=/x ccache gcc -DX",
		"/bin/sh ../libtool --tag=CC --mode=compile gcc -DX",
		"main.c -DX",
		"musl-gcc -DX",
		"clang-14 -DX",
	};

	for (size_t i = 0; i < RS_COUNT_OF(commands); i++)
		assert_string_equal(filter(commands[i]), "-DX");
}

static void a_cross_compiler_names_the_target(void **state)
{
	(void)state;
	assert_string_equal(filter("arm-linux-gnueabihf-gcc -DX"), "-DX --target=arm-linux-gnueabihf");
	assert_string_equal(filter("/x/aarch64-linux-gnu-gcc-12.2 -DX"), "-DX --target=aarch64-linux-gnu");
	assert_string_equal(filter("ccache riscv64-linux-gnu-clang -DX"), "-DX --target=riscv64-linux-gnu");
	assert_string_equal(filter("i686-w64-mingw32-gcc.exe"), "--target=i686-w64-mingw32");
	assert_string_equal(filter("x86_64-linux-gnu-gcc --target=m68k-elf"), "--target=m68k-elf");
	/* gcc packs enums on bare-metal ARM. */
	assert_string_equal(filter("arm-none-eabi-gcc"), "--target=arm-none-eabi -fshort-enums");
	assert_string_equal(filter("arm-none-eabi-gcc -fno-short-enums"),
			    "-fno-short-enums --target=arm-none-eabi");
	assert_string_equal(filter("arm-none-eabi-clang"), "--target=arm-none-eabi");
}

static void languages_are_told(void **state)
{
	(void)state;
	assert_string_equal(filter("g++ -DX"), "-x c++ -DX");
	assert_string_equal(filter("clang++-14 -x c -DX"), "-x c -DX");
	assert_string_equal(filter("gcc -xc-header -DX"), "-x c -DX");
	assert_string_equal(filter("gcc -x c++ -x none -DX"), "-DX");
}

static void standards_are_those_that_clang_knows(void **state)
{
	(void)state;
	assert_string_equal(filter("-std=gnu11 --std=c99"), "-std=gnu11 -std=c99");
	assert_string_equal(filter("-std=c++17"), "-std=c++17"); /* whoever parses knows what it is for */
	const char *standard = filter("-std=gnu23 -std=c23");
	if (rs_clang_major() < 18) {
		assert_string_equal(standard, "-std=gnu2x -std=c2x");
		assert_int_equal(count_notes("read as -std=gnu2x"), 1);
	} else {
		assert_string_equal(standard, "-std=gnu23 -std=c23");
	}
}

static void dropped_flags_that_matter_are_noted_once(void **state)
{
	(void)state;
	assert_string_equal(filter("-fplugin=x.so -Xclang -load -frandomize-layout-seed=12 -fplan9-extensions"),
			    "-fms-extensions");
	filter("-fplugin=x.so -frandomize-layout-seed=12");
	assert_int_equal(count_notes("dropped -fplugin=x.so"), 1);
	assert_int_equal(count_notes("dropped -Xclang -load"), 1);
	assert_int_equal(count_notes("dropped -frandomize-layout-seed=12"), 1);
	assert_int_equal(count_notes("read with -fms-extensions"), 1);
	assert_int_equal(notes.n_items, 4);
}

static void forced_includes_go_past_precompiled_headers(void **state)
{
	(void)state;
	write_text("pre.h", "");
	write_text("pre.h.gch", "not for clang");
	assert_string_equal(filter_at(scratch_root, "-include pre.h -imacros none.h"),
			    rs_arena_printf(arena,
					    "-Xclang -include -Xclang %s/pre.h -Xclang -imacros -Xclang none.h",
					    scratch_root));
	/* As CMake writes it for clang. */
	assert_string_equal(
		filter_at(scratch_root, "-Xclang -include-pch -Xclang x.pch -Xclang -include -Xclang pre.h"),
		rs_arena_printf(arena, "-Xclang -include -Xclang %s/pre.h", scratch_root));
	/* Not in the folder, but on the path. */
	assert_string_equal(
		filter_at("/w", rs_arena_printf(arena, "-include pre.h -I '%s'", scratch_root)),
		rs_arena_printf(arena, "-Xclang -include -Xclang %s/pre.h -I %s", scratch_root, scratch_root));
}

static void files_of_arguments_are_read(void **state)
{
	(void)state;
	write_text("outer.rsp", "-DA '-DB=x y'\n@inner.rsp\n-o\nout.o");
	write_text("inner.rsp", "-Iinc\t-MD @inner.rsp");
	assert_string_equal(filter_at(scratch_root, "gcc @outer.rsp -DC @none.rsp"),
			    rs_arena_printf(arena, "-DA -DB=x y -I%s/inc -DC", scratch_root));
	assert_int_equal(count_notes("dropped @none.rsp"), 1);
}

static void essential_flags_are_few(void **state)
{
	(void)state;
	static const char *const words[] = {
		"-DX", "-I", "/a", "-mfoo", "-march=x", "-m32", "-std=c99", "-fbar"
	};
	struct rs_flags flags, fewer;

	rs_flags_filter(arena, words, RS_COUNT_OF(words), "/w", NULL, NULL, &flags);
	rs_flags_essential(arena, &flags, true, &fewer);
	assert_string_equal(join(fewer.words.items, fewer.words.n_items), "-DX -I /a -march=x -m32 -std=c99");
	rs_flags_essential(arena, &flags, false, &fewer);
	assert_string_equal(join(fewer.words.items, fewer.words.n_items), "-DX -I /a -m32 -std=c99");
	assert_int_equal(rs_flags_find_effect("-m96bit-long-double"), RS_FLAGS_LAYOUT);
	assert_int_equal(rs_flags_find_effect("-DX"), RS_FLAGS_READING);
	assert_int_equal(rs_flags_find_effect("-fconserve-stack"), RS_FLAGS_NONE);
}

static void databases_are_found_upward(void **state)
{
	(void)state;
	assert_int_equal(scratch_run("mkdir -p a/b/c build a/build"), 0);
	write_text("a/b/x.c", "");
	write_text("build/compile_commands.json", "[]");
	assert_string_equal(rs_compile_db_locate(arena, scratch_path("a/b/x.c")),
			    rs_path_canonical(arena, scratch_path("build/compile_commands.json")));
	write_text("a/build/compile_commands.json", "[]");
	assert_string_equal(rs_compile_db_locate(arena, scratch_path("a/b/c/none.h")),
			    rs_path_canonical(arena, scratch_path("a/build/compile_commands.json")));
	write_text("a/b/compile_commands.json", "[]");
	assert_string_equal(rs_compile_db_locate(arena, scratch_path("a/b/x.c")),
			    rs_path_canonical(arena, scratch_path("a/b/compile_commands.json")));
	assert_null(rs_compile_db_locate(arena, "/nowhere/at/all.c"));
}

static struct rs_compile_db read_db(const char *text)
{
	struct rs_compile_db db = { 0 };

	write_text("compile_commands.json", text);
	struct rs_error *error = rs_compile_db_read(arena, scratch_root, &db);
	if (error)
		fail_msg("%u:%u: %s", error->line, error->column, error->message);
	return db;
}

static void the_dialects_of_databases_are_read(void **state)
{
	(void)state;
	assert_int_equal(scratch_run("mkdir -p build src 'with blank'"), 0);
	struct rs_compile_db db = read_db(
		/* CMake; meson; bear; a file with blanks; twice the same; no directory. */
		"[{\"directory\":\"build\",\"command\":\"/usr/bin/cc -DN=\\\\\\\"v\\\\\\\" -o x.o -c "
		"../src/a.c\","
		"\"file\":\"../src/a.c\",\"output\":\"x.o\"},\n"
		"{\"directory\":\"build\",\"command\":\"'cc' '-DA=b c' ../src/b.c\",\"file\":\"../src/b.c\"},\n"
		"{\"file\":\"src/c.c\",\"arguments\":[\"gcc\",\"-DX Y\"],\"directory\":\".\"},\n"
		"{\"file\":\"with blank/d e.c\",\"command\":\"cc -c 'with blank/d "
		"e.c'\",\"directory\":\".\"},\n"
		"{\"file\":\"src/c.c\",\"arguments\":[\"gcc\",\"-DZ\"],\"directory\":\".\"},\n"
		"{\"file\":\"src/f.c\",\"command\":\"cc\"}]");

	assert_int_equal(db.n_commands, 6);
	assert_string_equal(db.commands[0].file, rs_path_canonical(arena, scratch_path("src/a.c")));
	assert_string_equal(rs_path_canonical(arena, db.commands[0].directory),
			    rs_path_canonical(arena, scratch_path("build")));
	assert_string_equal(db.commands[0].arguments[1], "-DN=\"v\"");
	assert_string_equal(db.commands[1].arguments[1], "-DA=b c");
	assert_string_equal(db.commands[2].arguments[1], "-DX Y");
	assert_string_equal(db.commands[3].file, rs_path_canonical(arena, scratch_path("with blank/d e.c")));
	assert_string_equal(db.commands[4].file, db.commands[2].file);
	assert_string_equal(db.commands[5].file, rs_path_canonical(arena, scratch_path("src/f.c")));
}

static void assembly_is_left_out_and_other_languages_are_told(void **state)
{
	(void)state;
	struct rs_compile_db db = read_db("[{\"file\":\"a.S\",\"command\":\"gcc a.S\"},"
					  "{\"file\":\"b.c\",\"command\":\"gcc -x assembler-with-cpp b.c\"},"
					  "{\"file\":\"c.c\",\"command\":\"g++ c.c\"},"
					  "{\"file\":\"d.cpp\",\"command\":\"cc d.cpp\"},"
					  "{\"file\":\"e.cpp\",\"command\":\"cc -xc e.cpp\"},"
					  "{\"file\":\"f.c\",\"command\":\"cc f.c\"}]");
	static const bool is_c[] = { false, false, true, true };

	assert_int_equal(db.n_commands, RS_COUNT_OF(is_c));
	for (size_t i = 0; i < RS_COUNT_OF(is_c); i++)
		assert_int_equal(db.commands[i].is_c, is_c[i]);
}

static void expect_db_error(const char *text, unsigned line, unsigned column, const char *part)
{
	struct rs_compile_db db;

	write_text("compile_commands.json", text);
	struct rs_error *error = rs_compile_db_read(arena, scratch_root, &db);
	assert_non_null(error);
	if (error->code != RS_ERROR_SYNTAX || error->line != line || error->column != column ||
	    !strstr(error->message, part))
		fail_msg("got %u:%u: %s", error->line, error->column, error->message);
	assert_string_equal(error->path, scratch_path("compile_commands.json"));
	rs_error_destroy(error);
}

static void broken_databases_are_refused_with_their_place(void **state)
{
	(void)state;
	expect_db_error("[\n {\"file\": \"a.c\",,}]", 2, 17, "");
	expect_db_error("{\"file\": \"a.c\"}", 1, 1, "a compile database is an array, not an object");
	expect_db_error("[\n  7]", 2, 3, "an entry is a number, not an object");
	expect_db_error("[{\"command\":\"cc\"}]", 1, 2, "no \"file\"");
	expect_db_error("[{\"file\":\"a.c\"}]", 1, 2, "neither \"command\" nor \"arguments\"");
	expect_db_error("[{\"file\":\"a.c\",\n\"command\":[]}]", 2, 11,
			"\"command\" is an array, not a string");
	expect_db_error("[{\"file\":\"a.c\",\"arguments\":\"cc\"}]", 1, 28, "\"arguments\" is a string");
	expect_db_error("[{\"file\":\"a.c\",\"arguments\":[1]}]", 1, 29, "an argument is a number");
}

static void a_missing_database_is_an_error_of_the_file(void **state)
{
	(void)state;
	struct rs_compile_db db;
	struct rs_error *error = rs_compile_db_read(arena, scratch_root, &db);

	assert_non_null(error);
	assert_int_equal(error->code, RS_ERROR_IO);
	assert_string_equal(error->path, scratch_path("compile_commands.json"));
	rs_error_destroy(error);
}

static void clangs_own_headers_are_found(void **state)
{
	(void)state;
	const char *directory = NULL;

	assert_null(rs_compile_resource_directory(arena, NULL, &directory));
	assert_true(rs_file_exists(rs_arena_printf(arena, "%s/include/stddef.h", directory)));
	assert_int_equal(atoi(rs_path_basename(directory)), (int)rs_clang_major());

	assert_int_equal(scratch_run("mkdir -p mine/include && touch mine/include/stddef.h"), 0);
	setenv("RESTRUCT_RESOURCE_DIR", scratch_path("mine"), 1);
	assert_null(rs_compile_resource_directory(arena, NULL, &directory));
	assert_string_equal(directory, rs_path_canonical(arena, scratch_path("mine")));
	setenv("RESTRUCT_RESOURCE_DIR", "/nowhere", 1);
	assert_null(rs_compile_resource_directory(arena, scratch_path("mine"), &directory));
	struct rs_error *error = rs_compile_resource_directory(arena, NULL, &directory);
	assert_non_null(error);
	assert_string_equal(error->path, "/nowhere");
	assert_non_null(strstr(error->message, "RESTRUCT_RESOURCE_DIR"));
	rs_error_destroy(error);
	unsetenv("RESTRUCT_RESOURCE_DIR");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	static const struct CMUnitTest tests[] = {
		TEST(words_are_cut_as_a_shell_does),
		TEST(what_decides_meaning_is_kept),
		TEST(what_writes_or_prints_is_dropped),
		TEST(the_value_of_a_dropped_flag_goes_with_it),
		TEST(wrapped_flags_are_unwrapped),
		TEST(names_become_absolute),
		TEST(compilers_and_wrappers_are_stripped),
		TEST(a_cross_compiler_names_the_target),
		TEST(languages_are_told),
		TEST(standards_are_those_that_clang_knows),
		TEST(dropped_flags_that_matter_are_noted_once),
		TEST(forced_includes_go_past_precompiled_headers),
		TEST(files_of_arguments_are_read),
		TEST(essential_flags_are_few),
		TEST(databases_are_found_upward),
		TEST(the_dialects_of_databases_are_read),
		TEST(assembly_is_left_out_and_other_languages_are_told),
		TEST(broken_databases_are_refused_with_their_place),
		TEST(a_missing_database_is_an_error_of_the_file),
		TEST(clangs_own_headers_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
