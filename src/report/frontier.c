#include "report/frontier.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "report/columns.h"
#include "report/format.h"
#include "report/style.h"

enum {
	PLANS_ACROSS = 8,
	PATHS_SHOWN = 32,
	NAME_COLUMNS = 24,
	MOVES_SHOWN = 24,
	FILES_SHOWN = 8,
	CONFIGURATIONS_SHOWN = 4,
	TEXT_COLUMNS = 78
};

/* What plans are compared by: nanoseconds with a profile, bytes without. */
static double value_of(const struct rs_record_result *record, const struct rs_plan *plan)
{
	return record->binding ? plan->cost_ns : (double)plan->size_bytes;
}

static const struct rs_plan *find_best(const struct rs_record_result *record)
{
	const struct rs_plan *best = record->original.plan;

	for (size_t i = 0; i < record->n_plans; i++)
		if (value_of(record, record->plans[i].plan) < value_of(record, best))
			best = record->plans[i].plan;
	return best;
}

double rs_frontier_gain(const struct rs_record_result *record, const struct rs_plan *plan)
{
	double original = value_of(record, record->original.plan);
	double reachable = original - value_of(record, find_best(record));

	return reachable > 0 ? 100 * (original - value_of(record, plan)) / reachable : NAN;
}

static void print_row(struct rs_builder *out, const struct rs_record_result *record, const struct rs_view *view,
		      bool is_pick, const struct rs_report_options *options)
{
	const struct rs_plan *plan = view->layout->plan;
	double gain = rs_frontier_gain(record, plan);

	rs_style_begin(out, options->color, is_pick ? RS_STYLE_HEADING : RS_STYLE_PLAIN);
	rs_builder_printf(out, "%c %4u", is_pick ? '*' : ' ', plan->id);
	if (view->result->binding)
		rs_builder_printf(out, "  %14.3f", plan->cost_ns);
	if (plan->id == 0 || isnan(gain))
		rs_builder_appends(out, "       -  ");
	else
		rs_builder_printf(out, "  %6.1f  ", gain);
	rs_format_bytes(out, options->hex, 6, plan->size_bytes);
	rs_builder_printf(out, "  %5" PRIu64, rs_view_count_lines(view));
	if (plan->id == 0)
		rs_builder_appends(out, "       -        -");
	else
		rs_builder_printf(out, "  %6zu  %7zu", plan->moved_blocks, view->layout->changed_lines);
	rs_style_end(out, options->color, is_pick ? RS_STYLE_HEADING : RS_STYLE_PLAIN);
	rs_builder_appendc(out, '\n');
}

/* The plan with the fewest changed lines that has nearly all of this one's gain in fewer bytes; NULL. */
static const struct rs_plan_result *find_smaller(const struct rs_record_result *record,
						 const struct rs_plan_result *plan)
{
	const struct rs_plan_result *found = NULL;

	for (size_t i = 0; i < record->n_plans; i++) {
		const struct rs_plan_result *other = &record->plans[i];

		if (other->plan->size_bytes >= plan->plan->size_bytes ||
		    rs_frontier_gain(record, other->plan) < 0.95 * rs_frontier_gain(record, plan->plan))
			continue;
		if (!found || other->changed_lines < found->changed_lines)
			found = other;
	}
	return found;
}

/* "Is there some better way?" of a plan that buys its gain with bytes alone. */
static void print_price(struct rs_builder *out, const struct rs_record_result *record,
			const struct rs_plan_result *plan)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	const struct rs_plan_result *smaller = find_smaller(record, plan);
	uint64_t before = record->original.plan->size_bytes, after = plan->plan->size_bytes;

	rs_builder_printf(&text, "plan %u %s ", plan->plan->id,
			  plan->steps.items[0].kind == RS_OPERATION_ALIGN ? "aligns" : "pads before");
	for (size_t i = 0; i < plan->steps.n_items; i++) {
		rs_builder_appends(&text, i == 0 ? "" : i + 1 < plan->steps.n_items ? ", " : " and ");
		rs_columns_append(&text, plan->steps.items[i].fields[0]);
	}
	rs_builder_printf(&text, ": %" PRIu64 " -> %" PRIu64 " bytes for %.1f %% of the gain; ", before, after,
			  rs_frontier_gain(record, plan->plan));
	if (!smaller) {
		rs_builder_appends(&text, "no plan with fewer bytes has as much");
	} else {
		rs_builder_printf(&text, "better: plan %u gains %.1f %% with %" PRIu64 " bytes (",
				  smaller->plan->id, rs_frontier_gain(record, smaller->plan),
				  smaller->plan->size_bytes);
		rs_format_count(&text, smaller->changed_lines, "changed line");
		rs_builder_appendc(&text, ')');
	}
	rs_columns_hang(out, text.data, 0, 2, TEXT_COLUMNS);
}

