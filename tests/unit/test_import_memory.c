/* perf c2c and perf script, joined to fields by source line or address. */
#include "import_fixture.h"

#include "make_record.h"

#define C2C_TITLE                                             \
	"=================================================\n" \
	"      Shared Cache Line Distribution Pareto      \n" \
	"=================================================\n#\n"
#define C2C_NAMES \
	"#   Num  RmtHitm  LclHitm   L1 Hit  L1 Miss      Offset  cnt  Symbol     Object  Source:Line\n"
#define C2C_DOTS \
	"# .....  .......  .......  .......  .......  ..........  ...  .........  ......  ...........\n#\n"
#define C2C_RULE  "  -------------------------------------------------------------\n"
#define C2C_TOTAL "      0       10        0      100       50      0x1000\n"
#define C2C_FRONT C2C_TITLE C2C_NAMES C2C_DOTS C2C_RULE C2C_TOTAL C2C_RULE

/* struct peer { long key; long use; } */
static const struct rs_record *make_peer(struct make *make, struct rs_arena *arena)
{
	make_init(make, arena, "peer");
	make_unit(make, 0);
	make_member(make, "key", 8, 8);
	make_unit(make, 0);
	make_member(make, "use", 8, 8);
	return make_record(make);
}

static void test_c2c(void **state)
{
	struct import_test test;

	import_init(
		&test, *state, NULL,
		C2C_FRONT
		"          60.00%    0.00%    0.00%    0.00%         0x8    4  [k] find   [kernel]  peer.c:6\n"
		"          40.00%    0.00%   25.00%    0.00%        0x10    2  [.] hit(int, long)  prog  "
		"peer.c:13\n"
		"           0.00%    0.00%   75.00%  100.00%        0x18    1  [.] hit    prog  "
		"../peer.c:14\n");
	import_read(&test);
	assert_int_equal(test.import.n_rows, 3);
	const struct rs_import_row *rows = test.import.rows;
	assert_string_equal(rows[0].file, "peer.c");
	assert_int_equal(rows[0].source_line, 6);
	assert_string_equal(rows[0].path, "find");
	assert_int_equal(rows[0].cpus, 4);
	assert_true(rows[0].has_address && rows[0].address == 0x1008);
	import_expect_number(rows[0].reads, 6);
	import_expect_number(rows[0].writes, 0);
	assert_string_equal(rows[1].path, "hit(int, long)");
	import_expect_number(rows[1].reads, 4);
	import_expect_number(rows[1].writes, 25);
	import_expect_number(rows[2].writes, 125);
	assert_string_equal(rows[2].file, "../peer.c");
}

/* Code without debug information has an offset instead of a source line. */
static void test_c2c_without_source(void **state)
{
	struct import_test test;

	import_init(
		&test, *state, NULL,
		C2C_FRONT
		"          60.00%    0.00%    0.00%    0.00%         0x8    4  [k] find   [kernel]  find+26\n"
		"          40.00%    0.00%  100.00%    0.00%        0x10    2  [.] 0x0000000000401136  "
		"libc.so.6  "
		"libc.so.6[401136]  0{2 100.0%  n/a}\n"
		"           0.00%    0.00%    0.00%  100.00%        0x18    1  [.] hit    prog  peer.c:14\n");
	import_read(&test);
	assert_int_equal(test.import.n_rows, 3);
	assert_null(test.import.rows[0].file);
	assert_string_equal(test.import.rows[0].path, "find");
	assert_null(test.import.rows[1].file);
	assert_string_equal(test.import.rows[2].file, "peer.c");
}

