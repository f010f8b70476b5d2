#include "base/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/utf8.h"
#include "profile/trust.h"
#include "report/explain_json.h"
#include "report/frontier.h"
#include "report/json_pins.h"
#include "report/view.h"
#include "report/writers.h"

/* One record being written; what is the same for all of it. */
struct page {
	struct rs_json_writer *writer;
	struct rs_arena *arena;
	const struct rs_result *result;
	const struct rs_record_result *record;
};

static void write_double_or_null(struct rs_json_writer *writer, const char *key, bool is_known, double number)
{
	if (is_known)
		rs_json_write_double(writer, key, number);
	else
		rs_json_write_null(writer, key);
}

/* A number that counts from 1, 0 standing for "not known". */
static void write_place(struct rs_json_writer *writer, const char *key, unsigned number)
{
	if (number)
		rs_json_write_uint(writer, key, number);
	else
		rs_json_write_null(writer, key);
}

static void write_position(struct rs_json_writer *writer, const char *key, const struct rs_source *source,
			   size_t byte, bool with_byte)
{
	struct rs_position at = rs_source_position(source, byte);

	rs_json_begin_object_compact(writer, key);
	rs_json_write_uint(writer, "line", at.line);
	rs_json_write_uint(writer, "column", at.column);
	if (with_byte)
		rs_json_write_uint(writer, "byte", byte);
	rs_json_end_object(writer);
}

static void write_range(const struct page *page)
{
	const struct rs_record *record = page->record->record;

	rs_json_begin_object_compact(page->writer, "range");
	write_position(page->writer, "start", record->source, record->span.start, true);
	write_position(page->writer, "end", record->source, record->span.end, true);
	rs_json_end_object(page->writer);
}

static void write_field(const struct page *page, const struct rs_view *view, size_t index)
{
	const struct rs_member *member = &view->record->members[index];
	const struct rs_binding *binding = page->record->binding;

	rs_json_begin_object_compact(page->writer, NULL);
	rs_json_write_string(page->writer, "name", member->path);
	rs_json_write_uint(page->writer, "offset_bits", view->offset_bits[index]);
	rs_json_write_uint(page->writer, "size_bits", member->size_bits);
	rs_json_write_uint(page->writer, "line", rs_view_first_line(view, index));
	write_double_or_null(page->writer, "reads", binding, binding ? binding->heat[index].reads : 0);
	write_double_or_null(page->writer, "writes", binding, binding ? binding->heat[index].writes : 0);
	rs_json_write_string(page->writer, "kind", binding ? rs_view_use_name(view->uses[index]) : NULL);
	rs_json_end_object(page->writer);
}

static void write_fields(const struct page *page, const struct rs_view *view)
{
	rs_json_begin_array(page->writer, "fields");
	for (size_t i = 0; i < view->record->n_members; i++)
		if (view->record->members[i].path[0])
			write_field(page, view, i);
	rs_json_end_array(page->writer);
}

static void write_holes(const struct page *page, const struct rs_view *view)
{
	rs_json_begin_array(page->writer, "holes");
	for (size_t i = 0; i < view->n_holes; i++) {
		uint64_t start = (view->holes[i].offset_bits + 7) / 8;
		uint64_t end = (view->holes[i].offset_bits + view->holes[i].size_bits) / 8;

		if (start >= end)
			continue;
		rs_json_begin_object_compact(page->writer, NULL);
		rs_json_write_uint(page->writer, "offset_bytes", start);
		rs_json_write_uint(page->writer, "size_bytes", end - start);
		rs_json_end_object(page->writer);
	}
	rs_json_end_array(page->writer);
}

/* Fields of the container follow the record's own. */
static void write_line_names(const struct page *page, const struct rs_line_report *line, bool writers)
{
	const size_t *members = writers ? line->writers : line->victims;

	rs_json_begin_array_compact(page->writer, writers ? "writers" : "victims");
	for (size_t i = 0; i < (writers ? line->n_writers : line->n_victims); i++)
		rs_json_write_string(page->writer, NULL,
				     rs_view_member_name(&page->record->record->members[members[i]]));
	for (size_t i = 0; i < line->n_outsiders; i++)
		if (writers ? line->outsiders[i].is_writer : line->outsiders[i].is_victim)
			rs_json_write_string(page->writer, NULL, line->outsiders[i].name);
	rs_json_end_array(page->writer);
}

