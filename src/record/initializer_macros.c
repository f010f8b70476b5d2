/*
 * Macros whose body lists the record's values by position. That nobody expands them in the given sources does
 * not make them safe: they stand in the header for others to use.
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "record/hazards_internal.h"

/* How far from the struct a macro may stand that names it nowhere. */
enum { NEAR_LINES = 15 };

/* What ties a macro to the record. */
enum link {
	LINK_NONE,
	LINK_NEAR, /* it stands beside the struct */
	LINK_NAME, /* its name, or the comment above it, names the struct */
	LINK_TYPE, /* the body itself does: (struct x){ … } */
};

struct list {
	struct rs_span *values; /* trimmed */
	size_t n_values, capacity;
	bool is_code; /* has a semicolon */
};

/* --- reading a list --- */

static size_t skip_comment(const char *text, size_t at, size_t end)
{
	const char *stop;

	if (text[at] != '/' || at + 1 >= end)
		return at;
	if (text[at + 1] == '/')
		return end;
	if (text[at + 1] != '*')
		return at;
	stop = strstr(text + at + 2, "*/");
	return stop && (size_t)(stop - text) + 2 <= end ? (size_t)(stop - text) + 2 : end;
}

static size_t skip_string(const char *text, size_t at, size_t end)
{
	char quote = text[at];

	for (at++; at < end && text[at] != quote; at++)
		at += text[at] == '\\';
	return at < end ? at + 1 : end;
}

static bool is_blank(char c)
{
	return isspace((unsigned char)c) || c == '\\';
}

static struct rs_span trim(const char *text, struct rs_span span)
{
	for (size_t before = RS_NONE; before != span.start && span.start < span.end;) {
		before = span.start;
		span.start = skip_comment(text, span.start, span.end);
		while (span.start < span.end && is_blank(text[span.start]))
			span.start++;
	}
	while (span.end > span.start && is_blank(text[span.end - 1]))
		span.end--;
	return span;
}

static void add_value(const struct rs_hazard_scan *scan, struct list *list, struct rs_span value)
{
	value = trim(scan->record->source->text, value);
	if (value.start < value.end)
		*rs_array_push(scan->arena, list->values, list->n_values, list->capacity) = value;
}

/* at: the opening brace. False when it is not closed before end. */
static bool read_list(const struct rs_hazard_scan *scan, size_t at, size_t end, struct list *ret_list)
{
	const char *text = scan->record->source->text;
	size_t depth = 0, start = at + 1;

	*ret_list = (struct list) { 0 };
	while (at < end) {
		size_t behind = skip_comment(text, at, end);
		char c = text[at];

		if (behind > at || c == '"' || c == '\'') {
			at = behind > at ? behind : skip_string(text, at, end);
			continue;
		}
		depth += c == '{' || c == '(' || c == '[';
		if ((c == '}' || c == ')' || c == ']') && --depth == 0) {
			add_value(scan, ret_list, (struct rs_span) { start, at });
			return c == '}';
		}
		ret_list->is_code = ret_list->is_code || c == ';';
		if (c == ',' && depth == 1) {
			add_value(scan, ret_list, (struct rs_span) { start, at });
			start = at + 1;
		}
		at++;
	}
	return false;
}

static bool is_designated(const char *text, struct rs_span value)
{
	size_t at = value.start;

	if (text[at] == '.' || text[at] == '[')
		return !isdigit((unsigned char)text[at + 1]) || text[at] == '[';
	while (at < value.end && (isalnum((unsigned char)text[at]) || text[at] == '_'))
		at++;
	while (at < value.end && is_blank(text[at]))
		at++;
	return at > value.start && at < value.end && text[at] == ':' && text[at + 1] != ':';
}

/* Zero whatever member it meets. */
static bool is_zero(const char *text, struct rs_span value)
{
	while (value.start < value.end && strchr("{( \t", text[value.start]))
		value.start++;
	while (value.end > value.start && strchr("}) \t,", text[value.end - 1]))
		value.end--;
	return value.end - value.start == 1 && text[value.start] == '0';
}

/* `{0}`, `{NULL}`, or zeros throughout. */
static bool is_zero_list(const char *text, const struct list *list)
{
	if (list->n_values == 1 && list->values[0].end - list->values[0].start == 4 &&
	    memcmp(text + list->values[0].start, "NULL", 4) == 0)
		return true;
	for (size_t i = 0; i < list->n_values; i++)
		if (!is_zero(text, list->values[i]))
			return false;
	return true;
}

