/*
 * What the tests of the writers share: comparison with the files in tests/unit/report/ (RS_UPDATE=1 writes them
 * anew) and two records.
 */
#ifndef RS_TESTS_REPORT_FIXTURE_H
#define RS_TESTS_REPORT_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "make_result.h"
#include "report/columns.h"
#include "report/report.h"

static inline char *write_result(const struct rs_result *result, const char *format,
				 const struct rs_report_options *options)
{
	struct rs_builder out = { 0 };
	const struct rs_report_format *writer = rs_report_find(format, options->kind);

	assert_non_null(writer);
	assert_null(writer->write(&out, result, options));
	rs_builder_appends(&out, "");
	return out.data;
}

/* Differences are shown by diff-like first lines, which is what a failing run needs. */
static inline void expect_golden(const char *name, const char *actual)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	const char *root = getenv("RS_SOURCE_ROOT");
	char *path = rs_arena_printf(arena, "%s/tests/unit/report/%s", root ? root : "../..", name), *expected;
	size_t size;

	if (getenv("RS_UPDATE"))
		assert_null(rs_file_write(path, actual, strlen(actual)));
	assert_null(rs_file_read(arena, path, &expected, &size));
	if (strcmp(expected, actual) != 0)
		print_error("%s differs, this is what was written:\n%s", path, actual);
	assert_string_equal(expected, actual);
}

static inline void expect_columns(const char *text, size_t columns)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	char *copy = rs_arena_strdup(arena, text), *save = NULL;

	for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		if (rs_columns_measure(line) > columns)
			fail_msg("%zu columns: %s", rs_columns_measure(line), line);
}

static inline void make_peer(struct make *make)
{
	make_begin(make, "inetpeer.h", "/* a header */\n\n", "inet_peer");
	make_field(make, "struct inet_peer *avl_left", "avl_left", 8, 8, 0);
	make_field(make, "struct inet_peer *avl_right", "avl_right", 8, 8, 0);
	make_field(make, "struct inetpeer_addr daddr", "daddr", 20, 4, 0);
	make_field(make, "__u32 avl_height", "avl_height", 4, 4, 0);
	make_field(make, "__u32 dtime", "dtime", 4, 4, 0);
	make_field(make, "atomic_t refcnt", "refcnt", 4, 4, 0);
	make_field(make, "atomic_t rid", "rid", 4, 4, 0);
	make_field(make, "atomic_t ip_id_count", "ip_id_count", 4, 4, 0);
	make_field(make, "__u32 tcp_ts", "tcp_ts", 4, 4, 0);
	make_field(make, "__u32 tcp_ts_stamp", "tcp_ts_stamp", 4, 4, 0);
	make_field(make, "u32 metrics[14]", "metrics", 56, 4, 0);
	make_field(make, "u32 rate_tokens", "rate_tokens", 4, 4, 0);
	make_field(make, "unsigned long rate_last", "rate_last", 8, 8, 0);
	make_field(make, "unsigned long pmtu_expires", "pmtu_expires", 8, 8, 0);
	make_field(make, "u32 pmtu_orig", "pmtu_orig", 4, 4, 0);
	make_field(make, "u32 pmtu_learned", "pmtu_learned", 4, 4, 0);
	make_field(make, "struct inetpeer_addr_base redirect_learned", "redirect_learned", 16, 4, 0);
	make_end(make);
	make->members[make_find(make, "metrics")].is_array = true;
	make->members[make_find(make, "metrics")].array_count = 14;
}

static inline void add_peer_profile(struct make *make)
{
	make_profile(make);
	make_access(make, "lookup", 100, "avl_left r, avl_right r, daddr r, avl_height r");
	make_access(make, "get", 20, "refcnt a");
	make_access(make, "put", 20, "refcnt a, dtime w");
	make_access(make, "id", 20, "ip_id_count a");
	make_access(make, "frag", 5, "rid a");
	make_access(make, "metrics", 2.5, "metrics r");
}

/* Bit-fields, `:0`, a union, an inner struct, a function pointer, a flexible array, as pahole shows them. */
static inline void make_mixed(struct make *make)
{
	make_begin(make, "mixed.h", "", "mixed");
	make_field(make, "char a", "a", 1, 1, 0);
	make_field(make, "long b", "b", 8, 8, 0);
	make_field(make, "unsigned int f : 3", "f", 4, 4, 3);
	make_field(make, "unsigned int g : 5", "g", 4, 4, 5);
	make_field(make, "unsigned int : 0", "", 4, 4, -1);
	make_field(make, "unsigned int h : 9", "h", 4, 4, 9);
	make_field(make, "char c", "c", 1, 1, 0);
	make_open(make, "union u", "u", true);
	make_field(make, "int x", "x", 4, 4, 0);
	make_open(make, "struct in", "in", false);
	make_field(make, "char y", "y", 1, 1, 0);
	make_field(make, "short q", "q", 2, 2, 0);
	make_close(make);
	make_close(make);
	make_open(make, "union", "", true);
	make_field(make, "long k", "k", 8, 8, 0);
	make_field(make, "char j[60]", "j", 60, 1, 0);
	make_close(make);
	make_field(make, "int (*cb)(int, char)", "cb", 8, 8, 0);
	make_field(make, "char data[]", "data", 0, 1, 0);
	make_end(make);
}

#endif
