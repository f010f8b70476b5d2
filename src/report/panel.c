#include "report/panel.h"

#include <inttypes.h>

#include "record/pins.h"
#include "report/columns.h"
#include "report/format.h"
#include "report/profile.h"
#include "report/style.h"

enum { NAMES_SHOWN = 8, LINES_SHOWN = 16, TEXT_COLUMNS = 78 };

static void print_sharing_line(struct rs_builder *out, const struct rs_view *view,
			       const struct rs_line_report *line, const struct rs_report_options *options)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };

	rs_builder_printf(&text, "L%" PRIu64 " false sharing ", line->line);
	rs_format_ns(&text, line->false_ns);
	rs_builder_appends(&text, " ns, true sharing ");
	rs_format_ns(&text, line->true_ns);
	rs_builder_appends(&text, " ns: ");
	rs_format_eviction(&text, view->record, line, options->verbose ? 0 : NAMES_SHOWN);
	rs_columns_hang(out, text.data, 2, 6, TEXT_COLUMNS);
}

/* When the members themselves are fought over, no order helps: better said than left to be tried. */
static void print_true_sharing(struct rs_builder *out, const struct rs_view *view, double true_ns)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	double cost_ns = view->layout->plan->cost_ns;

	if (true_ns <= 0 || cost_ns <= 0 || true_ns < cost_ns / 2)
		return;
	rs_builder_printf(&text, "true sharing is %.0f %% of the cost, and no order of members removes it: ",
			  100 * true_ns / cost_ns);
	rs_builder_appends(&text, "count per CPU, shard, or give each CPU its own copy");
	rs_columns_wrap(out, text.data, 2, TEXT_COLUMNS);
}

void rs_panel_print_sharing(struct rs_builder *out, const struct rs_view *view,
			    const struct rs_report_options *options)
{
	size_t n_shared = 0;
	double true_ns = 0;

	if (!view->result->binding)
		return;
	rs_builder_appends(out, "sharing\n");
	for (size_t i = 0; i < view->n_lines; i++) {
		if (!rs_view_is_shared(view->lines[i]))
			continue;
		print_sharing_line(out, view, view->lines[i], options);
		true_ns += view->lines[i]->true_ns;
		n_shared++;
	}
	if (n_shared == 0)
		rs_builder_appends(out, "  none: no CPU writes to a line that another one uses\n");
	print_true_sharing(out, view, true_ns);
}

static void print_cost_line(struct rs_builder *out, const struct rs_line_report *line, double cost_ns)
{
	rs_builder_printf(out, "  L%-3" PRIu64 " %12.3f ns", line->line, line->cost_ns);
	if (cost_ns > 0)
		rs_builder_printf(out, "  %5.1f %%", 100 * line->cost_ns / cost_ns);
	rs_builder_printf(out, "  %.0f %% of its accesses write\n", 100 * line->write_share);
}

void rs_panel_print_cost(struct rs_builder *out, const struct rs_view *view,
			 const struct rs_report_options *options)
{
	double cost_ns = view->layout->plan->cost_ns;
	size_t n_shown = 0, n_left = 0;

	if (!view->result->binding)
		return;
	rs_builder_printf(out, "cost %.3f ns per unit of rate\n", cost_ns);
	for (size_t i = 0; i < view->n_lines; i++) {
		if (view->lines[i]->cost_ns <= 0)
			continue;
		if (n_shown == LINES_SHOWN && !options->verbose) {
			n_left++;
			continue;
		}
		print_cost_line(out, view->lines[i], cost_ns);
		n_shown++;
	}
	if (n_left > 0)
		rs_builder_printf(out, "  ... %zu more lines\n", n_left);
}

static void print_placement(struct rs_builder *out, const struct rs_view *view)
{
	const struct rs_placement *placement = &view->result->binding->placement;

	switch (placement->kind) {
	case RS_PLACE_LINE_ALIGNED:
		rs_builder_appends(out, "each object starts a line");
		break;
	case RS_PLACE_ALIGNED:
		rs_builder_printf(out, "objects are aligned to %u bytes", placement->align_bytes);
		break;
	case RS_PLACE_ARRAY:
		rs_builder_appends(out, "objects lie in an array");
		break;
	case RS_PLACE_EMBEDDED:
		rs_builder_appends(out, "objects are embedded");
		for (size_t i = 0; i < placement->n_bases; i++) {
			const struct rs_placement_base *base = &placement->bases[i];

			rs_builder_printf(out, "%s %s%s%s at %" PRIu64 " of a line", i ? "," : " in",
					  base->container ? base->container : "?", base->member ? "." : "",
					  base->member ? base->member : "", base->base_bytes);
		}
		break;
	}
	if (view->base_bytes > 0)
		rs_builder_printf(out, " (shown at %" PRIu64 ")", view->base_bytes);
}

