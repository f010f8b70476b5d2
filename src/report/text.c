#include "report/annotate.h"

#include <string.h>

#include "report/columns.h"
#include "report/explain.h"
#include "report/format.h"
#include "report/frontier.h"
#include "report/map.h"
#include "report/panel.h"
#include "report/style.h"
#include "report/writers.h"

enum { TEXT_COLUMNS = 78 };

/* One record being written. */
struct page {
	struct rs_builder *out;
	struct rs_arena *arena;
	const struct rs_result *result;
	const struct rs_record_result *record;
	const struct rs_report_options *options;
};

static void print_panels(const struct page *page, const struct rs_view *view)
{
	rs_panel_print_sharing(page->out, view, page->options);
	rs_panel_print_cost(page->out, view, page->options);
	rs_panel_print_assumptions(page->out, view);
}

static void print_annotation(const struct page *page)
{
	struct rs_view view;

	rs_view_init(&view, page->arena, page->record, &page->record->original, page->result->line_bytes);
	rs_annotate_print(page->out, page->arena, page->result, &view, page->options);
	if (page->record->binding || page->options->verbose) {
		rs_builder_appendc(page->out, '\n');
		rs_map_print_view(page->out, page->arena, &view, page->options->color);
		rs_map_print_legend(page->out, page->record->binding != NULL, page->options->color);
		rs_builder_appendc(page->out, '\n');
		print_panels(page, &view);
	}
	rs_panel_print_pins(page->out, page->result, page->record);
}

static void print_heading(const struct page *page)
{
	const struct rs_record *record = page->record->record;

	rs_style_begin(page->out, page->options->color, RS_STYLE_HEADING);
	rs_builder_appends(page->out, record->is_typedef ? "" : "struct ");
	rs_columns_append(page->out, record->name);
	rs_style_end(page->out, page->options->color, RS_STYLE_HEADING);
	rs_builder_appends(page->out, "  ");
	rs_columns_append(page->out, rs_view_source_path(page->result, record->source));
	rs_builder_printf(page->out, ":%u\n", rs_source_position(record->source, record->span.start).line);
}

static void print_refusal(const struct page *page, const struct rs_view *before)
{
	rs_builder_appends(page->out, "refused: nothing in it may move, ");
	rs_format_count(page->out, before->size_bytes, "byte");
	rs_builder_appends(page->out, " in ");
	rs_format_count(page->out, rs_view_count_lines(before), "line");
	rs_builder_appendc(page->out, '\n');
	print_panels(page, before);
}

static void print_no_gain(const struct page *page, const struct rs_view *before)
{
	rs_builder_appends(page->out, "no gain: ");
	rs_builder_appends(page->out, page->record->is_by_hand ? "the order asked for is the one it has\n"
				      : page->record->proven
					      ? "no permitted order is better than the one it has\n"
					      : "no better order was found\n");
	if (page->record->held_gain)
		rs_builder_printf(page->out, "%s\n", page->record->held_gain);
	rs_frontier_print(page->out, page->record, before, page->options);
	print_panels(page, before);
}

static void print_maps(const struct page *page, const struct rs_view *before, const struct rs_view *after)
{
	rs_map_print_view(page->out, page->arena, before, page->options->color);
	rs_builder_appendc(page->out, '\n');
	rs_map_print_view(page->out, page->arena, after, page->options->color);
	rs_map_print_legend(page->out, page->record->binding != NULL, page->options->color);
	rs_builder_appendc(page->out, '\n');
}

static void print_plans(const struct page *page, const struct rs_view *views)
{
	const struct rs_record_result *record = page->record;

	rs_frontier_print(page->out, record, views, page->options);
	rs_frontier_print_initializers(page->out, page->result, &record->plans[0], page->options);
	if (record->pick == RS_NONE) {
		print_panels(page, &views[0]);
		return;
	}
	const struct rs_view *after = &views[1 + record->pick];
	rs_builder_appendc(page->out, '\n');
	rs_frontier_print_moves(page->out, &views[0], after, page->options);
	rs_panel_print_remarks(page->out, page->result, record, after->layout);
	rs_builder_appendc(page->out, '\n');
	print_maps(page, &views[0], after);
	if (record->binding)
		rs_builder_printf(page->out, "with plan %u\n", after->layout->plan->id);
	print_panels(page, after);
}

/* The panel of sharing has a word on true sharing already. */
static void print_advice(const struct page *page)
{
	const struct rs_record_result *record = page->record;

	for (size_t i = 0; i < record->n_advice; i++) {
		RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };

		if (strcmp(record->advice[i].code, "true-sharing") == 0)
			continue;
		rs_builder_printf(&text, "advice, no reorder: %s (%s)", record->advice[i].message,
				  record->advice[i].code);
		rs_columns_hang(page->out, text.data, 0, 2, TEXT_COLUMNS);
	}
}

static void print_optimization(const struct page *page)
{
	const struct rs_record_result *record = page->record;
	struct rs_view *views = rs_arena_array(page->arena, struct rs_view, record->n_plans + 1);

	rs_view_init(&views[0], page->arena, record, &record->original, page->result->line_bytes);
	for (size_t i = 0; i < record->n_plans; i++)
		rs_view_init(&views[1 + i], page->arena, record, &record->plans[i], page->result->line_bytes);
	print_heading(page);
	if (record->verdict == RS_VERDICT_REFUSED)
		print_refusal(page, &views[0]);
	else if (record->n_plans == 0)
		print_no_gain(page, &views[0]);
	else
		print_plans(page, views);
	rs_explain_print(page->out, page->result, record, page->options);
	print_advice(page);
	rs_panel_print_pins(page->out, page->result, record);
}

struct rs_error *rs_report_write_text(struct rs_builder *out, const struct rs_result *result,
				      const struct rs_report_options *options)
{
	for (size_t i = 0; i < result->n_records; i++) {
		RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
		const struct page page = { .out = out,
					   .arena = arena,
					   .result = result,
					   .record = &result->records[i],
					   .options = options };

		rs_builder_appends(out, i ? "\n" : "");
		if (options->kind == RS_REPORT_ANNOTATE)
			print_annotation(&page);
		else
			print_optimization(&page);
	}
	return NULL;
}
