#include "rewrite/kernel_doc.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/builder.h"

/* One member's lines. What stands between two entries, blank lines, belongs to the place. */
struct entry {
	struct rs_span span; /* whole lines */
	size_t rank;         /* of the unit that it speaks of: as it stands, then in the new order */
	size_t number;
};

struct list {
	struct rs_arena *arena;
	const struct rs_record *record;
	const char *text;
	struct entry *entries;
	size_t n_entries, entries_capacity;
	bool is_open;  /* a line may go on with the last entry */
	bool is_ended; /* so that an entry behind would leave lines between them */
	bool is_unclear;
};

/* --- the comment --- */

static size_t skip_blanks_back(const char *text, size_t at)
{
	while (at > 0 && isspace((unsigned char)text[at - 1]))
		at--;
	return at;
}

/* The block comment that ends right above the definition, if it is one for documentation. */
static bool find_comment(const struct rs_record *record, struct rs_span *ret_span)
{
	static const char typedef_word[] = "typedef";
	const char *text = record->source->text;
	size_t at = skip_blanks_back(text, record->span.start), length = strlen(typedef_word);

	if (at >= length && memcmp(text + at - length, typedef_word, length) == 0)
		at = skip_blanks_back(text, at - length);
	if (at < 4 || text[at - 1] != '/' || text[at - 2] != '*')
		return false;
	size_t start = at - 2;
	while (start > 0 && !(text[start - 1] == '/' && text[start] == '*'))
		start--;
	if (start == 0 || start + 1 >= at - 2 || (text[start + 1] != '*' && text[start + 1] != '!'))
		return false;
	*ret_span = (struct rs_span) { start - 1, at };
	return true;
}

/* --- its lines --- */

static struct rs_span content_of(const char *text, struct rs_span line)
{
	struct rs_span content = line;

	while (content.start < content.end && strchr(" \t", text[content.start]))
		content.start++;
	if (content.start < content.end && text[content.start] == '*')
		content.start++;
	while (content.start < content.end && strchr(" \t", text[content.start]))
		content.start++;
	while (content.end > content.start && isspace((unsigned char)text[content.end - 1]))
		content.end--;
	return content;
}

/* The record's member that `@name:`, `@name.inner:` speaks of; RS_NONE. */
static size_t member_of(const struct list *list, struct rs_span content)
{
	const char *text = list->text;
	size_t end = content.start + 1, name_end;

	while (end < content.end && (isalnum((unsigned char)text[end]) || text[end] == '_'))
		end++;
	name_end = end;
	while (end < content.end && (isalnum((unsigned char)text[end]) || strchr("_.", text[end])))
		end++;
	if (name_end == content.start + 1 || end >= content.end || text[end] != ':')
		return RS_NONE;
	return rs_record_find_member(list->record, rs_arena_strndup(list->arena, text + content.start + 1,
								    name_end - content.start - 1));
}

static void add_entry(struct list *list, struct rs_span line, struct rs_span content)
{
	size_t member = member_of(list, content);

	if (member == RS_NONE || list->is_ended) {
		list->is_unclear = true;
		return;
	}
	size_t unit = list->record->members[member].unit;
	size_t number = list->n_entries;
	*rs_array_push(list->arena, list->entries, list->n_entries, list->entries_capacity) =
		(struct entry) { .span = line, .rank = unit, .number = number };
	list->is_open = true;
}

static void take_line(struct list *list, struct rs_span line)
{
	struct rs_span content = content_of(list->text, line);

	if (content.start == content.end)
		list->is_open = false;
	else if (list->text[content.start] == '@')
		add_entry(list, line, content);
	else if (list->is_open)
		list->entries[list->n_entries - 1].span.end = line.end;
	else
		list->is_ended = list->n_entries > 0;
}

/* The lines that have neither the comment's beginning nor its end. */
static void read_lines(struct list *list, struct rs_span comment)
{
	const char *text = list->text;
	const char *first = memchr(text + comment.start, '\n', comment.end - comment.start);

	for (size_t at = first ? (size_t)(first - text) + 1 : comment.end; at < comment.end;) {
		const char *stop = memchr(text + at, '\n', comment.end - at);

		if (!stop) {
			struct rs_span content = content_of(text, (struct rs_span) { at, comment.end - 2 });

			list->is_unclear = list->is_unclear || content.start < content.end;
			return;
		}
		struct rs_span line = { at, (size_t)(stop - text) + 1 };
		take_line(list, line);
		at = line.end;
	}
}

/* --- their order --- */

static bool is_sorted(const struct list *list)
{
	for (size_t i = 1; i < list->n_entries; i++)
		if (list->entries[i].rank < list->entries[i - 1].rank)
			return false;
	return true;
}

