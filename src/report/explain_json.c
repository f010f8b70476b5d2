#include "report/explain_json.h"

#include "report/json_pins.h"
#include "report/view.h"

/* One field in one layout. */
struct page {
	struct rs_json_writer *writer;
	const struct rs_record_result *of;
	const struct rs_explanation *explanation;
	const struct rs_plan *plan;
};

static void write_path(const struct page *page, const struct rs_explain_path *path)
{
	rs_json_begin_object_compact(page->writer, NULL);
	rs_json_write_string(page->writer, "path", page->of->binding->paths[path->path].name);
	rs_json_write_double(page->writer, "with_ns", path->with_ns);
	rs_json_write_double(page->writer, "without_ns", path->without_ns);
	rs_json_write_double(page->writer, "alone_ns", path->alone_ns);
	rs_json_end_object(page->writer);
}

static void write_line(const struct page *page, const struct rs_explain_line *line)
{
	const struct rs_member *members = page->of->record->members;

	rs_json_begin_object(page->writer, NULL);
	rs_json_write_uint(page->writer, "line", line->line);
	rs_json_write_uint(page->writer, "lines", line->n_lines);
	rs_json_begin_array_compact(page->writer, "company");
	for (size_t i = 0; i < line->n_company; i++)
		rs_json_write_string(page->writer, NULL, rs_view_member_name(&members[line->company[i]]));
	for (size_t i = 0; i < line->n_outsiders; i++)
		rs_json_write_string(page->writer, NULL, line->outsiders[i]);
	rs_json_end_array(page->writer);
	rs_json_begin_array(page->writer, "paths");
	for (size_t i = 0; i < line->n_paths; i++)
		write_path(page, &line->paths[i]);
	rs_json_end_array(page->writer);
	rs_json_end_object(page->writer);
}

/* By path what the move changes; paths that pay the same are left out. */
static void write_changes(const struct page *page, const struct rs_explain_move *move)
{
	const struct rs_binding *binding = page->of->binding;

	rs_json_begin_array(page->writer, "paths");
	for (size_t p = 0; binding && p < binding->n_paths; p++) {
		double change = move->path_ns[p] - page->explanation->path_ns[p];

		if (change == 0)
			continue;
		rs_json_begin_object_compact(page->writer, NULL);
		rs_json_write_string(page->writer, "path", binding->paths[p].name);
		rs_json_write_double(page->writer, "change_ns", change);
		rs_json_end_object(page->writer);
	}
	rs_json_end_array(page->writer);
}

static void write_move(const struct page *page, const struct rs_explain_move *move)
{
	const struct rs_record *record = page->of->record;

	rs_json_begin_object(page->writer, NULL);
	rs_json_write_uint(page->writer, "line", move->line);
	rs_json_write_string(page->writer, "after",
			     move->behind == RS_NONE ? NULL : record->units[move->behind].name);
	rs_json_write_uint(page->writer, "offset_bits", move->offset_bits);
	rs_json_write_uint(page->writer, "size_bytes", move->size_bytes);
	if (page->of->cost)
		rs_json_write_double(page->writer, "change_ns", move->cost_ns - page->plan->cost_ns);
	else
		rs_json_write_null(page->writer, "change_ns");
	write_changes(page, move);
	rs_json_write_string(page->writer, "refusal", move->refusal);
	rs_json_end_object(page->writer);
}

static void write_layout(const struct page *page, const char *key, bool with_moves)
{
	const struct rs_explanation *explanation = page->explanation;

	rs_json_begin_object(page->writer, key);
	rs_json_write_uint(page->writer, "plan", page->plan->id);
	rs_json_write_uint(page->writer, "offset_bits", explanation->offset_bits);
	rs_json_write_uint(page->writer, "first_line", explanation->first_line);
	rs_json_write_uint(page->writer, "last_line", explanation->last_line);
	rs_json_begin_array(page->writer, "lines");
	for (size_t i = 0; i < explanation->n_lines; i++)
		write_line(page, &explanation->lines[i]);
	rs_json_end_array(page->writer);
	if (with_moves) {
		rs_json_begin_array(page->writer, "moves");
		for (size_t i = 0; i < explanation->n_moves; i++)
			write_move(page, &explanation->moves[i]);
		rs_json_end_array(page->writer);
	}
	rs_json_end_object(page->writer);
}

static void write_explained(struct rs_json_writer *writer, const struct rs_result *result,
			    const struct rs_record_result *record, const struct rs_explained *explained)
{
	struct page page = {
		.writer = writer, .of = record, .explanation = &explained->now, .plan = record->original.plan
	};

	rs_json_begin_object(writer, NULL);
	rs_json_write_string(writer, "field", explained->name);
	write_layout(&page, "now", !explained->plan && record->verdict != RS_VERDICT_REFUSED);
	if (explained->plan) {
		page.of = explained->plan->base ? explained->plan->base : record;
		page.explanation = &explained->then;
		page.plan = explained->plan->plan;
		write_layout(&page, "then", true);
	}
	rs_json_pins_write(writer, result, record->record, "held", explained->held, explained->n_held);
	rs_json_end_object(writer);
}

void rs_explain_json_write(struct rs_json_writer *writer, const struct rs_result *result,
			   const struct rs_record_result *record)
{
	if (record->n_explanations == 0)
		return;
	rs_json_begin_array(writer, "explanations");
	for (size_t i = 0; i < record->n_explanations; i++)
		write_explained(writer, result, record, &record->explanations[i]);
	rs_json_end_array(writer);
}
