#include "parse/units.h"

#include <assert.h>
#include <string.h>

#include "parse/comments.h"
#include "parse/cut.h"
#include "parse/words.h"

#define NAME_LENGTH 40

static void refuse(struct rs_unit_scan *scan, size_t byte, const char *why)
{
	if (scan->refusal)
		return;
	scan->refusal = why;
	scan->refusal_byte = byte;
}

/* A lone CR ends a line for one compiler and not for the other: where a // comment ends depends on it. */
static void refuse_lone_returns(const struct rs_source *source, struct rs_span span, struct rs_unit_scan *scan)
{
	const char *text = source->text;

	for (size_t i = span.start; i < span.end; i++)
		if (text[i] == '\r' && (i + 1 >= source->size || text[i + 1] != '\n'))
			refuse(scan, i, "a carriage return without a line feed");
}

/* Whether the directive before the brace leaves the branch that the definition begins in. The brace may stand
 * in a branch of its own; the body must then end in it. */
static bool take_head_directive(const char *text, struct rs_token token, size_t *depth)
{
	switch (rs_words_directive(text, token)) {
	case RS_DIRECTIVE_IF:
		(*depth)++;
		return true;
	case RS_DIRECTIVE_ELSE:
		return *depth > 0;
	case RS_DIRECTIVE_ENDIF:
		return (*depth)-- > 0;
	default:
		return true;
	}
}

/* Moves the lexer behind the opening brace. */
static void enter_body(struct rs_lexer *lexer, struct rs_unit_scan *scan)
{
	const char *text = lexer->text;
	size_t depth = 0, n_branches = 0;

	for (;;) {
		struct rs_token token = rs_lexer_next(lexer);
		char c = token.kind == RS_TOKEN_PUNCTUATION ? text[token.span.start] : '\0';

		if (token.kind == RS_TOKEN_END) {
			refuse(scan, token.span.start, "no opening brace in the text");
			return;
		}
		if (token.kind == RS_TOKEN_DIRECTIVE && !take_head_directive(text, token, &n_branches)) {
			refuse(scan, token.span.start, "a preprocessor branch crosses the struct's braces");
			return;
		}
		if (c == '(' || c == '[')
			depth++;
		else if ((c == ')' || c == ']') && depth > 0)
			depth--;
		else if (c == '{' && depth == 0)
			break;
	}
}

static void read_tokens(struct rs_arena *arena, struct rs_lexer *lexer, struct rs_cut *cut)
{
	struct rs_token *tokens = NULL, token;
	size_t capacity = 0;

	while ((token = rs_lexer_next(lexer)).kind != RS_TOKEN_END)
		*rs_array_push(arena, tokens, cut->n_tokens, capacity) = token;
	cut->tokens = tokens;
}

/* Finds the body and its tokens; the last byte of the definition must be the brace that closes it. */
static void find_body(struct rs_arena *arena, const struct rs_source *source, struct rs_span definition,
		      struct rs_cut *cut, struct rs_unit_scan *scan)
{
	struct rs_lexer lexer;

	scan->body = (struct rs_span) { definition.start, definition.start };
	rs_lexer_init(&lexer, source->text, definition.start, definition.end);
	enter_body(&lexer, scan);
	if (scan->refusal)
		return;
	scan->body = (struct rs_span) { lexer.position, definition.end };
	read_tokens(arena, &lexer, cut);
	if (cut->n_tokens == 0 || !rs_token_is(source->text, cut->tokens[cut->n_tokens - 1], "}")) {
		refuse(scan, definition.end, "the closing brace is not in the struct's own text");
		return;
	}
	cut->n_tokens--;
	scan->body.end = cut->tokens[cut->n_tokens].span.start;
}

/* Where a run of tokens ends: blanks at the end of a // comment or a directive are left to the gap. */
static size_t last_byte_end(const char *text, struct rs_token token)
{
	size_t end = token.span.end;

	while (end > token.span.start + 1 &&
	       (text[end - 1] == ' ' || (text[end - 1] >= '\t' && text[end - 1] <= '\r')))
		end--;
	return end;
}

static unsigned count_lines(const char *text, struct rs_span span)
{
	unsigned count = 1;

	for (size_t i = span.start; i < span.end; i++)
		count += text[i] == '\n';
	return count;
}

/* The start of the declaration on one line, control bytes and runs of blanks as one blank. */
static const char *unit_name(struct rs_arena *arena, const char *text, struct rs_span declaration)
{
	char name[NAME_LENGTH];
	size_t length = 0;

	for (size_t i = declaration.start; i < declaration.end && length < sizeof name; i++) {
		bool is_blank = (unsigned char)text[i] <= ' ' || text[i] == 0x7f;

		if (!is_blank)
			name[length++] = text[i];
		else if (length > 0 && name[length - 1] != ' ')
			name[length++] = ' ';
	}
	while (length > 0 && name[length - 1] == ' ')
		length--;
	return rs_arena_strndup(arena, name, length);
}