static void print_prices(struct rs_builder *out, const struct rs_record_result *record)
{
	for (size_t i = 0; i < record->n_plans; i++) {
		const struct rs_plan_result *plan = &record->plans[i];

		if (plan->steps.n_items > 0 && plan->steps.items[0].kind != RS_OPERATION_HOIST &&
		    !plan->steps.items[0].through && plan->plan->n_operations == 0 &&
		    plan->plan->size_bytes > record->original.plan->size_bytes)
			print_price(out, record, plan);
	}
}

static void print_bound(struct rs_builder *out, const struct rs_record_result *record,
			const struct rs_report_options *options)
{
	const struct rs_plan *best = find_best(record);
	double bound = record->binding ? record->lower_bound_ns : (double)record->lower_bound_bytes;
	double gap = value_of(record, best) - bound;

	if (bound <= 0 && !record->proven) {
		rs_builder_appends(out, "lower bound not known\n");
		return;
	}
	rs_builder_appends(out, "lower bound ");
	if (record->binding)
		rs_builder_printf(out, "%.3f ns: ", record->lower_bound_ns);
	else
		rs_format_bytes(out, options->hex, 0, record->lower_bound_bytes),
			rs_builder_appends(out, " bytes: ");
	if (best->id == 0)
		rs_builder_appends(out, "the order as it stands");
	else
		rs_builder_printf(out, "plan %u", best->id);
	if (record->proven)
		rs_builder_appends(out, " is proven optimal\n");
	else if (record->binding)
		rs_builder_printf(out, " is at most %.3f ns (%.2f %%) above it\n", gap,
				  100 * gap / value_of(record, best));
	else
		rs_builder_printf(out, " is at most %.0f bytes above it\n", gap);
}

/* The plan that gains most with so many blocks; NULL when none has fewer than one more. */
static const struct rs_plan *find_best_with(const struct rs_record_result *record, size_t most_blocks)
{
	const struct rs_plan *best = NULL;

	for (size_t i = 0; i < record->n_plans; i++) {
		const struct rs_plan *plan = record->plans[i].plan;

		if (plan->moved_blocks <= most_blocks &&
		    (!best || value_of(record, plan) < value_of(record, best)))
			best = plan;
	}
	return best;
}

static size_t find_next_count(const struct rs_record_result *record, size_t above)
{
	size_t next = SIZE_MAX;

	for (size_t i = 0; i < record->n_plans; i++) {
		size_t blocks = record->plans[i].plan->moved_blocks;

		if (blocks > above && blocks < next)
			next = blocks;
	}
	return next;
}

/* What each number of moves buys, where one more buys more. */
static void print_shares(struct rs_builder *out, const struct rs_record_result *record)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	const struct rs_plan *before = record->original.plan;
	bool is_first = true;

	if (isnan(rs_frontier_gain(record, before)))
		return;
	for (size_t n = find_next_count(record, 0); n < SIZE_MAX; n = find_next_count(record, n)) {
		const struct rs_plan *plan = find_best_with(record, n);

		if (value_of(record, plan) >= value_of(record, before))
			continue;
		before = plan;
		rs_builder_appends(&text, is_first ? "" : "; ");
		rs_format_count(&text, n, "move");
		rs_builder_printf(&text, ": %.4g %%%s", rs_frontier_gain(record, plan),
				  is_first ? " of the gain" : "");
		is_first = false;
		if (record->proven && plan == find_best_with(record, SIZE_MAX))
			rs_builder_appends(&text, " (proven)");
	}
	if (!is_first)
		rs_columns_hang(out, text.data, 0, 2, TEXT_COLUMNS);
}

