/*
 * Any bytes through the lexer and the cutter of struct bodies. Tokens must follow each other inside the text
 * and leave out nothing but blanks and line splices; units and gaps must cover the body without overlap.
 */
#include <stdlib.h>
#include <string.h>

#include "parse/lexer.h"
#include "parse/units.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
	if (!holds)
		abort();
}

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r') || c == '\\';
}

static void check_tokens(const char *text, size_t size)
{
	struct rs_lexer lexer;
	struct rs_token token;
	size_t at = 0;

	rs_lexer_init(&lexer, text, 0, size);
	do {
		token = rs_lexer_next(&lexer);
		check(token.span.start >= at && token.span.end <= size);
		check(token.kind == RS_TOKEN_END || token.span.end > token.span.start);
		for (; at < token.span.start; at++)
			check(is_blank(text[at]) || (at < 3 && token.span.start >= 3));
		at = token.span.end;
		if (token.kind == RS_TOKEN_DIRECTIVE)
			check(rs_lexer_directive_word(text, token).end <= token.span.end);
	} while (token.kind != RS_TOKEN_END);
}

static void check_scan(const struct rs_unit_scan *scan, struct rs_span definition)
{
	size_t at = scan->body.start;

	check(scan->body.start >= definition.start && scan->body.end <= definition.end);
	check(!scan->refusal || scan->n_units == 0);
	for (size_t i = 0; i < scan->n_units; i++) {
		const struct rs_unit *unit = &scan->units[i];

		check(scan->gaps[i].span.start == at && scan->gaps[i].span.end == unit->span.start);
		check(unit->span.start <= unit->declaration.start && unit->declaration.end <= unit->span.end);
		check(unit->declaration.start < unit->declaration.end && unit->n_lines > 0);
		at = unit->span.end;
	}
	check(scan->gaps[scan->n_units].span.start == at);
	check(scan->gaps[scan->n_units].span.end == scan->body.end);
}

static void scan_whole(struct rs_arena *arena, const struct rs_source *source)
{
	struct rs_span definition = { 0, source->size };
	struct rs_unit_scan scan;

	while (definition.end > 0 && source->text[definition.end - 1] != '}')
		definition.end--;
	rs_units_scan(arena, source, definition, &scan);
	check_scan(&scan, definition);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rs_arena *arena = rs_arena_create();
	const char *text = rs_arena_strndup(arena, (const char *)data, size);

	check_tokens(text, size);
	scan_whole(arena, rs_source_create(arena, "input", "/input", text, size));
	rs_arena_destroy(arena);
	return 0;
}
