/* Which units may read a header: never too few, as the compiler's own lists of what it read show. */
#include "tu_fixture.h"

#include <sys/stat.h>

#include "draw.h"
#include "parse/reach.h"

enum { N_HEADERS = 14, N_UNITS = 5, N_TREES = 25 };

static struct rs_scan_unit *add_unit(struct rs_scan_units *units, const char *file, const char *const *flags,
				     size_t n_flags)
{
	const char *arguments[16] = { "cc" };
	size_t count = 1;

	for (size_t i = 0; i < n_flags; i++)
		arguments[count++] = flags[i];
	arguments[count++] = "-c";
	arguments[count++] = file;
	const struct rs_compile_command command = { .file = rs_arena_strdup(arena, scratch_path(file)),
						    .directory = scratch_root,
						    .arguments = arguments,
						    .n_arguments = count,
						    .is_c = true };
	rs_scan_units_add_command(arena, &command, NULL, units);
	return &units->items[units->n_items - 1];
}

static bool may_read(const struct rs_scan_unit *unit, const char *header, const char *word)
{
	const char *files[] = { scratch_path(header) }, *words[] = { word };
	RS_CLEANUP(rs_reach_destroyp) struct rs_reach *reach = rs_reach_create(parser, files, 1, words, 1);

	return rs_reach_may_read(reach, unit);
}

static bool reads(const struct rs_scan_unit *unit, const char *header)
{
	struct rs_tu *read = NULL;
	struct rs_error *error = rs_scan_unit_read(parser, unit, &read);
	bool is_read = read && rs_tu_reads(read, scratch_path(header));

	rs_error_destroy(error);
	rs_tu_destroy(read);
	return is_read;
}

static bool expect(const char *text, const char *const *flags, size_t n_flags, bool expected)
{
	struct rs_scan_units units = { 0 };

	mkdir("first", 0777);
	mkdir("second", 0777);
	write_text("second/row.h", "struct row { int x; };\n");
	write_text("second/wrap.h", "#include \"row.h\"\n");
	write_text("second/far.h", "int far;\n");
	write_text("main.c", text);
	make_parser();
	const struct rs_scan_unit *unit = add_unit(&units, "main.c", flags, n_flags);
	bool found = may_read(unit, "second/row.h", "row");

	if (found != expected)
		fail_msg("%s: %s", text, found ? "may read it" : "does not read it");
	if (!found)
		assert_false(reads(unit, "second/row.h"));
	return found;
}

#define EXPECT(text, expected) expect(text, flags, RS_COUNT_OF(flags), expected)

static void test_names(void **state)
{
	static const char *const flags[] = { "-Ifirst", "-Isecond" };

	(void)state;
	EXPECT("#include \"row.h\"\n", true);
	EXPECT("#include <wrap.h>\n", true);
	EXPECT("#include \"second/wrap.h\"\n", true);
	EXPECT("#if 0\n#  include /**/ <wrap.h>\n#endif\n", true);
	EXPECT("%:include <wrap.h>\n", true);
	EXPECT("#inc\\\nlude <wrap.h>\n", true);
	EXPECT("#define W <wrap.h>\n#include W\n", true);
	EXPECT("#include <far.h>\n#include <stdio.h>\n", false);
	EXPECT("struct row; struct row *p;\n", false);
	EXPECT("/* row.h has it */ int row;\n", false);
	/* What is nowhere could be made later, and include anything. */
	EXPECT("#include \"nowhere.h\"\nstruct row *p;\n", true);
	EXPECT("#include \"nowhere.h\"\nint v;\n", false);
}

