/* Lines, words and numbers of imported files; what surrounds a format: compression, marks, colours, cuts. */
#include "import_fixture.h"

#include <zlib.h>

static struct rs_word word_of(const char *text)
{
	return (struct rs_word) { text, strlen(text), 7, 3 };
}

static void expect_number(const struct rs_import *import, const char *text, double wanted)
{
	double number = -1;

	assert_null(rs_import_number(import, word_of(text), &number));
	import_expect_number(number, wanted);
}

static void expect_no_number(const struct rs_import *import, const char *text)
{
	double number = -1;
	struct rs_error *error = rs_import_number(import, word_of(text), &number);

	if (!error)
		fail_msg("'%s' was taken for %.17g", text, number);
	assert_int_equal(error->line, 7);
	assert_int_equal(error->column, 3);
	import_expect_number(number, -1);
	rs_error_destroy(error);
}

static void test_numbers(void **state)
{
	struct import_test test;

	import_init(&test, *state, "csv", "");
	expect_number(&test.import, "0", 0);
	expect_number(&test.import, "007", 7);
	expect_number(&test.import, "1234.5", 1234.5);
	expect_number(&test.import, "1000000000000000000", 1e18);
	expect_number(&test.import, "0.000001", 1e-6);
	static const char *const wrong[] = { "",
					     "-1",
					     "+1",
					     "1,5",
					     "1.234,5",
					     "1,234",
					     "1.",
					     ".5",
					     "1e3",
					     "0x1",
					     "1_000",
					     "nan",
					     "inf",
					     "12%",
					     "1\xa0",
					     "1 2",
					     "1..2",
					     "1.2.3",
					     "1000000000000000001000" };
	for (size_t i = 0; i < RS_COUNT_OF(wrong); i++)
		expect_no_number(&test.import, wrong[i]);
	expect_no_number(&test.import,
			 "0000000000000000000000000000000000000000000000000000000000000000000000001");
}

static void expect_percent(const struct rs_import *import, const char *text, double wanted)
{
	double number = -1;
	struct rs_error *error = rs_import_percent(import, word_of(text), &number);

	if (!error != (wanted >= 0))
		fail_msg("'%s' is %sa percentage", text, error ? "no " : "");
	import_expect_number(number, wanted);
	rs_error_destroy(error);
}

static void test_percentages(void **state)
{
	struct import_test test;

	import_init(&test, *state, "csv", "");
	expect_percent(&test.import, "0.00%", 0);
	expect_percent(&test.import, "12.34%", 12.34);
	expect_percent(&test.import, "100%", 100);
	expect_percent(&test.import, "100.01%", 100.01); /* rounding of what adds up to it */
	static const char *const wrong[] = { "", "%", "12.34", "12,34%", "100.02%", "-1%", "1%%", "12.%" };
	for (size_t i = 0; i < RS_COUNT_OF(wrong); i++)
		expect_percent(&test.import, wrong[i], -1);
}

static void expect_whole(const struct rs_import *import, const char *text, bool is_hex, bool is_one,
			 uint64_t wanted)
{
	uint64_t number = 99;
	struct rs_error *error = rs_import_whole(import, word_of(text), is_hex, &number);

	if (!error != is_one)
		fail_msg("'%s' is %sa number", text, error ? "no " : "");
	assert_true(number == (is_one ? wanted : 99));
	rs_error_destroy(error);
}

static void test_whole_numbers(void **state)
{
	struct import_test test;

	import_init(&test, *state, "csv", "");
	expect_whole(&test.import, "10", false, true, 10);
	expect_whole(&test.import, "10", true, true, 16);
	expect_whole(&test.import, "0x10", false, true, 16);
	expect_whole(&test.import, "0x10", true, true, 16);
	expect_whole(&test.import, "010", false, true, 10); /* no octal: perf pads with blanks only */
	expect_whole(&test.import, "18446744073709551615", false, true, UINT64_MAX);
	expect_whole(&test.import, "ffffffffffffffff", true, true, UINT64_MAX);
	static const char *const wrong[] = { "",    "-1",    "1.0", "0x", "0xg", "a", "18446744073709551616",
					     "1 2", "0x1p1", "+5",  "5h" };
	for (size_t i = 0; i < RS_COUNT_OF(wrong); i++)
		expect_whole(&test.import, wrong[i], false, false, 0);
	expect_whole(&test.import, "10000000000000000", true, false, 0);
	expect_whole(&test.import, "00000000000000000000000000000000010", false, false, 0);
}

