#include "rewrite/lift.h"

#include <string.h>

#include "rewrite/kernel_doc.h"
#include "rewrite/lift_check.h"
#include "rewrite/prepare_internal.h"

/* --- names --- */

static size_t count_names(struct rs_alterations steps)
{
	size_t count = 0;

	for (size_t i = 0; i < steps.n_items; i++)
		count += steps.items[i].through ? steps.items[i].n_fields : 0;
	return count;
}

struct rs_lifting rs_lift_names(struct rs_arena *arena, struct rs_alterations steps, const char *record)
{
	struct rs_lifted *items = rs_arena_array(arena, struct rs_lifted, count_names(steps));
	struct rs_lifting lifting = { .items = items };

	for (size_t i = 0; i < steps.n_items; i++) {
		const struct rs_alteration *step = &steps.items[i];

		for (size_t f = 0; step->through && f < step->n_fields; f++) {
			const char *dot = strchr(step->fields[f], '.');
			size_t length = (size_t)(dot - step->fields[f]);

			items[lifting.n_items++] =
				(struct rs_lifted) { rs_arena_strndup(arena, step->fields[f], length),
						     dot + 1,
						     step->through[f],
						     record,
						     step->name,
						     step->kind == RS_OPERATION_LOWER };
		}
	}
	return lifting;
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

/* Bit-fields on either side of what leaves would come to share storage. */
static bool check_neighbours(struct lifting *lifting, const struct rs_record *from, size_t before,
			     size_t behind)
{
	const struct rs_member *members = from->members;

	if (before == RS_NONE || behind >= from->n_members || !members[before].is_bitfield ||
	    !members[behind].is_bitfield)
		return true;
	return refuse(lifting, from->source, members[behind].byte,
		      "it stands between bit-fields, which would come to share storage");
}

/* What the comment above the struct says of it leaves, too. */
static bool remove_entry(struct lifting *lifting, const struct rs_record *from, size_t member)
{
	struct rs_span entry;

	switch (rs_kernel_doc_find(lifting->arena, from, from->members[member].path, &entry)) {
	case RS_KERNEL_DOC_ENTRY:
		add_edit(lifting, from->source, entry, "");
		return true;
	case RS_KERNEL_DOC_UNCLEAR:
		return refuse(lifting, from->source, from->members[member].byte,
			      "the comment above the struct leaves open which of its lines are about it");
	default:
		return true;
	}
}

static void remove_lines(struct lifting *lifting, const struct rs_record *from, struct rs_span gone)
{
	struct rs_preparing preparing = prepare(lifting, from);

	if (gone.end == 0)
		return;
	gone.start = rs_preparing_with_blank_line(&preparing, gone);
	add_edit(lifting, from->source, gone, "");
}

/* Declarations side by side leave as one, and a blank line that only parted them from others with them. */
static bool remove_members(struct lifting *lifting, const struct rs_record *from)
{
	struct rs_span gone = { 0, 0 }, lines;
	size_t kept = RS_NONE;
	bool has_left = false;

	for (size_t m = 0; m < from->n_members; m = rs_record_next_sibling(from, m)) {
		bool goes = rs_lift_leaves(lifting->request->lifting, from, m);

		if (!goes && has_left && !check_neighbours(lifting, from, kept, m))
			return false;
		kept = goes ? kept : m;
		has_left = goes;
		if (!goes)
			continue;
		if (!find_lines(lifting, from, m, &lines) || !remove_entry(lifting, from, m))
			return false;
		if (gone.end != lines.start) {
			remove_lines(lifting, from, gone);
			gone.start = lines.start;
		}
		gone.end = lines.end;
	}
	remove_lines(lifting, from, gone);
	return true;
}

/* --- where they come to --- */

/* A member on its way. */
struct arrival {
	const struct rs_record *from, *to;
	const char *old, *name;
};

/* The text, in which `@old` becomes `@name`. */
static void append_renamed(struct rs_builder *out, const char *text, size_t size, const struct arrival *arrival)
{
	size_t length = strlen(arrival->old), done = 0;

	for (size_t i = 0; i + length < size; i++) {
		if (text[i] != '@' || memcmp(text + i + 1, arrival->old, length) != 0 ||
		    (i + length + 1 < size && !strchr(":. \t\n", text[i + length + 1])))
			continue;
		rs_builder_append(out, text + done, i + 1 - done);
		rs_builder_appends(out, arrival->name);
		done = i + 1 + length;
	}
	rs_builder_append(out, text + done, size - done);
}

/* A comment of its own, in the form that such comments have above single members. */
static void append_comment(const struct arrival *arrival, struct rs_span entry, struct rs_span indent,
			   struct rs_builder *out)
{
	const char *blanks = arrival->to->source->text + indent.start, *text = arrival->from->source->text;
	size_t size = indent.end - indent.start;