static size_t count_positional(const char *text, const struct list *list)
{
	size_t count = 0;

	for (size_t i = 0; i < list->n_values; i++)
		count += !is_designated(text, list->values[i]);
	return count;
}

/* --- whether it fits --- */

static bool may_take(const struct rs_member *member, const char *text, struct rs_span value)
{
	bool is_pointer = strchr(member->type, '*') || strchr(member->type, '(');
	/* The type of a typedef may hide a pointer; its size tells that it cannot. */
	bool may_be_pointer = is_pointer || member->type_size_bytes == sizeof(void *);

	if (text[value.start] == '"')
		return may_be_pointer || member->is_array || member->is_aggregate;
	if (text[value.start] == '{')
		return member->is_array || member->is_aggregate;
	if (isdigit((unsigned char)text[value.start]) &&
	    memchr(text + value.start, '.', value.end - value.start))
		return !is_pointer;
	return true;
}

static size_t n_initialized(const struct rs_record *record)
{
	size_t count = 0;

	for (size_t i = 0; i < record->n_members; i = rs_record_next_sibling(record, i))
		count += !(record->members[i].is_bitfield && !*record->members[i].name);
	return count;
}

/* Whether the values, one after the other, may belong to the members as they stand now. */
static bool fits_kinds(const struct rs_record *record, const char *text, const struct list *list)
{
	size_t value = 0;

	for (size_t i = 0; i < record->n_members && value < list->n_values;
	     i = rs_record_next_sibling(record, i)) {
		const struct rs_member *member = &record->members[i];

		if (member->is_bitfield && !*member->name)
			continue;
		if (is_designated(text, list->values[value]))
			return true;
		if (!may_take(member, text, list->values[value]))
			return false;
		if (member->is_aggregate && text[list->values[value].start] != '{')
			return true; /* braces may be left out: the values behind cannot be counted */
		value++;
	}
	return true;
}

static bool fits(const struct rs_hazard_scan *scan, const struct rs_mark_macro *macro, const struct list *list,
		 enum link link)
{
	const char *text = scan->record->source->text;
	size_t n_members = n_initialized(scan->record), n_positional = count_positional(text, list);
	bool says_init = strcasestr(rs_hazards_text(scan, macro->name), "init") != NULL;

	if (list->is_code || n_positional == 0 || is_zero_list(text, list))
		return false;
	if (link == LINK_TYPE)
		return true;
	if (link == LINK_NEAR && (n_positional != n_members || n_members < 2))
		return false;
	return (list->n_values <= n_members || says_init) && fits_kinds(scan->record, text, list);
}

/* A list of rows: `{ { 1, 2 }, { 3, 4 } }` for an array of the record. */
static bool is_rows(const struct rs_record *record, const char *text, const struct list *list)
{
	if (record->n_members == 0 || record->members[0].is_aggregate || record->members[0].is_array)
		return false;
	for (size_t i = 0; i < list->n_values; i++)
		if (text[list->values[i].start] != '{')
			return false;
	return list->n_values > 0;
}

static bool fits_at(const struct rs_hazard_scan *scan, const struct rs_mark_macro *macro, size_t brace,
		    enum link link)
{
	struct list list, row;

	if (!read_list(scan, brace, macro->body.end, &list))
		return false;
	if (!is_rows(scan->record, scan->record->source->text, &list))
		return fits(scan, macro, &list, link);
	for (size_t i = 0; i < list.n_values; i++)
		if (read_list(scan, list.values[i].start, macro->body.end, &row) &&
		    fits(scan, macro, &row, link))
			return true;
	return false;
}

/* --- what it belongs to --- */

/* Where the list begins that the body names the record for; RS_NONE: nowhere. words: behind the name. */
static size_t typed_brace(struct rs_word_scan words)
{
	bool is_assigned = false;

	if (!rs_word_scan_next(&words))
		return RS_NONE;
	if (rs_word_scan_is(&words, ")"))
		return rs_word_scan_next(&words) && rs_word_scan_is(&words, "{") ? words.word.start : RS_NONE;
	do {
		if (rs_word_scan_is(&words, "{"))
			return is_assigned ? words.word.start : RS_NONE;
		is_assigned = rs_word_scan_is(&words, "=");
		if (!is_assigned && !words.is_identifier &&
		    !rs_word_scan_is_any(&words, (const char *const[]) { "[", "]", "#" }, 3))
			return RS_NONE;
	} while (rs_word_scan_next(&words));
	return RS_NONE;
}