static int by_rank(const void *a, const void *b)
{
	const struct entry *left = (const struct entry *)a, *right = (const struct entry *)b;

	if (left->rank != right->rank)
		return left->rank < right->rank ? -1 : 1;
	return (left->number > right->number) - (left->number < right->number);
}

static void print(const struct list *list, const struct entry *sorted, struct rs_builder *out)
{
	for (size_t i = 0; i < list->n_entries; i++) {
		size_t behind = list->entries[i].span.end;
		size_t next = i + 1 < list->n_entries ? list->entries[i + 1].span.start : behind;

		rs_builder_append(out, list->text + sorted[i].span.start,
				  sorted[i].span.end - sorted[i].span.start);
		rs_builder_append(out, list->text + behind, next - behind);
	}
}

/* Without the entries that stay at either end. */
static void trim(struct list *list, struct entry **sorted)
{
	while (list->n_entries > 0 && (*sorted)[0].number == list->entries[0].number) {
		list->entries++;
		(*sorted)++;
		list->n_entries--;
	}
	while (list->n_entries > 0 &&
	       (*sorted)[list->n_entries - 1].number == list->entries[list->n_entries - 1].number)
		list->n_entries--;
}

bool rs_kernel_doc_order(struct rs_arena *arena, const struct rs_record *record, const size_t *order,
			 struct rs_edit *ret_edit)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder out = { 0 };
	struct list list = { .arena = arena, .record = record, .text = record->source->text };
	struct rs_span comment;

	if (!find_comment(record, &comment))
		return false;
	read_lines(&list, comment);
	if (list.is_unclear || list.n_entries < 2 || !is_sorted(&list))
		return false;
	struct entry *sorted = rs_arena_array(arena, struct entry, list.n_entries);
	memcpy(sorted, list.entries, list.n_entries * sizeof *sorted);
	for (size_t i = 0; i < list.n_entries; i++) {
		size_t rank = 0;

		while (order[rank] != sorted[i].rank)
			rank++;
		sorted[i].rank = rank;
	}
	qsort(sorted, list.n_entries, sizeof *sorted, by_rank);
	trim(&list, &sorted);
	if (list.n_entries == 0)
		return false;
	print(&list, sorted, &out);
	*ret_edit = (struct rs_edit) { .source = record->source,
				       .span = { list.entries[0].span.start,
						 list.entries[list.n_entries - 1].span.end },
				       .text = rs_arena_strndup(arena, out.data, out.length),
				       .size = out.length };
	return true;
}

/* --- one of them --- */

/* `@name:`, or `@name.inner:`. */
static bool mentions(const char *text, struct rs_span comment, const char *name)
{
	size_t length = strlen(name);

	for (size_t i = comment.start; i + length + 1 < comment.end; i++)
		if (text[i] == '@' && memcmp(text + i + 1, name, length) == 0 &&
		    (text[i + length + 1] == ':' ||
		     (text[i + length + 1] == '.' && !isspace((unsigned char)text[i + length + 2]))))
			return true;
	return false;
}

enum rs_kernel_doc_kind rs_kernel_doc_find(struct rs_arena *arena, const struct rs_record *record,
					   const char *name, struct rs_span *ret_lines)
{
	struct list list = { .arena = arena, .record = record, .text = record->source->text };
	size_t member = rs_record_find_member(record, name), count = 0;
	struct rs_span comment;

	if (member == RS_NONE || !find_comment(record, &comment) || !mentions(list.text, comment, name))
		return RS_KERNEL_DOC_NONE;
	read_lines(&list, comment);
	for (size_t i = 0; i < list.n_entries; i++) {
		if (list.entries[i].rank != record->members[member].unit)
			continue;
		if (count > 0 && list.entries[i].span.start != ret_lines->end)
			return RS_KERNEL_DOC_UNCLEAR;
		ret_lines->start = count > 0 ? ret_lines->start : list.entries[i].span.start;
		ret_lines->end = list.entries[i].span.end;
		count++;
	}
	return count > 0 && !list.is_unclear ? RS_KERNEL_DOC_ENTRY : RS_KERNEL_DOC_UNCLEAR;
}

bool rs_kernel_doc_find_end(struct rs_arena *arena, const struct rs_record *record, size_t *ret_byte)
{
	struct list list = { .arena = arena, .record = record, .text = record->source->text };
	struct rs_span comment;

	if (!find_comment(record, &comment))
		return false;
	read_lines(&list, comment);
	if (list.is_unclear || list.n_entries == 0)
		return false;
	*ret_byte = list.entries[list.n_entries - 1].span.end;
	return true;
}