	rs_builder_append(out, blanks, size);
	rs_builder_appends(out, "/**\n");
	for (size_t at = entry.start; at < entry.end;) {
		size_t start = at + strspn(text + at, " \t"), end = start + strcspn(text + start, "\n") + 1;

		rs_builder_append(out, blanks, size);
		rs_builder_appendc(out, ' ');
		append_renamed(out, text + start, end - start, arrival);
		at = end;
	}
	rs_builder_append(out, blanks, size);
	rs_builder_appends(out, " */\n");
}

/* What the comment above its old struct says of it, for the struct that it comes to: in the comment there, or,
 * where there is none, above the declaration. */
static void append_entry(struct lifting *lifting, const struct arrival *arrival, struct rs_span indent,
			 struct rs_builder *declarations, struct rs_builder *entries)
{
	const char *text = arrival->from->source->text;
	struct rs_span entry;
	size_t end;

	if (rs_kernel_doc_find(lifting->arena, arrival->from, arrival->old, &entry) != RS_KERNEL_DOC_ENTRY)
		return;
	if (rs_kernel_doc_find_end(lifting->arena, arrival->to, &end)) {
		append_renamed(entries, text + entry.start, entry.end - entry.start, arrival);
		return;
	}
	append_comment(arrival, entry, indent, declarations);
}

/* Whether the name stands behind tabs in a column there, as names do here. */
static size_t column_for(struct lifting *lifting, const struct arrival *arrival, struct rs_span lines,
			 size_t name, struct rs_span *ret_tabs)
{
	struct rs_preparing there = prepare(lifting, arrival->from), here = prepare(lifting, arrival->to);
	size_t line = rs_preparing_indent(&there, name).start;
	size_t column = rs_preparing_column(&here, arrival->to->n_units - 1);

	*ret_tabs = rs_preparing_tabs(there.text, (struct rs_span) { line, lines.end });
	return ret_tabs->start < ret_tabs->end && ret_tabs->end == name && lines.start == line ? column : 0;
}

/* The declaration as it stands where the member leaves. */
static bool append_declaration(struct lifting *lifting, const struct arrival *arrival, struct rs_builder *out,
			       struct rs_builder *entries)
{
	const struct rs_record *from = arrival->from, *to = arrival->to;
	const char *text = from->source->text;
	size_t member = rs_record_find_member(from, arrival->old), name, column;
	struct rs_preparing here = prepare(lifting, to);
	struct rs_span lines, tabs, indent;

	if (!find_lines(lifting, from, member, &lines))
		return false;
	name = from->members[member].byte;
	if (strncmp(text + name, arrival->old, strlen(arrival->old)) != 0)
		return refuse(lifting, from->source, name, "a macro makes its name");
	indent = rs_preparing_indent(&here, to->units[to->n_units - 1].declaration.start);
	append_entry(lifting, arrival, indent, out, entries);
	column = column_for(lifting, arrival, lines, name, &tabs);
	if (column > 0) {
		size_t at = rs_preparing_column_of(text, lines.start, tabs.start);

		rs_builder_append(out, to->source->text + indent.start, indent.end - indent.start);
		lines.start += strspn(text + lines.start, " \t");
		rs_builder_append(out, text + lines.start, tabs.start - lines.start);
		rs_builder_pad(out, '\t', at >= column ? 1 : column / RS_TAB_COLUMNS - at / RS_TAB_COLUMNS);
	} else {
		append_renamed(out, text + lines.start, name - lines.start, arrival);
	}
	name += strlen(arrival->old);
	rs_builder_appends(out, arrival->name);
	rs_builder_append(out, text + name, lines.end - name);
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

static bool append_step(struct lifting *lifting, const struct rs_alteration *step, const struct rs_record *to,
			struct rs_builder *text, struct rs_builder *entries)
{
	const struct rs_record *record = lifting->request->record;
	struct arrival arrival = { .to = to, .from = record, .old = step->name };

