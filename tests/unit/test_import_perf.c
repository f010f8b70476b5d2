/* perf annotate --data-type, perf report -s type,typeoff, and the JSON of perf and pahole. */
#include "import_fixture.h"

#define RULE  "============================================================================\n"
#define HEAD  "Annotate type: 'struct peer' in prog (200 samples):\n"
#define NAMES " Percent     offset       size  field\n"
#define OPEN  "  100.00          0         16  struct peer\t {\n"
#define CLOSE "                                        };\n"

static void test_annotate_percent(void **state)
{
	struct import_test test;

	import_init(&test, *state, NULL,
		    HEAD RULE NAMES OPEN "   25.00          0          8      long\tkey;\n"
					 "   75.00          8          8      long\tuse;\n" CLOSE);
	import_read(&test);
	assert_int_equal(test.import.n_rows, 2);
	import_expect_row(&test, 0, "peer", "key", 50, 0);
	import_expect_row(&test, 1, "peer", "use", 150, 0);
	assert_int_equal(test.import.n_kindless, 2);
	assert_string_equal(test.import.trust, "sampled");
	assert_string_equal(test.import.reads_unit, "samples");
	assert_null(test.import.writes_unit);
}

static void test_annotate_as_writes(void **state)
{
	struct import_test test;

	import_init(&test, *state, NULL,
		    HEAD RULE NAMES OPEN "   25.00          0          8      long\tkey;\n" CLOSE);
	test.import.as = "writes";
	import_read(&test);
	import_expect_row(&test, 0, "peer", "key", 0, 50);
	assert_null(test.import.reads_unit);
	assert_string_equal(test.import.writes_unit, "samples");
}

/* Members of aggregates are named by their path; what shares bytes counts once, by its first. */
static void test_annotate_nested(void **state)
{
	struct import_test test;

	import_init(&test, *state, NULL,
		    HEAD RULE "  Samples     offset       size  field\n"
			      "  200        0x0       0x18  struct peer\t {\n"
			      "  120        0x0        0x8      struct \tstats {\n"
			      "   20        0x0        0x4          int\thits;\n"
			      "  100        0x4        0x4          int\tmisses;\n"
			      "                                   };\n"
			      "   50        0x8        0x8      union \t {\n"
			      "   50        0x8        0x8          long\tflags;\n"
			      "   50        0x8        0x4          int\thalf;\n"
			      "                                   };\n"
			      "   30       0x10        0x8      struct list_head\t {\n"
			      "   30       0x10        0x8          void*\tnext;\n"
			      "                                   };\n" CLOSE);
	import_read(&test);
	assert_int_equal(test.import.n_rows, 4);
	import_expect_row(&test, 0, "peer", "stats.hits", 20, 0);
	import_expect_row(&test, 1, "peer", "stats.misses", 100, 0);
	import_expect_row(&test, 2, "peer", "flags", 50, 0);
	import_expect_row(&test, 3, "peer", "next", 30, 0);
}

static const char group[] =
	HEAD " event[0] = cpu/mem-loads,ldlat=30/P\n"
	     " event[1] = cpu/mem-stores/P\n"
	     " event[2] = dummy:u\n" RULE "  Samples    Samples    Samples     offset       size  field\n"
	     "        6          4          9          0          8  struct peer\t {\n"
	     "        6          4          9          0          8      long\tkey;\n" CLOSE;

static void test_annotate_group(void **state)
{
	struct import_test test;

	import_init(&test, *state, NULL, group);
	import_read(&test);
	assert_int_equal(test.import.n_rows, 1);
	import_expect_row(&test, 0, "peer", "key", 6, 4);
	assert_int_equal(test.import.n_kindless, 0);
	assert_string_equal(test.import.reads_unit, "samples of loads above a latency");
	assert_string_equal(test.import.writes_unit, "samples of stores");
}

