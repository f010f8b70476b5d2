#include <inttypes.h>
#include <string.h>

#include "report/view.h"
#include "report/writers.h"

/* One record whose layout is to be held. */
struct guard {
	struct rs_builder *out;
	const struct rs_view *view;
	const struct rs_record *record;
	const struct rs_binding *binding; /* NULL without a profile */
	const char *title;                /* "struct conn", "conn_t" */
};

static void print_assertion(const struct guard *guard, bool is_kernel, const char *condition)
{
	if (is_kernel)
		rs_builder_printf(guard->out, "static_assert(%s);\n", condition);
	else
		rs_builder_printf(guard->out, "_Static_assert(%s, \"layout of %s\");\n", condition,
				  guard->title);
}

static bool can_be_named(const struct rs_member *member)
{
	return *member->path && !member->is_bitfield;
}

/* With a profile the fields that a path uses or a group names, without one all. */
static bool is_held(const struct guard *guard, size_t member)
{
	if (!can_be_named(&guard->record->members[member]))
		return false;
	if (!guard->binding)
		return guard->record->members[member].parent == RS_NONE;
	for (size_t g = 0; g < guard->binding->n_groups; g++)
		for (size_t i = 0; i < guard->binding->groups[g].n_members; i++)
			if (guard->binding->groups[g].members[i] == member)
				return true;
	for (size_t p = 0; p < guard->binding->n_paths; p++)
		for (size_t i = 0; i < guard->binding->paths[p].n_accesses; i++)
			if (guard->binding->paths[p].accesses[i].member == member)
				return true;
	return false;
}

static void print_layout(const struct guard *guard, bool is_kernel)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder condition = { 0 };

	rs_builder_printf(&condition, "sizeof(%s) == %" PRIu64, guard->title, guard->record->size_bytes);
	print_assertion(guard, is_kernel, condition.data);
	for (size_t m = 0; m < guard->record->n_members; m++) {
		RS_CLEANUP(rs_builder_deinit) struct rs_builder offset = { 0 };

		if (!is_held(guard, m))
			continue;
		rs_builder_printf(&offset, "offsetof(%s, %s) == %" PRIu64, guard->title,
				  guard->record->members[m].path, guard->record->members[m].offset_bits / 8);
		print_assertion(guard, is_kernel, offset.data);
	}
}

/* --- groups --- */

static uint64_t first_byte(const struct guard *guard, const struct rs_bound_group *group)
{
	uint64_t first = UINT64_MAX;

	for (size_t i = 0; i < group->n_members; i++) {
		uint64_t byte = guard->record->members[group->members[i]].offset_bits / 8;

		first = byte < first ? byte : first;
	}
	return first;
}

static uint64_t end_byte(const struct guard *guard, const struct rs_bound_group *group)
{
	uint64_t end = 0;

	for (size_t i = 0; i < group->n_members; i++) {
		const struct rs_member *member = &guard->record->members[group->members[i]];
		uint64_t byte = (member->offset_bits + member->size_bits + 7) / 8;

		end = byte > end ? byte : end;
	}
	return end;
}

/* A name that C takes: what a profile may call a group is any text. */
static void print_group_name(struct rs_builder *out, const char *name)
{
	for (; *name; name++) {
		bool fits = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
			    (*name >= '0' && *name <= '9') || *name == '_';

		rs_builder_appendc(out, fits ? *name : '_');
	}
}

/* The group's fields on the lines it has now, in C11: no field before its first line, none behind its last. */
static void print_group_lines(const struct guard *guard, const struct rs_bound_group *group)
{
	unsigned line = guard->view->line_bytes;
	uint64_t first = first_byte(guard, group) / line, last = (end_byte(guard, group) - 1) / line;

	rs_builder_printf(guard->out, "/* %s: line %" PRIu64, group->name, first);
	if (last != first)
		rs_builder_printf(guard->out, " to %" PRIu64, last);
	rs_builder_appends(guard->out, " */\n");
	for (size_t i = 0; i < group->n_members; i++) {
		const struct rs_member *member = &guard->record->members[group->members[i]];
		RS_CLEANUP(rs_builder_deinit) struct rs_builder condition = { 0 };

		if (!can_be_named(member))
			continue;
		if (first > 0)
			rs_builder_printf(&condition, "offsetof(%s, %s) >= %" PRIu64 " && ", guard->title,
					  member->path, first * line);
		rs_builder_printf(&condition, "offsetof(%s, %s) + sizeof(((%s *)0)->%s) <= %" PRIu64,
				  guard->title, member->path, guard->title, member->path, (last + 1) * line);
		print_assertion(guard, false, condition.data);
	}
}

/* The kernel's macros of include/linux/cache.h; they stand in a function. */
static void print_kernel_group(const struct guard *guard, const struct rs_bound_group *group)
{
	for (size_t i = 0; i < group->n_members; i++) {
		const struct rs_member *member = &guard->record->members[group->members[i]];

		if (!can_be_named(member))
			continue;
		rs_builder_printf(guard->out, "CACHELINE_ASSERT_GROUP_MEMBER(%s, ", guard->title);
		print_group_name(guard->out, group->name);
		rs_builder_printf(guard->out, ", %s);\n", member->path);
	}
	rs_builder_printf(guard->out, "CACHELINE_ASSERT_GROUP_SIZE(%s, ", guard->title);
	print_group_name(guard->out, group->name);
	rs_builder_printf(guard->out, ", %" PRIu64 ");\n", end_byte(guard, group) - first_byte(guard, group));
}

