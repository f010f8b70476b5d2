#include "rewrite/initializer_text.h"

#include <string.h>

#include "base/builder.h"
#include "parse/lexer.h"

enum { TAB = 8 };

/* What stands around one value. Spans are empty where there is nothing. */
struct slot {
	struct rs_span blank; /* before its leading comments: belongs to the place */
	struct rs_span lead;  /* leading comments, up to the value */
	struct rs_span trail; /* from the value to the end of comments before the comma */
	struct rs_span comma; /* from there to behind the comma; empty without one */
	struct rs_span post;  /* from the comma to the end of comments behind it, on the same line */
};

struct layout {
	const struct rs_value_list *list;
	const char *text;
	struct slot *slots;
	struct rs_span tail; /* from the last value's comments to the end of the list */
};

static bool has_newline(const char *text, size_t start, size_t end)
{
	return end > start && memchr(text + start, '\n', end - start);
}

static bool is_empty(struct rs_span span)
{
	return span.start >= span.end;
}

/* Only blanks from there to the line's end. */
static bool ends_line(const char *text, size_t at, size_t end)
{
	while (at < end && strchr(" \t\r\\", text[at]))
		at++;
	return at >= end || text[at] == '\n';
}

/* --- reading --- */

/* The gap between two values (before: RS_NONE at the start, after: at the end), one token at a time. */
struct gap {
	struct layout *layout;
	size_t before, after;
	size_t at;      /* behind the last token */
	bool has_comma; /* so far */
	bool has_lead;
};

static void take_comma(struct gap *gap, struct rs_token token)
{
	struct slot *slot = &gap->layout->slots[gap->before];

	slot->comma = (struct rs_span) { slot->trail.end, token.span.end };
	slot->post = (struct rs_span) { token.span.end, token.span.end };
	gap->has_comma = true;
}

/* A comment that follows a value on its line is that one's, if nothing but the line's end follows it. */
static bool take_comment(struct gap *gap, struct rs_token token)
{
	const char *text = gap->layout->text;
	bool same_line = !has_newline(text, gap->at, token.span.start);
	bool at_end = ends_line(text, token.span.end, gap->layout->list->span.end);
	bool is_last = gap->after == RS_NONE;
	struct slot *slot = gap->before == RS_NONE ? NULL : &gap->layout->slots[gap->before];

	if (!slot) {
		/* Behind the opening brace: of the list, if a line's end follows. */
		if (!gap->has_lead && same_line && at_end)
			return true;
	} else if (!gap->has_lead && !gap->has_comma && (!is_last || !at_end || !same_line)) {
		if (token.kind == RS_TOKEN_LINE_COMMENT)
			return false;
		if (is_last && !same_line)
			gap->has_lead = true; /* on a line of its own behind the last value: it stays */
		else
			slot->trail.end = token.span.end;
		return true;
	} else if (!gap->has_lead && same_line && at_end) {
		if (!gap->has_comma)
			slot->post.start = slot->trail.end;
		slot->post.end = token.span.end;
		return true;
	}
	if (is_last) {
		gap->has_lead = true;
		return true;
	}
	if (!gap->has_lead)
		gap->layout->slots[gap->after].lead.start = token.span.start;
	gap->has_lead = true;
	return true;
}

static bool read_gap(struct layout *layout, size_t before, size_t after, struct rs_span span)
{
	struct gap gap = { .layout = layout, .before = before, .after = after, .at = span.start };
	struct rs_lexer lexer;

	if (before != RS_NONE) {
		struct slot *slot = &layout->slots[before];

		slot->trail = slot->comma = slot->post = (struct rs_span) { span.start, span.start };
	}
	if (after != RS_NONE)
		layout->slots[after].lead = (struct rs_span) { span.end, span.end };
	rs_lexer_init(&lexer, layout->text, span.start, span.end);
	for (struct rs_token token; (token = rs_lexer_next(&lexer)).kind != RS_TOKEN_END;
	     gap.at = token.span.end) {
		if (rs_token_is_comment(token) && !take_comment(&gap, token))
			return false;
		if (rs_token_is_comment(token))
			continue;
		if (!rs_token_is(layout->text, token, ",") || before == RS_NONE || gap.has_comma ||
		    gap.has_lead)
			return false;
		take_comma(&gap, token);
	}
	if (before != RS_NONE && !gap.has_comma) {
		struct slot *slot = &layout->slots[before];

		slot->comma = (struct rs_span) { slot->trail.end, slot->trail.end };
		if (is_empty(slot->post))
			slot->post = slot->comma;
	}
	size_t from = before == RS_NONE ? span.start : layout->slots[before].post.end;
	if (after == RS_NONE)
		layout->tail = (struct rs_span) { from, span.end };
	else
		layout->slots[after].blank = (struct rs_span) { from, layout->slots[after].lead.start };
	return before == RS_NONE || after == RS_NONE || gap.has_comma;
}

static bool read_layout(struct layout *layout)
{
	const struct rs_value_list *list = layout->list;
	size_t at = list->span.start;

	for (size_t i = 0; i < list->n_values; i++) {
		if (!read_gap(layout, i > 0 ? i - 1 : RS_NONE, i,
			      (struct rs_span) { at, list->values[i].start }))
			return false;
		at = list->values[i].end;
	}
	return read_gap(layout, list->n_values - 1, RS_NONE, (struct rs_span) { at, list->span.end });
}