static void print_path_head(struct rs_builder *out, const struct rs_record_result *record, size_t n_plans)
{
	rs_builder_appends(out, "lines touched by one execution of\n  ");
	rs_columns_pad(out, "path", NAME_COLUMNS);
	rs_builder_appends(out, "        rate    now");
	for (size_t i = 0; i < n_plans; i++)
		rs_builder_printf(out, "  %4u%c", record->plans[i].plan->id, i == record->pick ? '*' : ' ');
	rs_builder_appendc(out, '\n');
}

static void print_path(struct rs_builder *out, const struct rs_view *views, size_t path, size_t n_plans)
{
	const struct rs_record_result *record = views[0].result;
	const struct rs_bound_path *bound = &record->binding->paths[path];

	rs_builder_appends(out, "  ");
	rs_columns_pad(out, bound->name ? bound->name : "(unnamed)", NAME_COLUMNS);
	rs_builder_printf(out, "  %10.6g", bound->rate);
	for (size_t i = 0; i <= n_plans; i++) {
		size_t lines = rs_cost_lines_of_path(views[i].result->cost, path, views[i].offset_bits,
						     views[i].size_bytes);

		rs_builder_printf(out, "  %*zu", i ? 4 : 5, lines);
		rs_builder_appends(out, i ? " " : "");
	}
	rs_builder_appendc(out, '\n');
}

static void print_paths(struct rs_builder *out, const struct rs_view *views,
			const struct rs_report_options *options)
{
	const struct rs_record_result *record = views[0].result;
	size_t n_plans = record->n_plans < PLANS_ACROSS ? record->n_plans : PLANS_ACROSS;
	size_t n_paths = record->binding ? record->binding->n_paths : 0;
	size_t shown = n_paths > PATHS_SHOWN && !options->verbose ? PATHS_SHOWN : n_paths;

	if (!record->cost || n_paths == 0 || n_plans == 0)
		return;
	print_path_head(out, record, n_plans);
	for (size_t i = 0; i < shown; i++)
		print_path(out, views, i, n_plans);
	if (shown < n_paths)
		rs_builder_printf(out, "  ... %zu more paths\n", n_paths - shown);
}

static void print_figure(struct rs_builder *out, const struct rs_configuration_result *figure, bool with_cost,
			 const struct rs_report_options *options)
{
	if (with_cost)
		rs_builder_printf(out, "  %14.3f", figure->cost_ns);
	rs_format_bytes(out, options->hex, 8, figure->size_bytes);
}

/* The same plans where other macros or flags show other members: a row a plan. */
static void print_configuration(struct rs_builder *out, const struct rs_view *views, size_t index,
				const struct rs_report_options *options)
{
	const struct rs_record_result *record = views[0].result;

	rs_builder_appends(out, "in configuration ");
	rs_columns_append(out, record->original.configurations[index].name);
	rs_builder_appends(out, record->binding ? "\n  plan         cost ns   bytes\n" : "\n  plan   bytes\n");
	for (size_t i = 0; i <= record->n_plans; i++) {
		const struct rs_plan_result *plan = views[i].layout;

		rs_builder_printf(out, "%c %4u", i > 0 && i - 1 == record->pick ? '*' : ' ', plan->plan->id);
		print_figure(out, &plan->configurations[index], record->binding != NULL, options);
		rs_builder_appendc(out, '\n');
	}
}

static void print_configurations(struct rs_builder *out, const struct rs_view *views,
				 const struct rs_report_options *options)
{
	const struct rs_record_result *record = views[0].result;
	size_t count = record->original.n_configurations;
	size_t shown = count > CONFIGURATIONS_SHOWN && !options->verbose ? CONFIGURATIONS_SHOWN : count;

	for (size_t i = 0; i < shown; i++)
		print_configuration(out, views, i, options);
	if (shown < count) {
		rs_builder_appends(out, "... ");
		rs_format_count(out, count - shown, "more configuration");
		rs_builder_appends(out, " (-v lists all)\n");
	}
}

