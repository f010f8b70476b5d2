/*
 * The least bytes of every record with a tag in what a source reads but for system headers, by moves alone. One
 * JSON object a line: {"name", "size", "least": bytes of the best plan, "bound": no order has fewer, "refused",
 * "held": codes of pins that hold some member, "together" for members of one declaration or #if, "order": names
 * of the members of the best plan, "#N" for the N-th of those without one}
 *
 * usage: least_bytes FILE [FLAG...]
 * Exit status 0, or 3 when the file does not parse.
 */
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "plan/plan.h"

#include "tool.h"

/* Those without a name are numbered as they stand in the source. */
static void write_name(struct rs_json_writer *json, const struct rs_record *record, size_t member)
{
	const char *name = record->members[member].name;
	char number[32];
	size_t count = 0;

	for (size_t m = 0; m < member; m = rs_record_next_sibling(record, m))
		count += record->members[m].name[0] == '\0';
	snprintf(number, sizeof number, "#%zu", count);
	rs_json_write_string(json, NULL, name[0] ? name : number);
}

static void write_order(struct rs_json_writer *json, const struct rs_record *record, const size_t *order)
{
	rs_json_begin_array(json, "order");
	for (size_t i = 0; i < record->n_units; i++) {
		const struct rs_unit *unit = &record->units[order[i]];
		size_t member = unit->first_member;

		for (size_t k = 0; k < unit->n_members; k++) {
			write_name(json, record, member);
			member = rs_record_next_sibling(record, member);
		}
	}
	rs_json_end_array(json);
}

static void write_held(struct rs_json_writer *json, const struct rs_record *record)
{
	rs_json_begin_array(json, "held");
	for (size_t i = 0; i < record->n_pins; i++)
		if (record->pins[i].strength != RS_PIN_ADVICE)
			rs_json_write_string(json, NULL, record->pins[i].code);
	for (size_t u = 0; u < record->n_units; u++)
		if (record->units[u].n_members > 1)
			rs_json_write_string(json, NULL, "together");
	if (record->n_constraints)
		rs_json_write_string(json, NULL, "constraint");
	rs_json_end_array(json);
}

static void print_record(struct rs_arena *arena, const struct rs_record *record)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder out = { 0 };
	struct rs_json_writer json;
	struct rs_plan_set set;
	const struct rs_plan *best;

	rs_plan_optimize(arena, record, NULL, NULL, &set);
	best = &set.original;
	for (size_t i = 0; i < set.n_plans; i++)
		if (set.plans[i].size_bytes < best->size_bytes)
			best = &set.plans[i];
	rs_json_writer_init(&json, &out);
	rs_json_begin_object_compact(&json, NULL);
	rs_json_write_string(&json, "name", record->name);
	rs_json_write_uint(&json, "size", record->size_bytes);
	rs_json_write_uint(&json, "least", best->size_bytes);
	rs_json_write_uint(&json, "bound", set.lower_bound_bytes);
	rs_json_write_bool(&json, "refused", rs_record_is_refused(record));
	write_held(&json, record);
	write_order(&json, record, best->order);
	rs_json_end_object(&json);
	fwrite(out.data, 1, out.length, stdout);
}

static struct rs_error *run(struct tool *tool, const char *file, const char *const *flags, size_t n_flags)
{
	const struct rs_record_query query = { 0 };

	RS_TRY(tool_open(tool, file, flags, n_flags, &query));
	for (size_t i = 0; i < tool->n_records; i++)
		if (!tool->records[i]->is_typedef && !strpbrk(tool->records[i]->name, ":. "))
			print_record(tool->arena, tool->records[i]);
	return NULL;
}

int main(int argc, char **argv)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();

	if (argc < 2) {
		fputs("usage: least_bytes FILE [FLAG...]\n", stderr);
		return 2;
	}
	struct tool tool = { .arena = arena };
	struct rs_error *error = run(&tool, argv[1], (const char *const *)argv + 2, (size_t)argc - 2);
	tool_close(&tool);
	return error ? tool_report(error) : 0;
}
