#include <stdlib.h>
#include <string.h>

#include "session/review_internal.h"

static const struct rs_git_change *find_change(const struct rs_git_changes *changes, const char *path)
{
	for (size_t i = 0; i < changes->n_items; i++)
		if (strcmp(changes->items[i].path, path) == 0)
			return &changes->items[i];
	return NULL;
}

/* Whether the text stood in the file before the change just so. */
static bool is_unchanged(const struct rs_git_changes *changes, const struct rs_initializer *item)
{
	const struct rs_git_change *change = find_change(changes, item->source->realpath);
	size_t length = item->span.end - item->span.start;

	return !change || (change->old_text && memmem(change->old_text, change->old_size,
						      item->source->text + item->span.start, length));
}

static size_t count_same_text(const struct rs_initializer_list *list, const struct rs_initializer *item,
			      const struct rs_initializer **ret_first)
{
	size_t length = item->span.end - item->span.start, count = 0;

	for (size_t i = 0; i < list->n_items; i++) {
		const struct rs_initializer *other = &list->items[i];

		if (other->span.end - other->span.start != length ||
		    strcmp(other->source->realpath, item->source->realpath) != 0 ||
		    memcmp(other->source->text + other->span.start, item->source->text + item->span.start,
			   length) != 0)
			continue;
		if (count++ == 0)
			*ret_first = other;
	}
	return count;
}

/* The list may stand in a unit that shows the record otherwise, with members of its own. */
static const struct rs_member *member_of(const struct rs_initializer *list, size_t value)
{
	return &list->record->members[list->values[value].member];
}

/* Members without a name have no twin. */
static bool same_member(const struct rs_review_pair *pair, const struct rs_member *old,
			const struct rs_member *new)
{
	const struct rs_record *before = pair->before->record, *after = pair->after->record;
	size_t at;

	if (!*old->path || !*new->path)
		return strcmp(old->declaration, new->declaration) == 0;
	at = rs_record_find_member(before, old->path);
	if (at == RS_NONE)
		return strcmp(old->path, new->path) == 0;
	return pair->twin[at] != RS_NONE && strcmp(after->members[pair->twin[at]].path, new->path) == 0;
}

/* The first value that went to another member before: its index, RS_NONE when there is none. Where braces are
 * left out, what one member takes can change, too, and with it the number of values. */
static size_t find_strayed(const struct rs_review_pair *pair, const struct rs_initializer *old,
			   const struct rs_initializer *new)
{
	size_t count = old->n_values < new->n_values ? old->n_values : new->n_values;

	for (size_t i = 0; i < count; i++)
		if (!same_member(pair, member_of(old, i), member_of(new, i)))
			return i;
	return old->n_values == new->n_values ? RS_NONE : count - 1;
}

static void report_unchanged(const struct rs_review_pair *pair, const struct rs_session_record *after,
			     const struct rs_initializer *old, const struct rs_initializer *item, size_t value)
{
	rs_finding_add_at(pair->list, "initializer-forgotten", RS_FINDING_ERROR, item->source->realpath,
			  rs_source_position(item->source, item->span.start).line, after->record->name,
			  rs_arena_strndup(pair->arena, item->source->text + item->span.start,
					   item->span.end - item->span.start),
			  "this initialiser of struct '%s' was not changed with it: value %zu goes to '%s', "
			  "and went to '%s'",
			  after->record->name, value + 1, member_of(item, value)->declaration,
			  member_of(old, value)->declaration);
}

static void compare_initializer(const struct rs_review_pair *pair, const struct rs_session_record *before,
				const struct rs_session_record *after, const struct rs_initializer *item)
{
	const struct rs_initializer *old = NULL;

	if (count_same_text(before->initializers, item, &old) == 0)
		return;
	size_t value = find_strayed(pair, old, item);
	if (value != RS_NONE)
		report_unchanged(pair, after, old, item, value);
}

/* --- lists that were edited --- */

static struct rs_span trim(const struct rs_initializer *list, size_t value)
{
	struct rs_span span = list->values[value].span;

	while (span.start < span.end && strchr(" \t\r\n", list->source->text[span.start]))
		span.start++;
	while (span.end > span.start && strchr(" \t\r\n", list->source->text[span.end - 1]))
		span.end--;
	return span;
}

static bool same_value(const struct rs_initializer *a, size_t i, const struct rs_initializer *b, size_t k)
{
	struct rs_span left = trim(a, i), right = trim(b, k);

	return left.end - left.start == right.end - right.start &&
	       memcmp(a->source->text + left.start, b->source->text + right.start, left.end - left.start) == 0;
}

static bool has_value(const struct rs_initializer *list, const struct rs_initializer *other, size_t value)
{
	for (size_t i = 0; i < list->n_values; i++)
		if (same_value(list, i, other, value))
			return true;
	return false;
}

/* The first value whose member had another one before, where all values are still the old ones. */
static size_t find_misplaced(const struct rs_review_pair *pair, const struct rs_initializer *old,
			     const struct rs_initializer *new)
{
	size_t found = RS_NONE;

	for (size_t i = 0; i < new->n_values; i++) {
		if (!has_value(old, new, i))
			return RS_NONE;
		for (size_t k = 0; found == RS_NONE && k < old->n_values; k++)
			if (*member_of(new, i)->path &&
			    same_member(pair, member_of(old, k), member_of(new, i)) &&
			    !same_value(old, k, new, i))
				found = i;
	}
	return found;
}

