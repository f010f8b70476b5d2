#include "record/hazards.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "record/hazards_internal.h"

unsigned rs_hazards_line(const struct rs_hazard_scan *scan, size_t byte)
{
	return rs_source_position(scan->record->source, byte).line;
}

const char *rs_hazards_text(const struct rs_hazard_scan *scan, struct rs_span span)
{
	return rs_arena_strndup(scan->arena, scan->record->source->text + span.start, span.end - span.start);
}

/* --- names --- */

static void add_name(struct rs_hazard_scan *scan, const char *text, bool is_tag)
{
	for (size_t i = 0; i < scan->n_names; i++)
		if (scan->names[i].is_tag == is_tag && strcmp(scan->names[i].text, text) == 0)
			return;
	*rs_array_push(scan->arena, scan->names, scan->n_names, scan->names_capacity) =
		(struct rs_record_name) { text, is_tag };
}

/* Start of the declaration that the definition is part of. Words before a typedef are another's: the end of a
 * macro's body, say. */
static size_t statement_start(const struct rs_hazard_scan *scan)
{
	static const char *const words_before[] = { "typedef", "static", "const", "extern", "volatile" };
	const char *text = scan->record->source->text;
	size_t start = scan->record->span.start;

	for (;;) {
		size_t end = start, word;

		while (end > 0 && isspace((unsigned char)text[end - 1]))
			end--;
		for (word = end; word > 0 && (isalnum((unsigned char)text[word - 1]) || text[word - 1] == '_');)
			word--;
		size_t i = 0;
		while (i < RS_COUNT_OF(words_before) && (strlen(words_before[i]) != end - word ||
							 memcmp(text + word, words_before[i], end - word) != 0))
			i++;
		if (i == RS_COUNT_OF(words_before))
			return start;
		start = word;
		if (i == 0)
			return start;
	}
}

static void add_names_behind(struct rs_hazard_scan *scan)
{
	const struct rs_source *source = scan->record->source;
	struct rs_word_scan words;

	rs_word_scan_init(&words, source->text, (struct rs_span) { scan->record->span.end, source->size });
	while (rs_word_scan_next(&words) && !rs_word_scan_is(&words, ";")) {
		if (rs_word_scan_is(&words, "(") || rs_word_scan_is(&words, "[")) {
			if (!rs_word_scan_skip_brackets(&words))
				return;
		} else if (words.is_identifier && !rs_word_scan_is(&words, "__attribute__")) {
			add_name(scan, rs_hazards_text(scan, words.word), false);
		}
	}
}

static void find_names(struct rs_hazard_scan *scan)
{
	const struct rs_record *record = scan->record;

	if (strstr(record->name, "::"))
		return;
	add_name(scan, record->name, !record->is_typedef);
	if (strncmp(record->source->text + statement_start(scan), "typedef", 7) == 0)
		add_names_behind(scan);
	for (size_t i = 0; i < scan->marks->n_typedefs; i++)
		if (rs_hazards_mentions(scan, scan->marks->typedefs[i].span))
			add_name(scan, rs_hazards_text(scan, scan->marks->typedefs[i].word), false);
}

bool rs_hazards_skip_name(const struct rs_hazard_scan *scan, struct rs_word_scan *words)
{
	struct rs_word_scan ahead = *words;
	bool behind_keyword = rs_word_scan_is(words, "struct") && rs_word_scan_next(&ahead);

	if (!ahead.is_identifier)
		return false;
	for (size_t i = 0; i < scan->n_names; i++) {
		if (scan->names[i].is_tag != behind_keyword || !rs_word_scan_is(&ahead, scan->names[i].text))
			continue;
		*words = ahead;
		return true;
	}
	return false;
}

/* Quick: large headers have thousands of macros and of structs. */
static bool may_mention(const struct rs_hazard_scan *scan, struct rs_span code)
{
	const char *text = scan->record->source->text + code.start;

	for (size_t i = 0; i < scan->n_names; i++)
		if (memmem(text, code.end - code.start, scan->names[i].text, strlen(scan->names[i].text)))
			return true;
	return false;
}

bool rs_hazards_mentions(const struct rs_hazard_scan *scan, struct rs_span code)
{
	struct rs_word_scan words;

	if (!may_mention(scan, code))
		return false;
	rs_word_scan_init(&words, scan->record->source->text, code);
	while (rs_word_scan_next(&words))
		if (rs_hazards_skip_name(scan, &words))
			return true;
	return false;
}