static void write_sharing(const struct page *page, const struct rs_view *view)
{
	rs_json_begin_array(page->writer, "sharing");
	for (size_t i = 0; i < view->n_lines; i++) {
		const struct rs_line_report *line = view->lines[i];

		if (!rs_view_is_shared(line))
			continue;
		rs_json_begin_object(page->writer, NULL);
		rs_json_write_uint(page->writer, "line", line->line);
		write_line_names(page, line, true);
		write_line_names(page, line, false);
		rs_json_write_double(page->writer, "false_ns", line->false_ns);
		rs_json_write_double(page->writer, "true_ns", line->true_ns);
		rs_json_end_object(page->writer);
	}
	rs_json_end_array(page->writer);
}

static void write_pins(const struct page *page, const char *key, const struct rs_pin *pins, size_t count)
{
	rs_json_pins_write(page->writer, page->result, page->record->record, key, pins, count);
}

static void write_containers(const struct page *page, const struct rs_plan_result *plan)
{
	if (plan->n_containers == 0)
		return;
	rs_json_begin_array(page->writer, "containers");
	for (size_t i = 0; i < plan->n_containers; i++) {
		rs_json_begin_object_compact(page->writer, NULL);
		rs_json_write_string(page->writer, "name", plan->containers[i].name);
		rs_json_write_uint(page->writer, "size_bytes", plan->containers[i].size_bytes);
		rs_json_end_object(page->writer);
	}
	rs_json_end_array(page->writer);
}

/* Only where there are others. */
static void write_configurations(const struct page *page, const struct rs_plan_result *plan)
{
	if (plan->n_configurations == 0)
		return;
	rs_json_begin_array(page->writer, "configurations");
	for (size_t i = 0; i < plan->n_configurations; i++) {
		const struct rs_configuration_result *configuration = &plan->configurations[i];

		rs_json_begin_object_compact(page->writer, NULL);
		rs_json_write_string(page->writer, "name", configuration->name);
		rs_json_write_uint(page->writer, "size_bytes", configuration->size_bytes);
		write_double_or_null(page->writer, "cost_ns", page->record->binding, configuration->cost_ns);
		rs_json_end_object(page->writer);
	}
	rs_json_end_array(page->writer);
}

/* Where nothing is split a declaration goes by its first declarator, as it does when it is not divided. */
static void write_operation(const struct page *page, const struct rs_unit *units,
			    const struct rs_operation *operation, bool by_parts)
{
	size_t after = operation->after_unit;

	rs_json_begin_object_compact(page->writer, NULL);
	rs_json_write_string(page->writer, "kind", operation->kind == RS_OPERATION_SPLIT ? "split" : "move");
	rs_json_begin_array_compact(page->writer, "units");
	for (size_t i = 0; i < operation->n_units; i++)
		if (by_parts || units[operation->first_unit + i].part == 0)
			rs_json_write_string(page->writer, NULL, units[operation->first_unit + i].name);
	rs_json_end_array(page->writer);
	if (after != RS_NONE && !by_parts)
		after -= units[after].part;
	rs_json_write_string(page->writer, "after", after == RS_NONE ? NULL : units[after].name);
	rs_json_end_object(page->writer);
}

static const char *const alteration_names[] = {
	[RS_OPERATION_HOIST] = "hoist", [RS_OPERATION_ALIGN] = "align", [RS_OPERATION_PAD] = "pad",
	[RS_OPERATION_LIFT] = "lift",   [RS_OPERATION_LOWER] = "lower",
};

static void write_alteration(const struct page *page, const struct rs_alteration *alteration)
{
	rs_json_begin_object_compact(page->writer, NULL);
	rs_json_write_string(page->writer, "kind", alteration_names[alteration->kind]);
	rs_json_begin_array_compact(page->writer, "units");
	for (size_t i = 0; i < alteration->n_fields; i++)
		rs_json_write_string(page->writer, NULL, alteration->fields[i]);
	rs_json_end_array(page->writer);
	if (alteration->name)
		rs_json_write_string(page->writer, "name", alteration->name);
	if (alteration->spelling) {
		rs_json_write_uint(page->writer, "bytes", alteration->bytes);
		rs_json_write_string(page->writer, "text", alteration->spelling);
	}
	rs_json_end_object(page->writer);
}

static void write_headline(const struct page *page, const struct rs_record *record,
			   const struct rs_headline *headline)
{
	rs_json_begin_object_compact(page->writer, NULL);
	rs_json_write_string(page->writer, "kind", "comment");
	rs_json_begin_array_compact(page->writer, "units");
	rs_json_write_string(page->writer, NULL, record->units[headline->unit].name);
	rs_json_end_array(page->writer);
	rs_json_write_string(page->writer, "text", headline->text);
	rs_json_end_object(page->writer);
}

