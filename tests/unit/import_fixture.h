/*
 * Imports of texts that stand in the tests, and what is expected of them.
 *
 *	struct import_test test;
 *	import_init(&test, arena, "csv", "struct,field,reads\npeer,key,3\n");
 *	import_read(&test);                         rows; or import_refuse(&test, "part of the message")
 *	import_expect_row(&test, 0, "peer", "key", 3, 0);
 *	import_build(&test);                        the profile
 */
#ifndef RS_TESTS_IMPORT_FIXTURE_H
#define RS_TESTS_IMPORT_FIXTURE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "profile/import_internal.h"

struct import_test {
	struct rs_import import;
	const char *format;
	struct rs_notes notes;
	struct rs_profile profile;
};

static inline int import_start(void **state)
{
	*state = rs_arena_create();
	return 0;
}

static inline int import_finish(void **state)
{
	rs_arena_destroy((struct rs_arena *)*state);
	return 0;
}

static inline void import_init_bytes(struct import_test *test, struct rs_arena *arena, const char *format,
				     const char *text, size_t size)
{
	memset(test, 0, sizeof *test);
	test->format = format;
	test->notes.arena = arena;
	test->import = (struct rs_import) {
		.arena = arena, .notes = &test->notes, .path = "in.txt", .text = text, .size = size
	};
}

static inline void import_init(struct import_test *test, struct rs_arena *arena, const char *format,
			       const char *text)
{
	import_init_bytes(test, arena, format, text, strlen(text));
}

static inline void import_read(struct import_test *test)
{
	struct rs_error *error = rs_import_read(&test->import, test->format);

	if (error)
		fail_msg("%u:%u: %s", error->line, error->column, error->message);
}

/* The record that fields are looked for in. */
static inline void import_offer(struct import_test *test, const struct rs_record *record)
{
	const struct rs_record **records = rs_arena_array(test->import.arena, const struct rs_record *, 1);

	records[0] = record;
	test->import.records = records;
	test->import.n_records = 1;
}

/* The text is not taken: at this line (0: any), for a reason with these words. */
static inline void import_refuse_at(struct import_test *test, unsigned line, const char *part)
{
	struct rs_error *error = rs_import_read(&test->import, test->format);

	if (!error) {
		fail_msg("was read, though: %s", part);
		return; /* for compilers that do not know that fail_msg() does not return */
	}
	const char *message = error->message ? error->message : "";
	if (!strstr(message, part) || (line > 0 && error->line != line))
		fail_msg("not '%s' in line %u, but in line %u: %s", part, line, error->line, message);
	rs_error_destroy(error);
}

static inline void import_refuse(struct rs_arena *arena, const char *format, const char *text, unsigned line,
				 const char *part)
{
	struct import_test test;

	import_init(&test, arena, format, text);
	import_refuse_at(&test, line, part);
}

static inline void import_expect_number(double found, double wanted)
{
	if (!(fabs(found - wanted) <= 1e-9 * fmax(1, fabs(wanted))))
		fail_msg("%.17g is not %.17g", found, wanted);
}

static inline void import_expect_row(const struct import_test *test, size_t index, const char *type,
				     const char *field, double reads, double writes)
{
	assert_true(index < test->import.n_rows);
	const struct rs_import_row *row = &test->import.rows[index];
	if (type)
		assert_string_equal(row->type, type);
	assert_non_null(row->field);
	assert_string_equal(row->field, field);
	import_expect_number(row->reads, reads);
	import_expect_number(row->writes, writes);
}

static inline void import_build(struct import_test *test)
{
	struct rs_error *error = rs_import_build(&test->import, NULL, 0, &test->profile);

	if (error)
		fail_msg("%s", error->message);
}

static inline bool import_has_note(const struct import_test *test, const char *part)
{
	for (size_t i = 0; i < test->notes.n_items; i++)
		if (strstr(test->notes.items[i].message, part))
			return true;
	return false;
}

#endif
