/*
 * Texts before and after a new order of units, one a rule; how small the edits are; what chooses the units that
 * stay.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rewrite/rewrite.h"
#include "rewrite/sequence.h"
#include "struct_text.h"

/* The units' numbers as digits, "201". */
static size_t *read_order(struct rs_arena *arena, const char *digits, size_t n_units)
{
	size_t *order = rs_arena_array(arena, size_t, n_units);

	assert_int_equal(strlen(digits), n_units);
	for (size_t i = 0; i < n_units; i++)
		order[i] = (size_t)(digits[i] - '0');
	return order;
}

static const struct rs_record *read_record(struct rs_arena *arena, const char *text)
{
	struct rs_unit_scan scan;
	const struct rs_record *record = record_from_bytes(arena, text, strlen(text), &scan);

	if (scan.refusal)
		fail_msg("refused: %s\n%s", scan.refusal, text);
	return record;
}

static void expect(const char *before, const char *digits, const char *after)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 }, restored = { 0 };
	const struct rs_record *record = read_record(arena, before);
	const struct rs_source *edited;
	struct rs_edit *edits, *inverse;
	size_t count;

	rs_rewrite_order(arena, record, read_order(arena, digits, record->n_units), &edits, &count);
	rs_edit_apply(record->source, edits, count, &text);
	if (strcmp(text.data, after) != 0)
		fail_msg("before\n%s\nafter\n%s\nexpected\n%s", before, text.data, after);
	edited = rs_source_create(arena, "new.h", "/new.h", text.data, text.length);
	inverse = rs_edit_invert(arena, edited, edits, count);
	rs_edit_apply(edited, inverse, count, &restored);
	assert_string_equal(restored.data, before);
}

static void test_lines(void **state)
{
	(void)state;
	expect("struct s {\n\tint a;\n\tint b;\n\tint c;\n};\n", "012",
	       "struct s {\n\tint a;\n\tint b;\n\tint c;\n};\n");
	expect("struct s {\n\tint a;\n\tint b;\n\tint c;\n};\n", "201",
	       "struct s {\n\tint c;\n\tint a;\n\tint b;\n};\n");
	expect("struct s {\n\t/* one */\n\tint a; /* two */  \n    int b;\t// three\n\t\t// four\n};\n", "10",
	       "struct s {\n    int b;\t// three\n\t\t// four\n\t/* one */\n\tint a; /* two */  \n};\n");
	expect("struct s {\n\tint a;\n#ifdef B\n\tint b;\n#endif\n\tint c;\n};\n", "120",
	       "struct s {\n#ifdef B\n\tint b;\n#endif\n\tint c;\n\tint a;\n};\n");
	expect("struct s {\n};\n", "", "struct s {\n};\n");
}

static void test_line_ends(void **state)
{
	(void)state;
	expect("struct s\r\n{\r\n\tint a;\r\n\tint b;\n\tint c; // x\r\n};", "120",
	       "struct s\r\n{\r\n\tint b;\n\tint c; // x\r\n\tint a;\r\n};");
	expect("struct s {\r\n\tint a; int b;\r\n\tint c;\r\n};\r\n", "120",
	       "struct s {\r\n\tint b;\r\n\tint c;\r\n\tint a;\r\n};\r\n");
}

static void test_blank_lines(void **state)
{
	(void)state;
	/* they stay between what stays */
	expect("struct s {\n\tint a;\n\tint b;\n\n\tint c;\n\tint d;\n};\n", "1032",
	       "struct s {\n\tint b;\n\tint a;\n\n\tint d;\n\tint c;\n};\n");
	expect("struct s {\n\tint a;\n\tint\n\tb;\n\n\tint c;\n\tint d;\n};\n", "0213",
	       "struct s {\n\tint a;\n\tint c;\n\tint\n\tb;\n\n\tint d;\n};\n");
	/* between nothing there is none */
	expect("struct s {\n\tint a;\n\tint\n\tb;\n\n\tint c;\n};\n", "021",
	       "struct s {\n\tint a;\n\tint c;\n\tint\n\tb;\n};\n");
	/* whole groups stay apart */
	expect("struct s {\n\tint a;\n\n\tint b;\n\n\tint c;\n};\n", "201",
	       "struct s {\n\tint c;\n\n\tint a;\n\n\tint b;\n};\n");
	/* that behind the brace and that before the other keep their places */
	expect("struct s {\n\n\tint a;\n\tint b;\n\n};\n", "10", "struct s {\n\n\tint b;\n\tint a;\n\n};\n");
}