static void write_operations(const struct page *page, const struct rs_plan_result *result)
{
	const struct rs_record *record = result->base ? result->base->record : page->record->record;
	const struct rs_plan *plan = result->plan;
	bool by_parts = plan->n_operations > 0 && plan->operations[0].kind == RS_OPERATION_SPLIT;

	rs_json_begin_array(page->writer, "operations");
	for (size_t i = 0; i < result->steps.n_items; i++)
		write_alteration(page, &result->steps.items[i]);
	for (size_t i = 0; i < plan->n_operations; i++)
		write_operation(page, record->units, &plan->operations[i], by_parts);
	for (size_t i = 0; i < result->headlines.n_items; i++)
		write_headline(page, record, &result->headlines.items[i]);
	rs_json_end_array(page->writer);
}

/* In the order of the layout, members of aggregates behind them. */
static void write_plan_fields(const struct page *page, const struct rs_view *view)
{
	const struct rs_member *members = view->record->members;

	rs_json_begin_array(page->writer, "fields");
	for (size_t t = 0; t < view->n_top; t++) {
		for (size_t i = view->top[t]; i <= view->top[t] + members[view->top[t]].n_inside; i++) {
			if (!members[i].path[0])
				continue;
			rs_json_begin_object_compact(page->writer, NULL);
			rs_json_write_string(page->writer, "name", members[i].path);
			rs_json_write_uint(page->writer, "offset_bits", view->offset_bits[i]);
			rs_json_end_object(page->writer);
		}
	}
	rs_json_end_array(page->writer);
}

static bool is_utf8(const char *text, size_t size)
{
	for (size_t at = 0, length; at < size; at += length) {
		length = rs_utf8_length(text + at, size - at);
		if (length == 0)
			return false;
	}
	return true;
}

/* JSON is UTF-8: edits that move other bytes would come out as other bytes, so they are left out and a
 * diagnostic says so. The patch carries them. */
static bool can_carry_edits(const struct rs_plan_result *plan)
{
	for (size_t i = 0; i < plan->n_edits; i++)
		if (!is_utf8(plan->edits[i].text, plan->edits[i].size))
			return false;
	return true;
}

static void write_edits(const struct page *page, const struct rs_plan_result *plan)
{
	size_t n_edits = can_carry_edits(plan) ? plan->n_edits : 0;

	rs_json_begin_array(page->writer, "edits");
	for (size_t i = 0; i < n_edits; i++) {
		const struct rs_edit *edit = &plan->edits[i];

		rs_json_begin_object(page->writer, NULL);
		rs_json_write_string(page->writer, "file", rs_view_source_path(page->result, edit->source));
		rs_json_write_uint(page->writer, "byte_start", edit->span.start);
		rs_json_write_uint(page->writer, "byte_end", edit->span.end);
		write_position(page->writer, "start", edit->source, edit->span.start, false);
		write_position(page->writer, "end", edit->source, edit->span.end, false);
		rs_json_write_bytes(page->writer, "text", edit->text, edit->size);
		rs_json_end_object(page->writer);
	}
	rs_json_end_array(page->writer);
}

static void write_plan(const struct page *page, const struct rs_plan_result *plan)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	struct rs_view view;
	double gain;

	rs_view_init(&view, arena, page->record, plan, page->result->line_bytes);
	rs_json_begin_object(page->writer, NULL);
	rs_json_write_uint(page->writer, "id", plan->plan->id);
	write_double_or_null(page->writer, "cost_ns", page->record->binding, plan->plan->cost_ns);
	gain = rs_frontier_gain(page->record, plan->plan);
	write_double_or_null(page->writer, "gain_percent", !isnan(gain), gain);
	rs_json_write_uint(page->writer, "size_bytes", plan->plan->size_bytes);
	rs_json_write_uint(page->writer, "lines", rs_view_count_lines(&view));
	rs_json_write_uint(page->writer, "moved_blocks", plan->plan->moved_blocks);
	rs_json_write_uint(page->writer, "changed_lines", plan->changed_lines);
	write_operations(page, plan);
	write_plan_fields(page, &view);
	write_pins(page, "remarks", plan->remarks, plan->n_remarks);
	write_configurations(page, plan);
	write_containers(page, plan);
	write_edits(page, plan);
	rs_json_write_bool(page->writer, "verified", plan->verified);
	rs_json_end_object(page->writer);
}

