#include "session/remarks.h"

#include <string.h>

enum { NAMES_SHOWN = 8 };

/* Of the smallest line that is common. Less alignment is asked for by vector instructions, too. */
enum { LINE_BYTES = 64 };

/* The move that a unit goes with; RS_NONE: it stays. */
static size_t move_of(const struct rs_plan *plan, size_t unit)
{
	for (size_t i = 0; i < plan->n_operations; i++) {
		const struct rs_operation *operation = &plan->operations[i];

		if (operation->kind == RS_OPERATION_MOVE && unit >= operation->first_unit &&
		    unit < operation->first_unit + operation->n_units)
			return i;
	}
	return RS_NONE;
}

static bool is_concerned(const struct rs_record *record, const struct rs_plan *plan,
			 const struct rs_mention *mention)
{
	size_t named = move_of(plan, record->members[mention->member].unit);

	return named != RS_NONE && (mention->unit == RS_NONE || move_of(plan, mention->unit) != named);
}

static bool was_named(const struct rs_mention *mentions, size_t count, size_t member)
{
	for (size_t i = 0; i < count; i++)
		if (mentions[i].member == member)
			return true;
	return false;
}

static void print_lines(struct rs_builder *out, const struct rs_mention *mentions, size_t count, size_t first)
{
	bool several = false;

	for (size_t i = first + 1; i < count; i++)
		several |= mentions[i].member == mentions[first].member;
	rs_builder_printf(out, " (line%s %u", several ? "s" : "", mentions[first].line);
	for (size_t i = first + 1; i < count; i++)
		if (mentions[i].member == mentions[first].member)
			rs_builder_printf(out, ", %u", mentions[i].line);
	rs_builder_appendc(out, ')');
}

static struct rs_pin make_remark(struct rs_arena *arena, const struct rs_record *record,
				 const struct rs_mention *mentions, size_t count)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	size_t n_names = 0;

	rs_builder_appends(&text, "comments name fields that move, look whether they stay true: ");
	for (size_t i = 0; i < count; i++) {
		if (was_named(mentions, i, mentions[i].member) || n_names++ >= NAMES_SHOWN)
			continue;
		rs_builder_printf(&text, "%s'%s'", n_names > 1 ? ", " : "",
				  record->members[mentions[i].member].path);
		print_lines(&text, mentions, count, i);
	}
	if (n_names > NAMES_SHOWN)
		rs_builder_printf(&text, " and %zu more", n_names - NAMES_SHOWN);
	return (struct rs_pin) { .code = "named-in-comment",
				 .strength = RS_PIN_ADVICE,
				 .message = rs_arena_strdup(arena, text.data),
				 .line = mentions[0].line,
				 .unit = record->members[mentions[0].member].unit };
}

/* --- lines that somebody began on purpose --- */

static bool begins_line(const struct rs_record *record, size_t unit)
{
	const struct rs_unit *at = &record->units[unit];

	return at->n_members > 0 && record->members[at->first_member].requested_align_bytes >= LINE_BYTES;
}

static uint64_t line_of(const struct rs_record *record, const struct rs_plan *plan, size_t unit)
{
	return plan->offset_bits[record->units[unit].first_member] / 8 / LINE_BYTES;
}

/* A remark when units that stood before this one come to its line. */
static bool remark_apart(struct rs_arena *arena, const struct rs_record *record, const struct rs_plan *plan,
			 size_t unit, struct rs_pin *ret_remark)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder names = { 0 };
	const struct rs_member *member = &record->members[record->units[unit].first_member];
	uint64_t line = line_of(record, plan, unit);
	size_t count = 0;

	for (size_t i = 0; i < unit; i++)
		if (record->units[i].n_members > 0 && line_of(record, plan, i) == line && count++ < NAMES_SHOWN)
			rs_builder_printf(&names, "%s'%s'", count > 1 ? ", " : "", record->units[i].name);
	if (count == 0)
		return false;
	if (count > NAMES_SHOWN)
		rs_builder_printf(&names, " and %zu more", count - NAMES_SHOWN);
	*ret_remark = (struct rs_pin) {
		.code = "aligned-apart",
		.strength = RS_PIN_ADVICE,
		.message = rs_arena_printf(
			arena,
			"'%s' begins a cache line on purpose, and %s come%s to it: only who knows who "
			"writes them, or a profile, can tell whether they may share it",
			member->path, names.data, count > 1 ? "" : "s"),
		.line = member->line,
		.unit = unit,
	};
	return true;
}

void rs_remarks_list(struct rs_arena *arena, const struct rs_record *record, const struct rs_plan *plan,
		     const struct rs_mention *mentions, size_t n_mentions, const struct rs_pin **ret_remarks,
		     size_t *ret_count)
{
	struct rs_mention *concerned = rs_arena_array(arena, struct rs_mention, n_mentions);
	struct rs_pin *remarks = rs_arena_array(arena, struct rs_pin, plan->n_remarks + record->n_units + 1);
	size_t n_concerned = 0, count = plan->n_remarks;

	for (size_t i = 0; i < plan->n_remarks; i++)
		remarks[i] = plan->remarks[i];
	for (size_t i = 1; plan->cost_ns == 0 && i < record->n_units; i++)
		if (begins_line(record, i))
			count += remark_apart(arena, record, plan, i, &remarks[count]);
	for (size_t i = 0; i < n_mentions; i++)
		if (is_concerned(record, plan, &mentions[i]))
			concerned[n_concerned++] = mentions[i];
	if (n_concerned > 0)
		remarks[count++] = make_remark(arena, record, concerned, n_concerned);
	*ret_remarks = remarks;
	*ret_count = count;
}