static void test_c2c_refusals(void **state)
{
	static const char format[] = "perf-c2c";

	import_refuse(*state, format, C2C_TITLE, 4, "with its columns");
	import_refuse(*state, format, C2C_TITLE C2C_NAMES, 5, "with its columns");
	import_refuse(*state, format,
		      C2C_FRONT "          60.00%    0.00%    0.00%    0.00%    0x8    4  [k] f  o  p.c:6\n", 0,
		      "rows are missing");
	import_refuse(*state, format,
		      C2C_FRONT "          60,00%    0.00%    0.00%    0.00%    0x8    4  [k] f  o  p.c:6\n",
		      11, "LC_ALL=C");
	import_refuse(*state, format,
		      C2C_FRONT "          60.00%    0.00%    0.00%    0.00%    0xzz   4  [k] f  o  p.c:6\n",
		      11, "hexadecimal");
	import_refuse(*state, format,
		      C2C_FRONT "         100.00%    0.00%  100.00%  100.00%    0x8    4  [k] f  o\n", 11,
		      "SOURCE:LINE");
	import_refuse(*state, format, C2C_FRONT "         100.00%    0.00%  100.00%\n", 11,
		      "a figure for each column");
	import_refuse(*state, format, C2C_TITLE C2C_NAMES C2C_DOTS C2C_RULE C2C_TOTAL, 0,
		      "found the end of the file");
	import_refuse(*state, format,
		      C2C_TITLE "#   Num  RmtHitm   L1 Hit  Symbol  Source:Line\n"
				"# .....  .......  .......  ......  ...........\n",
		      0, "the columns Num");
}

#define SCRIPT "  my worker   812 [003]  1234.567890:   "
#define LOADED                                                                                               \
	"cpu/mem-loads,ldlat=30/P:  1008  800002 |OP LOAD|LVL L3 hit|SNP HitM|LCK No  33  40113a find+0x1a " \
	"(/p)\n"

static void test_script(void **state)
{
	struct import_test test;

	import_init(
		&test, *state, NULL,
		"# captured on: a day\n" SCRIPT LOADED "  peer.c:6\n" SCRIPT
		"33 cpu/mem-stores/P:  1000  4 |OP STORE|LVL L1 hit|LCK N/A  0  401180 hit+0x1a (/p)\n" SCRIPT
		"cpu/mem-loads/:  1000  2000002 |OP LOAD|LCK Yes  0  401180 [unknown] (/p)\n  ??:0\n" SCRIPT
		"cpu/mem-stores/P:  0  1 |OP N/A|LVL N/A  33  401222 main+0x1a (/p)\n");
	import_read(&test);
	assert_int_equal(test.import.n_rows, 3);
	const struct rs_import_row *rows = test.import.rows;
	assert_true(rows[0].address == 0x1008);
	assert_string_equal(rows[0].path, "find");
	assert_string_equal(rows[0].file, "peer.c");
	import_expect_number(rows[0].reads, 1);
	import_expect_number(rows[1].writes, 1);
	assert_null(rows[1].file);
	import_expect_number(rows[2].reads, 0); /* a locked load writes */
	import_expect_number(rows[2].writes, 1);
	assert_null(rows[2].path);
	assert_true(import_has_note(&test, "1 of 4 samples are neither"));
	import_init(&test, *state, NULL, SCRIPT LOADED "  find+26\n" SCRIPT LOADED "  libc.so.6[401136]\n");
	import_read(&test);
	assert_int_equal(test.import.n_rows, 2);
	assert_null(test.import.rows[1].file);
}

static void test_script_refusals(void **state)
{
	static const char format[] = "perf-script";

	import_refuse(*state, format, "# nothing\n", 1, "found none");
	import_refuse(*state, format, SCRIPT "cycles:  40113a find+0x1a (/p)\n", 1, "addr and data_src");
	import_refuse(*state, format, SCRIPT "cpu/mem-loads/:  1008  4 |OP LOAD|LVL  0  401180 hit (/p)\n", 1,
		      "what the bits of data_src say");
	import_refuse(*state, format, SCRIPT "cpu/mem-loads/:  1008  2\n", 1, "weight, ip and symbol");
	import_refuse(*state, format,
		      SCRIPT "cpu/mem-loads/:  fffffffffffffffff  2 |OP LOAD| 0 401180 h (/p)\n", 1, "64 bits");
	import_refuse(*state, format, SCRIPT "\n", 1, "EVENT:");
	import_refuse(*state, format, SCRIPT LOADED "nonsense\n", 2, "FILE:LINE");
	import_refuse(*state, format, SCRIPT LOADED "  peer.c:99999999999\n", 2, "a source line");
}