/* Only where there is some. */
static void write_advice(const struct page *page)
{
	const struct rs_record_result *record = page->record;

	if (record->n_advice == 0)
		return;
	rs_json_begin_array(page->writer, "advice");
	for (size_t i = 0; i < record->n_advice; i++) {
		rs_json_begin_object(page->writer, NULL);
		rs_json_write_string(page->writer, "code", record->advice[i].code);
		rs_json_write_string(page->writer, "message", record->advice[i].message);
		rs_json_end_object(page->writer);
	}
	rs_json_end_array(page->writer);
}

static void write_plans(const struct page *page)
{
	const struct rs_record_result *record = page->record;

	rs_json_begin_array(page->writer, "plans");
	for (size_t i = 0; i < record->n_plans; i++)
		write_plan(page, &record->plans[i]);
	rs_json_end_array(page->writer);
	if (record->pick == RS_NONE || record->pick >= record->n_plans)
		rs_json_write_null(page->writer, "pick");
	else
		rs_json_write_uint(page->writer, "pick", record->plans[record->pick].plan->id);
}

static void write_text(struct rs_json_writer *writer, const char *key, const char *text)
{
	if (text)
		rs_json_write_string(writer, key, text);
}

static void write_source(struct rs_json_writer *writer, const struct rs_profile_source *source)
{
	rs_json_begin_object_compact(writer, NULL);
	rs_json_write_string(writer, "tool", source->tool);
	write_text(writer, "version", source->version);
	write_text(writer, "file", source->file);
	write_text(writer, "date", source->date);
	write_text(writer, "trust", source->trust);
	write_text(writer, "reads_unit", source->reads_unit);
	write_text(writer, "writes_unit", source->writes_unit);
	rs_json_end_object(writer);
}

/* Where the figures come from, and the least that can be said of them. */
static void write_sources(const struct page *page)
{
	const struct rs_binding *binding = page->record->binding;
	size_t n_sources = binding ? binding->n_sources : 0;

	rs_json_write_string(page->writer, "trust",
			     binding ? rs_profile_trust(binding->sources, n_sources) : NULL);
	rs_json_begin_array(page->writer, "sources");
	for (size_t i = 0; i < n_sources; i++)
		write_source(page->writer, &binding->sources[i]);
	rs_json_end_array(page->writer);
}

static void write_layout(const struct page *page)
{
	const struct rs_record_result *record = page->record;
	bool was_searched = record->verdict == RS_VERDICT_PLANS || record->verdict == RS_VERDICT_NO_GAIN;
	struct rs_view view;

	rs_view_init(&view, page->arena, record, &record->original, page->result->line_bytes);
	rs_json_write_uint(page->writer, "size_bytes", view.size_bytes);
	rs_json_write_uint(page->writer, "align_bytes", record->record->align_bytes);
	rs_json_write_uint(page->writer, "lines", rs_view_count_lines(&view));
	write_fields(page, &view);
	write_holes(page, &view);
	write_sharing(page, &view);
	write_double_or_null(page->writer, "cost_ns", record->binding, record->original.plan->cost_ns);
	write_double_or_null(page->writer, "lower_bound_ns", record->binding && was_searched,
			     record->lower_bound_ns);
	rs_json_write_bool(page->writer, "proven", was_searched && record->proven);
	write_configurations(page, &record->original);
	write_containers(page, &record->original);
}

static void write_record(struct rs_json_writer *writer, const struct rs_result *result,
			 const struct rs_record_result *record)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	const struct page page = { .writer = writer, .arena = arena, .result = result, .record = record };

	rs_json_begin_object(writer, NULL);
	rs_json_write_string(writer, "name", record->record->name);
	rs_json_write_string(writer, "file", rs_view_source_path(result, record->record->source));
	write_range(&page);
	write_layout(&page);
	write_sources(&page);
	write_pins(&page, "pins", record->record->pins, record->record->n_pins);
	write_pins(&page, "hazards", record->hazards, record->n_hazards);
	write_advice(&page);
	write_plans(&page);
	rs_explain_json_write(writer, result, record);
	rs_json_end_object(writer);
}

static void write_tool(struct rs_json_writer *writer, const struct rs_result *result)
{
	rs_json_begin_object_compact(writer, "tool");
	rs_json_write_string(writer, "name", "restruct");
	rs_json_write_string(writer, "version", RS_VERSION);
	rs_json_write_string(writer, "libclang", result->parser_version);
	rs_json_end_object(writer);
	rs_json_begin_object_compact(writer, "target");
	rs_json_write_string(writer, "triple", result->triple);
	rs_json_write_uint(writer, "line_bytes", result->line_bytes);
	rs_json_end_object(writer);
}

