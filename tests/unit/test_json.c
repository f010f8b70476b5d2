#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/json.h"

#define TEXT(literal) (literal), sizeof(literal) - 1

/* The text ends where its memory ends, so that a sanitizer sees a byte read too far. */
static struct rs_error *parse(struct rs_arena *arena, const char *text, size_t size, const struct rs_json **ret)
{
	char *exact = (char *)malloc(size ? size : 1);

	memcpy(exact, text, size);
	struct rs_error *error = rs_json_parse(arena, "p.json", exact, size, ret);
	free(exact);
	return error;
}

static const struct rs_json *parse_good(struct rs_arena *arena, const char *text)
{
	const struct rs_json *root = NULL;
	struct rs_error *error = parse(arena, text, strlen(text), &root);

	if (error)
		fail_msg("%u:%u: %s in %s", error->line, error->column, error->message, text);
	return root;
}

static void values_know_their_places(void **state)
{
	(void)state;
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	const struct rs_json *root = parse_good(arena, "{\r\n  \"a\" : [1,\n\t-2.5e1, {}],\n \"b\":\"x\" }\n");
	const struct rs_json *a = rs_json_find(root, "a"), *b = rs_json_find(root, "b");

	assert_int_equal(root->kind, RS_JSON_OBJECT);
	assert_int_equal(root->n_children, 2);
	assert_null(root->key);
	assert_null(rs_json_find(root, "c"));
	assert_null(rs_json_find(a, "a"));
	assert_string_equal(a->key, "a");
	assert_true(a->key_line == 2 && a->key_column == 3 && a->line == 2 && a->column == 9);
	assert_int_equal(a->n_children, 3);
	assert_true(a->first->number == 1 && a->first->line == 2 && a->first->column == 10);
	assert_true(a->first->next->number == -25 && a->first->next->line == 3 && a->first->next->column == 2);
	assert_int_equal(a->first->next->next->kind, RS_JSON_OBJECT);
	assert_null(a->first->next->next->next);
	assert_string_equal(b->string, "x");
	assert_true(b->line == 4 && b->column == 6);
	assert_null(b->next);
}

static void scalars_and_blanks(void **state)
{
	(void)state;
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();

	assert_int_equal(parse_good(arena, "null")->kind, RS_JSON_NULL);
	assert_true(parse_good(arena, " true ")->boolean);
	assert_false(parse_good(arena, "\tfalse\r\n")->boolean);
	assert_true(parse_good(arena, "0")->number == 0);
	assert_true(parse_good(arena, "-0")->number == 0);
	assert_true(parse_good(arena, "1E+2")->number == 100);
	assert_true(parse_good(arena, "1e-400")->number == 0);
	assert_true(parse_good(arena, "1.7976931348623157e308")->number == DBL_MAX);
	assert_true(parse_good(arena, "9007199254740993")->number == 9007199254740992.0);
	assert_int_equal(parse_good(arena, "[ ]")->n_children, 0);
	assert_int_equal(parse_good(arena, "{\n}")->n_children, 0);
	assert_string_equal(parse_good(arena, "\"\"")->string, "");
	/* 63 characters */
	assert_true(
		parse_good(arena, "0.1000000000000000000000000000000000000000000000000000000000000")->number ==
		0.1);
}

static void byte_order_mark_is_skipped(void **state)
{
	(void)state;
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	const struct rs_json *root;

	assert_int_equal(parse_good(arena, "\xef\xbb\xbf{}")->column, 1);
	assert_int_equal(parse_good(arena, "\xef\xbb\xbf"
					   "1")
				 ->column,
			 1);
	struct rs_error *error = parse(arena, TEXT("\xef\xbb\xbf\xef\xbb\xbf{}"), &root);
	assert_non_null(error);
	rs_error_destroy(error);
}

