#include <inttypes.h>
#include <stdio.h>

#include "report/columns.h"
#include "report/format.h"
#include "report/mail.h"

enum { LABEL_COLUMNS = 30, PATHS_SHOWN = 12, MEMBERS_SHOWN = 12 };

static void print_cells(struct rs_builder *out, const char *label, const char *before, const char *after)
{
	rs_builder_appends(out, "  ");
	rs_columns_fit(out, label, LABEL_COLUMNS);
	rs_builder_printf(out, "  %12s  %12s\n", before, after);
}

static void print_numbers(struct rs_builder *out, const char *label, uint64_t before, uint64_t after)
{
	char left[24], right[24];

	snprintf(left, sizeof left, "%" PRIu64, before);
	snprintf(right, sizeof right, "%" PRIu64, after);
	print_cells(out, label, left, right);
}

static void print_times(struct rs_builder *out, const char *label, double before, double after)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder left = { 0 };
	RS_CLEANUP(rs_builder_deinit) struct rs_builder right = { 0 };

	rs_format_ns(&left, before);
	rs_format_ns(&right, after);
	print_cells(out, label, left.data, right.data);
}

static uint64_t sum_holes(const struct rs_view *view)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < view->n_holes; i++)
		sum += view->holes[i].size_bits;
	return sum / 8;
}

static void print_paths(struct rs_builder *out, const struct rs_view *before, const struct rs_view *after)
{
	const struct rs_binding *binding = before->result->binding;
	size_t shown = binding->n_paths < PATHS_SHOWN ? binding->n_paths : PATHS_SHOWN;

	for (size_t p = 0; p < shown; p++) {
		RS_CLEANUP(rs_builder_deinit) struct rs_builder label = { 0 };
		const struct rs_cost *cost = before->result->cost;

		rs_builder_printf(&label, "lines touched by %s",
				  binding->paths[p].name ? binding->paths[p].name : "a path");
		print_numbers(out, label.data,
			      rs_cost_lines_of_path(cost, p, before->offset_bits, before->size_bytes),
			      rs_cost_lines_of_path(cost, p, after->offset_bits, after->size_bytes));
	}
	if (shown < binding->n_paths)
		rs_builder_printf(out, "  and %zu more paths\n", binding->n_paths - shown);
}

static void print_containers(struct rs_builder *out, const struct rs_view *before, const struct rs_view *after)
{
	const struct rs_plan_result *was = before->layout, *is = after->layout;

	for (size_t i = 0; i < was->n_containers && i < is->n_containers; i++) {
		RS_CLEANUP(rs_builder_deinit) struct rs_builder label = { 0 };

		rs_builder_printf(&label, "struct %s, bytes", was->containers[i].name);
		print_numbers(out, label.data, was->containers[i].size_bytes, is->containers[i].size_bytes);
	}
}

static void print_totals(struct rs_builder *out, const struct rs_view *before, const struct rs_view *after)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder title = { 0 };

	rs_builder_printf(&title, "%s%s", before->record->is_typedef ? "" : "struct ", before->record->name);
	print_cells(out, title.data, "before", "after");
	print_numbers(out, "size, bytes", before->size_bytes, after->size_bytes);
	print_numbers(out, "holes, bytes", sum_holes(before), sum_holes(after));
	print_numbers(out, "cache lines", rs_view_count_lines(before), rs_view_count_lines(after));
	print_containers(out, before, after);
	if (!before->result->binding || !before->result->cost)
		return;
	print_times(out, "cost, ns per unit of rate", before->layout->plan->cost_ns,
		    after->layout->plan->cost_ns);
	print_times(out, "  of it false sharing", rs_view_false_ns(before), rs_view_false_ns(after));
	print_paths(out, before, after);
}

/* --- offsets --- */

struct chosen {
	size_t members[MEMBERS_SHOWN];
	size_t count, left;
};

static void choose(struct chosen *chosen, size_t member)
{
	for (size_t i = 0; i < chosen->count; i++)
		if (chosen->members[i] == member)
			return;
	if (chosen->count == MEMBERS_SHOWN)
		chosen->left++;
	else
		chosen->members[chosen->count++] = member;
}

