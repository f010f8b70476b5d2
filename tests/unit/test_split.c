/*
 * Declarations of several declarators as units of their own: what can be divided, what the text says when the
 * parts come apart, and that every order of parts verifies.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "draw.h"
#include "records_fixture.h"
#include "rewrite/rewrite.h"
#include "rewrite/split.h"
#include "rewrite/verify.h"

static const char prelude[] = "struct foo { int v; };\ntypedef struct { int c; } atomic;\n"
			      "#define guarded(x)\n#define line __attribute__((aligned(64)))\n";

static const struct rs_record *parse_body(struct parsed *parsed, const char *body)
{
	char text[4096];

	snprintf(text, sizeof text, "%sstruct s {\n%s};\n", prelude, body);
	parse_text(parsed, text);
	return rs_split_divide(parsed->arena, record_named(parsed, "s"));
}

static char *rewritten(struct parsed *parsed, const struct rs_record *record, const size_t *order,
		       struct rs_error **ret_error)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	struct rs_edit *edits;
	struct rs_plan plan;
	size_t count;

	rs_plan_from_order(parsed->arena, record, NULL, order, &plan);
	rs_rewrite_order(parsed->arena, record, order, &edits, &count);
	rs_edit_apply(record->source, edits, count, &text);
	const struct rs_verification verification = { .record = record, .plan = &plan };
	*ret_error = rs_verify(parsed->tu, record->source, text.data, text.length, &verification, 1, edits,
			       count, NULL);
	return rs_arena_strndup(parsed->arena, text.data, text.length);
}

static void expect(const char *body, const size_t *order, const char *expected)
{
	struct parsed parsed;
	const struct rs_record *record = parse_body(&parsed, body);
	struct rs_error *error;
	char *text = rewritten(&parsed, record, order, &error), *start = strstr(text, "struct s {\n");

	if (error)
		fail_msg("%s\n%s", error->message, text);
	assert_non_null(start);
	start += strlen("struct s {\n");
	*strstr(start, "};") = '\0';
	assert_string_equal(start, expected);
	parsed_end(&parsed);
}

static void test_forms(void **state)
{
	(void)state;
	expect("\tint a, b, *c;\n\tlong d;\n", (const size_t[]) { 0, 2, 3, 1 },
	       "\tint a;\n\tint *c;\n\tlong d;\n\tint b;\n");
	/* what stays together is one declaration */
	expect("\tint a, b, *c;\n\tlong d;\n", (const size_t[]) { 1, 2, 3, 0 },
	       "\tint b, *c;\n\tlong d;\n\tint a;\n");
	expect("\tint a, b, *c;\n\tlong d;\n", (const size_t[]) { 3, 0, 1, 2 }, "\tlong d;\n\tint a, b, *c;\n");
	expect("\tint* a, b;\n\tlong d;\n", (const size_t[]) { 0, 2, 1 }, "\tint* a;\n\tlong d;\n\tint b;\n");
	expect("\tstruct foo *a, b[3], (*f)(int, char);\n\tlong d;\n", (const size_t[]) { 2, 3, 0, 1 },
	       "\tstruct foo (*f)(int, char);\n\tlong d;\n\tstruct foo *a, b[3];\n");
	expect("\tconst char *const a, b;\n\tlong d;\n", (const size_t[]) { 1, 2, 0 },
	       "\tconst char b;\n\tlong d;\n\tconst char *const a;\n");
	expect("\tint a __attribute__((aligned(8))), b guarded(a) line;\n\tlong d;\n",
	       (const size_t[]) { 1, 2, 0 },
	       "\tint b guarded(a) line;\n\tlong d;\n\tint a __attribute__((aligned(8)));\n");
	expect("\t__typeof__(int *) a, b;\n\tlong d;\n", (const size_t[]) { 0, 2, 1 },
	       "\t__typeof__(int *) a;\n\tlong d;\n\t__typeof__(int *) b;\n");
}

static void test_comments(void **state)
{
	static const char body[] =
		"\tint\ta,\t/* of a */\n\t\t/* over\n\t\t * b */\n\t\tb,\t// of b\n\t\tc;\t/* of c */\n"
		"\tlong d;\n";

	(void)state;
	expect(body, (const size_t[]) { 1, 3, 2, 0 },
	       "\t/* over\n\t\t * b */\n\tint\tb;\t// of b\n\tlong d;\n\tint\tc;\t/* of c */\n\tint\ta;\t/* of "
	       "a */\n");
	expect(body, (const size_t[]) { 0, 3, 1, 2 },
	       "\tint\ta;\t/* of a */\n\tlong d;\n\t/* over\n\t\t * b */\n\tint\tb,\t// of b\n\t\tc;\t/* of c "
	       "*/\n");
	/* line ends of the file's own kind */
	expect("\tint a, b;\r\n\tlong d;\r\n", (const size_t[]) { 0, 2, 1 },
	       "\tint a;\r\n\tlong d;\r\n\tint b;\r\n");
}