static bool is_typed(const struct rs_hazard_scan *scan, const struct rs_mark_macro *macro)
{
	struct rs_word_scan words;

	if (!rs_hazards_mentions(scan, macro->body))
		return false;
	rs_word_scan_init(&words, scan->record->source->text, macro->body);
	while (rs_word_scan_next(&words)) {
		if (!rs_hazards_skip_name(scan, &words))
			continue;
		size_t brace = typed_brace(words);
		if (brace != RS_NONE && fits_at(scan, macro, brace, LINK_TYPE))
			return true;
	}
	return false;
}

/* The brace of a body that is nothing but a list; RS_NONE: it is not. */
static size_t bare_brace(const struct rs_hazard_scan *scan, const struct rs_mark_macro *macro)
{
	const char *text = scan->record->source->text;
	struct rs_span body = trim(text, macro->body);

	while (body.start < body.end &&
	       (text[body.start] == '=' || text[body.start] == '(' || is_blank(text[body.start])))
		body.start++;
	return body.start < body.end && text[body.start] == '{' ? body.start : RS_NONE;
}

static bool is_named_by_comment(const struct rs_hazard_scan *scan, const struct rs_mark_macro *macro)
{
	const struct rs_marks *marks = scan->marks;
	size_t next = rs_marks_comment_from(marks, macro->name.start);
	unsigned line = rs_hazards_line(scan, macro->name.start);
	struct rs_prose prose;

	if (next == 0 || rs_hazards_line(scan, marks->comments[next - 1].end - 1) + 1 != line)
		return false;
	rs_prose_read(scan->arena, scan->record->source->text, marks->comments[next - 1], &prose);
	for (size_t i = 0; i < prose.n_words; i++)
		for (size_t k = 0; k < scan->n_names; k++)
			if (strcasecmp(prose.words[i], scan->names[k].text) == 0 &&
			    (!scan->names[k].is_tag || strchr(prose.words[i], '_') ||
			     (i > 0 && strcmp(prose.words[i - 1], "struct") == 0)))
				return true;
	return false;
}

/* Whether the name has that of some other struct of the file in it. */
static bool names_another(const struct rs_hazard_scan *scan, const struct rs_mark_macro *macro)
{
	const char *name = rs_hazards_text(scan, macro->name);

	for (size_t i = 0; i < scan->marks->n_tags; i++) {
		const char *tag = rs_hazards_text(scan, scan->marks->tags[i]);
		const char *at = strcasestr(name, tag);

		if (at && strlen(tag) > 2)
			return true;
	}
	return false;
}

static bool has_tag_between(const struct rs_hazard_scan *scan, size_t from, size_t to)
{
	for (size_t i = 0; i < scan->marks->n_tags; i++)
		if (scan->marks->tags[i].start > from && scan->marks->tags[i].start < to &&
		    memchr(scan->record->source->text + from, '{', scan->marks->tags[i].start - from))
			return true;
	return false;
}

static bool is_near(const struct rs_hazard_scan *scan, const struct rs_mark_macro *macro)
{
	const struct rs_record *record = scan->record;
	unsigned line = rs_hazards_line(scan, macro->name.start),
		 end = rs_hazards_line(scan, record->span.end - 1);

	if (macro->name.start < record->span.start || line > end + NEAR_LINES)
		return false;
	return !has_tag_between(scan, record->span.end, macro->name.start) && !names_another(scan, macro);
}

static enum link find_link(const struct rs_hazard_scan *scan, const struct rs_mark_macro *macro)
{
	size_t start;

	if (rs_hazards_name_inside(scan, rs_hazards_text(scan, macro->name), &start) > 0 ||
	    is_named_by_comment(scan, macro))
		return LINK_NAME;
	return is_near(scan, macro) ? LINK_NEAR : LINK_NONE;
}

static bool is_initializer(const struct rs_hazard_scan *scan, const struct rs_mark_macro *macro)
{
	size_t brace = bare_brace(scan, macro);

	if (is_typed(scan, macro))
		return true;
	if (brace == RS_NONE)
		return false;
	enum link link = find_link(scan, macro);
	return link != LINK_NONE && fits_at(scan, macro, brace, link);
}

void rs_initializer_macros_find(struct rs_hazard_scan *scan)
{
	for (size_t i = 0; scan->n_names > 0 && i < scan->marks->n_macros; i++) {
		const struct rs_mark_macro *macro = &scan->marks->macros[i];

		if (macro->has_brace && is_initializer(scan, macro))
			rs_pin_add(scan->list, "initializer-macro", RS_PIN_CONTRACT, RS_NONE,
				   rs_hazards_line(scan, macro->name.start), true,
				   "macro '%s' gives values to the members of '%s' by position",
				   rs_hazards_text(scan, macro->name), scan->record->name);
	}
}