static void test_sections(void **state)
{
	static const char *const before = "struct s {\n"
					  "\t/* --- one --- */\n\tint a;\n\tint b;\n\n"
					  "\t/* --- two --- */\n\n\tint c;\n\tint d;\n};\n";

	(void)state;
	/* a heading goes with its whole group, */
	expect("struct s {\n\tint a;\n\tint b;\n\n\t/* --- two --- */\n\n\tint c;\n\tint d;\n};\n", "2301",
	       "struct s {\n\t/* --- two --- */\n\n\tint c;\n\tint d;\n\n\tint a;\n\tint b;\n};\n");
	/* else stays over the first that stays, those that moved above it being under it, too */
	expect(before, "1203",
	       "struct s {\n\t/* --- one --- */\n\tint b;\n\n\t/* --- two --- */\n\n"
	       "\tint c;\n\tint a;\n\tint d;\n};\n");
	expect(before, "0321",
	       "struct s {\n\t/* --- one --- */\n\tint a;\n\n\t/* --- two --- */\n\n"
	       "\tint d;\n\tint c;\n\tint b;\n};\n");
}

static void test_heading_places(void **state)
{
	(void)state;
	expect("struct s {\n\tint a;\n\n\t/* --- two --- */\n\tint c;\n\tint d[2];\n};\n", "021",
	       "struct s {\n\tint a;\n\n\t/* --- two --- */\n\tint d[2];\n\tint c;\n};\n");
	expect("struct s {\n\tint\n\ta;\n\n\t/* --- two --- */\n\tint c;\n\tint d;\n};\n", "102",
	       "struct s {\n\tint c;\n\tint\n\ta;\n\n\t/* --- two --- */\n\tint d;\n};\n");
	/* all that is left of a group: its heading, in its place */
	expect("struct s {\n\tint a;\n\tint x;\n\n\t/* --- two --- */\n\tint c;\n\tint d;\n\n\tint e;\n\tint "
	       "f;\n};\n",
	       "201354",
	       "struct s {\n\tint c;\n\tint a;\n\tint x;\n\n\t/* --- two --- */\n\tint d;\n\n\tint f;\n\tint "
	       "e;\n};\n");
	/* comments at the braces stay */
	expect("struct s { // here\n\t// too\n\n\tint a;\n\tint b;\n\t/* end */\n};\n", "10",
	       "struct s { // here\n\t// too\n\n\tint b;\n\tint a;\n\t/* end */\n};\n");
	/* a field switched off keeps its neighbour */
	expect("struct s {\n\tint a;\n/*\tint gone; */\n\tint b;\n\tint c;\n};\n", "120",
	       "struct s {\n/*\tint gone; */\n\tint b;\n\tint c;\n\tint a;\n};\n");
}

static void test_definitions(void **state)
{
	(void)state;
	expect("struct s {\n\tint f;\n#define A 1\n#define B 2\n\tint b;\n};\n", "10",
	       "struct s {\n\tint b;\n\tint f;\n#define A 1\n#define B 2\n};\n");
	expect("struct s {\n\tint a;\n\n#define N 4\n\n\tint b[N];\n\tint c;\n};\n", "021",
	       "struct s {\n\tint a;\n\n#define N 4\n\n\tint c;\n\tint b[N];\n};\n");
}

static void test_barriers(void **state)
{
	(void)state;
	expect("struct s {\n\tint a;\n\tint b;\n\t/* why */\n\t_Static_assert(1, \"\");\n\tint c;\n\tint "
	       "d;\n};\n",
	       "1032",
	       "struct s {\n\tint b;\n\tint a;\n\t/* why */\n\t_Static_assert(1, \"\");\n\tint d;\n\tint "
	       "c;\n};\n");
	expect("struct s { _Static_assert(1, \"\"); int a; int b; _Static_assert(2, \"\"); };\n", "10",
	       "struct s { _Static_assert(1, \"\"); int b; int a; _Static_assert(2, \"\"); };\n");
	expect("struct s {\n\t_Static_assert(1, \"\");\n\n\t/* --- x --- */\n\tint a;\n\tint b;\n};\n", "10",
	       "struct s {\n\t_Static_assert(1, \"\");\n\n\t/* --- x --- */\n\tint b;\n\tint a;\n};\n");
}

