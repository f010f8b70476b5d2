/*
 * Prints what the library knows of every record that a header defines, one JSON object a line:
 *   {"name", "tag", "line", "column", "size", "align", "pins": [refusing codes], "pinned": [other codes],
 *    "units": N, "members": [{"path", "name", "offset", "size", "bits"}]}
 *
 * usage: dump_records HEADER [FLAG...]
 * Exit status 0, or 3 when the header does not parse.
 */
#include <stdio.h>

#include "base/json.h"
#include "parse/records.h"

static void write_codes(struct rs_json_writer *json, const char *key, const struct rs_record *record,
			bool refusing)
{
	rs_json_begin_array(json, key);
	for (size_t i = 0; i < record->n_pins; i++)
		if (record->pins[i].refuses == refusing)
			rs_json_write_string(json, NULL, record->pins[i].code);
	rs_json_end_array(json);
}

static void write_member(struct rs_json_writer *json, const struct rs_member *member)
{
	rs_json_begin_object(json, NULL);
	rs_json_write_string(json, "path", member->path);
	rs_json_write_string(json, "name", member->name);
	rs_json_write_string(json, "declaration", member->declaration);
	rs_json_write_uint(json, "offset", member->offset_bits);
	rs_json_write_uint(json, "size", member->size_bits);
	rs_json_write_uint(json, "line", member->line);
	if (member->unit != RS_NONE)
		rs_json_write_uint(json, "unit", member->unit);
	rs_json_write_bool(json, "bits", member->is_bitfield);
	rs_json_write_bool(json, "top", member->parent == RS_NONE);
	rs_json_end_object(json);
}

static void print_record(const struct rs_record *record)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder out = { 0 };
	struct rs_json_writer json;
	struct rs_position position = rs_source_position(record->source, record->span.start);

	rs_json_writer_init(&json, &out);
	rs_json_begin_object_compact(&json, NULL);
	rs_json_write_string(&json, "name", record->name);
	rs_json_write_bool(&json, "typedef", record->is_typedef);
	rs_json_write_string(&json, "file", record->source->realpath);
	rs_json_write_uint(&json, "line", position.line);
	rs_json_write_uint(&json, "column", position.column);
	rs_json_write_uint(&json, "size", record->size_bytes);
	rs_json_write_uint(&json, "align", record->align_bytes);
	write_codes(&json, "pins", record, true);
	write_codes(&json, "pinned", record, false);
	rs_json_write_uint(&json, "units", record->n_units);
	rs_json_begin_array(&json, "members");
	for (size_t i = 0; i < record->n_members; i++)
		write_member(&json, &record->members[i]);
	rs_json_end_array(&json);
	rs_json_end_object(&json);
	fwrite(out.data, 1, out.length, stdout);
}

static struct rs_error *run(struct rs_arena *arena, const char *header, const char *const *flags,
			    size_t n_flags)
{
	RS_CLEANUP(rs_parser_destroyp) struct rs_parser *parser = NULL;
	RS_CLEANUP(rs_tu_destroyp) struct rs_tu *tu = NULL;
	struct rs_parse_options options = { .flags = flags, .n_flags = n_flags, .has_flags = true };
	struct rs_record_query query = { .file = header };
	const struct rs_record **records;
	struct rs_notes notes;
	size_t count;

	rs_notes_init(&notes, arena);
	RS_TRY(rs_parser_create(&options, &notes, &parser));
	RS_TRY(rs_tu_open(parser, header, &tu));
	RS_TRY(rs_records_find(tu, arena, &query, &records, &count));
	for (size_t i = 0; i < count; i++)
		print_record(records[i]);
	return NULL;
}

int main(int argc, char **argv)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };

	if (argc < 2) {
		fputs("usage: dump_records HEADER [FLAG...]\n", stderr);
		return 2;
	}
	struct rs_error *error = run(arena, argv[1], (const char *const *)argv + 2, (size_t)argc - 2);
	if (!error)
		return 0;
	rs_error_print(error, &text);
	fputs(text.data, stderr);
	rs_error_destroy(error);
	return 3;
}