static void read_two(struct import_test *test, struct make *make, void *state)
{
	struct rs_arena *arena = (struct rs_arena *)state;

	import_init(test, arena, NULL,
		    SCRIPT LOADED "  peer.c:6\n" SCRIPT "cpu/mem-stores/P:  1000  4 |OP STORE|LVL L1 hit|LCK "
				  "N/A  0  401180 hit+0x1a (/p)\n  x/peer.c:7\n");
	import_offer(test, make_peer(make, arena));
	import_read(test);
}

static void test_join_by_line(void **state)
{
	static const struct rs_import_site sites[] = {
		{ "/src/peer.c", 6, 0, 0, true, false },
		{ "/src/peer.c", 6, 0, 1, false, true },
		{ "/src/x/peer.c", 7, 0, 1, true, true },
		{ "/src/x/peer.c", 7, 0, 0, true, false },
	};
	struct import_test test;
	struct make make;

	read_two(&test, &make, *state);
	assert_true(rs_import_needs_sites(&test.import));
	rs_import_join(&test.import, sites, RS_COUNT_OF(sites), false, 0);
	import_expect_row(&test, 0, "peer", "key", 1, 0); /* the one that the line reads */
	import_expect_row(&test, 1, "peer", "use", 0, 1); /* the one that it writes */
}

/* A line that uses two members says of neither how often. */
static void test_join_ambiguous(void **state)
{
	static const struct rs_import_site sites[] = {
		{ "/src/peer.c", 6, 0, 0, true, false },
		{ "/src/peer.c", 6, 0, 1, true, true },
	};
	struct import_test test;
	struct make make;

	read_two(&test, &make, *state);
	rs_import_join(&test.import, sites, RS_COUNT_OF(sites), false, 0);
	assert_null(test.import.rows[0].field);
	assert_int_equal(test.import.lost[RS_LOST_AMBIGUOUS].n_rows, 1);
	assert_int_equal(test.import.lost[RS_LOST_NO_SITE].n_rows, 1);
}

/* Nor does one that copies the object as a whole. */
static void test_join_whole(void **state)
{
	static const struct rs_import_site sites[] = { { "/src/peer.c", 6, 0, RS_NONE, true, false } };
	struct import_test test;
	struct make make;

	read_two(&test, &make, *state);
	rs_import_join(&test.import, sites, RS_COUNT_OF(sites), false, 0);
	assert_null(test.import.rows[0].field);
	assert_int_equal(test.import.lost[RS_LOST_AMBIGUOUS].n_rows, 1);
}

static void test_join_by_address(void **state)
{
	struct import_test test;
	struct make make;

	read_two(&test, &make, *state);
	rs_import_join(&test.import, NULL, 0, true, 0x1000);
	import_expect_row(&test, 0, "peer", "use", 1, 0);
	import_expect_row(&test, 1, "peer", "key", 0, 1);
	read_two(&test, &make, *state);
	rs_import_join(&test.import, NULL, 0, true, 0x1001);
	import_expect_row(&test, 0, "peer", "key", 1, 0);
	assert_null(test.import.rows[1].field);
	assert_int_equal(test.import.lost[RS_LOST_NO_STRUCT].n_rows, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_c2c, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_c2c_without_source, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_c2c_refusals, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_script, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_script_refusals, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_join_by_line, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_join_ambiguous, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_join_whole, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_join_by_address, import_start, import_finish),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
