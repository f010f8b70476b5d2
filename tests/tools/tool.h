/*
 * What the tools of the tests have in common: one file, its records, and an error told.
 */
#ifndef RS_TESTS_TOOL_H
#define RS_TESTS_TOOL_H

#include <stdio.h>
#include <string.h>

#include "parse/records.h"

struct tool {
	struct rs_arena *arena; /* the caller's */
	struct rs_notes notes;
	struct rs_parser *parser;
	struct rs_tu *tu;
	const struct rs_record **records;
	size_t n_records;
};

/* Fills tool, whose arena is set; tool_close() is due in any case. */
static inline struct rs_error *tool_open(struct tool *tool, const char *file, const char *const *flags,
					 size_t n_flags, const struct rs_record_query *query)
{
	const struct rs_parse_options options = { .flags = flags, .n_flags = n_flags, .has_flags = true };

	rs_notes_init(&tool->notes, tool->arena);
	RS_TRY(rs_parser_create(&options, &tool->notes, &tool->parser));
	RS_TRY(rs_tu_open(tool->parser, file, &tool->tu));
	return rs_records_find(tool->tu, tool->arena, query, &tool->records, &tool->n_records);
}

static inline void tool_close(struct tool *tool)
{
	rs_tu_destroy(tool->tu);
	rs_parser_destroy(tool->parser);
}

/* A source shows what it includes, a header itself. */
static inline struct rs_record_query tool_query(const char *file)
{
	size_t length = strlen(file);
	bool is_source = length > 2 && strcmp(file + length - 2, ".c") == 0;

	return (struct rs_record_query) { .file = is_source ? NULL : file };
}

/* Tells the error and ends it; gives the exit status of a file that cannot be read. */
static inline int tool_report(struct rs_error *error)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };

	rs_error_print(error, &text);
	fputs(text.data, stderr);
	rs_error_destroy(error);
	return 3;
}

#endif