/* --- printing --- */

static size_t advance(size_t column, char c)
{
	if (c == '\n')
		return 0;
	return c == '\t' ? (column / TAB + 1) * TAB
			 : column + ((unsigned char)c < 0x80 || (unsigned char)c >= 0xc0);
}

static size_t column_of(const char *text, size_t start, size_t end)
{
	size_t column = 0;

	for (size_t i = start; i < end; i++)
		column = advance(column, text[i]);
	return column;
}

static size_t line_start(const char *text, size_t at)
{
	while (at > 0 && text[at - 1] != '\n')
		at--;
	return at;
}

/* Where the text built so far has come to on its line, which may begin before the list. */
static size_t current_column(const struct layout *layout, const struct rs_builder *out)
{
	size_t start = layout->list->span.start;
	const char *built = out->data ? out->data : "";
	size_t column = column_of(layout->text, line_start(layout->text, start), start);

	for (size_t i = 0; i < out->length; i++)
		column = advance(column, built[i]);
	return column;
}

/* Blanks, then what stands behind them in the original: in the column where it stands there, if there is room.
 */
static void print_aligned(const struct layout *layout, struct rs_builder *out, struct rs_span span)
{
	const char *text = layout->text;
	size_t blank = strspn(text + span.start, " \t"), at = span.start + blank;
	size_t wanted = column_of(text, line_start(text, span.start), at);
	size_t column = current_column(layout, out);
	bool has_tab = memchr(text + span.start, '\t', blank) != NULL;

	if (blank > 1 || has_tab) {
		size_t before = column;

		for (; has_tab && advance(column, '\t') <= wanted; column = advance(column, '\t'))
			rs_builder_appendc(out, '\t');
		for (; column < wanted; column++)
			rs_builder_appendc(out, ' ');
		if (column == before)
			rs_builder_appendc(out, has_tab ? '\t' : ' ');
	} else {
		rs_builder_append(out, text + span.start, blank);
	}
	rs_builder_append(out, text + at, span.end - at);
}

static bool begins_line(const char *text, struct rs_span span)
{
	return has_newline(text, span.start, span.end);
}

/* The blanks before the k-th value. On one line they are the padding of the value before, so that the columns
 * of a table stay columns. */
static void print_blank(const struct layout *layout, struct rs_builder *out, size_t k)
{
	const struct rs_value_list *list = layout->list;
	struct rs_span own = layout->slots[k].blank, padding;

	if (k == 0) {
		rs_builder_append(out, layout->text + own.start, own.end - own.start);
		return;
	}
	if (begins_line(layout->text, own)) {
		if (layout->text[own.start + strspn(layout->text + own.start, " \t")] == '\\')
			print_aligned(layout, out, own);
		else
			rs_builder_append(out, layout->text + own.start, own.end - own.start);
		return;
	}
	size_t before = list->order[k - 1];
	padding = before + 1 < list->n_values ? layout->slots[before + 1].blank : own;
	if (before + 1 < list->n_values && !begins_line(layout->text, padding))
		own = padding;
	else if (own.end - own.start > 1)
		own.end = own.start + 1;
	rs_builder_append(out, layout->text + own.start, own.end - own.start);
}

/* A comment that ends its line must do so in its new place. */
static bool can_stand(const struct layout *layout, size_t k, size_t value)
{
	struct rs_span behind = k + 1 < layout->list->n_values ? layout->slots[k + 1].blank : layout->tail;

	return is_empty(layout->slots[value].post) || begins_line(layout->text, behind);
}

static void print_span(const struct layout *layout, struct rs_builder *out, struct rs_span span)
{
	if (!is_empty(span))
		rs_builder_append(out, layout->text + span.start, span.end - span.start);
}

static void print_slot(const struct layout *layout, struct rs_builder *out, size_t k)
{
	size_t value = layout->list->order[k];
	const struct slot *slot = &layout->slots[value];

	print_blank(layout, out, k);
	print_span(layout, out, slot->lead);
	rs_builder_appends(out, layout->list->texts[value]);
	print_span(layout, out, slot->trail);
	print_span(layout, out, layout->slots[k].comma);
	if (!is_empty(slot->post))
		print_aligned(layout, out, slot->post);
}

const char *rs_initializer_text_print(struct rs_arena *arena, const struct rs_value_list *list)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder out = { 0 };
	struct layout layout = { .list = list, .text = list->source->text };

	if (list->n_values == 0)
		return NULL;
	layout.slots = rs_arena_array(arena, struct slot, list->n_values);
	if (!read_layout(&layout))
		return NULL;
	for (size_t k = 0; k < list->n_values; k++) {
		if (!can_stand(&layout, k, list->order[k]))
			return NULL;
		print_slot(&layout, &out, k);
	}
	if (layout.text[layout.tail.start + strspn(layout.text + layout.tail.start, " \t")] == '\\')
		print_aligned(&layout, &out, layout.tail);
	else
		print_span(&layout, &out, layout.tail);
	return rs_arena_strndup(arena, out.data ? out.data : "", out.length);
}
