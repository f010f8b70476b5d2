#include "session/headlines.h"

#include <string.h>

enum { NAMES_SHOWN = 3 };

static size_t unit_of(const struct rs_record *record, size_t member)
{
	while (record->members[member].parent != RS_NONE)
		member = record->members[member].parent;
	return record->members[member].unit;
}

static bool writes(const struct rs_record *record, const struct rs_bound_path *path,
		   const struct rs_operation *block)
{
	for (size_t i = 0; i < path->n_accesses; i++) {
		size_t unit = unit_of(record, path->accesses[i].member);

		if (path->accesses[i].writes && unit >= block->first_unit &&
		    unit < block->first_unit + block->n_units)
			return true;
	}
	return false;
}

/* A name that would end the comment, or its line, is none. */
static bool can_be_said(const char *name)
{
	return name && !strstr(name, "*/") && !strpbrk(name, "\r\n\\");
}

static const char *name_writers(struct rs_arena *arena, const struct rs_record *record,
				const struct rs_binding *binding, const struct rs_operation *block)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	const char *names[NAMES_SHOWN];
	size_t count = 0, shown;

	for (size_t p = 0; p < binding->n_paths; p++)
		if (binding->paths[p].rate > 0 && can_be_said(binding->paths[p].name) &&
		    writes(record, &binding->paths[p], block)) {
			if (count < NAMES_SHOWN)
				names[count] = binding->paths[p].name;
			count++;
		}
	if (count == 0)
		return NULL;
	shown = count < NAMES_SHOWN ? count : NAMES_SHOWN;
	rs_builder_appends(&text, "/* written by ");
	for (size_t i = 0; i < shown; i++)
		rs_builder_printf(&text, "%s%s", i == 0 ? "" : i + 1 == count ? " and " : ", ", names[i]);
	rs_builder_appends(&text, count > shown ? " and others */" : " */");
	return rs_arena_strdup(arena, text.data);
}

/* Whether it stands there from an earlier run. */
static bool is_there(const struct rs_record *record, size_t unit, const char *text)
{
	struct rs_span own = record->units[unit].span, gap = record->gaps[unit].span;

	return memmem(record->source->text + gap.start, own.end - gap.start, text, strlen(text)) != NULL;
}

struct rs_headlines rs_headlines_find(struct rs_arena *arena, const struct rs_record *record,
				      const struct rs_binding *binding, const struct rs_plan *plan)
{
	struct rs_headline *items = rs_arena_array(arena, struct rs_headline, plan->n_operations);
	struct rs_headlines headlines = { items, 0 };

	for (size_t i = 0; binding && i < plan->n_operations; i++) {
		const struct rs_operation *block = &plan->operations[i];
		const char *text = NULL;

		if (block->kind == RS_OPERATION_MOVE)
			text = name_writers(arena, record, binding, block);
		if (text && !is_there(record, block->first_unit, text))
			items[headlines.n_items++] = (struct rs_headline) { block->first_unit, text };
	}
	return headlines;
}