/* perf's own form: one title over the values of all events, 0 without 0x, statistics at the end. */
static void test_annotate_group_as_printed(void **state)
{
	struct import_test test;

	import_init(&test, *state, NULL,
		    HEAD " event[0] = cpu/mem-loads,ldlat=30/P\n event[1] = cpu/mem-stores/P\n" RULE
			 "         Percent     offset       size  field\n"
			 "  100.00  100.00          0       0x10  struct peer\t {\n"
			 "   25.00    0.00          0        0x8      long\tkey;\n"
			 "   75.00  100.00        0x8        0x8      long\tuse;\n" CLOSE
			 "\nAnnotate data type stats:\ntotal 294, ok 116 (39.5%), bad 178 (60.5%)\n-----\n"
			 "        30 : no_sym\n\n" HEAD RULE NAMES OPEN
			 "   25.00          0          8      long\tkey;\n" CLOSE);
	import_read(&test);
	assert_int_equal(test.import.n_rows, 3);
	import_expect_row(&test, 0, "peer", "key", 50, 0);
	import_expect_row(&test, 1, "peer", "use", 150, 200);
	import_expect_row(&test, 2, "peer", "key", 50, 0);
	assert_string_equal(test.import.writes_unit, "shares of stores");
}

static void refuse_annotate(void *state, const char *text, unsigned line, const char *part)
{
	import_refuse((struct rs_arena *)state, "perf-annotate", text, line, part);
}

static void test_annotate_refusals(void **state)
{
	refuse_annotate(*state, HEAD, 1, "found the end of the file");
	refuse_annotate(*state, HEAD RULE NAMES, 3, "found the end of the file");
	refuse_annotate(*state, HEAD RULE NAMES OPEN, 4, "found the end of the file");
	refuse_annotate(*state, HEAD RULE NAMES OPEN "   25,00          0          8      long\tkey;\n" CLOSE,
			5, "LC_ALL=C");
	refuse_annotate(*state, HEAD RULE NAMES OPEN "  125.00          0          8      long\tkey;\n" CLOSE,
			5, "at most 100");
	refuse_annotate(*state, HEAD RULE NAMES OPEN "   25.00         -8          8      long\tkey;\n" CLOSE,
			5, "a whole number");
	refuse_annotate(*state, HEAD RULE NAMES OPEN "   25.00          0          8      long\tkey\n" CLOSE, 5,
			"ends in ';' or '{'");
	refuse_annotate(*state, HEAD RULE " Percent     offset  field\n" OPEN CLOSE, 3,
			"one offset and one size");
	refuse_annotate(*state, HEAD RULE " Share     offset       size  field\n" OPEN CLOSE, 3,
			"a column Percent");
	refuse_annotate(*state, HEAD " event[0] = a\n event[1] = b\n" RULE NAMES OPEN CLOSE, 6,
			"a whole number");
	refuse_annotate(*state, "Annotate type: 'struct peer' in prog:\n" RULE NAMES OPEN CLOSE, 1, "samples");
	refuse_annotate(*state, "Annotate type: 'struct peer in prog (2 samples):\n" RULE NAMES OPEN CLOSE, 1,
			"quote");
	refuse_annotate(*state, HEAD RULE NAMES OPEN CLOSE "};\n", 6, "Annotate type");
}

/* A heading says how many samples there are: no more than a count can be. */
static void test_annotate_huge(void **state)
{
	refuse_annotate(*state,
			"Annotate type: 'struct peer' in prog (9999999999999999999999 samples):\n" RULE NAMES,
			1, "1e18");
	refuse_annotate(*state,
			HEAD RULE NAMES OPEN
			"   25.00          99999999999999999999999          8      long\tkey;\n" CLOSE,
			5, "64 bits");
}

/* Neither an offset nor a size that wraps around makes members share bytes. */
static void test_annotate_wrap(void **state)
{
	struct import_test test;

	import_init(&test, *state, NULL,
		    HEAD RULE NAMES OPEN "   25.00 0xffffffffffffffff          8      long\tkey;\n"
					 "   75.00          8          8      long\tuse;\n" CLOSE);
	import_read(&test);
	assert_int_equal(test.import.n_rows, 1);
	import_expect_row(&test, 0, "peer", "use", 150, 0);
}