static void test_stays_whole(void **state)
{
	static const char *const bodies[] = {
		"\tint a;\n\tlong b;\n",
		"\tint a, b; /* a pair */\n\tlong d;\n",
		"\t/* a pair */\n\tint a, b;\n\tlong d;\n",
		"\tint a, /* whose? */ b;\n\tlong d;\n",
		"\tint a, b, /* of these */\n\t\tc;\n\tlong d;\n",
		"\tstruct { int x; } a, b;\n\tlong d;\n",
		"\tenum { ONE } a, b;\n\tlong d;\n",
		"\tunsigned a : 1, b : 2;\n\tlong d;\n",
		"\tunsigned a, b : 2;\n\tlong d;\n",
		"\tint a,\n#ifdef NOT\n\t\tz,\n#endif\n\t\tb;\n\tlong d;\n",
		"\tlong d; int a, b;\n",
		"\tint /* kind */ a, b;\n\tlong d;\n",
		"\tint a, \\\n\t\tb;\n\tlong d;\n",
		"\tint a;\n\tint b, data[];\n",
	};

	(void)state;
	for (size_t i = 0; i < RS_COUNT_OF(bodies); i++) {
		struct parsed parsed;
		const struct rs_record *record = parse_body(&parsed, bodies[i]);

		for (size_t u = 0; u < record->n_units; u++)
			if (record->units[u].n_parts)
				fail_msg("divided:\n%s", bodies[i]);
		parsed_end(&parsed);
	}
}

/* A macro that ends in a star makes a pointer of the first declarator alone: the compiler sees it. */
static void test_macro_specifiers(void **state)
{
	struct parsed parsed;
	const struct rs_record *record =
		parse_body(&parsed, "#define POINTER int *\n\tPOINTER a, b;\n\tlong d;\n");
	struct rs_error *error = NULL;

	(void)state;
	assert_int_equal(record->n_units, 3);
	rewritten(&parsed, record, (const size_t[]) { 0, 2, 1 }, &error);
	assert_non_null(error);
	rs_error_destroy(error);
	parsed_end(&parsed);
}

static void shuffle(const struct rs_record *record, size_t *order)
{
	for (size_t i = 0; i < record->n_units; i++)
		order[i] = i;
	for (size_t i = 0; i < record->n_units; i++) {
		size_t j = i + draw((unsigned)(record->n_units - i)), swap = order[i];

		if (record->units[i].region != record->units[order[j]].region)
			continue;
		order[i] = order[j];
		order[j] = swap;
	}
}

static void add_declaration(struct rs_builder *body, unsigned *number)
{
	static const char *const types[] = { "int",
					     "const struct foo",
					     "unsigned\tlong",
					     "atomic",
					     "__attribute__((aligned(16))) char",
					     "volatile\n\t\tshort" };
	static const char *const forms[] = { "m%u",         "*m%u",  "m%u[3]",   "(*m%u)(int, char)",
					     "**const m%u", "(m%u)", "m%u line", "*(*m%u[2])(void)" };
	static const char *const seams[] = { ", ", ",", ",\n\t\t" };
	static const char *const commented[] = { ",\t/* of m%u */\n\t\t", ",\n\t\t/* above the next */\n\t\t",
						 ", // of m%u\n\t\t" };
	unsigned n = 1 + draw(4);
	bool has_comments = draw(2);

	rs_builder_printf(body, "\t%s ", types[draw(RS_COUNT_OF(types))]);
	for (unsigned i = 0; i < n; i++) {
		unsigned own = (*number)++;

		rs_builder_printf(body, forms[draw(RS_COUNT_OF(forms))], own);
		if (i + 1 < n && has_comments)
			rs_builder_printf(body, commented[draw(RS_COUNT_OF(commented))], own);
		else if (i + 1 < n)
			rs_builder_appends(body, seams[draw(RS_COUNT_OF(seams))]);
	}
	rs_builder_appends(body, draw(4) ? ";\n" : "; /* behind */\n");
}

/* Every order of the parts is what it says, and the comments are all there. */
static void test_random(void **state)
{
	size_t n_divided = 0;

	(void)state;
	random_state = 1;
	for (unsigned round = 0; round < 40; round++) {
		RS_CLEANUP(rs_builder_deinit) struct rs_builder body = { 0 };
		struct parsed parsed;
		unsigned number = 0;

		for (unsigned i = 0, n = 2 + draw(4); i < n; i++)
			add_declaration(&body, &number);
		const struct rs_record *record = parse_body(&parsed, body.data);
		size_t *order = rs_arena_array(parsed.arena, size_t, record->n_units);

		for (unsigned i = 0; i < 6; i++) {
			struct rs_error *error;
			char *text;

			shuffle(record, order);
			text = rewritten(&parsed, record, order, &error);
			if (error)
				fail_msg("%s\n%s->\n%s", error->message, body.data, text);
		}
		for (size_t u = 0; u < record->n_units; u++)
			n_divided += record->units[u].n_parts > 0;
		parsed_end(&parsed);
	}
	assert_true(n_divided > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forms),       cmocka_unit_test(test_comments),
		cmocka_unit_test(test_stays_whole), cmocka_unit_test(test_macro_specifiers),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests_name("split", tests, scratch_make, scratch_remove);
}
