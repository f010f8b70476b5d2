#include "scratch.h"

#include "base/path.h"
#include "draw.h"
#include "text/edit.h"
#include "text/patch.h"
#include "text/source.h"

#define TEXT(literal) (literal), sizeof(literal) - 1

/* One case: two texts of one path. */
struct pair {
	struct rs_builder a, b;
};

static void pair_free(struct pair *pair)
{
	rs_builder_deinit(&pair->a);
	rs_builder_deinit(&pair->b);
}

static void source_positions(void **state)
{
	(void)state;
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	struct rs_source *source = rs_source_create(arena, "x.h", "/x.h", TEXT("ab\r\n\nc\xc3\xa9z"));
	struct rs_position at;

	assert_int_equal(source->n_lines, 3);
	at = rs_source_position(source, 0);
	assert_true(at.line == 1 && at.column == 1);
	at = rs_source_position(source, 3);
	assert_true(at.line == 1 && at.column == 4);
	at = rs_source_position(source, 4);
	assert_true(at.line == 2 && at.column == 1);
	at = rs_source_position(source, 8);
	assert_true(at.line == 3 && at.column == 4);
	at = rs_source_position(source, 9); /* the end */
	assert_true(at.line == 3 && at.column == 5);
}

static void source_of_nothing(void **state)
{
	(void)state;
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	struct rs_source *source = rs_source_create(arena, "x.h", "/x.h", "", 0);

	assert_int_equal(source->n_lines, 1);
	assert_int_equal(rs_source_position(source, 0).line, 1);
	source = rs_source_create(arena, "x.h", "/x.h", "\n\n", 2);
	assert_int_equal(rs_source_position(source, 2).line, 3);
}

static void source_read_from_file(void **state)
{
	(void)state;
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	struct rs_source *source;

	scratch_write("s.h", TEXT("int\0x;\n"));
	assert_null(rs_source_read(arena, scratch_path("s.h"), &source));
	assert_int_equal(source->size, 7);
	assert_memory_equal(source->text, "int\0x;\n", 8);
	struct rs_error *error = rs_source_read(arena, scratch_path("none.h"), &source);
	assert_int_equal(error->code, RS_ERROR_IO);
	rs_error_destroy(error);
}

static void expect_edits(const char *text, const struct rs_edit *edits, size_t count, const char *expected)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	RS_CLEANUP(rs_builder_deinit) struct rs_builder out = { 0 }, back = { 0 };
	struct rs_source *source = rs_source_create(arena, "x.h", "/x.h", text, strlen(text));
	struct rs_edit *placed = rs_arena_array(arena, struct rs_edit, count);

	for (size_t i = 0; i < count; i++) {
		placed[i] = edits[i];
		placed[i].source = source;
	}
	rs_edit_apply(source, placed, count, &out);
	assert_string_equal(out.data, expected);
	struct rs_source *edited = rs_source_create(arena, "x.h", "/x.h", out.data, out.length);
	rs_edit_apply(edited, rs_edit_invert(arena, edited, placed, count), count, &back);
	assert_string_equal(back.data, text);
}

static void edits_apply_and_invert(void **state)
{
	static const struct rs_edit edits[] = {
		{ .span = { 0, 0 }, .text = TEXT(">") },      { .span = { 1, 3 }, .text = TEXT("") },
		{ .span = { 3, 3 }, .text = TEXT("longer") }, { .span = { 5, 6 }, .text = TEXT("f") },
		{ .span = { 6, 6 }, .text = TEXT("\n") },
	};

	(void)state;
	expect_edits("abcdef", edits, RS_COUNT_OF(edits), ">alongerdef\n");
	expect_edits("abcdef", edits, 0, "abcdef");
	expect_edits("", edits, 1, ">");
}

static int make_repository(void **state)
{
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
	setenv("LC_ALL", "C", 1);
	if (scratch_make(state) != 0)
		return -1;
	scratch_run("git init -q repo 2>/dev/null && mkdir p");
	return 0;
}

