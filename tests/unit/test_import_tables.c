/* The kernel's net_cachelines tables, and CSV. */
#include "import_fixture.h"

#include "make_record.h"

#define HEADER "Type                 Name       fastpath_tx_access  fastpath_rx_access  Comments\n"
#define TITLE  "peer struct fast path usage breakdown\n"

static const struct rs_import_row *row_on(const struct import_test *test, const char *field, const char *path)
{
	for (size_t i = 0; i < test->import.n_rows; i++) {
		const struct rs_import_row *row = &test->import.rows[i];

		if (strcmp(row->field, field) == 0 &&
		    (row->path ? path && strcmp(row->path, path) == 0 : !path))
			return row;
	}
	return NULL;
}

static void expect_access(const struct import_test *test, const char *field, const char *path, double reads,
			  double writes)
{
	const struct rs_import_row *row = row_on(test, field, path);

	if (!row)
		fail_msg("no row %s of path %s", field, path ? path : "(none)");
	assert_string_equal(row->type, "peer");
	import_expect_number(row->reads, reads);
	import_expect_number(row->writes, writes);
}

/* Up to v6.12: text of fixed width, blank cells in the middle, types that overflow. */
static void test_fixed_width(void **state)
{
	struct import_test test;

	import_init(
		&test, *state, NULL,
		HEADER
		"..struct             ..peer\n"
		"struct_peer*         next       read_mostly         -                   walk(tx),list(tx/rx)\n"
		"unsigned_long        key        read_mostly         read_mostly         "
		"find(tx);find_rcu(rx)\n"
		"struct_ack_u8:4      quick                          read_write          hit(write)\n"
		"struct_of_a_name_that_is_long:1 flags   read_mostly         -                   f\n"
		"char                 name[16]\n"
		"atomic t             refs       write_mostly                            put\n");
	import_read(&test);
	assert_int_equal(test.import.n_rows, 7);
	expect_access(&test, "next", "tx", 1, 0);
	expect_access(&test, "key", "tx", 1, 0);
	expect_access(&test, "key", "rx", 1, 0);
	expect_access(&test, "ack.quick", "rx", 1, 1);
	expect_access(&test, "flags", "tx", 1, 0);
	expect_access(&test, "name", NULL, 0, 0);
	expect_access(&test, "refs", "tx", 0, 1);
	assert_null(row_on(&test, "next", "rx"));
	assert_true(import_has_note(&test, "6 rows of peer, 1 of them not in the fast path"));
}

#define RST_RULE "==================== ========== =================== =================== =======\n"

static void test_rst(void **state)
{
	struct import_test test;

	import_init(&test, *state, NULL,
		    "=====\n" TITLE "=====\n\n" RST_RULE HEADER RST_RULE
		    "struct peer*         next       read_mostly                             walk\n"
		    "                                                                        more of it\n"
		    "unsigned long        key                            read_write\n" RST_RULE
		    "\nText below.\n");
	import_read(&test);
	assert_int_equal(test.import.n_rows, 2);
	expect_access(&test, "next", "tx", 1, 0);
	expect_access(&test, "key", "rx", 1, 1);
}

static void test_table_refusals(void **state)
{
	static const char format[] = "net-cachelines";

	import_refuse(*state, format, TITLE, 0, "found none");
	import_refuse(*state, format, HEADER, 0, "expected rows");
	import_refuse(*state, format, "=====\n" TITLE "=====\n" RST_RULE HEADER RST_RULE "int   key\n", 0,
		      "a rule of '='");
	import_refuse(*state, format,
		      HEADER "int                  key        read_only           read_mostly         x\n", 2,
		      "read_mostly, read_write, write_mostly");
	import_refuse(*state, format, "Type   Name   fastpath_tx_access  Comments\nint  a  -  b\n", 1,
		      "the columns Type");
	import_refuse(*state, format, HEADER "  int  key  read_mostly\n", 2, "at the start of the line");
}

