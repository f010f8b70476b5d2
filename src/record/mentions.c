#include "record/mentions.h"

#include <ctype.h>
#include <string.h>

#include "record/marks.h"

struct finder {
	struct rs_arena *arena;
	const struct rs_record *record;
	const char *text;
	struct rs_mention *items;
	size_t n_items, items_capacity;
};

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Names that prose uses for other things. */
static bool is_everyday(const char *word, size_t length)
{
	static const char words[] =
		" active address array base bits block buffer bytes cache child children count counter cpu "
		"data "
		"delay depth device empty enabled end entry error event events fields file first flag flags "
		"free "
		"group hash head header held high host id idle index init input interval item items key kind "
		"last len length level limit line lines link list lock locked low map mark mask max member "
		"members memory message min mode name names next node none number object offset order output "
		"owner page pages parent part path pending pid pointer policy pool port position prev previous "
		"priority private process protocol queue range rate read reads ready ref reference references "
		"refs "
		"reply request reserved result ring root running sequence server set shared size source start "
		"state stats status table tail target task thread time timeout timer total tree type unit used "
		"user users value values version wait weight width work write writes ";
	char padded[24];

	if (length < 3)
		return true;
	if (length + 3 > sizeof padded)
		return false;
	padded[0] = padded[length + 1] = ' ';
	padded[length + 2] = '\0';
	for (size_t i = 0; i < length; i++)
		padded[i + 1] = (char)tolower((unsigned char)word[i]);
	return strstr(words, padded) != NULL;
}

static bool is_marked(const char *text, struct rs_span comment, size_t start, size_t end)
{
	char before = start > comment.start ? text[start - 1] : ' ',
	     behind = end < comment.end ? text[end] : ' ';

	if (before == '@' || before == '`' || before == '\'' || before == '"')
		return true;
	if (before == '>' && start > comment.start + 1 && text[start - 2] == '-')
		return true;
	return (before == '.' && start > comment.start + 1 && is_word_char(text[start - 2])) ||
	       (behind == '-' && end + 1 < comment.end && text[end + 1] == '>');
}

/* "@name:" begins what the comment says of the member: no statement about its place. */
static bool is_definition(const char *text, size_t start, size_t end)
{
	return text[start - 1] == '@' && text[end] == ':';
}

static size_t find_member(const struct rs_record *record, const char *word, size_t length)
{
	for (size_t m = 0; m < record->n_members; m++)
		if (strlen(record->members[m].name) == length &&
		    memcmp(record->members[m].name, word, length) == 0)
			return m;
	return RS_NONE;
}

static void add(struct finder *finder, size_t member, size_t unit, size_t byte)
{
	unsigned line = rs_source_position(finder->record->source, byte).line;

	if (finder->record->members[member].unit == unit || finder->record->members[member].unit == RS_NONE)
		return;
	for (size_t i = 0; i < finder->n_items; i++)
		if (finder->items[i].member == member && finder->items[i].line == line)
			return;
	*rs_array_push(finder->arena, finder->items, finder->n_items, finder->items_capacity) =
		(struct rs_mention) { member, unit, line };
}

static void find_words(struct finder *finder, struct rs_span comment, size_t unit)
{
	const char *text = finder->text;

	for (size_t at = comment.start, end; at < comment.end; at = end) {
		end = at + 1;
		if (!is_word_char(text[at]))
			continue;
		while (end < comment.end && is_word_char(text[end]))
			end++;
		size_t member = find_member(finder->record, text + at, end - at);
		if (member == RS_NONE || is_definition(text, at, end) ||
		    (is_everyday(text + at, end - at) && !is_marked(text, comment, at, end)))
			continue;
		add(finder, member, unit, at);
	}
}

/* The unit that a comment of the body belongs to or stands above. */
static size_t unit_of(const struct rs_record *record, size_t byte)
{
	size_t unit = 0;

	while (unit < record->n_units && record->units[unit].span.end <= byte)
		unit++;
	return unit < record->n_units ? unit : RS_NONE;
}

/* Only blanks, or the typedef, between the comment and the record. */
static bool is_right_above(const struct rs_record *record, struct rs_span comment)
{
	const char *text = record->source->text;
	size_t at = comment.end, n_lines = 0;

	for (; at < record->span.start; at++) {
		n_lines += text[at] == '\n';
		if (!isspace((unsigned char)text[at]) && !strchr("typedef", text[at]))
			return false;
	}
	return n_lines <= 1;
}

void rs_mentions_find(struct rs_arena *arena, const struct rs_record *record, struct rs_mention **ret_mentions,
		      size_t *ret_count)
{
	struct finder finder = { .arena = arena, .record = record };
	const struct rs_marks *marks = record->source ? rs_marks_read(arena, record->source) : NULL;
	size_t first = marks ? rs_marks_comment_from(marks, record->span.start) : 0;

	finder.text = marks ? record->source->text : NULL;
	if (first > 0 && is_right_above(record, marks->comments[first - 1]))
		find_words(&finder, marks->comments[first - 1], RS_NONE);
	for (size_t i = first; marks && i < marks->n_comments; i++) {
		struct rs_span comment = marks->comments[i];

		if (comment.start >= record->body.end)
			break;
		find_words(&finder, comment, unit_of(record, comment.start));
	}
	*ret_mentions = finder.items;
	*ret_count = finder.n_items;
}