static bool has_git(void)
{
	return scratch_run("git --version >/dev/null 2>&1 && test -d repo") == 0;
}

/* The path in single quotes for the shell. */
static const char *shell_quoted(const char *path)
{
	static char quoted[1024];
	size_t length = 0;

	quoted[length++] = '\'';
	for (; *path && length < sizeof quoted - 8; path++) {
		if (*path == '\'') {
			memcpy(quoted + length, "'\\'", 3);
			length += 3;
		}
		quoted[length++] = *path;
	}
	memcpy(quoted + length, "'", 2);
	return quoted;
}

static const char *in_repository(const char *path)
{
	static char name[1024];

	snprintf(name, sizeof name, "repo/%s", path);
	return name;
}

static void print_pair(struct rs_builder *out, const char *path, unsigned mode, const struct pair *pair,
		       unsigned context)
{
	assert_null(rs_patch_print(out, path, mode, pair->a.data, pair->a.length, pair->b.data, pair->b.length,
				   context));
}

/* Our diff is git's, byte for byte. */
static void expect_git_diff(const char *path, unsigned mode, const struct pair *pair, unsigned context)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder out = { 0 };
	const char *quoted = shell_quoted(path);

	scratch_write(in_repository(path), pair->a.data, pair->a.length);
	assert_int_equal(scratch_run("cd repo && chmod %o %s && rm -f .git/index && git add %s", mode & 0777,
				     quoted, quoted),
			 0);
	scratch_write(in_repository(path), pair->b.data, pair->b.length);
	assert_int_equal(scratch_run("cd repo && git diff --text -U%u > ../expected", context), 0);
	print_pair(&out, path, mode, pair, context);
	scratch_expect("expected", out.data ? out.data : "", out.length);
}

/* git apply and patch turn a into b, and back with -R. */
static void expect_applies(const char *path, const struct pair *pair, bool with_patch)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder out = { 0 };
	const char *quoted = shell_quoted(path), *name = in_repository(path);

	print_pair(&out, path, 0100644, pair, 3);
	scratch_write("x.diff", out.data, out.length);
	scratch_write(name, pair->a.data, pair->a.length);
	assert_int_equal(
		scratch_run("cd repo && chmod 644 %s && git apply --whitespace=nowarn ../x.diff", quoted), 0);
	scratch_expect(name, pair->b.data, pair->b.length);
	assert_int_equal(scratch_run("cd repo && git apply --whitespace=nowarn -R ../x.diff"), 0);
	scratch_expect(name, pair->a.data, pair->a.length);
	if (!with_patch || scratch_run("patch --version >/dev/null 2>&1") != 0)
		return;
	assert_int_equal(scratch_run("cd repo && patch -s -p1 --binary %s < ../x.diff", quoted), 0);
	scratch_expect(name, pair->b.data, pair->b.length);
	assert_int_equal(scratch_run("cd repo && patch -s -p1 --binary -R %s < ../x.diff", quoted), 0);
	scratch_expect(name, pair->a.data, pair->a.length);
}

static void expect_count(const struct pair *pair)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder out = { 0 };
	size_t count, seen = 0;

	print_pair(&out, "x", 0100644, pair, 3);
	for (const char *hunk = out.data ? strstr(out.data, "\n@@") : NULL, *line = hunk; line;) {
		seen += line[1] == '+' || line[1] == '-';
		line = (const char *)memchr(line + 1, '\n', (size_t)(out.data + out.length - line - 1));
	}
	assert_null(rs_patch_count_lines(pair->a.data, pair->a.length, pair->b.data, pair->b.length, &count));
	assert_int_equal(count, seen);
}