static void print_residence(struct rs_builder *out, const struct rs_binding *binding)
{
	if (binding->machine.cache_lines <= 0) {
		rs_builder_appends(out, "untouched lines stay cached (T infinite)");
		return;
	}
	rs_builder_appends(out, "T from ");
	rs_format_rate(out, binding->machine.cache_lines);
	rs_builder_appends(out, " lines of cache");
	if (binding->instances > 0) {
		rs_builder_appends(out, " for ");
		rs_format_rate(out, binding->instances);
		rs_builder_appends(out, " objects");
	}
}

void rs_panel_print_assumptions(struct rs_builder *out, const struct rs_view *view)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	const struct rs_binding *binding = view->result->binding;

	rs_builder_printf(&text, "assumed: %u-byte lines", view->line_bytes);
	if (!binding) {
		rs_builder_appends(&text, "; each object starts a line");
	} else {
		rs_builder_appends(&text, binding->machine.pair ? " fetched in pairs; " : "; ");
		print_placement(&text, view);
		rs_builder_appends(&text, "; ");
		rs_format_count(&text, binding->n_cpus, "CPU");
		rs_builder_printf(&text, "; hit %g, coherence %g, upgrade %g ns; ", binding->machine.t_hit_ns,
				  binding->machine.t_coherence_ns, binding->machine.t_upgrade_ns);
		print_residence(&text, binding);
	}
	rs_columns_wrap(out, text.data, 0, TEXT_COLUMNS);
	if (binding)
		rs_report_sources(out, binding->sources, binding->n_sources, 0);
}

/* Pins of one record, to be told with the files that they are in. */
struct told {
	const struct rs_result *result;
	const struct rs_record *record;
};

static const char *place_of(void *data, const struct rs_pin *pin)
{
	const struct told *told = data;

	return pin->file ? rs_view_path(told->result, pin->file)
			 : rs_view_source_path(told->result, told->record->source);
}

/* What several places say is said once. */
static void print_pins(struct rs_builder *out, struct told told, const struct rs_pin *pins, size_t count,
		       const char *word)
{
	for (size_t i = 0; i < count; i++) {
		const struct rs_pin *pin = &pins[i];

		if (rs_pins_first_alike(pins, i) != i)
			continue;
		rs_builder_printf(out, "%s: ", pin->refuses ? "refused" : word);
		rs_columns_append(out, pin->message);
		rs_builder_printf(out, " (%s, %s) ", pin->code, rs_pin_strength_name(pin->strength));
		rs_columns_append(out, place_of(&told, pin));
		if (pin->line > 0)
			rs_builder_printf(out, ":%u", pin->line);
		rs_pins_print_others(out, pins, count, i, place_of, &told);
		rs_builder_appendc(out, '\n');
	}
}

void rs_panel_print_remarks(struct rs_builder *out, const struct rs_result *result,
			    const struct rs_record_result *record, const struct rs_plan_result *plan)
{
	print_pins(out, (struct told) { result, record->record }, plan->remarks, plan->n_remarks, "mind");
}

void rs_panel_print_held(struct rs_builder *out, const struct rs_result *result,
			 const struct rs_record_result *record, const struct rs_pin *pins, size_t count)
{
	if (count == 0)
		rs_builder_appends(out, "  held by nothing\n");
	print_pins(out, (struct told) { result, record->record }, pins, count, "  held");
}

void rs_panel_print_pins(struct rs_builder *out, const struct rs_result *result,
			 const struct rs_record_result *record)
{
	struct told told = { result, record->record };

	print_pins(out, told, record->record->pins, record->record->n_pins, "pinned");
	print_pins(out, told, record->hazards, record->n_hazards, "hazard");
}
