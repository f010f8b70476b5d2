/*
 * Prints what the library knows of every record that a header defines (of a source file: of every record in
 * what it reads but for system headers), one JSON object a line:
 *   {"name", "typedef", "file", "line", "column", "size", "align", "pins": [codes that refuse], "pinned":
 * [other codes], "units": N, "consistent", "members": [{"path", "name", "declaration", "offset", "size",
 * "line", "unit", "bits", "top"}]}
 *
 * usage: dump_records FILE [FLAG...]
 * Exit status 0, or 3 when the header does not parse.
 */
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "record/layout.h"

#include "tool.h"

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

/* Gaps and units cover the body, and every member lies in the unit that says so. */
static bool is_tiled(const struct rs_record *record)
{
	size_t at = record->body.start, member = 0;

	for (size_t i = 0; i < record->n_units; i++) {
		const struct rs_unit *unit = &record->units[i];

		if (record->gaps[i].span.start != at || record->gaps[i].span.end != unit->span.start ||
		    unit->span.end <= unit->span.start || unit->declaration.start < unit->span.start ||
		    unit->declaration.end > unit->span.end || unit->first_member != member)
			return false;
		for (size_t m = 0; m < unit->n_members; m++)
			for (size_t end = rs_record_next_sibling(record, member); member < end; member++)
				if (record->members[member].unit != i)
					return false;
		at = unit->span.end;
	}
	return record->gaps[record->n_units].span.start == at &&
	       record->gaps[record->n_units].span.end == record->body.end && member == record->n_members;
}

static bool is_consistent(struct rs_arena *arena, const struct rs_record *record)
{
	size_t *order = rs_arena_array(arena, size_t, record->n_units);
	uint64_t *offsets = rs_arena_array(arena, uint64_t, record->n_members), size;
	bool same = true;

	if (rs_record_is_refused(record))
		return true;
	for (size_t i = 0; i < record->n_units; i++)
		order[i] = i;
	rs_layout_compute(record, order, offsets, &size);
	for (size_t i = 0; i < record->n_members; i++)
		same = same && offsets[i] == record->members[i].offset_bits;
	return same && size == record->size_bytes && is_tiled(record);
}

static void print_record(struct rs_arena *arena, const struct rs_record *record)
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
	rs_json_write_bool(&json, "consistent", is_consistent(arena, record));
	rs_json_begin_array(&json, "members");
	for (size_t i = 0; i < record->n_members; i++)
		write_member(&json, &record->members[i]);
	rs_json_end_array(&json);
	rs_json_end_object(&json);
	fwrite(out.data, 1, out.length, stdout);
}

static struct rs_error *run(struct tool *tool, const char *file, const char *const *flags, size_t n_flags)
{
	const struct rs_record_query query = tool_query(file);

	RS_TRY(tool_open(tool, file, flags, n_flags, &query));
	for (size_t i = 0; i < tool->n_records; i++)
		print_record(tool->arena, tool->records[i]);
	return NULL;
}

int main(int argc, char **argv)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();

	if (argc < 2) {
		fputs("usage: dump_records FILE [FLAG...]\n", stderr);
		return 2;
	}
	struct tool tool = { .arena = arena };
	struct rs_error *error = run(&tool, argv[1], (const char *const *)argv + 2, (size_t)argc - 2);
	tool_close(&tool);
	return error ? tool_report(error) : 0;
}
