#include "rewrite/headline.h"

#include <string.h>

#include "base/builder.h"

/* New bytes at a place of the old text. */
struct insertion {
	size_t at;
	const char *text;
	size_t size;
};

struct writing {
	struct rs_arena *arena;
	const struct rs_record *record;
	struct insertion *items; /* by place */
	size_t n_items;
};

/* The blanks that the unit's line begins with; false when there is more in front of it. */
static bool find_indent(const struct rs_record *record, size_t unit, struct rs_span *ret_indent)
{
	const char *text = record->source->text;
	size_t end = record->units[unit].span.start, start = end;

	while (start > 0 && (text[start - 1] == ' ' || text[start - 1] == '\t'))
		start--;
	*ret_indent = (struct rs_span) { start, end };
	return start > 0 && text[start - 1] == '\n' && !record->units[unit].n_parts;
}

static void add(struct writing *writing, const struct rs_headline *headline)
{
	const struct rs_record *record = writing->record;
	const char *text = record->source->text;
	struct rs_span indent;
	size_t at = writing->n_items;

	if (headline->unit >= record->n_units || !find_indent(record, headline->unit, &indent))
		return;
	bool has_return = indent.start > 1 && text[indent.start - 2] == '\r';
	const char *line =
		rs_arena_printf(writing->arena, "%s%s%.*s", headline->text, has_return ? "\r\n" : "\n",
				(int)(indent.end - indent.start), text + indent.start);
	for (; at > 0 && writing->items[at - 1].at > indent.end; at--)
		writing->items[at] = writing->items[at - 1];
	writing->items[at] = (struct insertion) { indent.end, line, strlen(line) };
	writing->n_items++;
}

/* Where a byte comes to lie; what is inserted right at it comes behind or before it. */
static size_t shifted(const struct writing *writing, size_t byte, bool behind)
{
	size_t result = byte;

	for (size_t i = 0; i < writing->n_items; i++)
		if (writing->items[i].at < byte || (!behind && writing->items[i].at == byte))
			result += writing->items[i].size;
	return result;
}

static struct rs_span shifted_span(const struct writing *writing, struct rs_span span, bool behind)
{
	return (struct rs_span) { shifted(writing, span.start, behind), shifted(writing, span.end, behind) };
}

static const struct rs_source *write_source(const struct writing *writing)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder out = { 0 };
	const struct rs_source *source = writing->record->source;
	size_t at = 0;

	for (size_t i = 0; i < writing->n_items; i++) {
		rs_builder_append(&out, source->text + at, writing->items[i].at - at);
		rs_builder_append(&out, writing->items[i].text, writing->items[i].size);
		at = writing->items[i].at;
	}
	rs_builder_append(&out, source->text + at, source->size - at);
	return rs_source_create(writing->arena, source->path, source->realpath,
				rs_arena_strndup(writing->arena, out.data, out.length), out.length);
}

static void shift_units(const struct writing *writing, struct rs_record *record)
{
	const struct rs_record *old = writing->record;
	struct rs_unit *units = rs_arena_array(writing->arena, struct rs_unit, old->n_units);
	struct rs_gap *gaps = rs_arena_array(writing->arena, struct rs_gap, old->n_units + 1);
	struct rs_member *members = rs_arena_array(writing->arena, struct rs_member, old->n_members);

	for (size_t u = 0; u < old->n_units; u++) {
		units[u] = old->units[u];
		units[u].span = shifted_span(writing, units[u].span, true);
		units[u].declaration = shifted_span(writing, units[u].declaration, false);
		for (size_t i = 0; i < writing->n_items; i++)
			units[u].n_lines += writing->items[i].at == old->units[u].span.start;
	}
	for (size_t g = 0; g <= old->n_units; g++) {
		gaps[g] = old->gaps[g];
		gaps[g].span = shifted_span(writing, gaps[g].span, true);
	}
	for (size_t m = 0; m < old->n_members; m++) {
		members[m] = old->members[m];
		members[m].byte = shifted(writing, members[m].byte, false);
	}
	record->units = units;
	record->gaps = gaps;
	record->members = members;
}

const struct rs_record *rs_headlines_write(struct rs_arena *arena, const struct rs_record *record,
					   struct rs_headlines headlines)
{
	struct writing writing = { .arena = arena, .record = record };
	struct rs_record *written;

	writing.items = rs_arena_array(arena, struct insertion, headlines.n_items);
	for (size_t i = 0; i < headlines.n_items; i++)
		add(&writing, &headlines.items[i]);
	if (writing.n_items == 0)
		return record;
	written = rs_arena_new(arena, struct rs_record);
	*written = *record;
	written->source = write_source(&writing);
	written->body = shifted_span(&writing, record->body, true);
	written->span = shifted_span(&writing, record->span, true);
	shift_units(&writing, written);
	return written;
}