static void test_annotate_other_types(void **state)
{
	struct import_test test;

	import_init(&test, *state, NULL,
		    "Annotate type: 'int' in prog (8 samples):\n" RULE NAMES
		    "  100.00          0          4  int\t;\n" HEAD RULE NAMES OPEN
		    "   25.00          0          8      long\tkey;\n" CLOSE);
	import_read(&test);
	assert_int_equal(test.import.n_rows, 1);
	assert_int_equal(test.import.lost[RS_LOST_NO_STRUCT].n_rows, 1);
	assert_string_equal(test.import.lost[RS_LOST_NO_STRUCT].first, "int");
}

#define LOADS  "# Samples: 10K of event 'cpu/mem-loads,ldlat=30/P'\n"
#define STORES "# Samples: 2K of event 'cpu/mem-stores/P'\n"
#define SHARES "# Overhead  Data Type    Data Type Offset\n# ........  ...........  ................\n#\n"

static void test_report(void **state)
{
	struct import_test test;

	import_init(&test, *state, NULL,
		    LOADS SHARES "    60.00%  struct peer  struct peer +8 (key)\n"
				 "    12.50%  struct peer  struct peer +0x10 (stats.hits)\n"
				 "     4.00%  (unknown)    (unknown) +0 (no field)\n"
				 "     1.00%  struct peer  struct peer +99 (no field)\n" STORES SHARES
				 "    75.00%  struct peer  struct peer +8 (key)\n");
	import_read(&test);
	assert_int_equal(test.import.n_rows, 3);
	import_expect_row(&test, 0, "peer", "key", 60, 0);
	import_expect_row(&test, 1, "peer", "stats.hits", 12.5, 0);
	import_expect_row(&test, 2, "peer", "key", 0, 75);
	assert_int_equal(test.import.lost[RS_LOST_NO_STRUCT].n_rows, 1);
	assert_int_equal(test.import.lost[RS_LOST_NO_MEMBER].n_rows, 1);
	assert_string_equal(test.import.reads_unit, "percent of loads above a latency");
	assert_string_equal(test.import.writes_unit, "percent of stores");
}

/* Counts are better than shares, samples better than periods. */
static void test_report_columns(void **state)
{
	struct import_test test;

	import_init(&test, *state, NULL,
		    LOADS "# Overhead       Samples        Period  Data Type Offset\n"
			  "    85.71%           300         51000  struct peer +0x8 (key)\n");
	import_read(&test);
	import_expect_row(&test, 0, "peer", "key", 300, 0);
	import_init(&test, *state, NULL,
		    LOADS "# Overhead        Period  Data Type Offset\n"
			  "    85.71%         51000  struct peer +0x8 (key)\n");
	import_read(&test);
	import_expect_row(&test, 0, "peer", "key", 51000, 0);
	assert_string_equal(test.import.reads_unit, "periods of loads above a latency");
}

/* A group has a percentage for each event below one title. */
static void test_report_group(void **state)
{
	struct import_test test;

	import_init(&test, *state, NULL,
		    "# Samples: 475  of events 'cpu/mem-loads,ldlat=30/P, cpu/mem-stores/P'\n"
		    "#         Overhead  Data Type    Data Type Offset\n"
		    "    80.00%   5.00%  struct peer  struct peer +0x8 (key)\n");
	import_read(&test);
	import_expect_row(&test, 0, "peer", "key", 80, 5);
}

static void test_report_refusals(void **state)
{
	static const char format[] = "perf-report";

	import_refuse(*state, format, LOADS, 1, "Data Type Offset");
	import_refuse(*state, format, "    50.00%  struct peer +8 (key)\n", 1, "before the rows");
	import_refuse(*state, format, LOADS SHARES "    50,00%  struct peer  struct peer +8 (key)\n", 5,
		      "LC_ALL=C");
	import_refuse(*state, format, LOADS SHARES "    50.00%  struct peer  struct beer +8 (key)\n", 5,
		      "the same type in both columns");
	import_refuse(*state, format, LOADS SHARES "    50.00%  struct peer  struct peer +zz (key)\n", 5,
		      "a whole number");
	import_refuse(*state, format, LOADS SHARES "    50.00%  struct peer  struct peer +8 (key\n", 5,
		      "TYPE +OFFSET (FIELD)");
	import_refuse(*state, format, LOADS SHARES "   150.00%  struct peer  struct peer +8 (key)\n", 5,
		      "at most 100%");
	import_refuse(*state, format, LOADS "# Overhead  Data Type Offset  Data Type\n", 2,
		      "last and in this order");
	import_refuse(*state, format, LOADS "# Overhead  Command  Data Type Offset\n", 2, "a column Overhead");
	import_refuse(*state, format, "# Samples: 10K\n", 1, "of event 'NAME'");
}