/* Cuts `_name_t` down to what other names are made of. */
static struct rs_span core_of(const char *name, size_t length)
{
	static const char *const suffixes[] = { "_t", "_s", "_st", "_struct" };
	struct rs_span core = { 0, length };

	while (core.start + 1 < length && name[core.start] == '_')
		core.start++;
	for (size_t i = 0; i < RS_COUNT_OF(suffixes); i++) {
		size_t suffix = strlen(suffixes[i]);

		if (core.end - core.start > suffix &&
		    memcmp(name + core.end - suffix, suffixes[i], suffix) == 0)
			core.end -= suffix;
	}
	return core;
}

/* Where the word stands in the identifier as a whole part; RS_NONE: nowhere. */
static size_t find_part(const char *identifier, const char *word, size_t length)
{
	size_t size = strlen(identifier);

	for (size_t at = 0; at + length <= size; at++)
		if (strncasecmp(identifier + at, word, length) == 0 && (at == 0 || identifier[at - 1] == '_') &&
		    (at + length == size || identifier[at + length] == '_'))
			return at;
	return RS_NONE;
}

size_t rs_hazards_name_inside(const struct rs_hazard_scan *scan, const char *identifier, size_t *ret_start)
{
	size_t longest = 0;

	for (size_t i = 0; i < scan->n_names; i++) {
		const char *name = scan->names[i].text;
		struct rs_span core = core_of(name, strlen(name));
		size_t at = find_part(identifier, name + core.start, core.end - core.start);

		if (at == RS_NONE || core.end - core.start <= longest)
			continue;
		longest = core.end - core.start;
		*ret_start = at;
	}
	for (size_t i = 0; longest > 0 && i < scan->marks->n_tags; i++) {
		const char *name = scan->record->source->text + scan->marks->tags[i].start;
		struct rs_span core = core_of(name, scan->marks->tags[i].end - scan->marks->tags[i].start);

		if (core.end - core.start > longest &&
		    find_part(identifier, name + core.start, core.end - core.start) != RS_NONE)
			return 0;
	}
	return longest;
}

/* --- comments --- */

static bool is_space_between(const struct rs_hazard_scan *scan, size_t from, size_t to, size_t max_line_ends)
{
	size_t line_ends = 0;

	for (; from < to; from++) {
		char c = scan->record->source->text[from];

		if (!isspace((unsigned char)c))
			return false;
		line_ends += c == '\n';
	}
	return line_ends <= max_line_ends;
}

static bool stands_first_on_line(const struct rs_hazard_scan *scan, size_t byte)
{
	const char *text = scan->record->source->text;

	while (byte > 0 && (text[byte - 1] == ' ' || text[byte - 1] == '\t'))
		byte--;
	return byte == 0 || text[byte - 1] == '\n';
}

static void add_comment(struct rs_hazard_scan *scan, struct rs_span comment)
{
	*rs_array_push(scan->arena, scan->comments, scan->n_comments, scan->comments_capacity) = comment;
}

static void find_comments_above(struct rs_hazard_scan *scan)
{
	size_t at = statement_start(scan);
	size_t comment = rs_marks_comment_from(scan->marks, at);

	while (comment-- > 0) {
		struct rs_span span = scan->marks->comments[comment];

		if (!is_space_between(scan, span.end, at, 1) || !stands_first_on_line(scan, span.start))
			return;
		add_comment(scan, span);
		at = span.start;
	}
}

/* Comments that begin in the span, before its first line end. */
static void find_comments_on_line(struct rs_hazard_scan *scan, struct rs_span span)
{
	unsigned line = rs_hazards_line(scan, span.start);

	for (size_t i = rs_marks_comment_from(scan->marks, span.start); i < scan->marks->n_comments; i++) {
		struct rs_span comment = scan->marks->comments[i];

		if (comment.start >= span.end || rs_hazards_line(scan, comment.start) != line)
			return;
		add_comment(scan, comment);
	}
}

/* A comment behind the brace's line with a blank line below it heads the whole body. */
static void find_comments_on_top(struct rs_hazard_scan *scan, size_t first)
{
	const struct rs_gap *gap = &scan->record->gaps[0];

	for (size_t i = rs_marks_comment_from(scan->marks, gap->span.start); i < scan->marks->n_comments; i++) {
		struct rs_span comment = scan->marks->comments[i];
		size_t known = first;

		if (comment.start >= gap->span.end)
			return;
		while (known < scan->n_comments && scan->comments[known].start != comment.start)
			known++;
		if (known == scan->n_comments)
			add_comment(scan, comment);
	}
}