static void test_shared_lines(void **state)
{
	(void)state;
	/* a whole struct on a line */
	expect("struct s { char a; long b; char c; };", "102", "struct s { long b; char a; char c; };");
	expect("struct s{char a;/*1*/long b;/*2*/char c;};", "120",
	       "struct s{long b;/*2*/char c;char a;/*1*/};");
	/* out of a line, into a line of its own */
	expect("struct s {\n\tchar a; long b; char c;\n\tint d;\n};\n", "0231",
	       "struct s {\n\tchar a; char c;\n\tint d;\n\tlong b;\n};\n");
	expect("struct s {\n\tint d;\n\tchar a; long b; char c;\n};\n", "1023",
	       "struct s {\n\tchar a; int d; long b; char c;\n};\n");
	/* inside a line */
	expect("struct s {\n\tchar a; long b; char c;\n\tint d;\n};\n", "2103",
	       "struct s {\n\tchar c; long b; char a;\n\tint d;\n};\n");
	/* neighbours that move together stay neighbours */
	expect("struct s {\n\tchar a; long b; char c;\n\tint d;\n\tint e;\n};\n", "03412",
	       "struct s {\n\tchar a;\n\tint d;\n\tint e;\n\tlong b; char c;\n};\n");
	/* into a line */
	expect("struct s {\n\tchar a; long b; int c;\n\tint d;\n};\n", "0312",
	       "struct s {\n\tchar a; int d; long b; int c;\n};\n");
	/* on the braces' lines */
	expect("struct s { char a;\n\tlong b;\n\tint c; };\n", "120",
	       "struct s { long b;\n\tint c; char a; };\n");
	expect("struct s { char a; long b;\n\tint c; };\n", "201", "struct s { int c; char a; long b; };\n");
}

static void test_comments_in_lines(void **state)
{
	(void)state;
	/* what a // comment would swallow begins a new line */
	expect("struct s { char a; long b;\n\tint c; // c\n};\n", "021",
	       "struct s { char a;\n\tint c; // c\n\tlong b;\n};\n");
	expect("struct s { char a; long b; long c;\n\tint d; // d\n};\n", "0312",
	       "struct s { char a; int d; // d\n\tlong b; long c;\n};\n");
	expect("struct s {\n\tint c; // c\n\tchar a; };\n", "10", "struct s {\n\tchar a; int c; // c\n};\n");
	/* what begins with a comment does, too, lest it be taken for its neighbour's */
	expect("struct s {\n\tchar a; long b;\n\t/* c */ int c;\n};\n", "021",
	       "struct s {\n\tchar a;\n\t/* c */ int c;\n\tlong b;\n};\n");
	/* and a directive */
	expect("struct s { char a; long b;\n#include \"f\"\n};\n", "201",
	       "struct s {\n#include \"f\"\n\tchar a; long b;\n};\n");
}

static size_t count_edits(const char *text, const char *digits, size_t *ret_bytes)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	const struct rs_record *record = read_record(arena, text);
	struct rs_edit *edits;
	size_t count;

	rs_rewrite_order(arena, record, read_order(arena, digits, record->n_units), &edits, &count);
	*ret_bytes = 0;
	for (size_t i = 0; i < count; i++)
		*ret_bytes += edits[i].size + edits[i].span.end - edits[i].span.start;
	return count;
}

static void test_edits_are_small(void **state)
{
	size_t bytes;

	(void)state;
	assert_int_equal(count_edits("struct s {\n\tint a;\n\tint b;\n};\n", "01", &bytes), 0);
	assert_int_equal(count_edits("struct s {\n\tint a;\n\tint b;\n\tint c;\n};\n", "120", &bytes), 2);
	assert_int_equal(bytes, 2 * strlen("\tint a;\n"));
	/* the unit with fewer lines moves */
	assert_int_equal(count_edits("struct s {\n\t/*\n\t * x\n\t */\n\tint a;\n\tint b;\n};\n", "10", &bytes),
			 2);
	assert_int_equal(bytes, 2 * strlen("\tint b;\n"));
	/* a region that keeps its order has no edit */
	assert_int_equal(
		count_edits(
			"struct s {\n\tint a;\n\tint b;\n\tstatic_assert(1);\n\tint c;\n\tint d; int e;\n};\n",
			"10234", &bytes),
		2);
	assert_int_equal(bytes, 2 * strlen("\tint a;\n"));
}

