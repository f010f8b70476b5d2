#include "rewrite/lift.h"

#include <string.h>

#include "record/layout.h"
#include "rewrite/prepare_internal.h"

/* --- names --- */

static size_t count_names(struct rs_alterations steps)
{
	size_t count = 0;

	for (size_t i = 0; i < steps.n_items; i++)
		count += steps.items[i].kind == RS_OPERATION_LIFT ? steps.items[i].n_fields : 0;
	return count;
}

struct rs_lifting rs_lift_names(struct rs_arena *arena, struct rs_alterations steps, const char *record)
{
	struct rs_lifted *items = rs_arena_array(arena, struct rs_lifted, count_names(steps));
	struct rs_lifting lifting = { .items = items };

	for (size_t i = 0; i < steps.n_items; i++) {
		const struct rs_alteration *step = &steps.items[i];

		for (size_t f = 0; step->kind == RS_OPERATION_LIFT && f < step->n_fields; f++) {
			const char *dot = strchr(step->fields[f], '.');
			size_t length = (size_t)(dot - step->fields[f]);

			items[lifting.n_items++] =
				(struct rs_lifted) { rs_arena_strndup(arena, step->fields[f], length), dot + 1,
						     step->through[f], record, step->name };
		}
	}
	return lifting;
}

static bool leaves(struct rs_lifting lifting, const struct rs_record *record, size_t member)
{
	for (size_t i = 0; i < lifting.n_items; i++)
		if (strcmp(lifting.items[i].container, record->name) == 0 &&
		    strcmp(lifting.items[i].member, record->members[member].path) == 0)
			return true;
	return false;
}

size_t rs_lift_count_leaving(struct rs_lifting lifting, const struct rs_record *record)
{
	size_t count = 0;

	for (size_t m = 0; m < record->n_members; m = rs_record_next_sibling(record, m))
		count += leaves(lifting, record, m) ? 1 + record->members[m].n_inside : 0;
	return count;
}

/* --- the texts --- */

struct lifting {
	struct rs_arena *arena;
	const struct rs_lift_request *request;
	struct rs_lift_texts *texts;
	struct rs_edit *edits;
	size_t n_edits, edits_capacity;
};

static bool refuse(struct lifting *lifting, const struct rs_source *source, size_t byte, const char *reason)
{
	lifting->texts->refusal = reason;
	lifting->texts->where = source;
	lifting->texts->refusal_byte = byte;
	return false;
}

static void add_edit(struct lifting *lifting, const struct rs_source *source, struct rs_span span,
		     const char *text)
{
	*rs_array_push(lifting->arena, lifting->edits, lifting->n_edits, lifting->edits_capacity) =
		(struct rs_edit) { .source = source, .span = span, .text = text, .size = strlen(text) };
}

static struct rs_preparing prepare(struct lifting *lifting, const struct rs_record *record)
{
	return (struct rs_preparing) { .arena = lifting->arena,
				       .record = record,
				       .text = record->source->text };
}

/* The whole lines of the one declaration of a member. */
static bool find_lines(struct lifting *lifting, const struct rs_record *container, size_t member,
		       struct rs_span *ret_lines)
{
	const struct rs_member *own = &container->members[member];
	const struct rs_unit *unit = own->unit == RS_NONE ? NULL : &container->units[own->unit];
	struct rs_preparing preparing = prepare(lifting, container);

	if (!unit || unit->origin != RS_UNIT_PLAIN || unit->n_members != 1 || own->is_bitfield)
		return refuse(lifting, container->source, own->byte,
			      "its declaration is not one of its own, or is a bit-field");
	if (own->is_flexible)
		return refuse(lifting, container->source, own->byte, "it has no size of its own");
	if (rs_preparing_lines(&preparing, unit->span, ret_lines))
		return true;
	return refuse(lifting, container->source, own->byte, "it shares its line with something else");
}