static void find_struct_comments(struct rs_hazard_scan *scan)
{
	const struct rs_record *record = scan->record;
	size_t first;

	find_comments_above(scan);
	find_comments_on_line(scan, (struct rs_span) { record->span.end - 1, record->source->size });
	first = scan->n_comments;
	find_comments_on_line(scan, (struct rs_span) { record->span.start, record->gaps[0].span.end });
	find_comments_on_top(scan, first);
}

static bool is_struct_comment(const struct rs_hazard_scan *scan, size_t start)
{
	for (size_t i = 0; i < scan->n_comments; i++)
		if (scan->comments[i].start == start)
			return true;
	return false;
}

/* Whether one of the braces around the byte closes before a name. */
static bool is_inside_named_member(const struct rs_hazard_scan *scan, size_t unit, size_t byte)
{
	const struct rs_unit *at = &scan->record->units[unit];
	struct rs_word_scan words;
	size_t depth = 0;

	if (byte < at->declaration.start || byte >= at->declaration.end)
		return false;
	rs_word_scan_init(&words, scan->record->source->text, (struct rs_span) { byte, at->declaration.end });
	while (rs_word_scan_next(&words)) {
		bool closes = rs_word_scan_is(&words, "}");

		depth += rs_word_scan_is(&words, "{");
		if (!closes || depth > 0) {
			depth -= closes;
			continue;
		}
		struct rs_word_scan ahead = words;
		if (rs_word_scan_next(&ahead) && !rs_word_scan_is(&ahead, ";") &&
		    !rs_word_scan_is(&ahead, "__attribute__"))
			return true;
	}
	return false;
}

void rs_hazards_each_comment(struct rs_hazard_scan *scan, rs_inner_comment_fn visit, void *data)
{
	const struct rs_record *record = scan->record;
	size_t unit = 0;

	for (size_t i = rs_marks_comment_from(scan->marks, record->body.start); i < scan->marks->n_comments;
	     i++) {
		struct rs_inner_comment comment = { .span = scan->marks->comments[i] };

		if (comment.span.start >= record->body.end)
			return;
		while (unit < record->n_units && record->units[unit].span.end <= comment.span.start)
			unit++;
		comment.unit = unit;
		comment.is_gap = unit == record->n_units || comment.span.start < record->units[unit].span.start;
		if (is_struct_comment(scan, comment.span.start) ||
		    (!comment.is_gap && is_inside_named_member(scan, unit, comment.span.start)))
			continue;
		visit(scan, &comment, data);
	}
}

/* --- constraints --- */

bool rs_hazards_is_first(const struct rs_hazard_scan *scan, size_t unit)
{
	const struct rs_unit *units = scan->record->units;

	return unit == 0 || units[unit - 1].region != units[unit].region;
}

bool rs_hazards_is_last(const struct rs_hazard_scan *scan, size_t unit)
{
	const struct rs_unit *units = scan->record->units;

	return unit + 1 >= scan->record->n_units || units[unit + 1].region != units[unit].region;
}

void rs_hazards_keep_next(struct rs_hazard_scan *scan, size_t unit)
{
	if (!rs_hazards_is_last(scan, unit))
		rs_constraint_add(scan->list, RS_KEEP_NEXT, unit, unit + 1);
}

void rs_hazards_keep_place(struct rs_hazard_scan *scan, size_t unit)
{
	bool is_first = rs_hazards_is_first(scan, unit), is_last = rs_hazards_is_last(scan, unit);

	if (is_first && is_last)
		return;
	if (is_first) {
		rs_constraint_add(scan->list, RS_KEEP_FIRST, unit, RS_NONE);
	} else if (is_last) {
		rs_constraint_add(scan->list, RS_KEEP_LAST, unit, RS_NONE);
	} else {
		rs_hazards_keep_next(scan, unit - 1);
		rs_hazards_keep_next(scan, unit);
	}
}

void rs_hazards_find_marked(struct rs_pin_list *list, const struct rs_record *record,
			    const struct rs_marks *marks)
{
	struct rs_hazard_scan scan = { .list = list, .arena = list->arena, .record = record, .marks = marks };

	if (record->n_units < 2)
		return; /* nothing can move */
	find_names(&scan);
	find_struct_comments(&scan);
	rs_audience_find(&scan);
	rs_devices_find(&scan);
	rs_order_comments_find(&scan);
	rs_offset_comments_find(&scan);
	rs_size_constants_find(&scan);
	rs_initializer_macros_find(&scan);
	rs_padding_find(&scan);
}

void rs_hazards_find(struct rs_pin_list *list, const struct rs_record *record)
{
	rs_hazards_find_marked(list, record, rs_marks_read(list->arena, record->source));
}