/* What structs that embed the record come to: a row a plan. */
static void print_containers(struct rs_builder *out, const struct rs_view *views,
			     const struct rs_report_options *options)
{
	const struct rs_record_result *record = views[0].result;

	if (record->original.n_containers == 0 || record->n_plans == 0)
		return;
	rs_builder_appends(out, "bytes of what embeds it\n  plan");
	for (size_t c = 0; c < record->original.n_containers; c++)
		rs_builder_printf(out, "  %10s", record->original.containers[c].name);
	rs_builder_appendc(out, '\n');
	for (size_t i = 0; i <= record->n_plans; i++) {
		const struct rs_plan_result *plan = views[i].layout;

		rs_builder_printf(out, "%c %4u", i > 0 && i - 1 == record->pick ? '*' : ' ', plan->plan->id);
		for (size_t c = 0; c < plan->n_containers; c++)
			rs_format_bytes(out, options->hex, 12, plan->containers[c].size_bytes);
		rs_builder_appendc(out, '\n');
	}
}

void rs_frontier_print(struct rs_builder *out, const struct rs_record_result *record,
		       const struct rs_view *views, const struct rs_report_options *options)
{
	rs_builder_appends(out, record->binding
					? "  plan         cost ns  gain %   bytes  lines  blocks  changed\n"
					: "  plan  gain %   bytes  lines  blocks  changed\n");
	print_row(out, record, &views[0], false, options);
	for (size_t i = 0; i < record->n_plans; i++)
		print_row(out, record, &views[1 + i], i == record->pick, options);
	print_prices(out, record);
	print_shares(out, record);
	print_bound(out, record, options);
	print_paths(out, views, options);
	print_containers(out, views, options);
	print_configurations(out, views, options);
}

void rs_frontier_print_initializers(struct rs_builder *out, const struct rs_result *result,
				    const struct rs_plan_result *plan, const struct rs_report_options *options)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	size_t limit = options->verbose ? SIZE_MAX : FILES_SHOWN, n_files = 0;

	for (size_t i = 0; i < plan->n_changes; i++) {
		const struct rs_file_change *change = &plan->changes[i];

		if (change->n_initializers == 0 || n_files++ >= limit)
			continue;
		rs_builder_appends(&text, n_files == 1 ? "also changes: " : ", ");
		rs_builder_appends(&text, rs_view_source_path(result, change->source));
		rs_builder_appends(&text, " (");
		rs_format_count(&text, change->n_initializers, "initialiser");
		rs_builder_appendc(&text, ')');
	}
	if (n_files > limit)
		rs_builder_printf(&text, ", and %zu more files", n_files - limit);
	if (n_files > 0)
		rs_columns_hang(out, text.data, 0, 2, TEXT_COLUMNS);
}

static bool crosses(const struct rs_view *view, size_t member)
{
	return rs_view_first_line(view, member) != rs_view_last_line(view, member);
}

static void print_move(struct rs_builder *out, const struct rs_view *before, const struct rs_view *after,
		       size_t member, const struct rs_report_options *options)
{
	uint64_t first = rs_view_first_line(after, member);

	RS_CLEANUP(rs_builder_deinit) struct rs_builder name = { 0 };

	rs_format_member(&name, before->record, member);
	rs_builder_appends(out, "    ");
	rs_columns_pad(out, name.data, NAME_COLUMNS);
	rs_builder_appendc(out, ' ');
	rs_format_place(out, options->hex, before->offset_bits[member]);
	rs_builder_appends(out, " -> ");
	rs_format_place(out, options->hex, after->offset_bits[member]);
	rs_builder_printf(out, " (L%" PRIu64 " -> L%" PRIu64, rs_view_first_line(before, member), first);
	if (crosses(after, member) && !crosses(before, member))
		rs_builder_printf(out, ", now crosses L%" PRIu64 "|L%" PRIu64, first, first + 1);
	if (!crosses(after, member) && crosses(before, member))
		rs_builder_appends(out, ", no longer crosses lines");
	rs_builder_appends(out, ")\n");
}

