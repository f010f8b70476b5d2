#include "parse/comments.h"

#include <string.h>

#include "parse/words.h"

#define TAB_WIDTH         8
#define BANNER_RUN        3 /* as many decoration signs in a row make a heading */
#define MAX_HEADING_WORDS 5
#define MAX_OFF_WORDS     6 /* a declaration that is switched off has no more words than that; a sentence has */

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static struct rs_span trimmed(const char *text, struct rs_span span)
{
	while (span.start < span.end && is_space(text[span.start]))
		span.start++;
	while (span.end > span.start && is_space(text[span.end - 1]))
		span.end--;
	return span;
}

/* The comment's words without its marks. */
static struct rs_span inside(const char *text, struct rs_span comment)
{
	bool is_block = text[comment.start + 1] == '*';
	struct rs_span span = { comment.start + 2, comment.end };

	if (is_block && span.end - span.start >= 2 && text[span.end - 1] == '/' && text[span.end - 2] == '*')
		span.end -= 2;
	return trimmed(text, span);
}

static bool is_banner(const char *text, struct rs_span comment)
{
	size_t run = 0;

	for (size_t i = comment.start + 2; i < comment.end; i++) {
		bool is_decoration = memchr("-=*#+~/", text[i], 7) != NULL;

		run = !is_decoration ? 0 : run > 0 && text[i] == text[i - 1] ? run + 1 : 1;
		if (run >= BANNER_RUN)
			return true;
	}
	return false;
}

/* Whether one of the words stands in the text, capitals aside. */
static bool has_word(const char *text, struct rs_span span, const char *const *words, size_t n_words)
{
	size_t start;

	for (size_t at = span.start; at < span.end; at++) {
		if (!is_letter(text[at]))
			continue;
		for (start = at; at < span.end && is_letter(text[at]); at++)
			;
		for (size_t i = 0; i < n_words; i++)
			if (strlen(words[i]) == at - start &&
			    strncasecmp(words[i], text + start, at - start) == 0)
				return true;
	}
	return false;
}

/* "everything below …", "the following fields …" */
static bool speaks_of_following(const char *text, struct rs_span span)
{
	static const char *const places[] = { "below", "following" };
	static const char *const things[] = { "the",      "everything", "fields",    "members", "all",
					      "these",    "section",    "variables", "entries", "elements",
					      "counters", "line",       "here",      "this",    "field" };

	return has_word(text, span, places, RS_COUNT_OF(places)) &&
	       has_word(text, span, things, RS_COUNT_OF(things));
}

bool rs_comments_is_section(const char *text, struct rs_span comment)
{
	struct rs_span span = inside(text, comment);

	if (is_banner(text, comment))
		return true;
	if (span.start == span.end)
		return false;
	/* kernel-doc's "@name:" names what stands below it */
	if (text[span.end - 1] == ':' && !memchr(text + span.start, '@', span.end - span.start))
		return true;
	return speaks_of_following(text, span);
}

/* The text before a note behind the last semicolon: "int x; // why" gives "int x;". */
static struct rs_span without_note(const char *text, struct rs_span span)
{
	for (size_t i = span.start; i + 1 < span.end; i++)
		if (text[i] == '/' && (text[i + 1] == '/' || text[i + 1] == '*'))
			return trimmed(text, (struct rs_span) { span.start, i });
	return span;
}

/* A declaration in a comment: not a field, and no description of one. */
static bool is_switched_off(const char *text, struct rs_span comment)
{
	struct rs_span span = without_note(text, inside(text, comment));
	size_t n_words = 0;

	if (span.end - span.start < 2 || text[span.end - 1] != ';' || !is_letter(text[span.start]))
		return false;
	for (size_t i = span.start; i < span.end && text[i] != ';'; i++) {
		char c = text[i];

		if (!is_letter(c) && !is_digit(c) && !is_space(c) && !memchr("*[](),:", c, 7))
			return false;
		if (is_letter(c) && !is_letter(text[i - 1]) && !is_digit(text[i - 1]))
			n_words++;
	}
	return n_words >= 2 && n_words <= MAX_OFF_WORDS;
}

/* Doxygen's marks for a comment that describes what stands before it. */
static bool points_back(const char *text, struct rs_span comment)
{
	static const char *const marks[] = { "///<", "/**<", "//!<", "/*!<" };

	for (size_t i = 0; i < RS_COUNT_OF(marks); i++)
		if (comment.end - comment.start >= 4 && memcmp(text + comment.start, marks[i], 4) == 0)
			return true;
	return false;
}

static bool is_comment(const struct rs_cut *cut, size_t token)
{
	return token < cut->n_tokens && rs_token_is_comment(cut->tokens[token]);
}

