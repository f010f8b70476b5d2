#include "parse/lexer.h"

#include <string.h>

#define BOM "\xef\xbb\xbf"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Bytes beyond ASCII are letters: identifiers may be UTF-8, and no encoding matters here. */
static bool is_word(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
	       (unsigned char)c >= 0x80;
}

/* The end of a line splice that begins at position; position when there is none. */
static size_t splice_end(const struct rs_lexer *lexer, size_t position)
{
	size_t at = position;

	if (at >= lexer->end || lexer->text[at] != '\\')
		return position;
	for (at++; at < lexer->end && is_blank(lexer->text[at]); at++)
		;
	return at < lexer->end && lexer->text[at] == '\n' ? at + 1 : position;
}

static size_t past_splices(const struct rs_lexer *lexer, size_t position)
{
	for (size_t next; (next = splice_end(lexer, position)) != position;)
		position = next;
	return position;
}

/* Whether c stands at position, splices aside; *ret_next is then the place behind it. */
static bool match(const struct rs_lexer *lexer, size_t position, char c, size_t *ret_next)
{
	position = past_splices(lexer, position);
	if (position >= lexer->end || lexer->text[position] != c)
		return false;
	*ret_next = position + 1;
	return true;
}

static bool match_pair(const struct rs_lexer *lexer, size_t position, const char pair[2], size_t *ret_next)
{
	return match(lexer, position, pair[0], &position) && match(lexer, position, pair[1], ret_next);
}

/* position is behind the opening. */
static size_t block_comment_end(const struct rs_lexer *lexer, size_t position)
{
	size_t next;

	while (position < lexer->end) {
		const char *star = memchr(lexer->text + position, '*', lexer->end - position);

		if (!star)
			break;
		position = (size_t)(star - lexer->text) + 1;
		if (match(lexer, position, '/', &next))
			return next;
	}
	return lexer->end;
}

static size_t before_line_end(const struct rs_lexer *lexer, size_t start, size_t newline)
{
	bool has_cr = newline > start && newline < lexer->end && lexer->text[newline - 1] == '\r';

	return has_cr ? newline - 1 : newline;
}

/* The end of the logical line, its line end excluded. */
static size_t logical_line_end(const struct rs_lexer *lexer, size_t position)
{
	size_t start = position;

	while (position < lexer->end && lexer->text[position] != '\n') {
		size_t next = splice_end(lexer, position);

		position = next != position ? next : position + 1;
	}
	return before_line_end(lexer, start, position);
}

/* position is behind the backslash. The escaped byte is passed, unless it is the line end: two splices in a
 * row. */
static size_t escape_end(const struct rs_lexer *lexer, size_t position)
{
	position = past_splices(lexer, position);
	return position < lexer->end && lexer->text[position] != '\n' ? position + 1 : position;
}

/* position is behind the opening quote; a constant without an end goes to the end of the line. */
static size_t string_end(const struct rs_lexer *lexer, size_t position, char quote)
{
	size_t start = position;

	while (position < lexer->end && lexer->text[position] != '\n') {
		char c = lexer->text[position];
		size_t next = splice_end(lexer, position);

		if (next != position)
			position = next;
		else if (c == quote)
			return position + 1;
		else if (c == '\\')
			position = escape_end(lexer, position + 1);
		else
			position++;
	}
	return before_line_end(lexer, start, position);
}

/* position is behind the #. A block comment may take the directive over several lines. */
static size_t directive_end(const struct rs_lexer *lexer, size_t position)
{
	size_t start = position;

	while (position < lexer->end && lexer->text[position] != '\n') {
		char c = lexer->text[position];
		size_t next = splice_end(lexer, position);

		if (next != position)
			position = next;
		else if (match_pair(lexer, position, "//", &next))
			return logical_line_end(lexer, next);
		else if (match_pair(lexer, position, "/*", &next))
			position = block_comment_end(lexer, next);
		else if (c == '"' || c == '\'')
			position = string_end(lexer, position + 1, c);
		else
			position++;
	}
	return before_line_end(lexer, start, position);
}

static size_t word_end(const struct rs_lexer *lexer, size_t position)
{
	for (;;) {
		size_t at = past_splices(lexer, position);

		if (at >= lexer->end || !is_word(lexer->text[at]))
			return position;
		position = at + 1;
	}
}

/* A preprocessing number: words, dots, signs behind an exponent, digit separators. */
static size_t number_end(const struct rs_lexer *lexer, size_t position)
{
	char before = '\0';

	for (;;) {
		size_t at = past_splices(lexer, position);
		char c = at < lexer->end ? lexer->text[at] : '\0';
		bool is_exponent = before == 'e' || before == 'E' || before == 'p' || before == 'P';
		bool is_separator = c == '\'' && at + 1 < lexer->end && is_word(lexer->text[at + 1]);

		if (!is_word(c) && c != '.' && !(is_exponent && (c == '+' || c == '-')) && !is_separator)
			return position;
		before = c;
		position = at + 1;
	}
}

static bool is_string_prefix(const char *text, size_t start, size_t end)
{
	struct rs_span span = { start, end };

	return rs_span_is(text, span, "L") || rs_span_is(text, span, "u") || rs_span_is(text, span, "U") ||
	       rs_span_is(text, span, "u8");
}