static void write_files(struct rs_json_writer *writer, const struct rs_result *result)
{
	char hash[sizeof "fnv1a64:0123456789abcdef"];

	rs_json_begin_array(writer, "files");
	for (size_t i = 0; i < result->n_files; i++) {
		const struct rs_source *source = result->files[i].source;

		snprintf(hash, sizeof hash, "fnv1a64:%016" PRIx64, source->hash);
		rs_json_begin_object_compact(writer, NULL);
		rs_json_write_string(writer, "path", rs_view_source_path(result, source));
		rs_json_write_string(writer, "hash", hash);
		rs_json_end_object(writer);
	}
	rs_json_end_array(writer);
}

static void write_diagnostic(struct rs_json_writer *writer, const struct rs_result *result,
			     const struct rs_note *note)
{
	rs_json_begin_object(writer, NULL);
	rs_json_write_string(writer, "severity", note->severity == RS_NOTE_WARNING ? "warning" : "info");
	rs_json_write_string(writer, "message", note->message);
	rs_json_write_string(writer, "file", note->path ? rs_view_path(result, note->path) : NULL);
	write_place(writer, "line", note->line);
	write_place(writer, "column", note->column);
	rs_json_end_object(writer);
}

static void write_remark(struct rs_json_writer *writer, const struct rs_result *result,
			 const struct rs_record *record, enum rs_note_severity severity, const char *message)
{
	struct rs_position at = rs_source_position(record->source, record->span.start);
	const struct rs_note note = { .severity = severity,
				      .path = rs_view_source_path(result, record->source),
				      .line = at.line,
				      .column = at.column,
				      .message = message };

	write_diagnostic(writer, result, &note);
}

static void write_diagnostics(struct rs_json_writer *writer, const struct rs_result *result)
{
	rs_json_begin_array(writer, "diagnostics");
	for (size_t i = 0; result->notes && i < result->notes->n_items; i++)
		write_diagnostic(writer, result, &result->notes->items[i]);
	for (size_t r = 0; r < result->n_records; r++) {
		const struct rs_record_result *record = &result->records[r];
		size_t n_carried = 0;

		while (n_carried < record->n_plans && can_carry_edits(&record->plans[n_carried]))
			n_carried++;
		if (n_carried < record->n_plans)
			write_remark(
				writer, result, record->record, RS_NOTE_WARNING,
				"the moved text is not UTF-8 and cannot stand in JSON: no edits are given, "
				"the patch has them");
		if (record->held_gain)
			write_remark(writer, result, record->record, RS_NOTE_INFO, record->held_gain);
	}
	rs_json_end_array(writer);
}

static void write_finding(struct rs_json_writer *writer, const struct rs_result *result,
			  const struct rs_finding *finding)
{
	static const char *const levels[] = { "note", "warning", "error" };
	char fingerprint[17];

	snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64, finding->fingerprint);
	rs_json_begin_object(writer, NULL);
	rs_json_write_string(writer, "code", finding->code);
	rs_json_write_string(writer, "level", levels[finding->level]);
	rs_json_write_string(writer, "message", finding->message);
	rs_json_write_string(writer, "struct", finding->record);
	rs_json_write_string(writer, "member", finding->member);
	rs_json_write_string(writer, "file", finding->path ? rs_view_path(result, finding->path) : NULL);
	write_place(writer, "line", finding->line);
	write_place(writer, "column", finding->column);
	rs_json_write_string(writer, "fingerprint", fingerprint);
	rs_json_end_object(writer);
}

static void write_findings(struct rs_json_writer *writer, const struct rs_result *result)
{
	rs_json_begin_array(writer, "findings");
	for (size_t i = 0; i < result->n_findings; i++)
		write_finding(writer, result, &result->findings[i]);
	rs_json_end_array(writer);
}

struct rs_error *rs_report_write_json(struct rs_builder *out, const struct rs_result *result,
				      const struct rs_report_options *options)
{
	struct rs_json_writer writer;

	rs_json_writer_init(&writer, out);
	rs_json_begin_object(&writer, NULL);
	rs_json_write_uint(&writer, "restruct", 1);
	write_tool(&writer, result);
	write_files(&writer, result);
	rs_json_begin_array(&writer, "structs");
	for (size_t i = 0; i < result->n_records; i++)
		write_record(&writer, result, &result->records[i]);
	rs_json_end_array(&writer);
	if (options->kind == RS_REPORT_CHECK || options->kind == RS_REPORT_REVIEW)
		write_findings(&writer, result);
	write_diagnostics(&writer, result);
	rs_json_end_object(&writer);
	return NULL;
}