static void random_line(struct rs_builder *out, unsigned kind, const char *line_end)
{
	static const char *const lines[] = { "",
					     "\t",
					     "struct s {",
					     "};",
					     "\tint a;",
					     "\tint b;",
					     "{",
					     "}",
					     "static int f(void)",
					     "\treturn 0;",
					     "/*",
					     " */",
					     "#ifdef X",
					     "#endif",
					     "$macro",
					     "  \tlabel:  ",
					     "A long line  " };

	if (kind % 16 == 15)
		rs_builder_printf(out, "\tunsigned long field_%u;", draw(60));
	else if (kind % 64 == 30)
		rs_builder_appends(out, "caf\xe9 caf\xc3\xa9 \xef\xbf\xbf \xed\xa0\x80");
	else if (kind % 128 == 60)
		rs_builder_printf(out, "very_long_name_%0*d", (int)draw(300), 7);
	else if (kind % 128 == 61)
		rs_builder_appends(out, draw(2) ? "\f" : "\v\tx");
	else if (kind % 32 == 25) /* cut at 80 bytes in a hunk's header, where there may be blanks */
		rs_builder_printf(out, "int function_%0*d    (int first, int second)", (int)draw(70), 1);
	else
		rs_builder_appends(out, lines[kind % RS_COUNT_OF(lines)]);
	rs_builder_appends(out, line_end);
}

static void drop_final_newline(struct rs_builder *text)
{
	if (text->length > 0 && draw(4) == 0)
		text->data[--text->length] = '\0';
}

/* Lines that are alike, and runs of them left out, added, doubled or moved: what makes diffs ambiguous. */
static void random_pair(struct pair *pair, unsigned n_lines, unsigned change)
{
	const char *line_end = draw(4) == 0 ? "\r\n" : "\n";
	RS_CLEANUP(rs_builder_deinit) struct rs_builder line = { 0 }, moved = { 0 };

	rs_builder_append(&pair->a, "", 0);
	rs_builder_append(&pair->b, "", 0);
	for (unsigned i = 0; i < n_lines; i++) {
		line.length = 0;
		random_line(&line, draw(1000), line_end);
		rs_builder_append(&pair->a, line.data, line.length);
		unsigned what = draw(change);
		if (what == 1)
			random_line(&pair->b, draw(1000), line_end);
		if (what == 2 || what == 3)
			rs_builder_append(&moved, line.data, line.length);
		else if (what != 0)
			rs_builder_append(&pair->b, line.data, line.length);
		if (moved.length && draw(5) == 0) {
			rs_builder_append(&pair->b, moved.data, moved.length);
			moved.length = 0;
		}
	}
	drop_final_newline(&pair->a);
	drop_final_newline(&pair->b);
}

static unsigned rounds(unsigned usual)
{
	const char *wanted = getenv("RESTRUCT_TEST_ROUNDS");

	return wanted ? (unsigned)strtoul(wanted, NULL, 10) : usual;
}

static void random_diffs_are_gits(void **state)
{
	static const unsigned contexts[] = { 3, 3, 3, 0, 1, 10 };

	(void)state;
	if (!has_git())
		return;
	random_state = rounds(1);
	for (unsigned i = 0; i < rounds(150); i++) {
		RS_CLEANUP(pair_free) struct pair pair = { 0 };

		random_pair(&pair, i % 29 == 28 ? 3000 : draw(120), 5 + draw(60));
		expect_git_diff("f.h", 0100644, &pair, contexts[i % RS_COUNT_OF(contexts)]);
		expect_count(&pair);
		if (i % 5 == 0 &&
		    (pair.a.length != pair.b.length || memcmp(pair.a.data, pair.b.data, pair.a.length)))
			expect_applies("f.h", &pair, true);
	}
}

static void set_pair(struct pair *pair, const char *a, size_t a_size, const char *b, size_t b_size)
{
	pair_free(pair);
	rs_builder_append(&pair->a, a, a_size);
	rs_builder_append(&pair->b, b, b_size);
}

