/*
 * For tests of parse/records: parses files of the scratch folder and finds what the records hold.
 */
#ifndef RS_TESTS_UNIT_RECORDS_FIXTURE_H
#define RS_TESTS_UNIT_RECORDS_FIXTURE_H

#include "scratch.h"

#include "base/file.h"
#include "parse/records.h"
#include "record/layout.h"

struct parsed {
	struct rs_arena *arena;
	struct rs_notes notes;
	struct rs_parser *parser;
	struct rs_tu *tu;
	const struct rs_record **records;
	size_t n_records;
	struct rs_error *error;
};

__attribute__((unused)) static void parse_with(struct parsed *parsed, const char *name, const char *record,
					       const char *const *flags, size_t n_flags)
{
	const char *path = scratch_path(name);
	struct rs_parse_options options = { .flags = flags, .n_flags = n_flags, .has_flags = true };
	struct rs_record_query query = { .file = path, .name = record };

	*parsed = (struct parsed) { .arena = rs_arena_create() };
	rs_notes_init(&parsed->notes, parsed->arena);
	parsed->error = rs_parser_create(&options, &parsed->notes, &parsed->parser);
	if (!parsed->error)
		parsed->error = rs_tu_open(parsed->parser, path, &parsed->tu);
	if (!parsed->error)
		parsed->error = rs_records_find(parsed->tu, parsed->arena, &query, &parsed->records,
						&parsed->n_records);
}

__attribute__((unused)) static void parsed_end(struct parsed *parsed)
{
	rs_error_destroy(parsed->error);
	rs_tu_destroy(parsed->tu);
	rs_parser_destroy(parsed->parser);
	rs_arena_destroy(parsed->arena);
}

/* Writes the text as t.h and parses it without an error. */
__attribute__((unused)) static void parse_text(struct parsed *parsed, const char *text)
{
	scratch_write("t.h", text, strlen(text));
	parse_with(parsed, "t.h", NULL, NULL, 0);
	if (parsed->error)
		fail_msg("%s:%u: %s", parsed->error->path ? parsed->error->path : "", parsed->error->line,
			 parsed->error->message);
}

__attribute__((unused)) static const struct rs_record *record_named(const struct parsed *parsed,
								    const char *name)
{
	for (size_t i = 0; i < parsed->n_records; i++)
		if (strcmp(parsed->records[i]->name, name) == 0)
			return parsed->records[i];
	fail_msg("no record '%s'", name);
	return NULL;
}

__attribute__((unused)) static const struct rs_member *member_at(const struct rs_record *record,
								 const char *path)
{
	size_t member = rs_record_find_member(record, path);

	if (member == RS_NONE)
		fail_msg("no member '%s' in '%s'", path, record->name);
	return &record->members[member];
}

__attribute__((unused)) static const struct rs_pin *pin_of(const struct rs_record *record, const char *code)
{
	for (size_t i = 0; i < record->n_pins; i++)
		if (strcmp(record->pins[i].code, code) == 0)
			return &record->pins[i];
	return NULL;
}

__attribute__((unused)) static void assert_not_refused(const struct rs_record *record)
{
	for (size_t i = 0; i < record->n_pins; i++)
		if (record->pins[i].refuses)
			fail_msg("'%s' is refused: %s: %s", record->name, record->pins[i].code,
				 record->pins[i].message);
}

__attribute__((unused)) static void assert_refused(const struct rs_record *record, const char *code)
{
	const struct rs_pin *pin = pin_of(record, code);

	if (!pin || !pin->refuses)
		fail_msg("'%s' is not refused by '%s'", record->name, code);
}

/* Unit texts, without comments, joined by "|". */
__attribute__((unused)) static char *units_text(struct rs_arena *arena, const struct rs_record *record)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };

	rs_builder_appends(&text, "");
	for (size_t i = 0; i < record->n_units; i++) {
		struct rs_span span = record->units[i].declaration;

		rs_builder_printf(&text, "%s%.*s", i ? "|" : "", (int)(span.end - span.start),
				  record->source->text + span.start);
	}
	return rs_arena_strndup(arena, text.data, text.length);
}

#endif
