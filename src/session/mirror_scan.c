#include "session/mirror_scan.h"

#include <stdlib.h>
#include <string.h>

enum { BRACKETS_LOOKED_BACK = 8 };

struct scanner {
	struct rs_mirror_scan *scan;
	const struct rs_mirror_index *index;
	unsigned style;
	size_t at;
	bool line_start;
	char quote; /* of the string that at lies in; 0: none */
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool starts_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static bool continues_word(char c)
{
	return starts_word(c) || is_digit(c);
}

static char peek(const struct scanner *scanner, size_t ahead)
{
	const struct rs_mirror_scan *scan = scanner->scan;

	return scan->size - scanner->at > ahead ? scan->text[scanner->at + ahead] : '\0';
}

static struct rs_mirror_token *push(struct scanner *scanner, enum rs_mirror_token_kind kind, size_t start)
{
	struct rs_mirror_scan *scan = scanner->scan;

	if (scan->n_tokens == scan->tokens_capacity) {
		scan->tokens_capacity = scan->tokens_capacity ? scan->tokens_capacity * 2 : 4096;
		scan->tokens = (struct rs_mirror_token *)rs_realloc(scan->tokens, scan->tokens_capacity *
											  sizeof *scan->tokens);
	}
	struct rs_mirror_token *token = &scan->tokens[scan->n_tokens++];
	*token = (struct rs_mirror_token) { .kind = kind,
					    .c = scan->text[start],
					    .first_on_line = scanner->line_start,
					    .start = (uint32_t)start,
					    .end = (uint32_t)scanner->at };
	scanner->line_start = false;
	return token;
}

static void push_open(struct rs_mirror_scan *scan)
{
	if (scan->n_open == scan->open_capacity) {
		scan->open_capacity = scan->open_capacity ? scan->open_capacity * 2 : 64;
		scan->open = (uint32_t *)rs_realloc(scan->open, scan->open_capacity * sizeof *scan->open);
	}
	scan->open[scan->n_open++] = (uint32_t)(scan->n_tokens - 1);
}

/* Brackets may not match where #if splits them: what was left open a few levels up is given up. */
static void close_bracket(struct rs_mirror_scan *scan, char opening)
{
	for (size_t back = 1; back <= scan->n_open && back <= BRACKETS_LOOKED_BACK; back++) {
		struct rs_mirror_token *token = &scan->tokens[scan->open[scan->n_open - back]];

		if (token->c != opening)
			continue;
		token->close = (uint32_t)(scan->n_tokens - 1);
		scan->n_open -= back;
		return;
	}
}

static void push_punctuation(struct scanner *scanner)
{
	char c = peek(scanner, 0);

	scanner->at++;
	push(scanner, RS_MIRROR_PUNCTUATION, scanner->at - 1);
	if (c == '(' || c == '[' || c == '{')
		push_open(scanner->scan);
	else if (c == ')')
		close_bracket(scanner->scan, '(');
	else if (c == ']' || c == '}')
		close_bracket(scanner->scan, c == ']' ? '[' : '{');
}

static size_t word_end(const struct rs_mirror_scan *scan, size_t at)
{
	while (at < scan->size && continues_word(scan->text[at]))
		at++;
	return at;
}

/* Keeps the names of records that stand in text[at, end). */
static void scan_comment(struct scanner *scanner, size_t end)
{
	const struct rs_mirror_scan *scan = scanner->scan;

	while (scanner->at < end) {
		size_t start = scanner->at;

		if (!continues_word(scan->text[start])) {
			scanner->at++;
			continue;
		}
		scanner->at = word_end(scan, start);
		const struct rs_mirror_word *word =
			rs_mirror_index_stem(scanner->index, scan->text + start, scanner->at - start);
		if (word && word->is_tag)
			push(scanner, RS_MIRROR_MENTION, start)->word = word;
	}
	scanner->at = end;
}

static size_t line_end(const struct scanner *scanner)
{
	const char *text = scanner->scan->text + scanner->at;
	const char *end = memchr(text, '\n', scanner->scan->size - scanner->at);

	return end ? (size_t)(end - scanner->scan->text) : scanner->scan->size;
}

static size_t block_comment_end(const struct scanner *scanner)
{
	const struct rs_mirror_scan *scan = scanner->scan;
	size_t from = scanner->at + 2;
	const char *end = memmem(scan->text + from, scan->size - from, "*/", 2);

	return end ? (size_t)(end - scan->text) + 2 : scan->size;
}

static size_t directive_end(const struct scanner *scanner)
{
	const struct rs_mirror_scan *scan = scanner->scan;
	size_t at = scanner->at;

	while (at < scan->size && scan->text[at] != '\n') {
		bool is_crlf = scan->text[at] == '\\' && scan->size - at > 2 && scan->text[at + 1] == '\r';

		at += is_crlf ? 3 : scan->text[at] == '\\' ? 2 : 1;
	}
	return at < scan->size ? at : scan->size;
}

static bool is_line_comment(const struct scanner *scanner, char c)
{
	unsigned style = scanner->style;

	return (c == '#' && style & RS_MIRROR_HASHES) || (c == '!' && style & RS_MIRROR_BANGS) ||
	       (c == '-' && style & RS_MIRROR_DASHES && peek(scanner, 1) == '-') ||
	       (c == '/' && style & RS_MIRROR_SLASHES && peek(scanner, 1) == '/');
}

static bool skip_comment(struct scanner *scanner, char c)
{
	bool is_block = c == '/' && peek(scanner, 1) == '*' && scanner->style & RS_MIRROR_SLASHES;

	if (scanner->quote)
		return false;
	if (is_block)
		scan_comment(scanner, block_comment_end(scanner));
	else if (is_line_comment(scanner, c))
		scan_comment(scanner, line_end(scanner));
	else
		return false;
	return true;
}

static void scan_literal(struct scanner *scanner, char quote)
{
	const struct rs_mirror_scan *scan = scanner->scan;
	size_t start = scanner->at++;

	while (scanner->at < scan->size && peek(scanner, 0) != quote && peek(scanner, 0) != '\n')
		scanner->at += peek(scanner, 0) == '\\' && scan->size - scanner->at > 1 ? 2 : 1;
	if (scanner->at < scan->size && peek(scanner, 0) == quote)
		scanner->at++;
	push(scanner, RS_MIRROR_LITERAL, start);
}

static void scan_number(struct scanner *scanner)
{
	size_t start = scanner->at;
	bool has_separators = scanner->style & RS_MIRROR_LITERALS;

	for (;; scanner->at++) {
		char c = peek(scanner, 0);

		if (!continues_word(c) && !(c == '.' && is_digit(peek(scanner, 1))) &&
		    !(c == '\'' && has_separators && continues_word(peek(scanner, 1))))
			break;
	}
	push(scanner, RS_MIRROR_NUMBER, start);
}

static void scan_word(struct scanner *scanner)
{
	struct rs_mirror_scan *scan = scanner->scan;
	size_t start = scanner->at;

	scanner->at = word_end(scan, start);
	push(scanner, RS_MIRROR_WORD, start)->word =
		rs_mirror_index_stem(scanner->index, scan->text + start, scanner->at - start);
}

static void scan_token(struct scanner *scanner)
{
	char c = peek(scanner, 0);

	if (c == '#' && scanner->line_start && scanner->style & RS_MIRROR_DIRECTIVES) {
		size_t start = scanner->at;
		scanner->at = directive_end(scanner);
		push(scanner, RS_MIRROR_DIRECTIVE, start);
	} else if ((c == '"' || c == '\'') && scanner->style & RS_MIRROR_LITERALS) {
		scan_literal(scanner, c);
	} else if (is_digit(c)) {
		scan_number(scanner);
	} else if (starts_word(c)) {
		scan_word(scanner);
	} else {
		if (c == '"' && (!scanner->quote || scanner->quote == c))
			scanner->quote = scanner->quote ? '\0' : c;
		push_punctuation(scanner);
	}
}

void rs_mirror_scan_text(struct rs_mirror_scan *scan, const struct rs_mirror_index *index, const char *text,
			 size_t size, unsigned style)
{
	struct scanner scanner = { .scan = scan, .index = index, .style = style, .line_start = true };

	scan->text = text;
	scan->size = size;
	scan->n_tokens = scan->n_open = 0;
	while (scanner.at < size) {
		char c = text[scanner.at];

		if (c == '\n') {
			scanner.line_start = true;
			scanner.quote = '\0';
			scanner.at++;
		} else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
			scanner.at++;
		} else if (!skip_comment(&scanner, c)) {
			scan_token(&scanner);
		}
	}
}

