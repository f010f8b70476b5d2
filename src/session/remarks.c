#include "session/remarks.h"

#include <string.h>

enum { NAMES_SHOWN = 8 };

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

void rs_remarks_list(struct rs_arena *arena, const struct rs_record *record, const struct rs_plan *plan,
		     const struct rs_mention *mentions, size_t n_mentions, const struct rs_pin **ret_remarks,
		     size_t *ret_count)
{
	struct rs_mention *concerned = rs_arena_array(arena, struct rs_mention, n_mentions);
	struct rs_pin *remarks = rs_arena_array(arena, struct rs_pin, plan->n_remarks + 1);
	size_t n_concerned = 0, count = plan->n_remarks;

	for (size_t i = 0; i < plan->n_remarks; i++)
		remarks[i] = plan->remarks[i];
	for (size_t i = 0; i < n_mentions; i++)
		if (is_concerned(record, plan, &mentions[i]))
			concerned[n_concerned++] = mentions[i];
	if (n_concerned > 0)
		remarks[count++] = make_remark(arena, record, concerned, n_concerned);
	*ret_remarks = remarks;
	*ret_count = count;
}
