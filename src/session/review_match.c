#include <stdlib.h>
#include <string.h>

#include "session/review_internal.h"

bool rs_review_is_top(const struct rs_record *record, size_t member)
{
	size_t parent = record->members[member].parent;

	while (parent != RS_NONE && record->members[parent].is_anonymous)
		parent = record->members[parent].parent;
	return parent == RS_NONE && *record->members[member].path;
}

bool rs_review_is_in_place(const struct rs_member *member)
{
	return member->is_aggregate && strstr(member->type, " at ");
}

/* The type of a struct in place is called by its line; its own members are compared one by one. */
bool rs_review_same_type(const struct rs_member *a, const struct rs_member *b)
{
	if (rs_review_is_in_place(a) && rs_review_is_in_place(b))
		return a->is_union == b->is_union && a->array_count == b->array_count;
	if (strcmp(a->type, b->type) == 0 && a->is_aggregate && b->is_aggregate)
		return a->is_const == b->is_const && a->is_volatile == b->is_volatile;
	return strcmp(a->type, b->type) == 0 && a->size_bits == b->size_bits &&
	       a->is_bitfield == b->is_bitfield && a->is_flexible == b->is_flexible &&
	       a->is_const == b->is_const && a->is_volatile == b->is_volatile;
}

/* --- fields with other names --- */

/* The member before this one at the top level; RS_NONE: it is the first. */
static size_t top_before(const struct rs_record *record, size_t member)
{
	while (member-- > 0)
		if (rs_review_is_top(record, member))
			return member;
	return RS_NONE;
}

static size_t top_after(const struct rs_record *record, size_t member)
{
	while (++member < record->n_members)
		if (rs_review_is_top(record, member))
			return member;
	return RS_NONE;
}

/* Whether the members stand behind the same one, or in front of the same one. */
static bool same_place(const struct rs_review_pair *pair, size_t old, size_t new)
{
	const struct rs_record *before = pair->before->record, *after = pair->after->record;
	size_t was = top_before(before, old), is = top_before(after, new);

	if (was == RS_NONE ? is == RS_NONE : pair->twin[was] == is && is != RS_NONE)
		return true;
	was = top_after(before, old);
	is = top_after(after, new);
	return was == RS_NONE ? is == RS_NONE : pair->twin[was] == is && is != RS_NONE;
}

/* What is inside goes with it. */
static void join_inside(struct rs_review_pair *pair, size_t old, size_t new)
{
	const struct rs_record *before = pair->before->record, *after = pair->after->record;

	for (size_t i = 1; i <= before->members[old].n_inside; i++)
		for (size_t k = 1; k <= after->members[new].n_inside; k++)
			if (*before->members[old + i].name &&
			    strcmp(before->members[old + i].name, after->members[new + k].name) == 0) {
				pair->twin[old + i] = new + k;
				pair->origin[new + k] = old + i;
				break;
			}
}

static void join_renamed(struct rs_review_pair *pair, size_t old)
{
	const struct rs_record *before = pair->before->record, *after = pair->after->record;

	for (size_t new = 0; new < after->n_members; new ++) {
		if (!rs_review_is_top(after, new) || pair->origin[new] != RS_NONE ||
		    !rs_review_same_type(&before->members[old], &after->members[new]) ||
		    !same_place(pair, old, new))
			continue;
		pair->twin[old] = new;
		pair->origin[new] = old;
		pair->n_renamed++;
		join_inside(pair, old, new);
		return;
	}
}

/* --- who moved --- */

struct ranked {
	size_t member; /* before */
	size_t place;  /* among the members after */
};