static void odd_texts(void **state)
{
	static const struct {
		const char *a;
		size_t a_size;
		const char *b;
		size_t b_size;
	} cases[] = {
		{ TEXT(""), TEXT("a\n") },
		{ TEXT("a\n"), TEXT("") },
		{ TEXT(""), TEXT("no newline") },
		{ TEXT("a\nb"), TEXT("a\nb\n") },
		{ TEXT("a\nb\n"), TEXT("a\nb") },
		{ TEXT("a\nb"), TEXT("c\nb") },
		{ TEXT("a\nb"), TEXT("a\nc") },
		{ TEXT("a\r\nb\r\n"), TEXT("a\nb\r\n") },
		{ TEXT("a\n"), TEXT("a \n") },
		{ TEXT("a\0b\nc\n"), TEXT("a\0b\nd\n") },
		{ TEXT("\0"), TEXT("\0\0\n") },
		{ TEXT("\xff\xfe\n\x80\n"), TEXT("\x80\n\xff\xfe\n") },
		{ TEXT("f\xe9(void)\n{\n\n\n\n\n\na\n"), TEXT("f\xe9(void)\n{\n\n\n\n\n\nb\n") },
		{ TEXT("f \xe9(void)\n{\n\n\n\n\n\na\n"), TEXT("f \xe9(void)\n{\n\n\n\n\n\nb\n") },
		{ TEXT("f \xef\xbf\xbf(void)\n{\n\n\n\n\n\na\n"),
		  TEXT("f \xef\xbf\xbf(void)\n{\n\n\n\n\n\nb\n") },
		{ TEXT("\n\n\n\n"), TEXT("\n") },
		{ TEXT("f(\f\v \n{\n\n\n\n\n\f\n\v\n\f"), TEXT("f(\f\v \n{\n\n\n\n\n\v\n\f\n") },
	};

	(void)state;
	if (!has_git())
		return;
	for (size_t i = 0; i < RS_COUNT_OF(cases); i++) {
		RS_CLEANUP(pair_free) struct pair pair = { 0 };
		bool has_nul = memchr(cases[i].a, 0, cases[i].a_size) != NULL;

		set_pair(&pair, cases[i].a, cases[i].a_size, cases[i].b, cases[i].b_size);
		for (unsigned context = 0; context <= 3; context++)
			expect_git_diff("o.h", 0100644, &pair, context);
		/* patch(1) takes a file that becomes empty for one that is removed. */
		expect_applies("o.h", &pair, pair.a.length && pair.b.length && !has_nul);
	}
}

static void very_long_lines(void **state)
{
	RS_CLEANUP(pair_free) struct pair pair = { 0 };

	(void)state;
	if (!has_git())
		return;
	for (unsigned i = 0; i < 3; i++) {
		rs_builder_pad(&pair.a, (char)('a' + i), 300000);
		rs_builder_appendc(&pair.a, '\n');
		rs_builder_pad(&pair.b, (char)('c' - i), 300000);
		rs_builder_appendc(&pair.b, '\n');
	}
	expect_git_diff("l.h", 0100644, &pair, 3);
	expect_applies("l.h", &pair, true);
}

/* Where a long tail is left out of the comparison, a hunk before it cannot slide into it. */
static void common_tails(void **state)
{
	(void)state;
	if (!has_git())
		return;
	for (unsigned i = 0; i < 40; i++) {
		RS_CLEANUP(pair_free) struct pair pair = { 0 };

		random_state = i;
		random_pair(&pair, 20, 8);
		rs_builder_appends(&pair.a, "\nhead\n");
		rs_builder_appends(&pair.b, "\nhead\n\tx;\n\n\tx;\n\n");
		for (unsigned j = 0; j < 100 + i * 37; j++) {
			rs_builder_appends(&pair.a, j % 2 ? "\n" : "\tx;\n");
			rs_builder_appends(&pair.b, j % 2 ? "\n" : "\tx;\n");
		}
		rs_builder_pad(&pair.a, 'y', i % 2 ? 0 : 2000 + i);
		rs_builder_pad(&pair.b, 'y', i % 2 ? 0 : 2000 + i);
		expect_git_diff("t.h", 0100644, &pair, 0);
		expect_git_diff("t.h", 0100644, &pair, 3);
	}
}

