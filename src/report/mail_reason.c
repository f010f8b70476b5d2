#include <string.h>

#include "report/columns.h"
#include "report/format.h"
#include "report/mail.h"

enum { NAMES_SHOWN = 6, SUBJECT_NAMES = 2, BLOCKS_SHOWN = 3 };

static bool has(const size_t *members, size_t count, size_t member)
{
	for (size_t i = 0; i < count; i++)
		if (members[i] == member)
			return true;
	return false;
}

static const struct rs_line_report *find_worst_line(const struct rs_view *view)
{
	const struct rs_line_report *worst = NULL;

	for (size_t i = 0; i < view->n_lines; i++) {
		const struct rs_line_report *line = view->lines[i];

		if (line->n_writers > 0 && line->n_victims > 0 && line->false_ns > 0 &&
		    (!worst || line->false_ns > worst->false_ns))
			worst = line;
	}
	return worst;
}

/* An access to an aggregate is one to all inside it, and the reverse. */
static bool concerns(const struct rs_record *record, const struct rs_bound_access *access,
		     const size_t *members, size_t count)
{
	size_t last = access->member + record->members[access->member].n_inside;

	for (size_t i = 0; i < count; i++) {
		size_t member = members[i];

		if ((member >= access->member && member <= last) ||
		    (access->member >= member && access->member <= member + record->members[member].n_inside))
			return true;
	}
	return false;
}

static size_t find_path(const struct rs_view *view, const size_t *members, size_t count, bool writes)
{
	const struct rs_binding *binding = view->result->binding;
	size_t found = RS_NONE;

	for (size_t p = 0; p < binding->n_paths; p++) {
		const struct rs_bound_path *path = &binding->paths[p];

		if (path->rate <= 0 || (found != RS_NONE && path->rate <= binding->paths[found].rate))
			continue;
		for (size_t i = 0; i < path->n_accesses; i++)
			if ((writes ? path->accesses[i].writes : path->accesses[i].reads) &&
			    concerns(view->record, &path->accesses[i], members, count))
				found = p;
	}
	return found;
}

static void take_line(struct rs_arena *arena, const struct rs_view *before, const struct rs_line_report *line,
		      struct rs_mail_reason *reason)
{
	size_t *readers = rs_arena_array(arena, size_t, line->n_victims);

	reason->line = line;
	for (size_t i = 0; i < line->n_victims; i++)
		if (!has(line->writers, line->n_writers, line->victims[i]))
			readers[reason->n_readers++] = line->victims[i];
	reason->readers = readers;
	reason->writing_path = find_path(before, line->writers, line->n_writers, true);
	if (reason->n_readers > 0)
		reason->reading_path = find_path(before, readers, reason->n_readers, false);
}

static size_t lines_of_path(const struct rs_view *view, size_t path)
{
	return rs_cost_lines_of_path(view->result->cost, path, view->offset_bits, view->size_bytes);
}

static size_t find_packed_path(const struct rs_view *before, const struct rs_view *after)
{
	const struct rs_binding *binding = before->result->binding;
	size_t found = RS_NONE;

	for (size_t p = 0; p < binding->n_paths; p++)
		if (lines_of_path(after, p) < lines_of_path(before, p) &&
		    (found == RS_NONE || binding->paths[p].rate > binding->paths[found].rate))
			found = p;
	return found;
}

void rs_mail_find_reason(struct rs_arena *arena, const struct rs_view *before, const struct rs_view *after,
			 struct rs_mail_reason *ret_reason)
{
	*ret_reason = (struct rs_mail_reason) { .writing_path = RS_NONE,
						.reading_path = RS_NONE,
						.packed_path = RS_NONE };
	if (!before->result->binding || !before->result->cost)
		return;
	const struct rs_line_report *worst = find_worst_line(before);
	if (worst && rs_view_false_ns(after) < rs_view_false_ns(before))
		take_line(arena, before, worst, ret_reason);
	else
		ret_reason->packed_path = find_packed_path(before, after);
}

/* --- the subject --- */

static const char *path_name(const struct rs_view *view, size_t path)
{
	const char *name = view->result->binding->paths[path].name;

	return name ? name : "a path";
}