static void print_marks(const struct guard *guard, const struct rs_bound_group *group)
{
	const struct rs_record *record = guard->record;
	size_t first = group->members[0], last = group->members[0];

	for (size_t i = 1; i < group->n_members; i++) {
		size_t member = group->members[i];

		if (record->members[member].offset_bits < record->members[first].offset_bits)
			first = member;
		if (record->members[member].offset_bits > record->members[last].offset_bits)
			last = member;
	}
	rs_builder_appends(guard->out, " *   __cacheline_group_begin(");
	print_group_name(guard->out, group->name);
	rs_builder_printf(guard->out, "); before %s\n *   __cacheline_group_end(", record->members[first].path);
	print_group_name(guard->out, group->name);
	rs_builder_printf(guard->out, "); behind %s\n", record->members[last].path);
}

static void print_kernel_groups(const struct guard *guard)
{
	if (!guard->binding || guard->binding->n_groups == 0)
		return;
	rs_builder_printf(guard->out, "/* in %s:\n", guard->title);
	for (size_t g = 0; g < guard->binding->n_groups; g++)
		print_marks(guard, &guard->binding->groups[g]);
	rs_builder_appends(guard->out, " * and in a function that is compiled once:\n */\n");
	for (size_t g = 0; g < guard->binding->n_groups; g++)
		print_kernel_group(guard, &guard->binding->groups[g]);
}

/* --- the net_cachelines table --- */

static const char *access_word(const struct guard *guard, size_t path, size_t member)
{
	const struct rs_bound_path *at = &guard->binding->paths[path];

	for (size_t i = 0; i < at->n_accesses; i++)
		if (at->accesses[i].member == member)
			return at->accesses[i].reads && at->accesses[i].writes ? "read_write"
			       : at->accesses[i].writes                        ? "write_mostly"
									       : "read_mostly";
	return "";
}

/* The kernel's two columns are the paths called tx and rx. */
static const char *word_of(const struct guard *guard, const char *path, size_t member)
{
	for (size_t p = 0; guard->binding && p < guard->binding->n_paths; p++)
		if (guard->binding->paths[p].name && strcmp(guard->binding->paths[p].name, path) == 0)
			return access_word(guard, p, member);
	return "";
}

static void print_table(const struct guard *guard)
{
	static const char rule[] = "=================================== =================================== "
				   "=================== ===================\n";

	rs_builder_appends(guard->out, rule);
	rs_builder_printf(guard->out, "%-35s %-35s %-19s %-19s\n", "Type", "Name", "fastpath_tx_access",
			  "fastpath_rx_access");
	rs_builder_appends(guard->out, rule);
	for (size_t i = 0; i < guard->view->n_top; i++) {
		const struct rs_member *member = &guard->record->members[guard->view->top[i]];
		size_t start = guard->out->length;

		if (!*member->path)
			continue;
		rs_builder_printf(guard->out, "%-35s %-35s %-19s %s", member->type, member->path,
				  word_of(guard, "tx", guard->view->top[i]),
				  word_of(guard, "rx", guard->view->top[i]));
		while (guard->out->length > start && guard->out->data[guard->out->length - 1] == ' ')
			guard->out->length--;
		rs_builder_appendc(guard->out, '\n');
	}
	rs_builder_appends(guard->out, rule);
}

static void print_guard(const struct guard *guard, enum rs_guard_dialect dialect)
{
	if (dialect == RS_GUARD_TABLE) {
		print_table(guard);
		return;
	}
	print_layout(guard, dialect == RS_GUARD_KERNEL);
	if (dialect == RS_GUARD_KERNEL)
		print_kernel_groups(guard);
	for (size_t g = 0; dialect == RS_GUARD_C11 && guard->binding && g < guard->binding->n_groups; g++)
		print_group_lines(guard, &guard->binding->groups[g]);
}

struct rs_error *rs_report_write_guard(struct rs_builder *out, const struct rs_result *result,
				       const struct rs_report_options *options)
{
	for (size_t i = 0; i < result->n_records; i++) {
		RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
		const struct rs_record_result *record = &result->records[i];
		struct rs_view view;

		rs_view_init(&view, arena, record, &record->original, result->line_bytes);
		const struct guard guard = { .out = out,
					     .view = &view,
					     .record = record->record,
					     .binding = record->binding,
					     .title = rs_arena_printf(
						     arena, "%s%s", record->record->is_typedef ? "" : "struct ",
						     record->record->name) };
		/* C has no name for the type of an unnamed member; the struct around it holds it. */
		if (strstr(record->record->name, "::"))
			continue;
		rs_builder_appends(out, out->length > 0 ? "\n" : "");
		print_guard(&guard, options->dialect);
	}
	return NULL;
}