#define BEFORE                                                                                            \
	"{\"version\":1,\"machine\":{\"cacheline_size\":128},\"dsos\":[{\"dso\":\"vmlinux\",\"types\":[{" \
	"\"type\":\"struct peer\",\"size\":24,\"members\":["                                              \
	"{\"name\":\"key\",\"offset\":0,\"size\":8},"                                                     \
	"{\"name\":\"\",\"offset\":8,\"size\":8,\"children\":[{\"name\":\"a\",\"offset\":8,\"size\":4},"  \
	"{\"name\":\"b\",\"offset\":12,\"size\":4}]}],\"histograms\":["
#define AFTER "]}]}]}"

static void test_json(void **state)
{
	struct import_test test;

	import_init(&test, *state, NULL,
		    BEFORE "{\"event\":\"cpu/mem-loads,ldlat=30/P\",\"samples\":["
			   "{\"offset\":4,\"nr_samples_load\":7,\"nr_samples_store\":0,\"period_load\":1},"
			   "{\"offset\":12,\"nr_samples_store\":3},"
			   "{\"offset\":20,\"nr_samples_load\":1}]}" AFTER);
	import_read(&test);
	assert_int_equal(test.import.n_rows, 2);
	import_expect_row(&test, 0, "peer", "key", 7, 0);
	import_expect_row(&test, 1, "peer", "b", 0, 3);
	assert_int_equal(test.import.lost[RS_LOST_NO_MEMBER].n_rows, 1);
	assert_int_equal(test.import.line_bytes, 128);
}

static void refuse_sample(void *state, const char *sample, const char *part)
{
	struct rs_arena *arena = (struct rs_arena *)state;

	import_refuse(arena, "perf-json",
		      rs_arena_printf(arena, BEFORE "{\"event\":\"e\",\"samples\":[%s]}" AFTER, sample), 1,
		      part);
}

static void test_json_refusals(void **state)
{
	refuse_sample(*state, "{\"offset\":-4,\"nr_samples_load\":7}", "no whole number");
	refuse_sample(*state, "{\"offset\":4.5,\"nr_samples_load\":7}", "no whole number");
	refuse_sample(*state, "{\"offset\":\"4\",\"nr_samples_load\":7}", "expected a number");
	refuse_sample(*state, "{\"nr_samples_load\":7}", "\"offset\", which is missing");
	refuse_sample(*state, "{\"offset\":4}", "nr_samples_load");
	refuse_sample(*state, "{\"offset\":4,\"nr_samples_load\":1e19}", "1e18");
	refuse_sample(*state, "[4,7]", "expected an object");
	import_refuse(*state, "perf-json", "{\"version\":2,\"dsos\":[]}", 1, "version 1");
	import_refuse(*state, "perf-json", "{\"dsos\":[]}", 1, "\"version\", which is missing");
	import_refuse(*state, "perf-json", "{\"version\":1,\"dsos\":{}}", 1, "expected an array");
	import_refuse(*state, "perf-json", "{\"version\":1,\"dsos\":[]", 1, "");
	import_refuse(*state, "perf-json", "{\"version\":1,\"machine\":{\"cacheline_size\":100},\"dsos\":[]}",
		      1, "no size of a cache line");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_annotate_percent, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_annotate_as_writes, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_annotate_nested, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_annotate_group, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_annotate_group_as_printed, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_annotate_refusals, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_annotate_huge, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_annotate_wrap, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_annotate_other_types, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_report, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_report_columns, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_report_group, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_report_refusals, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_json, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_json_refusals, import_start, import_finish),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