static void choose_moved(struct chosen *chosen, const struct rs_view *before, const struct rs_plan *plan)
{
	const struct rs_record *record = before->record;

	for (size_t o = 0; o < plan->n_operations; o++) {
		const struct rs_operation *operation = &plan->operations[o];

		for (size_t u = 0; operation->kind == RS_OPERATION_MOVE && u < operation->n_units; u++) {
			const struct rs_unit *unit = &record->units[operation->first_unit + u];
			size_t member = unit->first_member;

			for (size_t i = 0; i < unit->n_members;
			     i++, member = rs_record_next_sibling(record, member))
				choose(chosen, member);
		}
	}
}

/* What a step adds lies nowhere as the struct stands. */
static void format_place(struct rs_builder *out, const struct rs_view *view, size_t member)
{
	if (view->offset_bits[member] >= view->size_bytes * 8 && view->record->members[member].size_bits) {
		rs_builder_appends(out, "-");
		return;
	}
	rs_format_place(out, false, view->offset_bits[member]);
	rs_builder_printf(out, " (L%" PRIu64 ")", rs_view_first_line(view, member));
}

static void print_place(struct rs_builder *out, const struct rs_view *before, const struct rs_view *after,
			size_t member)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder label = { 0 };
	RS_CLEANUP(rs_builder_deinit) struct rs_builder left = { 0 };
	RS_CLEANUP(rs_builder_deinit) struct rs_builder right = { 0 };

	rs_format_member(&label, before->record, member);
	format_place(&left, before, member);
	format_place(&right, after, member);
	print_cells(out, label.data, left.data, right.data);
}

static void print_places(struct rs_builder *out, const struct rs_view *before, const struct rs_view *after,
			 const struct rs_mail_reason *reason)
{
	struct chosen chosen = { .count = 0 };

	for (size_t i = 0; reason->line && i < reason->line->n_writers; i++)
		choose(&chosen, reason->line->writers[i]);
	for (size_t i = 0; i < reason->n_readers; i++)
		choose(&chosen, reason->readers[i]);
	choose_moved(&chosen, before, after->layout->plan);
	if (chosen.count == 0)
		return;
	rs_builder_appendc(out, '\n');
	print_cells(out, "offset (line)", "before", "after");
	for (size_t i = 0; i < chosen.count; i++)
		print_place(out, before, after, chosen.members[i]);
	if (chosen.left > 0)
		rs_builder_printf(out, "  and %zu more\n", chosen.left);
}

/* --- the price --- */

/* Of all the structs that embed it, or of the record itself. */
static double count_bytes(const struct rs_view *view)
{
	double sum = 0;

	for (size_t i = 0; i < view->layout->n_containers; i++)
		sum += (double)view->layout->containers[i].size_bytes;
	return view->layout->n_containers ? sum / (double)view->layout->n_containers : (double)view->size_bytes;
}

static void print_price(struct rs_builder *out, const struct rs_view *before, const struct rs_view *after)
{
	const struct rs_binding *binding = before->result->binding;
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	double change = count_bytes(after) - count_bytes(before);

	rs_builder_appends(&text, "Price: ");
	if (change <= 0)
		rs_builder_appends(&text,
				   change < 0 ? "none, each object saves " : "none, objects keep their size");
	if (change != 0)
		rs_format_count(&text, (uint64_t)(change < 0 ? -change : change), "byte");
	if (change > 0)
		rs_builder_appends(&text, " per object");
	if (change != 0 && binding && binding->instances > 0)
		rs_builder_printf(&text, ", with %.0f instances %.0f bytes", binding->instances,
				  (change < 0 ? -change : change) * binding->instances);
	rs_builder_appends(&text, ".");
	rs_builder_appendc(out, '\n');
	rs_columns_wrap(out, text.data, 2, RS_MAIL_COLUMNS);
}

void rs_mail_print_figures(struct rs_builder *out, const struct rs_view *before, const struct rs_view *after,
			   const struct rs_mail_reason *reason)
{
	print_totals(out, before, after);
	print_places(out, before, after, reason);
	print_price(out, before, after);
}