static struct rs_unit make_unit(struct rs_arena *arena, const struct rs_cut *cut,
				const struct rs_cut_item *item)
{
	struct rs_token last = cut->tokens[item->span_last];
	struct rs_unit unit = { .origin = item->origin, .has_hidden_bitfields = item->has_hidden_bitfields };

	unit.span.start = cut->tokens[item->span_first].span.start;
	unit.span.end = last_byte_end(cut->text, last);
	unit.declaration.start = cut->tokens[item->first].span.start;
	unit.declaration.end = last_byte_end(cut->text, cut->tokens[item->last]);
	unit.n_lines = count_lines(cut->text, unit.span);
	unit.ends_in_line_comment = last.kind == RS_TOKEN_LINE_COMMENT || last.kind == RS_TOKEN_DIRECTIVE;
	unit.name = unit_name(arena, cut->text, unit.declaration);
	return unit;
}

/* Blanks between two tokens of a gap, or between a token and the gap's border. */
static void look_at_blanks(const char *text, size_t start, size_t end, struct rs_gap *gap,
			   struct rs_unit_scan *scan)
{
	unsigned newlines = 0;

	for (size_t i = start; i < end; i++) {
		newlines += text[i] == '\n';
		if (text[i] == '\\')
			refuse(scan, i, "a line splice between declarations");
	}
	gap->has_blank_line |= newlines > 1;
}

/* Looks at the tokens from `token` on that stand in the gap; gives the first behind it. */
static size_t look_at_gap(const struct rs_cut *cut, size_t token, struct rs_gap *gap, struct rs_unit_scan *scan)
{
	size_t at = gap->span.start;

	for (; token < cut->n_tokens && cut->tokens[token].span.start < gap->span.end; token++) {
		const struct rs_token *here = &cut->tokens[token];

		if (here->span.start < gap->span.start)
			continue;
		look_at_blanks(cut->text, at, here->span.start, gap, scan);
		at = here->span.end;
		gap->has_comment |= rs_token_is_comment(*here);
		gap->has_directive |= here->kind == RS_TOKEN_DIRECTIVE;
		if (here->kind == RS_TOKEN_DIRECTIVE)
			gap->is_barrier |= rs_words_directive(cut->text, *here) != RS_DIRECTIVE_DEFINE;
	}
	if (at < gap->span.end)
		look_at_blanks(cut->text, at, gap->span.end, gap, scan);
	return token;
}

/* Units from the items that are none of the barriers; the text between them is the gaps. */
static void make_units(struct rs_arena *arena, const struct rs_cut *cut, struct rs_unit_scan *scan)
{
	size_t n = 0;

	scan->units = rs_arena_array(arena, struct rs_unit, cut->n_items);
	scan->gaps = rs_arena_array(arena, struct rs_gap, cut->n_items + 1);
	scan->gaps[0].span.start = scan->body.start;
	for (size_t i = 0; i < cut->n_items; i++) {
		const struct rs_cut_item *item = &cut->items[i];

		if (item->is_barrier || item->is_fixed)
			scan->gaps[n].is_barrier = true;
		if (item->is_barrier)
			continue;
		scan->units[n] = make_unit(arena, cut, item);
		scan->gaps[n].span.end = scan->units[n].span.start;
		scan->gaps[n + 1].span.start = scan->units[n].span.end;
		n++;
		scan->gaps[n].is_barrier = item->is_fixed;
	}
	scan->gaps[n].span.end = scan->body.end;
	scan->n_units = n;
}

/* Programmer's check: units and gaps are the body, byte for byte. */
static void assert_covers(const struct rs_unit_scan *scan)
{
	size_t at = scan->body.start;

	for (size_t i = 0; i <= scan->n_units; i++) {
		assert(scan->gaps[i].span.start == at && scan->gaps[i].span.end >= at);
		at = scan->gaps[i].span.end;
		if (i == scan->n_units)
			break;
		assert(scan->units[i].span.start == at && scan->units[i].span.end > at);
		at = scan->units[i].span.end;
	}
	assert(at == scan->body.end);
	(void)at;
}

static void scan_body(struct rs_arena *arena, const struct rs_source *source, struct rs_span definition,
		      struct rs_unit_scan *scan)
{
	struct rs_cut cut = { .text = source->text };
	size_t token = 0;

	refuse_lone_returns(source, definition, scan);
	find_body(arena, source, definition, &cut, scan);
	if (scan->refusal)
		return;
	rs_cut_items(arena, &cut);
	if (cut.refusal) {
		refuse(scan, cut.refusal_byte, cut.refusal);
		return;
	}
	rs_comments_attach(&cut, scan->body.start);
	rs_cut_join_bitfields(&cut);
	make_units(arena, &cut, scan);
	for (size_t i = 0; i <= scan->n_units; i++)
		token = look_at_gap(&cut, token, &scan->gaps[i], scan);
	assert_covers(scan);
}

void rs_units_scan(struct rs_arena *arena, const struct rs_source *source, struct rs_span definition,
		   struct rs_unit_scan *ret_scan)
{
	struct rs_unit_scan scan = { 0 };

	assert(definition.start <= definition.end && definition.end <= source->size);
	scan_body(arena, source, definition, &scan);
	if (scan.refusal) {
		scan.n_units = 0;
		scan.units = NULL;
		scan.gaps = rs_arena_new(arena, struct rs_gap);
		scan.gaps[0].span = scan.body;
		scan.gaps[0].is_barrier = true;
	}
	*ret_scan = scan;
}