static void strings_are_decoded(void **state)
{
	(void)state;
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();

	assert_string_equal(parse_good(arena, "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"")->string, "\"\\/\b\f\n\r\t");
	assert_string_equal(parse_good(arena, "\"\\u00e9\\u20AC\\ud83d\\uDE00\"")->string,
			    "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
	assert_string_equal(parse_good(arena, "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\x7f\"")->string,
			    "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\x7f");
	assert_string_equal(parse_good(arena, "{\"\\u0061.b\":1}")->first->key, "a.b");
}

static void faults_are_placed(void **state)
{
	static const struct {
		const char *text;
		size_t size;
		unsigned line, column;
		const char *message; /* a part of it */
	} cases[] = {
		{ TEXT(""), 1, 1, "end of the text" },
		{ TEXT(" \n "), 2, 2, "end of the text" },
		{ TEXT("{\"a\":1,\n\"a\":2}"), 2, 1, "duplicate key \"a\" (first in line 1)" },
		{ TEXT("{\"a\":1, \"b\":[{\"\\u0061\":1,\"a\":1}]}"), 1, 26, "duplicate key" },
		{ TEXT("{} x"), 1, 4, "nothing behind the value, found 'x'" },
		{ TEXT("1 2"), 1, 3, "nothing behind" },
		{ TEXT("{}\n\0"), 2, 1, "byte 0x00" },
		{ TEXT("[1,\n2,\n]"), 2, 2, "',' before ']'" },
		{ TEXT("{\"a\":1,}"), 1, 7, "',' before '}'" },
		{ TEXT("[,1]"), 1, 2, "expected a value, found ','" },
		{ TEXT("[1 2]"), 1, 4, "',' or ']'" },
		{ TEXT("[1}"), 1, 3, "',' or ']'" },
		{ TEXT("[1"), 1, 3, "end of the text" },
		{ TEXT("{\"a\"}"), 1, 5, "':' after the key" },
		{ TEXT("{\"a\":}"), 1, 6, "a value" },
		{ TEXT("{a:1}"), 1, 2, "a key in double quotes, found 'a'" },
		{ TEXT("{'a':1}"), 1, 2, "a key in double quotes" },
		{ TEXT("{\"a\":1 \"b\":2}"), 1, 8, "',' or '}'" },
		{ TEXT("01"), 1, 1, "begin with 0" },
		{ TEXT("[-012]"), 1, 3, "begin with 0" },
		{ TEXT("+1"), 1, 1, "'+'" },
		{ TEXT("-"), 1, 2, "a digit" },
		{ TEXT("1."), 1, 3, "a digit" },
		{ TEXT(".5"), 1, 1, "'.'" },
		{ TEXT("1e"), 1, 3, "a digit" },
		{ TEXT("1e+"), 1, 4, "a digit" },
		{ TEXT("0x10"), 1, 2, "nothing behind" },
		{ TEXT("[1, 1e400]"), 1, 5, "too large" },
		{ TEXT("{\"a\":\n -1e999}"), 2, 2, "too large" },
		{ TEXT("1234567890123456789012345678901234567890123456789012345678901234"), 1, 1, "63" },
		{ TEXT("NaN"), 1, 1, "'NaN'" },
		{ TEXT("[-Infinity]"), 1, 3, "'I'" },
		{ TEXT("[tru]"), 1, 2, "'tru'" },
		{ TEXT("[nulls]"), 1, 2, "'nulls'" },
		{ TEXT("[True]"), 1, 2, "'True'" },
		{ TEXT("// x\n1"), 1, 1, "no comments" },
		{ TEXT("{ # x\n}"), 1, 3, "no comments" },
		{ TEXT("\"abc"), 1, 1, "not closed" },
		{ TEXT("\"a\nb\""), 1, 3, "control character 0x0a" },
		{ TEXT("\"a\tb\""), 1, 3, "control character 0x09" },
		{ TEXT("\"a\0b\""), 1, 3, "control character 0x00" },
		{ TEXT("\"\\x\""), 1, 3, "after a backslash" },
		{ TEXT("\"\\"), 1, 3, "end of the text" },
		{ TEXT("\"\\\0\""), 1, 3, "0x00" },
		{ TEXT("\"\\u12g4\""), 1, 6, "hexadecimal" },
		{ TEXT("\"a\\u0000\""), 1, 3, "\\u0000" },
		{ TEXT("\"\\ud800\""), 1, 2, "surrogate" },
		{ TEXT("\"\\udc00\""), 1, 2, "surrogate" },
		{ TEXT("\"\\ud800\\u0041\""), 1, 2, "surrogate" },
		{ TEXT("\"\\ud800\\ud800\""), 1, 2, "surrogate" },
		{ TEXT("\"\xff\""), 1, 2, "byte 0xff is not UTF-8" },
		{ TEXT("\"x\xc0\x80\""), 1, 3, "0xc0" },
		{ TEXT("\"\xed\xa0\x80\""), 1, 2, "0xed" },
		{ TEXT("\"\xe2\x82\""), 1, 2, "0xe2" },
		{ TEXT("\"\xf4\x90\x80\x80\""), 1, 2, "0xf4" },
		{ TEXT("{\"\xe9\":1}"), 1, 3, "0xe9" },
		{ TEXT("\xff\xfe{\0}\0"), 1, 1, "byte 0xff" },
		{ TEXT("\"\xc3\xa9\" x"), 1, 6, "'x'" },
	};

	(void)state;
	for (size_t i = 0; i < RS_COUNT_OF(cases); i++) {
		RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
		const struct rs_json *root = NULL;
		RS_CLEANUP(rs_error_destroyp)
		struct rs_error *error = parse(arena, cases[i].text, cases[i].size, &root);

		assert_null(root);
		if (!error)
			fail_msg("accepted: %s", cases[i].text);
		if (error->line != cases[i].line || error->column != cases[i].column ||
		    !strstr(error->message, cases[i].message) || error->code != RS_ERROR_SYNTAX)
			fail_msg("%s: got %u:%u: %s", cases[i].text, error->line, error->column,
				 error->message);
		assert_string_equal(error->path, "p.json");
	}
}

static char *nested(size_t depth, char open, char close)
{
	char *text = (char *)calloc(1, depth * 2 + 1);

	memset(text, open, depth);
	memset(text + depth, close, depth);
	return text;
}

static void depth_is_limited(void **state)
{
	(void)state;
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	const struct rs_json *root;
	char *text = nested(200, '[', ']');

	parse_good(arena, text);
	free(text);
	text = nested(201, '[', ']');
	struct rs_error *error = parse(arena, text, strlen(text), &root);
	assert_int_equal(error->column, 201);
	rs_error_destroy(error);
	free(text);
	text = nested(2000000, '[', ']');
	error = parse(arena, text, strlen(text), &root);
	assert_non_null(error);
	rs_error_destroy(error);
	free(text);
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Doubling the input must not quadruple the time; the bound is loose, for slow machines under sanitizers. */
static void large_inputs_take_linear_time(void **state)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	const struct rs_json *root = NULL;
	double start = seconds();

	(void)state;
	rs_builder_appendc(&text, '{');
	for (unsigned i = 0; i < 200000; i++)
		rs_builder_printf(&text, "\"key_%u\":%u,\n", i, i);
	rs_builder_appends(&text, "\"list\":[0");
	for (unsigned i = 0; i < 200000; i++)
		rs_builder_appends(&text, ",0");
	rs_builder_appends(&text, "]}");
	assert_null(parse(arena, text.data, text.length, &root));
	assert_int_equal(root->n_children, 200001);
	assert_int_equal(rs_json_find(root, "list")->n_children, 200001);
	assert_true(seconds() - start < 20);
}

static void errors_at_values_and_keys(void **state)
{
	(void)state;
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	const struct rs_json *root = parse_good(arena, "{\n\"a\":\n  1}");
	struct rs_error *error = rs_json_error("x.json", root->first, false, "no %s", "good");

	assert_true(error->line == 3 && error->column == 3);
	assert_string_equal(error->message, "no good");
	rs_error_destroy(error);
	error = rs_json_error("x.json", root->first, true, "bad key");
	assert_true(error->line == 2 && error->column == 1);
	rs_error_destroy(error);
	error = rs_json_error("x.json", root, true, "no key here");
	assert_true(error->line == 1 && error->column == 1);
	rs_error_destroy(error);
	assert_string_equal(rs_json_kind_name(RS_JSON_ARRAY), "an array");
	assert_string_equal(rs_json_kind_name(RS_JSON_NULL), "null");
}

static void writer_lays_out(void **state)
{
	(void)state;
	RS_CLEANUP(rs_builder_deinit) struct rs_builder out = { 0 };
	struct rs_json_writer writer;

	rs_json_writer_init(&writer, &out);
	rs_json_begin_object(&writer, NULL);
	rs_json_write_uint(&writer, "max", UINT64_MAX);
	rs_json_begin_array(&writer, "empty");
	rs_json_end_array(&writer);
	rs_json_begin_array(&writer, "list");
	rs_json_write_null(&writer, NULL);
	rs_json_begin_object_compact(&writer, NULL);
	rs_json_write_bool(&writer, "yes", true);
	rs_json_begin_array(&writer, "inner");
	rs_json_write_uint(&writer, NULL, 1);
	rs_json_write_uint(&writer, NULL, 2);
	rs_json_end_array(&writer);
	rs_json_begin_object(&writer, "o");
	rs_json_end_object(&writer);
	rs_json_end_object(&writer);
	rs_json_end_array(&writer);
	rs_json_write_string(&writer, "none", NULL);
	rs_json_begin_array_compact(&writer, "c");
	rs_json_write_bool(&writer, NULL, false);
	rs_json_end_array(&writer);
	rs_json_end_object(&writer);
	assert_string_equal(out.data, "{\n"
				      "  \"max\": 18446744073709551615,\n"
				      "  \"empty\": [],\n"
				      "  \"list\": [\n"
				      "    null,\n"
				      "    {\"yes\": true, \"inner\": [1, 2], \"o\": {}}\n"
				      "  ],\n"
				      "  \"none\": null,\n"
				      "  \"c\": [false]\n"
				      "}\n");
}

static char *write_double(struct rs_arena *arena, double number)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder out = { 0 };
	struct rs_json_writer writer;

	rs_json_writer_init(&writer, &out);
	rs_json_write_double(&writer, NULL, number);
	assert_int_equal(out.data[out.length - 1], '\n');
	return rs_arena_strndup(arena, out.data, out.length - 1);
}

static void doubles_are_short_and_exact(void **state)
{
	static const struct {
		double number;
		const char *text;
	} cases[] = {
		{ 0, "0" },
		{ 0.1, "0.1" },
		{ 0.5, "0.5" },
		{ 1.0 / 3, "0.3333333333333333" },
		{ 0.1 + 0.2, "0.30000000000000004" },
		{ 100, "100" },
		{ 1e21, "1e+21" },
		{ 123456789012345678.0, "1.2345678901234568e+17" },
		{ 5e-324, "5e-324" },
		{ DBL_MAX, "1.7976931348623157e+308" },
		{ DBL_MIN, "2.2250738585072014e-308" },
		{ -2.5, "-2.5" },
		{ (double)NAN, "null" },
		{ (double)INFINITY, "null" },
	};
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();

	(void)state;
	for (size_t i = 0; i < RS_COUNT_OF(cases); i++)
		assert_string_equal(write_double(arena, cases[i].number), cases[i].text);
}

static void doubles_read_back(void **state)
{
	uint64_t random = 1;
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();

	(void)state;
	for (int i = 0; i < 20000; i++) {
		double number;

		random = random * 6364136223846793005u + 1442695040888963407u;
		uint64_t bits = random ^ random >> 29;
		memcpy(&number, &bits, sizeof number);
		if (!isfinite(number))
			continue;
		assert_true(parse_good(arena, write_double(arena, number))->number == number);
	}
}

static void locale_does_not_matter(void **state)
{
	(void)state;
	if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8"))
		return; /* no such locale here */
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	assert_true(parse_good(arena, "[1.5]")->first->number == 1.5);
	assert_string_equal(write_double(arena, 1.5), "1.5");
	assert_int_equal(',', localeconv()->decimal_point[0]);
	setlocale(LC_ALL, "C");
}

static void any_bytes_become_valid_text(void **state)
{
	(void)state;
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	RS_CLEANUP(rs_builder_deinit) struct rs_builder out = { 0 };
	struct rs_json_writer writer;

	rs_json_writer_init(&writer, &out);
	rs_json_write_bytes(&writer, NULL, TEXT("a\0\"\\/\b\f\n\r\t\x01\x1f\x7f\xff\xc3\xa9\xe2\x82z"));
	assert_string_equal(out.data, "\"a\\u0000\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\x7f\xef\xbf\xbd\xc3\xa9"
				      "\xef\xbf\xbd\xef\xbf\xbdz\"\n");
	rs_builder_deinit(&out);
	rs_json_writer_init(&writer, &out);
	char every[255];
	for (int i = 0; i < 255; i++)
		every[i] = (char)(i + 1);
	rs_json_write_bytes(&writer, NULL, every, sizeof every);
	assert_int_equal(strlen(parse_good(arena, out.data)->string), 127 + 128 * 3);
}

static void names_that_are_near(void **state)
{
	static const char *const names[] = { "refcnt",   "daddr", "avl_left", "avl_right", "avl_height",
					     "u.tokens", "rate",  "x",        "dtime",     "reads" };
	static const struct {
		const char *name, *near;
	} cases[] = {
		{ "refcnt", "refcnt" },
		{ "refcont", "refcnt" },
		{ "refnct", "refcnt" },
		{ "REFCNT", "refcnt" },
		{ "dadr", "daddr" },
		{ "avl_lft", "avl_left" },
		{ "tokens", "u.tokens" },
		{ "peer.rate", "rate" },
		{ "read", "reads" },
		{ "y", NULL },
		{ "", NULL },
		{ "completely", NULL },
		{ "dt", NULL },
		{ "ab", NULL },
	};

	(void)state;
	for (size_t i = 0; i < RS_COUNT_OF(cases); i++) {
		const char *near = rs_nearest_name(cases[i].name, names, RS_COUNT_OF(names));

		if (!near != !cases[i].near || (near && strcmp(near, cases[i].near) != 0))
			fail_msg("%s: %s", cases[i].name, near ? near : "none");
	}
	assert_null(rs_nearest_name("refcnt", NULL, 0));
	char longest[1000];
	memset(longest, 'a', sizeof longest - 1);
	longest[sizeof longest - 1] = '\0';
	assert_null(rs_nearest_name(longest, names, RS_COUNT_OF(names)));
}

static jmp_buf no_memory;

static void leave(void)
{
	longjmp(no_memory, 1);
}

/* Every allocation but cJSON's own fails once: the handler is called, and nothing is leaked or torn. */
static void out_of_memory_is_clean(void **state)
{
	static const char text[] = "{\"a\":[1,2,\"x\"],\"b\":{\"c\":null,\"d\":1},\"e\":[1,2,3,4,5,6,7,8,9]}";
	struct rs_arena *volatile arena = NULL;
	volatile bool done = false;

	(void)state;
	rs_alloc_set_oom_handler(leave);
	for (volatile unsigned long n = 1; !done; n++) {
		arena = rs_arena_create();
		rs_alloc_fail_after(n);
		if (setjmp(no_memory) == 0) {
			const struct rs_json *root;

			done = rs_json_parse(arena, "x", text, sizeof text - 1, &root) == NULL;
		}
		rs_alloc_fail_after(0);
		rs_arena_destroy(arena);
	}
	rs_alloc_set_oom_handler(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_know_their_places),
		cmocka_unit_test(scalars_and_blanks),
		cmocka_unit_test(byte_order_mark_is_skipped),
		cmocka_unit_test(strings_are_decoded),
		cmocka_unit_test(faults_are_placed),
		cmocka_unit_test(depth_is_limited),
		cmocka_unit_test(large_inputs_take_linear_time),
		cmocka_unit_test(errors_at_values_and_keys),
		cmocka_unit_test(writer_lays_out),
		cmocka_unit_test(doubles_are_short_and_exact),
		cmocka_unit_test(doubles_read_back),
		cmocka_unit_test(locale_does_not_matter),
		cmocka_unit_test(any_bytes_become_valid_text),
		cmocka_unit_test(names_that_are_near),
		cmocka_unit_test(out_of_memory_is_clean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