/* Declarations side by side leave as one, and a blank line that only parted them from others with them. */
static bool remove_members(struct lifting *lifting, const struct rs_record *container)
{
	struct rs_preparing preparing = prepare(lifting, container);
	struct rs_span gone = { 0, 0 }, lines;

	for (size_t m = 0; m < container->n_members; m = rs_record_next_sibling(container, m)) {
		if (!leaves(lifting->request->lifting, container, m))
			continue;
		if (!find_lines(lifting, container, m, &lines))
			return false;
		if (gone.end > 0 && gone.end != lines.start) {
			gone.start = rs_preparing_with_blank_line(&preparing, gone);
			add_edit(lifting, container->source, gone, "");
			gone.end = 0;
		}
		gone = gone.end > 0 ? (struct rs_span) { gone.start, lines.end } : lines;
	}
	if (gone.end == 0)
		return true;
	gone.start = rs_preparing_with_blank_line(&preparing, gone);
	add_edit(lifting, container->source, gone, "");
	return true;
}

static const struct rs_record *find_container(const struct rs_lift_request *request, const char *field)
{
	for (size_t i = 0; i < request->n_containers; i++) {
		size_t length = strlen(request->containers[i]->name);

		if (strncmp(field, request->containers[i]->name, length) == 0 && field[length] == '.')
			return request->containers[i];
	}
	return NULL;
}

/* The declaration as it stands in the first of its containers, by its name there. */
static bool append_declaration(struct lifting *lifting, const struct rs_alteration *step,
			       struct rs_builder *out)
{
	const struct rs_record *record = lifting->request->record;
	const struct rs_record *container = find_container(lifting->request, step->fields[0]);
	const char *text = container->source->text, *old = strchr(step->fields[0], '.') + 1;
	size_t member = rs_record_find_member(container, old), name, column;
	struct rs_preparing there = prepare(lifting, container), here = prepare(lifting, record);
	struct rs_span lines, tabs, indent;

	if (!find_lines(lifting, container, member, &lines))
		return false;
	name = container->members[member].byte;
	if (strncmp(text + name, old, strlen(old)) != 0)
		return refuse(lifting, container->source, name, "a macro makes its name");
	tabs = rs_preparing_tabs(text, (struct rs_span) { rs_preparing_indent(&there, name).start, lines.end });
	indent = rs_preparing_indent(&here, record->units[record->n_units - 1].declaration.start);
	column = rs_preparing_column(&here, record->n_units - 1);
	if (tabs.start < tabs.end && tabs.end == name && column > 0 &&
	    lines.start == rs_preparing_indent(&there, name).start) {
		size_t at = rs_preparing_column_of(text, lines.start, tabs.start);

		rs_builder_append(out, record->source->text + indent.start, indent.end - indent.start);
		lines.start += strspn(text + lines.start, " \t");
		rs_builder_append(out, text + lines.start, tabs.start - lines.start);
		rs_builder_pad(out, '\t', at >= column ? 1 : column / RS_TAB_COLUMNS - at / RS_TAB_COLUMNS);
	} else {
		rs_builder_append(out, text + lines.start, name - lines.start);
	}
	name += strlen(old);
	rs_builder_appends(out, step->name);
	rs_builder_append(out, text + name, lines.end - name);
	return true;
}

static bool insert_members(struct lifting *lifting)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	const struct rs_record *record = lifting->request->record;
	const struct rs_unit *last = &record->units[record->n_units - 1];
	struct rs_preparing preparing = prepare(lifting, record);
	struct rs_span lines;

	for (size_t i = 0; i < record->n_constraints; i++)
		if (record->constraints[i].kind == RS_KEEP_LAST)
			return refuse(lifting, record->source, last->span.start,
				      "nothing can come behind what is last in it");
	if (!rs_preparing_lines(&preparing, last->span, &lines))
		return refuse(lifting, record->source, last->span.start,
			      "its last declaration shares its line with something else");
	for (size_t i = 0; i < lifting->request->steps.n_items; i++)
		if (!append_declaration(lifting, &lifting->request->steps.items[i], &text))
			return false;
	add_edit(lifting, record->source, (struct rs_span) { lines.end, lines.end },
		 rs_arena_strndup(lifting->arena, text.data, text.length));
	return true;
}