static void join_table(struct import_test *test, struct make *make, struct rs_arena *arena, const char *text)
{
	import_init(test, arena, NULL, text);
	make_init(make, arena, "peer");
	make_unit(make, 0);
	make_member(make, "key", 8, 8);
	make_unit(make, 0);
	make_open(make, "ack", 8, 4);
	make_inside(make, "quick", 0, 4)->path = "ack.quick";
	make_inside(make, "slow", 4, 4)->path = "ack.slow";
	make_close(make);
	import_offer(test, make_record(make));
	import_read(test);
	rs_import_join(&test->import, NULL, 0, false, 0);
	import_build(test);
}

/* Rows without a member and members without a row are counted and named. */
static void test_stale_table(void **state)
{
	struct import_test test;
	struct make make;

	join_table(&test, &make, *state,
		   HEADER "long                 gone       read_mostly         read_mostly         x\n"
			  "struct_ack_u8        quick                          read_write          y\n");
	assert_int_equal(test.profile.n_structs, 1);
	assert_int_equal(test.profile.structs[0].n_paths, 1);
	assert_string_equal(test.profile.structs[0].paths[0].name, "rx");
	import_expect_number(test.profile.structs[0].sources[0].rows, 2);
	import_expect_number(test.profile.structs[0].sources[0].resolved, 1);
	assert_true(import_has_note(&test, "1 row whose name or place fits no member"));
	assert_true(import_has_note(&test, "1 member of peer without a row: key"));
}

static void test_csv(void **state)
{
	struct import_test test;

	import_init(&test, *state, NULL,
		    "field;cpus;struct;writes;path\n"
		    "key;4;struct peer;3.5;find\n"
		    "\"a;\"\"b\"\"\" ; ; peer;;\n");
	import_read(&test);
	assert_int_equal(test.import.n_rows, 2);
	import_expect_row(&test, 0, "peer", "key", 0, 3.5);
	assert_int_equal(test.import.rows[0].cpus, 4);
	assert_string_equal(test.import.rows[0].path, "find");
	import_expect_row(&test, 1, "peer", "a;\"b\"", 0, 0);
	assert_null(test.import.rows[1].path);
	assert_string_equal(test.import.trust, "stated");
}

static void refuse_rows(void *state, const char *rows, unsigned line, const char *part)
{
	struct rs_arena *arena = (struct rs_arena *)state;

	import_refuse(arena, "csv", rs_arena_printf(arena, "struct,field,reads,cpus\n%s", rows), line, part);
}

static void test_csv_refusals(void **state)
{
	refuse_rows(*state, "", 0, "expected rows");
	refuse_rows(*state, "peer,key,3\n", 2, "expected 4 cells");
	refuse_rows(*state, "peer,key,3,1,\n", 2, "expected 4 cells");
	refuse_rows(*state, "peer,key,-3,1\n", 2, "a number");
	refuse_rows(*state, "peer,key,1,5,1\n", 2, "expected 4 cells"); /* a comma for the point */
	refuse_rows(*state, "peer,key,\"1,5\",1\n", 2, "LC_ALL=C");
	refuse_rows(*state, "peer,key,\"1,234.5\",1\n", 2, "LC_ALL=C");
	refuse_rows(*state, "peer,key,3,4097\n", 2, "up to 4096");
	refuse_rows(*state, "peer,key,3,1.5\n", 2, "up to 4096");
	refuse_rows(*state, "peer,,3,1\n", 2, "an empty cell");
	refuse_rows(*state, ",key,3,1\n", 2, "an empty cell");
	refuse_rows(*state, "peer,\"key,3,1\n", 2, "a quote");
	refuse_rows(*state, "peer,\"key\"x,3,1\n", 2, "a separator");
	import_refuse(*state, "csv", "struct,field,reads,reads\npeer,a,1,1\n", 1, "at most once");
	import_refuse(*state, "csv", "struct,field,loads\npeer,a,1\n", 1, "at most once");
	import_refuse(*state, "csv", "struct,field,cpus\npeer,a,1\n", 1, "reads or writes");
	import_refuse(*state, "csv", "field,reads\na,1\n", 1, "the column struct");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_fixed_width, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_rst, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_table_refusals, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_stale_table, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_csv, import_start, import_finish),
		cmocka_unit_test_setup_teardown(test_csv_refusals, import_start, import_finish),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