/* A unit goes by its first declaration. */
static void print_unit(struct rs_builder *out, const struct rs_record *record, size_t index)
{
	const struct rs_unit *unit = &record->units[index];

	if (unit->n_members != 1 || record->members[unit->first_member].path[0]) {
		rs_columns_append(out, unit->name);
		return;
	}
	rs_builder_appends(out, "the ");
	rs_format_member(out, record, unit->first_member);
}

static void print_units(struct rs_builder *out, const struct rs_record *record,
			const struct rs_operation *operation)
{
	rs_builder_appends(out, "  ");
	print_unit(out, record, operation->first_unit);
	if (operation->n_units > 1) {
		rs_builder_appends(out, operation->n_units == 2 ? ", " : " ... ");
		print_unit(out, record, operation->first_unit + operation->n_units - 1);
	}
	if (operation->after_unit == RS_NONE) {
		rs_builder_appends(out, " to the front\n");
		return;
	}
	rs_builder_appends(out, " behind ");
	print_unit(out, record, operation->after_unit);
	rs_builder_appendc(out, '\n');
}

static void print_operation(struct rs_builder *out, const struct rs_view *before, const struct rs_view *after,
			    const struct rs_operation *operation, const struct rs_report_options *options)
{
	const struct rs_record *record = before->record;

	print_units(out, record, operation);
	for (size_t u = 0; u < operation->n_units; u++) {
		const struct rs_unit *unit = &record->units[operation->first_unit + u];
		size_t member = unit->first_member;

		for (size_t i = 0; i < unit->n_members; i++, member = rs_record_next_sibling(record, member))
			print_move(out, before, after, member, options);
	}
}

static void mark_moved(const struct rs_record *record, const struct rs_operation *operation, bool *moved)
{
	for (size_t u = 0; u < operation->n_units; u++) {
		const struct rs_unit *unit = &record->units[operation->first_unit + u];
		size_t member = unit->first_member;

		for (size_t i = 0; i < unit->n_members; i++, member = rs_record_next_sibling(record, member))
			moved[member] = true;
	}
}

static void print_rest(struct rs_builder *out, size_t count, const char *noun)
{
	if (count == 0)
		return;
	rs_builder_appends(out, "  ... ");
	rs_format_count(out, count, noun);
	rs_builder_appends(out, " (-v lists all)\n");
}

static bool changes_lines(const struct rs_view *before, const struct rs_view *after, size_t member)
{
	return rs_view_first_line(before, member) != rs_view_first_line(after, member) ||
	       crosses(before, member) != crosses(after, member);
}

static void print_shifted(struct rs_builder *out, const struct rs_view *before, const struct rs_view *after,
			  const bool *moved, const struct rs_report_options *options)
{
	size_t limit = options->verbose ? SIZE_MAX : MOVES_SHOWN, n_quiet = 0, n_listed = 0;

	for (size_t i = 0; i < before->n_top; i++) {
		size_t member = before->top[i];

		if (moved[member] || before->offset_bits[member] == after->offset_bits[member])
			continue;
		if (!changes_lines(before, after, member)) {
			n_quiet++;
			continue;
		}
		rs_builder_appends(out, n_listed ? "" : "  in consequence\n");
		if (n_listed++ < limit)
			print_move(out, before, after, member, options);
	}
	print_rest(out, n_listed > limit ? n_listed - limit : 0, "more member");
	if (n_quiet == 0)
		return;
	rs_builder_appends(out, "  ");
	rs_format_count(out, n_quiet, n_listed ? "other member" : "member");
	rs_builder_appends(out, " shifted within the same line\n");
}

static size_t count_splits(const struct rs_plan *plan)
{
	size_t count = 0;

	while (count < plan->n_operations && plan->operations[count].kind == RS_OPERATION_SPLIT)
		count++;
	return count;
}

