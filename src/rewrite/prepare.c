#include "rewrite/prepare.h"

#include <string.h>

#include "rewrite/prepare_internal.h"

bool rs_preparing_refuse(struct rs_preparing *preparing, size_t byte, const char *reason)
{
	preparing->refusal = reason;
	preparing->refusal_byte = byte;
	return false;
}

void rs_preparing_edit(struct rs_preparing *preparing, struct rs_span span, const char *text, size_t size)
{
	*rs_array_push(preparing->arena, preparing->edits, preparing->n_edits, preparing->edits_capacity) =
		(struct rs_edit) {
			.source = preparing->record->source, .span = span, .text = text, .size = size
		};
}

bool rs_preparing_lines(const struct rs_preparing *preparing, struct rs_span span, struct rs_span *ret_lines)
{
	const char *text = preparing->text;
	size_t start = span.start, end = span.end + strspn(text + span.end, " \t\r");

	while (start > 0 && (text[start - 1] == ' ' || text[start - 1] == '\t'))
		start--;
	if (start == 0 || text[start - 1] != '\n' || text[end] != '\n')
		return false;
	*ret_lines = (struct rs_span) { start, end + 1 };
	return true;
}

static bool is_blank_line(const char *text, size_t start, size_t end)
{
	return strspn(text + start, " \t\r") >= end - start;
}

size_t rs_preparing_with_blank_line(const struct rs_preparing *preparing, struct rs_span lines)
{
	const char *text = preparing->text;
	size_t above = lines.start - 1, below = lines.end;

	while (above > 0 && text[above - 1] != '\n')
		above--;
	below += strspn(text + below, " \t\r");
	if ((text[below] == '\n' || text[below] == '}') && above > preparing->record->body.start &&
	    is_blank_line(text, above, lines.start - 1))
		return above;
	return lines.start;
}

struct rs_span rs_preparing_indent(const struct rs_preparing *preparing, size_t byte)
{
	size_t start = byte;

	while (start > 0 && preparing->text[start - 1] != '\n')
		start--;
	return (struct rs_span) { start, start + strspn(preparing->text + start, " \t") };
}

size_t rs_preparing_column_of(const char *text, size_t line, size_t byte)
{
	size_t column = 0;

	for (size_t i = line; i < byte; i++)
		column = text[i] == '\t' ? (column / RS_TAB_COLUMNS + 1) * RS_TAB_COLUMNS : column + 1;
	return column;
}

struct rs_span rs_preparing_tabs(const char *text, struct rs_span line)
{
	size_t words = line.start + strspn(text + line.start, " \t");
	size_t tabs = words + strcspn(text + words, "\t;/\n"), end = tabs + strspn(text + tabs, "\t");

	return text[end] == ' ' || end >= line.end ? (struct rs_span) { tabs, tabs }
						   : (struct rs_span) { tabs, end };
}

size_t rs_preparing_column(const struct rs_preparing *preparing, size_t anchor)
{
	const struct rs_record *record = preparing->record;
	size_t column = 0;

	for (size_t u = 0; u < record->n_units; u++) {
		struct rs_span line = {
			rs_preparing_indent(preparing, record->units[u].declaration.start).start,
			record->units[u].declaration.end
		};
		struct rs_span tabs = rs_preparing_tabs(preparing->text, line);

		if (tabs.start < tabs.end && (u < anchor || column == 0))
			column = rs_preparing_column_of(preparing->text, line.start, tabs.end);
	}
	return column;
}

static bool apply(struct rs_preparing *preparing, const struct rs_alteration *step)
{
	switch (step->kind) {
	case RS_OPERATION_HOIST:
		return rs_prepare_hoist(preparing, step);
	case RS_OPERATION_ALIGN:
		return rs_prepare_align(preparing, step);
	case RS_OPERATION_PAD:
		return rs_prepare_pad(preparing, step);
	default:
		return rs_preparing_refuse(preparing, preparing->record->span.start, "this cannot be prepared");
	}
}

void rs_prepare_apply(struct rs_arena *arena, const struct rs_record *record, struct rs_alterations steps,
		      struct rs_prepared *ret_prepared)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder out = { 0 };
	const struct rs_source *source = record->source;
	struct rs_preparing preparing = { .arena = arena, .record = record, .text = source->text };
	bool done = true;

	for (size_t i = 0; i < steps.n_items && done; i++)
		done = apply(&preparing, &steps.items[i]);
	*ret_prepared =
		(struct rs_prepared) { .refusal = preparing.refusal, .refusal_byte = preparing.refusal_byte };
	if (!done)
		return;
	rs_edit_sort(arena, preparing.edits, preparing.n_edits);
	rs_edit_apply(source, preparing.edits, preparing.n_edits, &out);
	ret_prepared->source = rs_source_create(arena, source->path, source->realpath,
						rs_arena_strndup(arena, out.data, out.length), out.length);
}