static void print_pair(struct rs_builder *out, const struct rs_view *view, const size_t *members, size_t count)
{
	for (size_t i = 0; i < count && i < SUBJECT_NAMES; i++) {
		rs_builder_appends(out, i == 0 ? "" : count > SUBJECT_NAMES ? ", " : " and ");
		rs_format_member(out, view->record, members[i]);
	}
	rs_builder_appends(out, count > SUBJECT_NAMES ? ", ..." : "");
}

/* From what says most to what always fits. */
static void print_candidate(struct rs_builder *out, const struct rs_view *before, const struct rs_view *after,
			    const struct rs_mail_reason *reason, unsigned candidate)
{
	const char *title = before->record->name;

	if (reason->line && candidate < 2) {
		rs_builder_appends(out, "keep ");
		print_pair(out, before, reason->line->writers, reason->line->n_writers);
		rs_builder_appends(out, " off the line ");
		if (candidate == 0 && reason->n_readers > 0) {
			rs_builder_appends(out, "of ");
			print_pair(out, before, reason->readers, reason->n_readers);
		} else if (reason->reading_path != RS_NONE) {
			rs_builder_printf(out, "that %s reads", path_name(before, reason->reading_path));
		} else {
			rs_builder_appends(out, "of others");
		}
	} else if (reason->line && candidate < 3) {
		rs_builder_appends(out, "keep written fields off the lines of others");
	} else if (reason->packed_path != RS_NONE && candidate < 3) {
		rs_builder_printf(out, "put the fields of %s on fewer lines",
				  candidate < 2 ? path_name(before, reason->packed_path) : "a path");
	} else if (after->size_bytes < before->size_bytes && candidate < 4) {
		rs_builder_printf(out, "shrink %s%s from %llu to %llu bytes", candidate < 3 ? "struct " : "",
				  title, (unsigned long long)before->size_bytes,
				  (unsigned long long)after->size_bytes);
	} else {
		rs_builder_printf(out, candidate < 5 ? "reorder struct %s" : "reorder a struct", title);
	}
}

void rs_mail_print_summary(struct rs_builder *out, const struct rs_view *before, const struct rs_view *after,
			   const struct rs_mail_reason *reason, size_t prefix_columns)
{
	enum { CANDIDATES = 6 };

	for (unsigned candidate = 0; candidate < CANDIDATES; candidate++) {
		RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };

		print_candidate(&text, before, after, reason, candidate);
		if (candidate + 1 < CANDIDATES &&
		    prefix_columns + rs_columns_measure(text.data) > RS_MAIL_SUBJECT_COLUMNS)
			continue;
		rs_columns_append(out, text.data);
		return;
	}
}

/* --- the sentences --- */

static size_t count_cpus(const struct rs_view *view, size_t path)
{
	const struct rs_binding *binding = view->result->binding;
	size_t count = 0;

	for (size_t c = 0; c < binding->n_cpus; c++)
		count += binding->paths[path].shares[c] > 0;
	return count;
}

static void print_path_on(struct rs_builder *out, const struct rs_view *view, size_t path)
{
	rs_builder_printf(out, "%s on ", path_name(view, path));
	rs_format_count(out, count_cpus(view, path), "CPU");
}

static void print_sharing(struct rs_builder *out, const struct rs_view *view,
			  const struct rs_mail_reason *reason)
{
	const struct rs_line_report *line = reason->line;
	bool one = line->n_writers == 1;

	rs_format_members(out, view->record, line->writers, line->n_writers, NAMES_SHOWN);
	rs_builder_appends(out, one ? ", written" : ", most often written");
	if (reason->writing_path != RS_NONE) {
		rs_builder_appends(out, " by ");
		print_path_on(out, view, reason->writing_path);
	}
	rs_builder_printf(out, ", %s line %llu of struct %s", one ? "shares" : "share",
			  (unsigned long long)line->line, view->record->name);
	if (reason->n_readers == 0) {
		rs_builder_appends(out, one ? " with what other CPUs write." : ".");
		return;
	}
	rs_builder_appends(out, " with ");
	rs_format_members(out, view->record, reason->readers, reason->n_readers, NAMES_SHOWN);
	if (reason->reading_path != RS_NONE) {
		rs_builder_appends(out, ", which ");
		rs_builder_printf(out, "%s reads on ", path_name(view, reason->reading_path));
		rs_format_count(out, count_cpus(view, reason->reading_path), "CPU");
	}
	rs_builder_appends(out, ": each write takes the line away from them.");
}

