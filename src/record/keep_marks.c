/*
 * "restruct: keep" in comments: on the struct, on a member, at a member's entry in the comment above the
 * struct; and marks that were meant to be one.
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/nearest.h"
#include "record/hazards_internal.h"

#define TOOL "restruct"

/* A word behind "restruct:". */
struct mark {
	size_t start;        /* of "restruct" */
	struct rs_span word; /* empty: none */
};

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-';
}

static size_t skip_blanks(const char *text, size_t at, size_t end)
{
	while (at < end && (text[at] == ' ' || text[at] == '\t'))
		at++;
	return at;
}

static bool is_keep(const char *text, struct rs_span word)
{
	return word.end - word.start == 4 && strncasecmp(text + word.start, "keep", 4) == 0;
}

/* The colon may be left out before the right word. */
static bool find_mark(const char *text, struct rs_span comment, size_t from, struct mark *ret_mark)
{
	size_t length = strlen(TOOL);

	for (size_t at = from; at + length < comment.end; at++) {
		if (strncasecmp(text + at, TOOL, length) != 0 || (at > 0 && is_word(text[at - 1])))
			continue;
		size_t colon = skip_blanks(text, at + length, comment.end);
		bool has_colon = colon < comment.end && text[colon] == ':';
		size_t start = skip_blanks(text, colon + has_colon, comment.end), end = start;
		while (end < comment.end && is_word(text[end]))
			end++;
		*ret_mark = (struct mark) { at, { start, end } };
		if (has_colon || is_keep(text, ret_mark->word))
			return true;
	}
	return false;
}

bool rs_keep_marks_find(const struct rs_hazard_scan *scan, struct rs_span comment, size_t *ret_byte)
{
	const char *text = scan->record->source->text;
	struct mark mark;

	for (size_t at = comment.start; find_mark(text, comment, at, &mark); at = mark.start + 1)
		if (is_keep(text, mark.word)) {
			*ret_byte = mark.start;
			return true;
		}
	return false;
}

/* --- marks that are none --- */

/* Prose goes on behind the word: "restruct: saves eight bytes". */
static bool stands_alone(const char *text, struct rs_span comment, struct rs_span word)
{
	size_t at = skip_blanks(text, word.end, comment.end);

	return at >= comment.end || strchr("\r\n*,;.)-", text[at]) != NULL;
}

static bool is_near(struct rs_arena *arena, const char *word)
{
	static const char *const marks[] = { "keep" };
	char *small = rs_arena_strdup(arena, word);

	for (char *c = small; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return rs_nearest_name(small, marks, RS_COUNT_OF(marks)) != NULL;
}

void rs_keep_marks_check(struct rs_hazard_scan *scan, struct rs_span comment)
{
	const char *text = scan->record->source->text;
	struct mark mark;

	for (size_t at = comment.start; find_mark(text, comment, at, &mark); at = mark.start + 1) {
		if (mark.word.start == mark.word.end || is_keep(text, mark.word))
			continue;
		const char *word = rs_hazards_text(scan, mark.word);
		bool near = is_near(scan->arena, word);
		if (near || stands_alone(text, comment, mark.word))
			rs_pin_add(scan->list, "unknown-mark", RS_PIN_ADVICE, RS_NONE,
				   rs_hazards_line(scan, mark.start), false,
				   "\"restruct: %s\" is no mark, and nothing is kept for it: %s", word,
				   near ? "did you mean \"restruct: keep\"?"
					: "the mark is \"restruct: keep\"");
	}
}

/* --- entries of a comment above the struct --- */

static size_t line_start(const char *text, size_t at, size_t first)
{
	while (at > first && text[at - 1] != '\n')
		at--;
	return at;
}

/* Behind the decoration of a comment's line. */
static size_t line_text(const char *text, size_t at, size_t end)
{
	at = skip_blanks(text, at, end);
	while (at < end && (text[at] == '*' || text[at] == '/'))
		at++;
	return skip_blanks(text, at, end);
}

/* The unit of the member that `@name:` at the place speaks of; RS_NONE. */
static size_t unit_of_entry(const struct rs_hazard_scan *scan, size_t at, size_t end)
{
	const char *text = scan->record->source->text;
	struct rs_span name = { at + 1, at + 1 };

	while (name.end < end && (isalnum((unsigned char)text[name.end]) || text[name.end] == '_'))
		name.end++;
	size_t member = rs_record_find_member(scan->record, rs_hazards_text(scan, name));
	return member == RS_NONE ? RS_NONE : scan->record->members[member].unit;
}

size_t rs_keep_marks_unit(const struct rs_hazard_scan *scan, struct rs_span comment, size_t byte)
{
	const char *text = scan->record->source->text;

	for (size_t at = byte;;) {
		size_t start = line_start(text, at, comment.start);
		size_t content = line_text(text, start, comment.end);

		if (content >= comment.end || text[content] == '\n' || text[content] == '\r')
			return RS_NONE;
		if (text[content] == '@')
			return unit_of_entry(scan, content, comment.end);
		if (start == comment.start)
			return RS_NONE;
		at = start - 1;
	}
}