static void compare_edited(const struct rs_review_pair *pair, const struct rs_session_record *after,
			   const struct rs_initializer *old, const struct rs_initializer *item)
{
	size_t value = old->n_values == item->n_values ? find_misplaced(pair, old, item) : RS_NONE;

	if (value == RS_NONE)
		return;
	rs_finding_add_at(
		pair->list, "initializer-forgotten", RS_FINDING_ERROR, item->source->realpath,
		rs_source_position(item->source, item->span.start).line, after->record->name,
		rs_arena_strndup(pair->arena, item->source->text + item->span.start,
				 item->span.end - item->span.start),
		"this initialiser of struct '%s' was changed, but not as its fields were: '%s' has another "
		"value than before",
		after->record->name, member_of(item, value)->path);
}

/* Places that are known, but not value by value. */
static void compare_unread_initializers(const struct rs_review_pair *pair, const struct rs_record *after)
{
	for (size_t i = 0; i < after->n_pins; i++) {
		const struct rs_pin *pin = &after->pins[i];

		if (rs_review_is_about_initializers(pin) && pin->refuses)
			rs_finding_add_at(pair->list, "initializer-unclear", RS_FINDING_WARNING,
					  pin->file ? pin->file : after->source->realpath, pin->line,
					  after->name, pin->message,
					  "the order changes, and it is not clear that this follows: %s",
					  pin->message);
	}
}

static int by_place(const void *a, const void *b)
{
	const struct rs_initializer *left = *(const struct rs_initializer *const *)a;
	const struct rs_initializer *right = *(const struct rs_initializer *const *)b;
	int order = strcmp(left->source->realpath, right->source->realpath);

	if (order)
		return order;
	return (left->span.start > right->span.start) - (left->span.start < right->span.start);
}

static const struct rs_initializer **sort_lists(struct rs_arena *arena, const struct rs_initializer_list *list)
{
	const struct rs_initializer **sorted =
		rs_arena_array(arena, const struct rs_initializer *, list->n_items);

	for (size_t i = 0; i < list->n_items; i++)
		sorted[i] = &list->items[i];
	if (list->n_items > 0)
		qsort(sorted, list->n_items, sizeof *sorted, by_place);
	return sorted;
}

static bool same_text(const struct rs_initializer *a, const struct rs_initializer *b)
{
	size_t length = a->span.end - a->span.start;

	return b->span.end - b->span.start == length &&
	       memcmp(a->source->text + a->span.start, b->source->text + b->span.start, length) == 0;
}

/* A list with itself before. Values that are the same may change places without a word. */
static void compare_twins(const struct rs_review_pair *pair, const struct rs_session_record *after,
			  const struct rs_initializer *old, const struct rs_initializer *new)
{
	size_t value;

	if (!same_text(old, new)) {
		compare_edited(pair, after, old, new);
		return;
	}
	value = old->n_values == new->n_values ? find_misplaced(pair, old, new) : find_strayed(pair, old, new);
	if (value != RS_NONE)
		report_unchanged(pair, after, old, new, value);
}

static size_t count_in_file(const struct rs_initializer *const *sorted, size_t count, const char *path)
{
	size_t n_items = 0;

	while (n_items < count && strcmp(sorted[n_items]->source->realpath, path) == 0)
		n_items++;
	return n_items;
}

/* As many lists in a file before as after: each is the one at its place, which the text alone cannot tell where
 * rows look alike. Else what stands there unchanged is looked at. */
static void compare_file(const struct rs_review_pair *pair, const struct rs_session_record *before,
			 const struct rs_session_record *after, const struct rs_git_changes *changes,
			 const struct rs_initializer *const *old, const struct rs_initializer *const *new,
			 size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (new[i]->n_values == 0)
			continue;
		if (old)
			compare_twins(pair, after, old[i], new[i]);
		else if (is_unchanged(changes, new[i]))
			compare_initializer(pair, before, after, new[i]);
	}
}

static void compare_lists(const struct rs_review_pair *pair, const struct rs_session_record *before,
			  const struct rs_session_record *after, const struct rs_git_changes *changes)
{
	const struct rs_initializer **old = sort_lists(pair->arena, before->initializers);
	const struct rs_initializer **new = sort_lists(pair->arena, after->initializers);
	size_t n_old = before->initializers->n_items, n_new = after->initializers->n_items, at = 0, count;

	for (size_t i = 0; i < n_new; i += count) {
		const char *path = new[i]->source->realpath;

		while (at < n_old && strcmp(old[at]->source->realpath, path) < 0)
			at++;
		count = count_in_file(new + i, n_new - i, path);
		compare_file(pair, before, after, changes,
			     count_in_file(old + at, n_old - at, path) == count ? old + at : NULL, new + i,
			     count);
	}
}

void rs_review_compare_initializers(const struct rs_review_pair *pair, const struct rs_session_record *before,
				    const struct rs_session_record *after, const struct rs_git_changes *changes)
{
	if (before->initializers && after->initializers)
		compare_lists(pair, before, after, changes);
	compare_unread_initializers(pair, after->record);
}