static void test_flags(void **state)
{
	static const char *const none[] = { "-Ifirst" };
	static const char *const include[] = { "-Isecond", "-include", "wrap.h" };
	static const char *const by_path[] = { "-include", "second/wrap.h" };
	static const char *const missing[] = { "-include", "missing.h" };
	static const char *const root[] = { "--sysroot=/nowhere", "-Isecond" };

	(void)state;
	expect("#include <wrap.h>\nint v;\n", none, RS_COUNT_OF(none), false);
	expect("int v;\n", include, RS_COUNT_OF(include), true);
	expect("int v;\n", by_path, RS_COUNT_OF(by_path), true);
	expect("int v;\n", missing, RS_COUNT_OF(missing), true);
	expect("int v;\n", root, RS_COUNT_OF(root), true);
}

static void test_links(void **state)
{
	static const char *const flags[] = { "-Ifirst" };

	(void)state;
	mkdir("first", 0777);
	assert_int_equal(symlink("../second/row.h", "first/alias.h"), 0);
	EXPECT("#include <alias.h>\n", true);
}

/* --- trees by chance --- */

static const char *folder_of(unsigned header)
{
	static const char *const folders[] = { "first", "second", "second/sub", "." };

	return folders[header % RS_COUNT_OF(folders)];
}

static const char *path_of(unsigned header)
{
	return rs_arena_printf(arena, "%s/h%u.h", folder_of(header), header % 9);
}

static void put_include(struct rs_builder *out, unsigned number)
{
	const char *way[] = { "#include \"h%u.h\"\n",
			      "#include <h%u.h>\n",
			      "#if 1 /* %u */\n#endif\n",
			      "#include \"sub/h%u.h\"\n",
			      "#ifdef X\n#include <h%u.h>\n#endif\n",
			      "#if __has_include(<h%u.h>)\n#endif\n",
			      "#include <sub/../h%u.h>\n",
			      "#  import \"h%u.h\"\n" };
	const char *format =
		draw(12) == 0 ? "#define N <h%u.h>\n#include N\n#undef N\n" : way[draw(RS_COUNT_OF(way))];
	const char *hole = strstr(format, "%u");

	rs_builder_append(out, format, (size_t)(hole - format));
	rs_builder_printf(out, "%u%s", number, hole + 2);
}

static void write_random(const char *path, unsigned most)
{
	struct rs_builder text = { 0 };
	unsigned count = draw(most + 1);

	rs_builder_appends(&text, "#pragma once\n");
	for (unsigned i = 0; i < count; i++)
		put_include(&text, draw(9));
	scratch_write(path, text.data, text.length);
	rs_builder_deinit(&text);
}

static void test_random_trees(void **state)
{
	static const char *const flags[] = { "-Ifirst", "-Isecond", "-DX=1" };
	size_t n_read = 0, n_dropped = 0;

	(void)state;
	mkdir("first", 0777);
	mkdir("second", 0777);
	mkdir("second/sub", 0777);
	make_parser();
	for (unsigned tree = 0; tree < N_TREES; tree++) {
		struct rs_scan_units units = { 0 };

		random_state = tree + 1;
		for (unsigned h = 0; h < N_HEADERS; h++)
			write_random(path_of(h), 3);
		for (unsigned u = 0; u < N_UNITS; u++) {
			const char *name = rs_arena_printf(arena, "u%u.c", u);

			write_random(name, 4);
			add_unit(&units, name, flags, 1 + draw(RS_COUNT_OF(flags)));
		}
		for (size_t u = 0; u < units.n_items; u++)
			for (unsigned h = 0; h < N_HEADERS; h += 3) {
				bool is_read = reads(&units.items[u], path_of(h));
				bool may = may_read(&units.items[u], path_of(h), "none of them");

				if (is_read && !may)
					fail_msg("tree %u: %s reads %s", tree, units.items[u].file, path_of(h));
				n_read += is_read;
				n_dropped += !may;
			}
	}
	assert_true(n_read > 50);
	assert_true(n_dropped > 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_names, setup, teardown),
		cmocka_unit_test_setup_teardown(test_flags, setup, teardown),
		cmocka_unit_test_setup_teardown(test_links, setup, teardown),
		cmocka_unit_test_setup_teardown(test_random_trees, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