void rs_mirror_scan_deinit(struct rs_mirror_scan *scan)
{
	free(scan->tokens);
	free(scan->open);
	*scan = (struct rs_mirror_scan) { 0 };
}

bool rs_mirror_scan_is(const struct rs_mirror_scan *scan, size_t at, const char *spelling)
{
	if (at >= scan->n_tokens)
		return false;
	const struct rs_mirror_token *token = &scan->tokens[at];
	size_t length = token->end - token->start;
	return token->c == spelling[0] && strlen(spelling) == length &&
	       memcmp(scan->text + token->start, spelling, length) == 0;
}

bool rs_mirror_scan_is_any(const struct rs_mirror_scan *scan, size_t at, const char *const *spellings,
			   size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (rs_mirror_scan_is(scan, at, spellings[i]))
			return true;
	return false;
}

bool rs_mirror_scan_is_char(const struct rs_mirror_scan *scan, size_t at, char c)
{
	return at < scan->n_tokens && scan->tokens[at].kind == RS_MIRROR_PUNCTUATION && scan->tokens[at].c == c;
}

bool rs_mirror_scan_is_word(const struct rs_mirror_scan *scan, size_t at)
{
	return at < scan->n_tokens && scan->tokens[at].kind == RS_MIRROR_WORD;
}

size_t rs_mirror_scan_close(const struct rs_mirror_scan *scan, size_t at)
{
	return at < scan->n_tokens && scan->tokens[at].close ? scan->tokens[at].close : scan->n_tokens;
}

unsigned rs_mirror_scan_line(const struct rs_mirror_scan *scan, size_t at)
{
	size_t end = at < scan->n_tokens ? scan->tokens[at].start : scan->size;
	unsigned line = 1;

	for (const char *p = scan->text; (p = memchr(p, '\n', (size_t)(scan->text + end - p))); p++)
		line++;
	return line;
}