static bool is_definition(const struct rs_cut *cut, size_t token)
{
	enum rs_directive kind;

	if (token >= cut->n_tokens || cut->tokens[token].kind != RS_TOKEN_DIRECTIVE)
		return false;
	kind = rs_words_directive(cut->text, cut->tokens[token]);
	return kind == RS_DIRECTIVE_DEFINE || kind == RS_DIRECTIVE_UNDEF;
}

/* Line ends between the token and the one before it; more than one is a blank line. */
static unsigned newlines_before(const struct rs_cut *cut, size_t token)
{
	unsigned count = 0;

	for (size_t i = cut->tokens[token - 1].span.end; i < cut->tokens[token].span.start; i++)
		count += cut->text[i] == '\n';
	return count;
}

/* Where the byte shows on its line, from 0, tabs expanded, UTF-8 sequences counted once. */
static size_t column_of(const char *text, size_t byte)
{
	size_t start = byte, column = 0;

	while (start > 0 && text[start - 1] != '\n')
		start--;
	for (; start < byte; start++) {
		if (text[start] == '\t')
			column += TAB_WIDTH - column % TAB_WIDTH;
		else
			column += ((unsigned char)text[start] & 0xc0) != 0x80;
	}
	return column;
}

/* Whether nothing but comments stands on the lines of the comment. */
static bool is_alone(const struct rs_cut *cut, size_t token)
{
	if (!cut->tokens[token].first_on_line)
		return false;
	for (token++; token < cut->n_tokens && newlines_before(cut, token) == 0; token++)
		if (!is_comment(cut, token))
			return false;
	return true;
}

/* The column of the first thing on the token's line; 0 when the token is not that thing. */
static size_t indent_of(const struct rs_cut *cut, size_t token)
{
	if (token >= cut->n_tokens || !cut->tokens[token].first_on_line)
		return 0;
	return column_of(cut->text, cut->tokens[token].span.start);
}

/* What tells which comments on the lines below an item are about it. */
struct trail {
	size_t column;      /* of the comment behind it; SIZE_MAX when there is none */
	size_t code_column; /* of the code above or below, what is deeper; SIZE_MAX when it tells nothing */
};

static struct trail trail_of(const struct rs_cut *cut, const struct rs_cut_item *item, size_t at)
{
	struct trail trail = { SIZE_MAX, SIZE_MAX };
	const struct rs_token *first = &cut->tokens[item->first];
	size_t below = at;

	if (at > item->last + 1)
		trail.column = column_of(cut->text, cut->tokens[item->last + 1].span.start);
	while (is_comment(cut, below))
		below++;
	if (first->first_on_line && first->kind != RS_TOKEN_DIRECTIVE)
		trail.code_column = indent_of(cut, item->first);
	if (indent_of(cut, below) > trail.code_column)
		trail.code_column = indent_of(cut, below);
	return trail;
}

/* A comment below goes on with the one behind the code if it has its column; or it had no room on the line:
 * then it stands deeper than any code. */
static bool belongs_above(const struct rs_cut *cut, struct trail trail, size_t token)
{
	struct rs_span comment = cut->tokens[token].span;
	size_t column = column_of(cut->text, comment.start);

	if (column == trail.column || points_back(cut->text, comment))
		return true;
	return trail.code_column != SIZE_MAX && column > trail.code_column + TAB_WIDTH &&
	       !is_banner(cut->text, comment);
}

/* Comments on the lines below the item that belong to it. Gives the last token. */
static size_t attach_below(const struct rs_cut *cut, const struct rs_cut_item *item, size_t at, size_t limit)
{
	struct trail trail;

	if (at >= limit || !is_comment(cut, at) || newlines_before(cut, at) != 1)
		return at - 1;
	trail = trail_of(cut, item, at);
	for (; at < limit && is_comment(cut, at) && newlines_before(cut, at) <= 1; at++) {
		if (newlines_before(cut, at) == 0)
			continue;
		if (!is_alone(cut, at) || !belongs_above(cut, trail, at))
			break;
	}
	return at - 1;
}

/* Comments behind the item on its last line and those below that are about it. Gives the last token. */
static size_t attach_behind(const struct rs_cut *cut, const struct rs_cut_item *item, size_t limit)
{
	size_t at = item->last + 1;

	while (at < limit && is_comment(cut, at) && newlines_before(cut, at) == 0)
		at++;
	return attach_below(cut, item, at, limit);
}

/* Kernel style: the values of a field are defined right below it, maybe with a comment above each. */
static size_t attach_definitions(const struct rs_cut *cut, size_t last, size_t limit)
{
	size_t at = last + 1;

	while (at < limit && newlines_before(cut, at) == 1) {
		if (is_definition(cut, at))
			last = at;
		else if (!is_comment(cut, at) || rs_comments_is_section(cut->text, cut->tokens[at].span))
			break;
		at++;
	}
	return last;
}