/* Texts of one file may be several sources, each unit's own. */
static void apply_edits(struct lifting *lifting)
{
	struct rs_edit *edits = lifting->edits;
	const struct rs_source **before =
		rs_arena_array(lifting->arena, const struct rs_source *, lifting->n_edits);
	const struct rs_source **after =
		rs_arena_array(lifting->arena, const struct rs_source *, lifting->n_edits);
	size_t count = 0;

	rs_edit_sort(lifting->arena, edits, lifting->n_edits);
	for (size_t i = 0, end; i < lifting->n_edits; i = end, count++) {
		RS_CLEANUP(rs_builder_deinit) struct rs_builder out = { 0 };
		const struct rs_source *source = edits[i].source;

		for (end = i + 1; end < lifting->n_edits; end++)
			if (strcmp(edits[end].source->realpath, source->realpath) != 0)
				break;
		rs_edit_apply(source, edits + i, end - i, &out);
		before[count] = source;
		after[count] =
			rs_source_create(lifting->arena, source->path, source->realpath,
					 rs_arena_strndup(lifting->arena, out.data, out.length), out.length);
	}
	lifting->texts->before = before;
	lifting->texts->after = after;
	lifting->texts->n_texts = count;
}

void rs_lift_rewrite(struct rs_arena *arena, const struct rs_lift_request *request,
		     struct rs_lift_texts *ret_texts)
{
	struct lifting lifting = { .arena = arena, .request = request, .texts = ret_texts };

	*ret_texts = (struct rs_lift_texts) { 0 };
	if (!insert_members(&lifting))
		return;
	for (size_t i = 0; i < request->n_containers; i++)
		if (!remove_members(&lifting, request->containers[i]))
			return;
	for (size_t f = 0; f < request->n_files; f++)
		for (size_t i = 0; i < request->files[f].n_edits; i++)
			add_edit(&lifting, request->files[f].source, request->files[f].edits[i].span,
				 request->files[f].edits[i].text);
	apply_edits(&lifting);
}

/* --- what became of them --- */

static bool is_through(struct rs_lifting lifting, const struct rs_record *record, size_t member)
{
	for (size_t i = 0; i < lifting.n_items; i++)
		if (strcmp(lifting.items[i].container, record->name) == 0 &&
		    strcmp(lifting.items[i].through, record->members[member].path) == 0)
			return true;
	return false;
}

const char *rs_lift_check_container(struct rs_arena *arena, struct rs_lifting lifting,
				    const struct rs_record *old, const struct rs_record *now)
{
	size_t at = 0, misplaced;

	for (size_t m = 0; m < old->n_members; m = rs_record_next_sibling(old, m)) {
		const struct rs_member *a = &old->members[m], *b = &now->members[at];

		if (leaves(lifting, old, m))
			continue;
		if (at >= now->n_members || strcmp(a->path, b->path) != 0 ||
		    strcmp(a->declaration, b->declaration) != 0 || a->align_bytes != b->align_bytes ||
		    (a->size_bits != b->size_bits && !is_through(lifting, old, m)))
			return rs_arena_printf(arena, "'%s' is not as it was", a->declaration);
		at = rs_record_next_sibling(now, at);
	}
	if (at != now->n_members)
		return "it has more members than it should";
	return rs_layout_agrees(now, &misplaced) ? NULL : "its layout is not the one that the arithmetic gives";
}

const char *rs_lift_check_record(struct rs_arena *arena, const struct rs_lift_request *request,
				 const struct rs_record *now)
{
	for (size_t i = 0; i < request->steps.n_items; i++) {
		const struct rs_alteration *step = &request->steps.items[i];
		size_t member = rs_record_find_member(now, step->name);

		for (size_t f = 0; f < step->n_fields; f++) {
			const struct rs_record *container = find_container(request, step->fields[f]);
			size_t old = rs_record_find_member(container, strchr(step->fields[f], '.') + 1);
			const struct rs_member *a = &container->members[old];

			if (member == RS_NONE || strcmp(now->members[member].type, a->type) != 0 ||
			    now->members[member].size_bits != a->size_bits ||
			    now->members[member].align_bytes != a->align_bytes)
				return rs_arena_printf(arena, "'%s' is not what '%s' was", step->name,
						       step->fields[f]);
		}
	}
	return NULL;
}
