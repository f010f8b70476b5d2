/*
 * For tests that open translation units: a folder of their own to stand in, and what they look for.
 */
#ifndef RS_TESTS_UNIT_TU_FIXTURE_H
#define RS_TESTS_UNIT_TU_FIXTURE_H

#include "scratch.h"

#include "base/file.h"
#include "parse/tu.h"
#include "parse/tu_internal.h"

static struct rs_arena *arena;
static struct rs_notes notes;
static struct rs_parse_options options;
static struct rs_parser *parser;
static struct rs_tu *tu;
static char start_folder[PATH_MAX];

__attribute__((unused)) static int setup(void **state)
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

__attribute__((unused)) static int teardown(void **state)
{
	rs_tu_destroy(tu);
	rs_parser_destroy(parser);
	rs_arena_destroy(arena);
	return chdir(start_folder) == 0 ? scratch_remove(state) : -1;
}

__attribute__((unused)) static void write_text(const char *name, const char *text)
{
	scratch_write(name, text, strlen(text));
}

__attribute__((unused)) static void make_parser(void)
{
	if (parser)
		return;
	struct rs_error *error = rs_parser_create(&options, &notes, &parser);
	if (error)
		fail_msg("%s", error->message);
}

__attribute__((unused)) static void use_flags(const char *const *flags, size_t count)
{
	options.has_flags = true;
	options.flags = flags;
	options.n_flags = count;
}

__attribute__((unused)) static void open_file(const char *file)
{
	make_parser();
	rs_tu_destroy(tu);
	tu = NULL;
	struct rs_error *error = rs_tu_open(parser, file, &tu);
	if (error)
		fail_msg("%s:%u:%u: %s", error->path, error->line, error->column, error->message);
}

__attribute__((unused)) static void expect_main_file(const char *name)
{
	assert_string_equal(rs_tu_main_file(tu), scratch_path(name));
}

__attribute__((unused)) static void expect_text(const char *actual, const char *part)
{
	if (!strstr(actual, part))
		fail_msg("\"%s\" does not hold \"%s\"", actual, part);
}

/* place: "path:line:column". */
__attribute__((unused)) static void expect_open_error(const char *file, enum rs_error_code code,
						      const char *place, const char *part)
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

__attribute__((unused)) static size_t count_notes(const char *part)
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

__attribute__((unused)) static enum CXChildVisitResult find_enumerator(CXCursor cursor, CXCursor parent,
								       CXClientData data)
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

__attribute__((unused)) static long long find_value(const char *name)
{
	struct wanted wanted = { .name = name };

	clang_visitChildren(clang_getTranslationUnitCursor(rs_tu_clang(tu)), find_enumerator, &wanted);
	if (!wanted.found)
		fail_msg("no enumerator %s", name);
	return wanted.value;
}

__attribute__((unused)) static void write_database(const char *name, const char *entries)
{
	write_text(name, rs_arena_printf(arena, "[%s]\n", entries));
}

#endif