/* Marks what is not in a longest run of members that kept their order: the fewest that must have moved. */
static void mark_moved(struct rs_review_pair *pair, const struct ranked *ranked, size_t count)
{
	size_t *length = rs_arena_array(pair->arena, size_t, count);
	size_t *previous = rs_arena_array(pair->arena, size_t, count);
	size_t last = RS_NONE;

	for (size_t i = 0; i < count; i++) {
		previous[i] = RS_NONE;
		for (size_t j = 0; j < i; j++)
			if (ranked[j].place < ranked[i].place && length[j] > length[i]) {
				length[i] = length[j];
				previous[i] = j;
			}
		length[i]++;
		if (last == RS_NONE || length[i] > length[last])
			last = i;
		pair->moved[ranked[i].member] = true;
	}
	for (; last != RS_NONE; last = previous[last])
		pair->moved[ranked[last].member] = false;
	for (size_t i = 0; i < count; i++)
		pair->n_moved += pair->moved[ranked[i].member];
}

static void join_by_name(struct rs_review_pair *pair)
{
	const struct rs_record *before = pair->before->record, *after = pair->after->record;

	for (size_t m = 0; m < after->n_members; m++)
		pair->origin[m] = RS_NONE;
	for (size_t m = 0; m < before->n_members; m++) {
		const char *path = before->members[m].path;

		pair->twin[m] = *path ? rs_record_find_member(after, path) : RS_NONE;
		if (pair->twin[m] != RS_NONE)
			pair->origin[pair->twin[m]] = m;
	}
}

static void count_changes(struct rs_review_pair *pair)
{
	const struct rs_record *before = pair->before->record, *after = pair->after->record;

	for (size_t m = 0; m < before->n_members; m++) {
		size_t twin = pair->twin[m];

		pair->n_removed += twin == RS_NONE && rs_review_is_top(before, m);
		pair->n_retyped +=
			twin != RS_NONE && !rs_review_same_type(&before->members[m], &after->members[twin]);
		pair->has_resized |=
			twin != RS_NONE && before->members[m].size_bits != after->members[twin].size_bits;
	}
	for (size_t m = 0; m < after->n_members; m++)
		pair->n_added += rs_review_is_top(after, m) && pair->origin[m] == RS_NONE;
}

void rs_review_match(struct rs_review_pair *pair)
{
	const struct rs_record *before = pair->before->record;
	struct ranked *ranked = rs_arena_array(pair->arena, struct ranked, before->n_members);
	size_t count = 0;

	pair->twin = rs_arena_array(pair->arena, size_t, before->n_members);
	pair->origin = rs_arena_array(pair->arena, size_t, pair->after->record->n_members);
	pair->moved = rs_arena_array(pair->arena, bool, before->n_members);
	join_by_name(pair);
	for (size_t m = 0; m < before->n_members; m++)
		if (rs_review_is_top(before, m) && pair->twin[m] == RS_NONE)
			join_renamed(pair, m);
	for (size_t m = 0; m < before->n_members; m++)
		if (rs_review_is_top(before, m) && pair->twin[m] != RS_NONE)
			ranked[count++] = (struct ranked) { m, pair->twin[m] };
	mark_moved(pair, ranked, count);
	count_changes(pair);
}

/* Fields that were only put behind all others leave the places of those alone. */
static bool is_appended_to(const struct rs_review_pair *pair)
{
	const struct rs_record *after = pair->after->record;
	bool has_new = false;

	for (size_t m = 0; m < after->n_members; m++) {
		if (!rs_review_is_top(after, m))
			continue;
		if (has_new && pair->origin[m] != RS_NONE)
			return false;
		has_new |= pair->origin[m] == RS_NONE;
	}
	return true;
}

bool rs_review_has_moves(const struct rs_review_pair *pair)
{
	return pair->n_moved + pair->n_removed > 0 || !is_appended_to(pair);
}

bool rs_review_has_reorder(const struct rs_review_pair *pair)
{
	const struct rs_record *before = pair->before->record;

	for (size_t m = 0; m < before->n_members; m++)
		if (rs_review_is_top(before, m))
			return pair->n_moved > 0 || pair->twin[m] == RS_NONE ||
			       top_before(pair->after->record, pair->twin[m]) != RS_NONE;
	return false;
}