/* An identifier, or a constant that it is the prefix of. */
static size_t scan_word(const struct rs_lexer *lexer, size_t start, enum rs_token_kind *ret_kind)
{
	size_t end = word_end(lexer, start), next;

	*ret_kind = RS_TOKEN_IDENTIFIER;
	if (!is_string_prefix(lexer->text, start, end))
		return end;
	if (match(lexer, end, '"', &next)) {
		*ret_kind = RS_TOKEN_STRING;
		return string_end(lexer, next, '"');
	}
	if (match(lexer, end, '\'', &next)) {
		*ret_kind = RS_TOKEN_STRING;
		return string_end(lexer, next, '\'');
	}
	return end;
}

static bool starts_number(const struct rs_lexer *lexer, size_t start)
{
	size_t next;

	if (is_digit(lexer->text[start]))
		return true;
	if (!match(lexer, start, '.', &next))
		return false;
	next = past_splices(lexer, next);
	return next < lexer->end && is_digit(lexer->text[next]);
}

/* The end of the token at start, which is not blank; its kind. */
static size_t scan_token(const struct rs_lexer *lexer, size_t start, enum rs_token_kind *ret_kind)
{
	char c = lexer->text[start];
	size_t next;

	if (match_pair(lexer, start, "/*", &next)) {
		*ret_kind = RS_TOKEN_BLOCK_COMMENT;
		return block_comment_end(lexer, next);
	}
	if (match_pair(lexer, start, "//", &next)) {
		*ret_kind = RS_TOKEN_LINE_COMMENT;
		return logical_line_end(lexer, next);
	}
	if (c == '#' && lexer->line_start) {
		*ret_kind = RS_TOKEN_DIRECTIVE;
		return directive_end(lexer, start + 1);
	}
	if (c == '"' || c == '\'') {
		*ret_kind = RS_TOKEN_STRING;
		return string_end(lexer, start + 1, c);
	}
	if (starts_number(lexer, start)) {
		*ret_kind = RS_TOKEN_NUMBER;
		return number_end(lexer, start);
	}
	if (is_word(c))
		return scan_word(lexer, start, ret_kind);
	*ret_kind = RS_TOKEN_PUNCTUATION;
	return start + 1;
}

static void skip_blanks(struct rs_lexer *lexer)
{
	while (lexer->position < lexer->end) {
		char c = lexer->text[lexer->position];
		size_t next = splice_end(lexer, lexer->position);

		if (next != lexer->position) {
			lexer->only_blanks = true;
			lexer->position = next;
		} else if (c == '\n') {
			lexer->only_blanks = lexer->line_start = true;
			lexer->position++;
		} else if (is_blank(c)) {
			lexer->position++;
		} else {
			return;
		}
	}
}

void rs_lexer_init(struct rs_lexer *lexer, const char *text, size_t start, size_t end)
{
	size_t before = start;

	*lexer = (struct rs_lexer) { .text = text, .position = start, .end = end };
	if (start == 0 && end >= strlen(BOM) && memcmp(text, BOM, strlen(BOM)) == 0)
		lexer->position = strlen(BOM);
	while (before > 0 && is_blank(text[before - 1]))
		before--;
	lexer->line_start = before == 0 || text[before - 1] == '\n' ||
			    (before == strlen(BOM) && memcmp(text, BOM, strlen(BOM)) == 0);
	lexer->only_blanks = lexer->line_start;
}

struct rs_token rs_lexer_next(struct rs_lexer *lexer)
{
	struct rs_token token = { .kind = RS_TOKEN_END };

	skip_blanks(lexer);
	token.first_on_line = lexer->only_blanks;
	token.span.start = token.span.end = lexer->position;
	if (lexer->position >= lexer->end)
		return token;
	token.span.end = scan_token(lexer, token.span.start, &token.kind);
	lexer->position = token.span.end;
	lexer->only_blanks = false;
	if (!rs_token_is_comment(token))
		lexer->line_start = false;
	return token;
}

/* The first word at or behind position, blanks and comments skipped; empty when another thing stands there. */
static struct rs_span word_at(const struct rs_lexer *lexer, size_t position)
{
	struct rs_span word = { position, position };
	size_t next;

	while (position < lexer->end) {
		if (match_pair(lexer, position, "/*", &next)) {
			position = block_comment_end(lexer, next);
		} else if ((next = splice_end(lexer, position)) != position) {
			position = next;
		} else if (is_blank(lexer->text[position])) {
			position++;
		} else {
			word.start = position;
			word.end = word_end(lexer, position);
			break;
		}
	}
	return word;
}

struct rs_span rs_lexer_directive_name(const char *text, struct rs_token directive)
{
	struct rs_lexer lexer = { .text = text, .end = directive.span.end };

	return word_at(&lexer, directive.span.start + 1);
}

struct rs_span rs_lexer_directive_word(const char *text, struct rs_token directive)
{
	struct rs_lexer lexer = { .text = text, .end = directive.span.end };

	return word_at(&lexer, rs_lexer_directive_name(text, directive).end);
}

bool rs_span_is(const char *text, struct rs_span span, const char *spelling)
{
	size_t length = strlen(spelling);

	return span.end - span.start == length && memcmp(text + span.start, spelling, length) == 0;
}

bool rs_token_is(const char *text, struct rs_token token, const char *spelling)
{
	return rs_span_is(text, token.span, spelling);
}

bool rs_token_is_comment(struct rs_token token)
{
	return token.kind == RS_TOKEN_BLOCK_COMMENT || token.kind == RS_TOKEN_LINE_COMMENT;
}
