#include "rewrite/declarators.h"

#include <string.h>

#include "parse/lexer.h"

/* The tokens of a unit, comments included. */
struct scan {
	struct rs_arena *arena;
	const struct rs_record *record;
	const char *text;
	struct rs_span span; /* of the unit, all its parts together */
	size_t declaration;  /* where the first token that is no comment begins */
	struct rs_token *tokens;
	size_t n_tokens, tokens_capacity;
	size_t semicolon; /* index */
	size_t *commas;   /* indices of those between declarators */
	size_t n_commas, commas_capacity;
	bool has_comments;
};

static bool is_punctuation(const struct scan *scan, size_t token, char c)
{
	return scan->tokens[token].kind == RS_TOKEN_PUNCTUATION &&
	       scan->text[scan->tokens[token].span.start] == c;
}

static bool is_comment(const struct scan *scan, size_t token)
{
	return rs_token_is_comment(scan->tokens[token]);
}

static bool has_line_end(const struct scan *scan, size_t start, size_t end)
{
	return memchr(scan->text + start, '\n', end - start) != NULL;
}

/* Whether something other than a line end follows the token on its line, within the unit. */
static bool ends_line(const struct scan *scan, size_t token)
{
	return token + 1 < scan->n_tokens &&
	       has_line_end(scan, scan->tokens[token].span.end, scan->tokens[token + 1].span.start);
}

static bool read_tokens(struct scan *scan)
{
	struct rs_lexer lexer;
	struct rs_token token;

	rs_lexer_init(&lexer, scan->text, scan->span.start, scan->span.end);
	while ((token = rs_lexer_next(&lexer)).kind != RS_TOKEN_END) {
		if (token.kind == RS_TOKEN_DIRECTIVE)
			return false;
		scan->has_comments |= rs_token_is_comment(token);
		*rs_array_push(scan->arena, scan->tokens, scan->n_tokens, scan->tokens_capacity) = token;
	}
	return memchr(scan->text + scan->span.start, '\\', scan->span.end - scan->span.start) == NULL;
}

/* The commas between declarators and the semicolon behind them; no braces, no bit-fields. */
static bool find_commas(struct scan *scan)
{
	size_t depth = 0;

	for (size_t i = 0; i < scan->n_tokens; i++) {
		if (scan->tokens[i].kind != RS_TOKEN_PUNCTUATION)
			continue;
		char c = scan->text[scan->tokens[i].span.start];
		if (c == '{' || (depth == 0 && c == ':'))
			return false;
		depth += c == '(' || c == '[';
		if ((c == ')' || c == ']') && depth-- == 0)
			return false;
		if (depth == 0 && c == ',')
			*rs_array_push(scan->arena, scan->commas, scan->n_commas, scan->commas_capacity) = i;
		if (depth == 0 && c == ';') {
			scan->semicolon = i;
			return scan->n_commas > 0;
		}
	}
	return false;
}

static bool is_qualifier(const struct scan *scan, size_t token)
{
	static const char *const words[] = { "const",     "volatile",     "restrict",   "__restrict",
					     "__const",   "__restrict__", "__volatile", "__volatile__",
					     "__const__", "_Nonnull",     "_Nullable" };
	struct rs_span span = scan->tokens[token].span;

	for (size_t i = 0; i < RS_COUNT_OF(words); i++)
		if (strlen(words[i]) == span.end - span.start &&
		    memcmp(scan->text + span.start, words[i], span.end - span.start) == 0)
			return true;
	return false;
}

/* The token that the first declarator begins with: what stands before its name of pointers and parentheses. */
static size_t first_of_declarator(const struct scan *scan, size_t name)
{
	size_t first = name;

	for (size_t i = name; i-- > 0;) {
		if (is_punctuation(scan, i, '*') || is_punctuation(scan, i, '('))
			first = i;
		else if (!is_qualifier(scan, i))
			break;
	}
	return first;
}

static size_t find_token(const struct scan *scan, size_t byte, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (scan->tokens[i].span.start == byte)
			return i;
	return RS_NONE;
}