static void print_packing(struct rs_builder *out, const struct rs_view *before, const struct rs_view *after,
			  size_t path)
{
	rs_builder_printf(out, "The fields of struct %s that %s uses lie on ", before->record->name,
			  path_name(before, path));
	rs_format_count(out, lines_of_path(before, path), "cache line");
	rs_builder_printf(out, " and fit on %zu.", lines_of_path(after, path));
}

static void print_bytes(struct rs_builder *out, const struct rs_view *before, const struct rs_view *after)
{
	if (after->size_bytes < before->size_bytes)
		rs_builder_printf(out, "Another order of its fields makes struct %s %llu bytes smaller.",
				  before->record->name,
				  (unsigned long long)(before->size_bytes - after->size_bytes));
	else
		rs_builder_printf(out, "Reorder the fields of struct %s.", before->record->name);
}

static void print_unit(struct rs_builder *out, const struct rs_record *record, size_t unit)
{
	if (record->units[unit].n_members > 0)
		rs_format_member(out, record, record->units[unit].first_member);
	else
		rs_columns_append(out, record->units[unit].name);
}

static void print_move(struct rs_builder *out, const struct rs_record *record,
		       const struct rs_operation *operation, bool is_first)
{
	rs_builder_appends(out, is_first ? " Move " : "; ");
	print_unit(out, record, operation->first_unit);
	if (operation->n_units > 1) {
		rs_builder_appends(out, operation->n_units == 2 ? " and " : " ... ");
		print_unit(out, record, operation->first_unit + operation->n_units - 1);
	}
	rs_builder_appends(out, operation->after_unit == RS_NONE ? " to the front" : " behind ");
	if (operation->after_unit != RS_NONE)
		print_unit(out, record, operation->after_unit);
}

static void print_alteration(struct rs_builder *out, const struct rs_alteration *alteration)
{
	size_t last = alteration->n_fields - 1;

	rs_builder_appends(out, alteration->kind == RS_OPERATION_HOIST   ? " Hoist "
				: alteration->kind == RS_OPERATION_ALIGN ? " Align "
				: alteration->kind == RS_OPERATION_LIFT  ? " Lift "
				: alteration->kind == RS_OPERATION_LOWER ? " Lower "
									 : " Pad before ");
	if (alteration->kind == RS_OPERATION_LOWER) {
		rs_columns_append(out, alteration->name);
		rs_builder_appends(out, " to ");
	}
	rs_columns_append(out, alteration->fields[0]);
	if (last > 0) {
		rs_builder_appends(out, last == 1 ? " and " : " ... ");
		rs_columns_append(out, alteration->fields[last]);
	}
	if (alteration->kind == RS_OPERATION_HOIST)
		rs_builder_appends(out, last ? " out of their union or struct" : " out of its union or struct");
	if (alteration->kind == RS_OPERATION_LIFT)
		rs_builder_printf(out, " into it, as %s", alteration->name);
	if (alteration->kind == RS_OPERATION_ALIGN)
		rs_builder_printf(out, " to %u bytes", alteration->bytes);
	rs_builder_appendc(out, '.');
}

static void print_moves(struct rs_builder *out, const struct rs_view *before, const struct rs_view *after)
{
	const struct rs_plan *plan = after->layout->plan;
	bool is_first = true;

	for (size_t i = 0; i < after->layout->steps.n_items; i++)
		print_alteration(out, &after->layout->steps.items[i]);
	if (plan->n_operations > BLOCKS_SHOWN) {
		rs_builder_printf(out, " %zu blocks of fields move.", plan->moved_blocks);
		return;
	}
	for (size_t i = 0; i < plan->n_operations; i++) {
		if (plan->operations[i].kind != RS_OPERATION_MOVE)
			continue;
		print_move(out, before->record, &plan->operations[i], is_first);
		is_first = false;
	}
	rs_builder_appends(out, is_first ? "" : ".");
}

void rs_mail_print_mechanism(struct rs_builder *out, const struct rs_view *before, const struct rs_view *after,
			     const struct rs_mail_reason *reason)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };

	if (reason->line)
		print_sharing(&text, before, reason);
	else if (reason->packed_path != RS_NONE)
		print_packing(&text, before, after, reason->packed_path);
	else
		print_bytes(&text, before, after);
	print_moves(&text, before, after);
	rs_columns_wrap(out, text.data, 0, RS_MAIL_COLUMNS);
}