static void test_words(void **state)
{
	struct rs_word line = word_of(" \ta  bc\t d "), word, *words;

	assert_int_equal(rs_word_split(*state, line, &words), 3);
	assert_true(rs_word_is(words[0], "a") && rs_word_is(words[1], "bc") && rs_word_is(words[2], "d"));
	assert_int_equal(words[0].column, 5);
	assert_int_equal(words[2].column, 12);
	assert_int_equal(rs_word_find(line, "bc"), 5);
	assert_true(rs_word_find(line, "bd") == SIZE_MAX);
	assert_int_equal(rs_word_from(line, 999).length, 0);
	assert_int_equal(rs_word_first(line, 999).length, line.length);
	line = word_of("   ");
	assert_false(rs_word_next(&line, &word));
	assert_int_equal(word.length, 0);
	assert_int_equal(rs_word_split(*state, line, &words), 0);
}

/* Messages show what was found, but no bytes that a terminal would act on, and no whole file. */
static void test_messages_are_printable(void **state)
{
	char long_word[200];
	struct import_test test;

	import_init(&test, *state, "csv", "");
	struct rs_error *error = rs_import_expected(&test.import, word_of("\033[31mred\xff"), "a number");
	assert_string_equal(error->message, "expected a number, found '?[31mred?'");
	rs_error_destroy(error);
	memset(long_word, 'x', sizeof long_word - 1);
	long_word[sizeof long_word - 1] = '\0';
	error = rs_import_expected(&test.import, word_of(long_word), "a number");
	assert_true(strlen(error->message) < 100);
	rs_error_destroy(error);
}

static void test_places_without_source(void **state)
{
	static const char *const none[] = { "peer.c:6", "[kernel]", "[.]", "find+", "find+0x1a", "+",
					    "",         "]",        "[]",  "a[]",   "a[xy]" };

	(void)state;
	assert_true(rs_word_is_no_source(word_of("find+26")));
	assert_true(rs_word_is_no_source(word_of("+26")));
	assert_true(rs_word_is_no_source(word_of("libc.so.6[5589e4e0ae26]")));
	for (size_t i = 0; i < RS_COUNT_OF(none); i++)
		if (rs_word_is_no_source(word_of(none[i])))
			fail_msg("'%s'", none[i]);
}

static void test_types(void **state)
{
	static const char *const none[] = { "struct peer *", "struct peer[4]", "int", "struct",  "struct ",
					    "structpeer",    "enum e",         "",    "union u*" };

	assert_string_equal(rs_import_tag(*state, word_of("struct peer")), "peer");
	assert_string_equal(rs_import_tag(*state, word_of("union  u_1 ")), "u_1");
	for (size_t i = 0; i < RS_COUNT_OF(none); i++)
		assert_null(rs_import_tag(*state, word_of(none[i])));
}

static void expect_one(void *state, const char *text)
{
	struct import_test test;

	import_init(&test, state, NULL, text);
	import_read(&test);
	assert_int_equal(test.import.n_rows, 1);
	import_expect_row(&test, 0, "peer", "key", 3, 0);
}

static void test_what_surrounds_a_text(void **state)
{
	expect_one(*state, "struct,field,reads\npeer,key,3\n");
	expect_one(*state, "struct,field,reads\r\npeer,key,3\r\n");
	expect_one(*state, "\xef\xbb\xbfstruct,field,reads\npeer,key,3\n");
	expect_one(*state, "\033[1;31mstruct\033[m,field,reads\n\033[Kpeer,key,\033[0m3\n");
	expect_one(*state, "struct,field,reads\n\n   \npeer,key,3\n\n");
}