static void paths_and_modes(void **state)
{
	static const char *const paths[] = { "plain.h",
					     "with blank.h",
					     "quo\"te.h",
					     "back\\slash.h",
					     "t\tab.h",
					     "n\newline.h",
					     "\xc3\xa9t\xc3\xa9.h",
					     "latin\xe9 1.h",
					     "it's.h",
					     "\x01\x7f.h",
					     "-dash.h",
					     "a\"b c.h" };
	RS_CLEANUP(pair_free) struct pair pair = { 0 };

	(void)state;
	if (!has_git())
		return;
	set_pair(&pair, TEXT("a\nb\n"), TEXT("b\na\n"));
	for (size_t i = 0; i < RS_COUNT_OF(paths); i++) {
		if (paths[i][0] != '-')
			expect_git_diff(paths[i], i % 2 ? 0100755 : 0100644, &pair, 3);
		if (strcmp(paths[i], "plain.h") == 0 || strchr(paths[i], ' '))
			expect_applies(paths[i], &pair, true);
	}
}

static void without_a_repository(void **state)
{
	RS_CLEANUP(pair_free) struct pair pair = { 0 };
	RS_CLEANUP(rs_builder_deinit) struct rs_builder out = { 0 };

	(void)state;
	if (!has_git())
		return;
	set_pair(&pair, TEXT("a\nb\n"), TEXT("b\na\n"));
	assert_int_equal(scratch_run("mkdir -p a b"), 0);
	scratch_write("a/x.h", pair.a.data, pair.a.length);
	scratch_write("b/x.h", pair.b.data, pair.b.length);
	assert_int_equal(scratch_run("git diff --no-index --src-prefix= --dst-prefix= a/x.h b/x.h > expected"),
			 1);
	print_pair(&out, "x.h", 0100644, &pair, 3);
	scratch_expect("expected", out.data, out.length);
}

static void equal_texts_print_nothing(void **state)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder out = { 0 };
	size_t lines = 7;

	(void)state;
	assert_null(rs_patch_print(&out, "x", 0100644, TEXT("a\n"), TEXT("a\n"), 3));
	assert_null(rs_patch_print(&out, "x", 0100644, NULL, 0, "", 0, 3));
	assert_int_equal(out.length, 0);
	assert_null(rs_patch_count_lines(TEXT("a\n"), TEXT("a\n"), &lines));
	assert_int_equal(lines, 0);
	assert_null(rs_patch_count_lines(NULL, 0, TEXT("a\nb"), &lines));
	assert_int_equal(lines, 2);
}

static void top_level_is_found(void **state)
{
	(void)state;
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();

	assert_int_equal(
		scratch_run("mkdir -p tree/sub/deep tree/module && mkdir tree/.git && touch tree/module/.git"
			    " tree/sub/deep/x.h tree/module/y.h"),
		0);
	char *top = rs_path_canonical(arena, scratch_path("tree"));
	assert_string_equal(rs_git_top_level(arena, scratch_path("tree/sub/deep/x.h")), top);
	assert_string_equal(rs_git_top_level(arena, scratch_path("tree")), top);
	assert_string_equal(rs_git_top_level(arena, scratch_path("tree/sub/deep/missing/z.h")), top);
	top = rs_path_canonical(arena, scratch_path("tree/module"));
	assert_string_equal(rs_git_top_level(arena, scratch_path("tree/module/y.h")), top);
	assert_null(rs_git_top_level(arena, "/"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(source_positions),          cmocka_unit_test(source_of_nothing),
		cmocka_unit_test(source_read_from_file),     cmocka_unit_test(edits_apply_and_invert),
		cmocka_unit_test(random_diffs_are_gits),     cmocka_unit_test(odd_texts),
		cmocka_unit_test(very_long_lines),           cmocka_unit_test(common_tails),
		cmocka_unit_test(paths_and_modes),           cmocka_unit_test(without_a_repository),
		cmocka_unit_test(equal_texts_print_nothing), cmocka_unit_test(top_level_is_found),
	};

	return cmocka_run_group_tests(tests, make_repository, scratch_remove);
}