	if (step->kind == RS_OPERATION_LIFT) { /* as it stands in the first of its containers */
		arrival.from = find_container(lifting->request, step->fields[0]);
		arrival.old = strchr(step->fields[0], '.') + 1;
		arrival.name = step->name;
		return append_declaration(lifting, &arrival, text, entries);
	}
	for (size_t f = 0; f < step->n_fields; f++) {
		arrival.name = strchr(step->fields[f], '.') + 1;
		if (find_container(lifting->request, step->fields[f]) == to &&
		    !append_declaration(lifting, &arrival, text, entries))
			return false;
	}
	return true;
}

/* Behind the last declaration, or before one that has to stay the last. */
static bool find_place(struct lifting *lifting, const struct rs_record *to, size_t *ret_byte)
{
	const struct rs_unit *last = &to->units[to->n_units - 1];
	struct rs_preparing preparing = prepare(lifting, to);
	struct rs_span lines;

	if (!rs_preparing_lines(&preparing, last->span, &lines))
		return refuse(lifting, to->source, last->span.start,
			      "its last declaration shares its line with something else");
	*ret_byte = lines.end;
	for (size_t m = 0; m < to->n_members; m++)
		if (to->members[m].unit == to->n_units - 1 && to->members[m].is_flexible)
			*ret_byte = lines.start;
	return *ret_byte == lines.end || to != lifting->request->record ||
	       refuse(lifting, to->source, last->span.start, "nothing can come behind what is last in it");
}

static void insert(struct lifting *lifting, const struct rs_record *to, size_t byte,
		   const struct rs_builder *text)
{
	if (text->length > 0)
		add_edit(lifting, to->source, (struct rs_span) { byte, byte },
			 rs_arena_strndup(lifting->arena, text->data, text->length));
}

static bool insert_members(struct lifting *lifting, const struct rs_record *to)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	RS_CLEANUP(rs_builder_deinit) struct rs_builder entries = { 0 };
	size_t byte, entry;

	for (size_t i = 0; to == lifting->request->record && i < to->n_constraints; i++)
		if (to->constraints[i].kind == RS_KEEP_LAST)
			return refuse(lifting, to->source, to->units[to->n_units - 1].span.start,
				      "nothing can come behind what is last in it");
	if (!find_place(lifting, to, &byte))
		return false;
	for (size_t i = 0; i < lifting->request->steps.n_items; i++)
		if (!append_step(lifting, &lifting->request->steps.items[i], to, &text, &entries))
			return false;
	insert(lifting, to, byte, &text);
	if (rs_kernel_doc_find_end(lifting->arena, to, &entry))
		insert(lifting, to, entry, &entries);
	return true;
}

/* --- all texts --- */

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

static bool move_members(struct lifting *lifting)
{
	const struct rs_lift_request *request = lifting->request;
	bool lowers = rs_lifting_lowers(request->lifting);

	if (!(lowers ? remove_members(lifting, request->record) : insert_members(lifting, request->record)))
		return false;
	for (size_t i = 0; i < request->n_containers; i++)
		if (!(lowers ? insert_members(lifting, request->containers[i])
			     : remove_members(lifting, request->containers[i])))
			return false;
	return true;
}

void rs_lift_rewrite(struct rs_arena *arena, const struct rs_lift_request *request,
		     struct rs_lift_texts *ret_texts)
{
	struct lifting lifting = { .arena = arena, .request = request, .texts = ret_texts };

	*ret_texts = (struct rs_lift_texts) { 0 };
	if (!move_members(&lifting))
		return;
	for (size_t f = 0; f < request->n_files; f++)
		for (size_t i = 0; i < request->files[f].n_edits; i++)
			add_edit(&lifting, request->files[f].source, request->files[f].edits[i].span,
				 request->files[f].edits[i].text);
	apply_edits(&lifting);
}