/* A comment that says what a whole run of // lines below it is about takes them with it. */
static size_t paragraph_end(const struct rs_cut *cut, size_t token, size_t first)
{
	struct rs_span words = inside(cut->text, cut->tokens[token].span);

	if (cut->tokens[token].kind != RS_TOKEN_LINE_COMMENT || !speaks_of_following(cut->text, words))
		return token;
	while (token + 1 < first && cut->tokens[token + 1].kind == RS_TOKEN_LINE_COMMENT)
		token++;
	return token;
}

static bool belongs_to_place(const struct rs_cut *cut, size_t token)
{
	struct rs_span comment = cut->tokens[token].span;

	return rs_comments_is_section(cut->text, comment) || is_switched_off(cut->text, comment) ||
	       points_back(cut->text, comment);
}

static bool has_comment_behind(const struct rs_cut *cut, const struct rs_cut_item *item)
{
	return is_comment(cut, item->last + 1) && newlines_before(cut, item->last + 1) == 0;
}

static bool has_few_words(const char *text, struct rs_span span)
{
	size_t n_words = 0;

	for (size_t i = span.start; i < span.end; i++) {
		if (text[i] == '\n')
			return false;
		n_words += !is_space(text[i]) && (i == span.start || is_space(text[i - 1]));
	}
	return n_words > 0 && n_words <= MAX_HEADING_WORDS;
}

/* Whether what stands above the item can be meant for no other: a blank line, another comment above the next
 * one, or the end follows it. */
static bool is_paragraph_of_one(const struct rs_cut *cut, const struct rs_cut_item *item)
{
	size_t at = item->last + 1;

	while (is_comment(cut, at) && newlines_before(cut, at) == 0)
		at++;
	return at >= cut->n_tokens || newlines_before(cut, at) > 1 ||
	       (is_comment(cut, at) && newlines_before(cut, at) == 1 && is_alone(cut, at));
}

/* A few words with a capital on a line of their own, over a field that has a comment of its own and others
 * below it: a heading. */
static bool is_heading(const struct rs_cut *cut, const struct rs_cut_item *item, size_t token)
{
	struct rs_span words = inside(cut->text, cut->tokens[token].span);

	return token + 1 == item->first && newlines_before(cut, item->first) == 1 && is_alone(cut, token) &&
	       words.start < words.end && cut->text[words.start] >= 'A' && cut->text[words.start] <= 'Z' &&
	       has_few_words(cut->text, words) && has_comment_behind(cut, item) &&
	       !is_paragraph_of_one(cut, item);
}

/* Comments above the item and before it on its line, down to the token `limit` at most. Gives the first. */
static size_t attach_above(const struct rs_cut *cut, const struct rs_cut_item *item, size_t limit)
{
	size_t first = item->first, at = first;

	/* on the item's own line whatever they say */
	while (at > limit && is_comment(cut, at - 1) && newlines_before(cut, at) == 0)
		at--;
	first = at;
	while (at > limit && is_comment(cut, at - 1) && newlines_before(cut, at) <= 1) {
		if (belongs_to_place(cut, at - 1) || is_heading(cut, item, at - 1)) {
			at = paragraph_end(cut, at - 1, first) + 1;
			break;
		}
		at--;
	}
	/* half a line of comments stays with its other half */
	while (at < first && at > 0 && newlines_before(cut, at) == 0)
		at++;
	return at;
}

/* Comments behind the opening brace on its line, and those below in the same column, are the brace's. Gives the
 * first token that is not; 0 when code follows on that line. */
static size_t skip_brace_comments(const struct rs_cut *cut, size_t body_start)
{
	size_t at = 0, column;

	if (!is_comment(cut, 0) || cut->tokens[0].first_on_line ||
	    memchr(cut->text + body_start, '\n', cut->tokens[0].span.start - body_start))
		return 0;
	column = column_of(cut->text, cut->tokens[0].span.start);
	for (at = 1; at < cut->n_tokens && newlines_before(cut, at) <= 1; at++) {
		if (newlines_before(cut, at) == 0 && is_comment(cut, at))
			continue;
		if (newlines_before(cut, at) == 0)
			return 0;
		if (!is_comment(cut, at) || !is_alone(cut, at) ||
		    column_of(cut->text, cut->tokens[at].span.start) != column)
			break;
	}
	return at;
}

void rs_comments_attach(struct rs_cut *cut, size_t body_start)
{
	size_t limit = cut->n_tokens > 0 ? skip_brace_comments(cut, body_start) : 0;

	for (size_t i = 0; i < cut->n_items; i++) {
		struct rs_cut_item *item = &cut->items[i];
		size_t next = i + 1 < cut->n_items ? item[1].first : cut->n_tokens;

		item->span_first = attach_above(cut, item, limit);
		item->span_last = attach_definitions(cut, attach_behind(cut, item, next), next);
		limit = item->span_last + 1;
	}
}