static void test_what_is_no_text(void **state)
{
	static const char zero[] = "struct,field,reads\npeer,k\0y,3\n", perf[] = "PERFILE2\1\2\3";
	struct import_test test;

	import_refuse(*state, NULL, "", 1, "the file is empty");
	import_refuse(*state, NULL, "\xef\xbb\xbf", 1, "the file is empty");
	import_refuse(*state, NULL, "int main(void);\n", 1, "of no format that restruct knows");
	import_refuse(*state, "csv", "struct,field,reads\npeer,key,3", 2, "cut short");
	import_refuse(*state, "cvs", "struct,field,reads\npeer,key,3\n", 0, "did you mean 'csv'");
	import_init_bytes(&test, *state, NULL, zero, sizeof zero - 1);
	import_refuse_at(&test, 2, "NUL byte");
	import_init_bytes(&test, *state, NULL, perf, sizeof perf - 1);
	import_refuse_at(&test, 1, "perf's own binary file");
}

/* A control sequence that the file ends in, and one that is none. */
static void test_broken_sequences(void **state)
{
	import_refuse(*state, "csv", "struct,field,reads\npeer,key,3\033[1;3", 0, "cut short");
	import_refuse(*state, "csv", "struct,field,reads\npeer,key,3\033", 0, "cut short");
	import_refuse(*state, "csv", "struct,field,reads\npeer,key,\033]3\n", 2, "expected a number");
}

static size_t pack(const char *text, unsigned char *packed, size_t size)
{
	z_stream stream = { .next_in = (unsigned char *)(uintptr_t)text,
			    .avail_in = (unsigned)strlen(text),
			    .next_out = packed,
			    .avail_out = (unsigned)size };

	assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
	deflateEnd(&stream);
	return stream.total_out;
}

static void test_compressed(void **state)
{
	unsigned char packed[512];
	size_t size = pack("struct,field,reads\npeer,key,3\n", packed, sizeof packed);
	struct import_test test;

	import_init_bytes(&test, *state, NULL, (const char *)packed, size);
	import_read(&test);
	import_expect_row(&test, 0, "peer", "key", 3, 0);
	for (size_t cut = 2; cut < size; cut++) {
		import_init_bytes(&test, *state, NULL, (const char *)packed, cut);
		import_refuse_at(&test, 0, "");
	}
}

static void test_events(void **state)
{
	(void)state;
	assert_int_equal(rs_event_kind("cpu/mem-loads,ldlat=30/P"), RS_EVENT_LOADS);
	assert_int_equal(rs_event_kind("cpu/mem-stores/P"), RS_EVENT_STORES);
	assert_int_equal(rs_event_kind("cpu/mem-loads-aux/"), RS_EVENT_LOADS);
	assert_int_equal(rs_event_kind("cpu_core/mem-loads,ldlat=30/"), RS_EVENT_LOADS);
	assert_int_equal(rs_event_kind("mem_uops_retired.all_stores:upp"), RS_EVENT_STORES);
	assert_int_equal(rs_event_kind("ibs_op//"), RS_EVENT_ANY);
	assert_int_equal(rs_event_kind("dummy:u"), RS_EVENT_NONE);
	assert_int_equal(rs_event_kind("arm_spe_0/ts_enable=1,load_filter=1,store_filter=1/"), RS_EVENT_ANY);
	assert_int_equal(rs_event_kind("arm_spe_0/ts_enable=1,store_filter=1/"), RS_EVENT_STORES);
	assert_int_equal(rs_event_kind("cycles"), RS_EVENT_ANY);
	assert_true(rs_event_is_filtered("cpu/mem-loads,ldlat=30/P"));
	assert_false(rs_event_is_filtered("cpu/mem-stores/P"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_numbers, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_percentages, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_whole_numbers, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_words, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_messages_are_printable, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_places_without_source, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_types, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_what_surrounds_a_text, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_what_is_no_text, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_broken_sequences, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_compressed, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_events, import_start, import_finish),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