static void print_split(struct rs_builder *out, const struct rs_record *record,
			const struct rs_operation *operation)
{
	rs_builder_appends(out, "  the declaration of ");
	for (size_t i = 0; i < operation->n_units; i++) {
		rs_builder_appends(out, i ? ", " : "");
		print_unit(out, record, operation->first_unit + i);
	}
	rs_builder_appends(out, " is split\n");
}

static const char *const alteration_texts[] = {
	[RS_OPERATION_HOIST] = "hoisted out of their union or struct",
	[RS_OPERATION_ALIGN] = "aligned with",
	[RS_OPERATION_PAD] = "padding before it:",
	[RS_OPERATION_LIFT] = "lifted into it, as",
};

static void print_fields(struct rs_builder *out, const struct rs_alteration *alteration)
{
	for (size_t i = 0; i < alteration->n_fields; i++) {
		rs_builder_appends(out, i ? ", " : "");
		rs_columns_append(out, alteration->fields[i]);
	}
}

/* What is hoisted, and where to; the rest is said in the words of the source. */
static void print_alteration(struct rs_builder *out, const struct rs_view *before, const struct rs_view *after,
			     const struct rs_alteration *alteration, bool *moved,
			     const struct rs_report_options *options)
{
	const char *what = alteration->kind == RS_OPERATION_LIFT ? alteration->name : alteration->spelling;

	rs_builder_appends(out, "  ");
	if (alteration->kind == RS_OPERATION_LOWER) {
		rs_columns_append(out, alteration->name);
		rs_builder_appends(out, " lowered out of it, to ");
		print_fields(out, alteration);
		rs_builder_appendc(out, '\n');
		return;
	}
	print_fields(out, alteration);
	rs_builder_printf(out, " %s%s%s\n", alteration_texts[alteration->kind], what ? " " : "",
			  what ? what : "");
	for (size_t i = 0; i < alteration->n_fields; i++) {
		size_t member = rs_record_find_member(before->record, alteration->fields[i]);

		if (alteration->kind != RS_OPERATION_HOIST || member == RS_NONE)
			continue;
		moved[member] = true;
		print_move(out, before, after, member, options);
	}
}

static void print_headline(struct rs_builder *out, const struct rs_record *record,
			   const struct rs_headline *headline)
{
	rs_builder_appends(out, "  above ");
	print_unit(out, record, headline->unit);
	rs_builder_appends(out, ": ");
	rs_columns_append(out, headline->text);
	rs_builder_appendc(out, '\n');
}

void rs_frontier_print_moves(struct rs_builder *out, const struct rs_view *before, const struct rs_view *after,
			     const struct rs_report_options *options)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	const struct rs_plan *plan = after->layout->plan;
	struct rs_view stood;

	if (after->layout->base) {
		rs_view_init(&stood, arena, after->layout->base, &after->layout->base->original,
			     after->line_bytes);
		before = &stood;
	}
	bool *moved = rs_arena_array(arena, bool, before->record->n_members);
	size_t n_splits = count_splits(plan), n_shown = plan->n_operations - n_splits;

	if (n_shown > MOVES_SHOWN && !options->verbose)
		n_shown = MOVES_SHOWN;
	rs_builder_printf(out, "plan %u moves\n", plan->id);
	for (size_t i = 0; i < after->layout->steps.n_items; i++)
		print_alteration(out, before, after, &after->layout->steps.items[i], moved, options);
	for (size_t i = 0; i < n_splits; i++)
		print_split(out, before->record, &plan->operations[i]);
	for (size_t i = n_splits; i < plan->n_operations; i++)
		mark_moved(before->record, &plan->operations[i], moved);
	for (size_t i = 0; i < n_shown; i++)
		print_operation(out, before, after, &plan->operations[n_splits + i], options);
	print_rest(out, plan->n_operations - n_splits - n_shown, "more block");
	for (size_t i = 0; i < after->layout->headlines.n_items; i++)
		print_headline(out, before->record, &after->layout->headlines.items[i]);
	print_shifted(out, before, after, moved, options);
}