static void test_second_struct_in_file(void **state)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	RS_CLEANUP(rs_builder_deinit) struct rs_builder out = { 0 };
	const char *text = "struct a {char x;long y;};struct b {\n\tchar x;\n\tlong y;\n};";
	struct rs_source *source = rs_source_create(arena, "a.h", "/a.h", text, strlen(text));
	struct rs_record record = { .source = source, .span = { 26, strlen(text) - 1 } };
	struct rs_unit_scan scan;
	struct rs_edit *edits;
	size_t count;

	(void)state;
	rs_units_scan(arena, source, record.span, &scan);
	record.body = scan.body;
	record.units = scan.units;
	record.n_units = scan.n_units;
	record.gaps = scan.gaps;
	rs_rewrite_order(arena, &record, (const size_t[]) { 1, 0 }, &edits, &count);
	rs_edit_apply(source, edits, count, &out);
	assert_string_equal(out.data, "struct a {char x;long y;};struct b {\n\tlong y;\n\tchar x;\n};");
}

static uint64_t heaviest_by_trying(const size_t *keys, const uint64_t *weights, size_t count)
{
	uint64_t most = 0;

	for (unsigned set = 0; set < 1U << count; set++) {
		uint64_t sum = 0;
		size_t last = 0;
		bool rises = true;

		for (size_t i = 0; i < count; i++) {
			if (!(set >> i & 1))
				continue;
			rises = rises && (sum == 0 || keys[i] > last);
			last = keys[i];
			sum += weights[i];
		}
		if (rises && sum > most)
			most = sum;
	}
	return most;
}

static void test_sequence(void **state)
{
	(void)state;
	srand(1);
	for (int round = 0; round < 2000; round++) {
		RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
		size_t keys[9], count = (size_t)rand() % 10;
		uint64_t weights[9], sum = 0;
		bool chosen[9];

		for (size_t i = 0; i < count; i++) {
			keys[i] = (size_t)rand() % 8;
			weights[i] = 1 + (uint64_t)rand() % 4;
		}
		rs_sequence_choose(arena, keys, weights, count, chosen);
		for (size_t i = 0; i < count; i++)
			sum += chosen[i] ? weights[i] : 0;
		assert_int_equal(sum, heaviest_by_trying(keys, weights, count));
	}
}

/* Few words with a capital over a field with a comment of its own head what follows; longer ones, or those over
 * a field without one, are the field's. */
static void test_short_headings(void **state)
{
	(void)state;
	expect("struct s {\n\t/* General */\n\tint a; /* one */\n\tint b; /* two */\n\tint c; /* three "
	       "*/\n};\n",
	       "120",
	       "struct s {\n\t/* General */\n\tint b; /* two */\n\tint c; /* three */\n\tint a; /* one "
	       "*/\n};\n");
	expect("struct s {\n\t/* Number of users */\n\tint a;\n\tint b; /* two */\n};\n", "10",
	       "struct s {\n\tint b; /* two */\n\t/* Number of users */\n\tint a;\n};\n");
	expect("struct s {\n\t/* Set while the lock is held by a writer. */\n\tint a; /* one */\n\tint "
	       "b;\n};\n",
	       "10",
	       "struct s {\n\tint b;\n\t/* Set while the lock is held by a writer. */\n\tint a; /* one "
	       "*/\n};\n");
	expect("struct s {\n\tint a;\n\n\t/* General */\n\tint b; /* two */\n\n\tint c;\n};\n", "102",
	       "struct s {\n\t/* General */\n\tint b; /* two */\n\n\tint a;\n\n\tint c;\n};\n");
	/* one that has a single field below it is that field's; the next heading shows it */
	expect("struct s {\n\tint a; /* one */\n\t/* Hardware */\n\tint b; /* two */\n\t/* Network */\n\tint "
	       "c; "
	       "/* three */\n\tint d; /* four */\n};\n",
	       "1023",
	       "struct s {\n\t/* Hardware */\n\tint b; /* two */\n\tint a; /* one */\n\t/* Network */\n\tint "
	       "c; "
	       "/* three */\n\tint d; /* four */\n};\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_short_headings),  cmocka_unit_test(test_lines),
		cmocka_unit_test(test_line_ends),       cmocka_unit_test(test_blank_lines),
		cmocka_unit_test(test_sections),        cmocka_unit_test(test_heading_places),
		cmocka_unit_test(test_definitions),     cmocka_unit_test(test_barriers),
		cmocka_unit_test(test_shared_lines),    cmocka_unit_test(test_comments_in_lines),
		cmocka_unit_test(test_edits_are_small), cmocka_unit_test(test_second_struct_in_file),
		cmocka_unit_test(test_sequence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