/* The specifiers are repeated: they hold no declarator's pointer and no comment. */
static bool find_specifiers(const struct scan *scan, size_t first, struct rs_span *ret_specifiers)
{
	size_t depth = 0;

	if (first == 0)
		return false;
	for (size_t i = 0; i < first; i++) {
		if (is_comment(scan, i) || (depth == 0 && is_punctuation(scan, i, '*')))
			return false;
		depth += is_punctuation(scan, i, '(');
		depth -= is_punctuation(scan, i, ')');
	}
	*ret_specifiers = (struct rs_span) { scan->tokens[0].span.start, scan->tokens[first - 1].span.end };
	return depth == 0;
}

/* Comments behind the comma on its line are about what stands before it, those on lines of their own about what
 * stands below; of any other nobody knows. */
static bool find_end(const struct scan *scan, size_t comma, size_t *ret_next)
{
	size_t next = comma + 1;

	if (ends_line(scan, comma) || !is_comment(scan, next)) {
		*ret_next = next;
		return ends_line(scan, comma) || !scan->has_comments;
	}
	while (is_comment(scan, next) && !ends_line(scan, next))
		next++;
	*ret_next = next + 1;
	return is_comment(scan, next);
}

/* The declarator between two commas, whose name stands at a byte. */
static bool find_declarator(const struct scan *scan, size_t first, size_t end, const struct rs_member *member,
			    struct rs_declarator *declarator)
{
	size_t name;

	declarator->start = scan->tokens[first].span.start;
	while (first < end && is_comment(scan, first)) {
		if (!ends_line(scan, first))
			return false;
		first++;
	}
	name = find_token(scan, member->byte, first, end);
	if (name == RS_NONE || scan->tokens[end - 1].kind == RS_TOKEN_LINE_COMMENT)
		return false;
	declarator->span = (struct rs_span) { scan->tokens[first].span.start, scan->tokens[end - 1].span.end };
	return true;
}

static bool find_all(const struct scan *scan, size_t member, size_t first, struct rs_declarators *found)
{
	const struct rs_record *record = scan->record;

	for (size_t k = 0; k <= scan->n_commas; k++) {
		bool is_last = k == scan->n_commas;
		size_t end = is_last ? scan->semicolon : scan->commas[k], next = 0;

		if (!find_declarator(scan, first, end, &record->members[member], &found->items[k]))
			return false;
		if (is_last) {
			found->items[k].end = scan->span.end;
			break;
		}
		if (!find_end(scan, end, &next))
			return false;
		found->items[k].end = scan->tokens[next - 1].span.end;
		found->items[k].ends_in_line_comment = scan->tokens[next - 1].kind == RS_TOKEN_LINE_COMMENT;
		first = next;
		member = rs_record_next_sibling(record, member);
	}
	found->items[0].start = scan->span.start;
	return true;
}

/* A comment over the declaration, or behind it when it stands on one line, is about all of it. */
static bool has_comment_on_whole(const struct scan *scan)
{
	return scan->has_comments &&
	       (is_comment(scan, 0) ||
		!has_line_end(scan, scan->span.start, scan->tokens[scan->semicolon].span.end));
}

static void init_scan(struct scan *scan, struct rs_arena *arena, const struct rs_record *record, size_t unit)
{
	const struct rs_unit *first = &record->units[unit];
	size_t last = unit + (first->n_parts > 0 ? first->n_parts - 1 : 0);

	*scan = (struct scan) { .arena = arena, .record = record, .text = record->source->text };
	scan->span = (struct rs_span) { first->span.start, record->units[last].span.end };
}

bool rs_declarators_find(struct rs_arena *arena, const struct rs_record *record, size_t unit,
			 struct rs_declarators *ret_declarators)
{
	struct rs_declarators found = { .n_items = 0 };
	size_t member = record->units[unit].first_member, name;
	struct scan scan;

	init_scan(&scan, arena, record, unit);
	if (!read_tokens(&scan) || !find_commas(&scan) || has_comment_on_whole(&scan))
		return false;
	name = find_token(&scan, record->members[member].byte, 0, scan.commas[0]);
	if (name == RS_NONE)
		return false;
	found.n_items = scan.n_commas + 1;
	found.items = rs_arena_array(arena, struct rs_declarator, found.n_items);
	name = first_of_declarator(&scan, name);
	if (!find_specifiers(&scan, name, &found.specifiers) || !find_all(&scan, member, name, &found))
		return false;
	*ret_declarators = found;
	return true;
}
