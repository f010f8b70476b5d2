#include "rewrite/initializers.h"

#include <stdlib.h>
#include <string.h>

#include "rewrite/initializer_text.h"

enum mode {
	MODE_KEEP,
	MODE_ORDER,
	MODE_DESIGNATE,
	MODE_IMPOSSIBLE,
};

/* An initialiser, the ranks that the members get, and what is done with it. */
struct item {
	const struct rs_initializer *initializer;
	const size_t *ranks; /* one a member of the record */
	enum mode mode;
	size_t *order;    /* of the values */
	size_t end;       /* behind the last item that lies in it */
	const char *text; /* of the list in its new order; NULL until printed */
};

struct work {
	struct rs_arena *arena;
	struct item *items; /* by file and place, those around others first */
	size_t n_items;
};

/* A piece of text that an item changes. */
struct change {
	struct rs_span span;
	const char *text;
};

struct changes {
	struct change *items;
	size_t n_items, capacity;
};

/* --- ranks --- */

static size_t *find_ranks(struct rs_arena *arena, const struct rs_initializer_order *order)
{
	const struct rs_record *record = order->record;
	size_t *ranks = rs_arena_array(arena, size_t, record->n_members);
	size_t rank = 0;

	for (size_t u = 0; u < record->n_units; u++) {
		const struct rs_unit *unit = &record->units[order->order[u]];
		size_t member = unit->first_member;

		for (size_t i = 0; i < unit->n_members; i++, member = rs_record_next_sibling(record, member)) {
			const struct rs_member *own = &record->members[member];

			ranks[member] = rank;
			rank += !(own->is_bitfield && !*own->name);
		}
	}
	return ranks;
}

static bool is_as_before(const struct item *item)
{
	const struct rs_initializer *initializer = item->initializer;

	if (initializer->no_order)
		return false;
	for (size_t i = 0; i < initializer->n_values; i++) {
		size_t rank = item->ranks[initializer->values[i].member];

		if (initializer->is_designated ? i > 0 && rank < item->ranks[initializer->values[i - 1].member]
					       : rank != i)
			return false;
	}
	return true;
}

/* Values with designators may leave members out. */
static void sort_by_rank(struct item *item)
{
	const struct rs_initializer_value *values = item->initializer->values;

	for (size_t i = 0; i < item->initializer->n_values; i++) {
		size_t rank = item->ranks[values[i].member], at = i;

		for (; at > 0 && item->ranks[values[item->order[at - 1]].member] > rank; at--)
			item->order[at] = item->order[at - 1];
		item->order[at] = i;
	}
}

/* Whether the values, put in the new order, are the first ones of the new record. */
static bool find_order(struct rs_arena *arena, struct item *item)
{
	const struct rs_initializer *initializer = item->initializer;

	item->order = rs_arena_array(arena, size_t, initializer->n_values);
	if (initializer->is_designated) {
		sort_by_rank(item);
		return true;
	}
	for (size_t i = 0; i < initializer->n_values; i++)
		item->order[i] = RS_NONE;
	for (size_t i = 0; i < initializer->n_values && !initializer->no_order; i++) {
		size_t rank = item->ranks[initializer->values[i].member];

		if (rank >= initializer->n_values || item->order[rank] != RS_NONE)
			return false;
		item->order[rank] = i;
	}
	return !initializer->no_order;
}

/* --- text --- */

static void add_change(struct work *work, struct changes *changes, struct rs_span span, const char *text)
{
	*rs_array_push(work->arena, changes->items, changes->n_items, changes->capacity) =
		(struct change) { span, text };
}

/* Whether an item right inside this one brings braces of its own around just that text. */
static bool has_braces(const struct work *work, const struct item *item, struct rs_span span)
{
	for (const struct item *inner = item + 1; inner < work->items + item->end; inner++)
		if (inner->mode == MODE_DESIGNATE && inner->initializer->lacks_braces &&
		    inner->initializer->span.start == span.start && inner->initializer->span.end == span.end)
			return true;
	return false;
}

static struct rs_span inner_span(const struct rs_initializer *initializer)
{
	struct rs_span span = initializer->span;

	if (!initializer->lacks_braces)
		span = (struct rs_span) { span.start + 1, span.end - 1 };
	return span;
}

static void collect(struct work *work, size_t first, size_t end, struct rs_span within,
		    struct changes *changes);

static int by_place(const void *a, const void *b)
{
	const struct change *left = (const struct change *)a, *right = (const struct change *)b;

	return (left->span.start > right->span.start) - (left->span.start < right->span.start);
}

/* Changes at one place keep the order in which they were added. */
static void sort_changes(struct changes *changes)
{
	for (size_t i = 1; i < changes->n_items; i++)
		for (size_t j = i; j > 0 && by_place(&changes->items[j - 1], &changes->items[j]) > 0; j--) {
			struct change other = changes->items[j];

			changes->items[j] = changes->items[j - 1];
			changes->items[j - 1] = other;
		}
}

/* The text of the span with what the items in it change. */
static const char *print_span(struct work *work, const struct item *item, struct rs_span span)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder out = { 0 };
	const char *text = item->initializer->source->text;
	struct changes changes = { 0 };
	size_t at = span.start;

	collect(work, (size_t)(item - work->items) + 1, item->end, span, &changes);
	sort_changes(&changes);
	for (size_t i = 0; i < changes.n_items; i++) {
		rs_builder_append(&out, text + at, changes.items[i].span.start - at);
		rs_builder_appends(&out, changes.items[i].text);
		at = changes.items[i].span.end;
	}
	rs_builder_append(&out, text + at, span.end - at);
	return rs_arena_strndup(work->arena, out.data, out.length);
}

static const char *print_order(struct work *work, const struct item *item)
{
	const struct rs_initializer *initializer = item->initializer;
	size_t n_values = initializer->n_values;
	struct rs_span *values = rs_arena_array(work->arena, struct rs_span, n_values);
	const char **texts = rs_arena_array(work->arena, const char *, n_values);
	const struct rs_value_list list = { .source = initializer->source,
					    .span = inner_span(initializer),
					    .values = values,
					    .texts = texts,
					    .order = item->order,
					    .n_values = n_values };

	for (size_t i = 0; i < n_values; i++) {
		const struct rs_initializer_value *value = &initializer->values[i];

		values[i] = value->span;
		texts[i] = print_span(work, item, value->span);
		if (value->needs_braces && !has_braces(work, item, value->span))
			texts[i] = rs_arena_printf(work->arena, "{ %s }", texts[i]);
	}
	return rs_initializer_text_print(work->arena, &list);
}

/* Whether the i-th replacement and the next one are a pair of braces that an item in them brings itself. */
static bool brings_braces(const struct work *work, const struct item *item, size_t i)
{
	const struct rs_initializer *initializer = item->initializer;
	const struct rs_text_change *open = &initializer->designators[i];

	return i + 1 < initializer->n_designators && strcmp(open[0].text, "{ ") == 0 &&
	       strcmp(open[1].text, " }") == 0 &&
	       has_braces(work, item, (struct rs_span) { open[0].span.start, open[1].span.end });
}

static void add_designators(struct work *work, const struct item *item, struct changes *changes)
{
	const struct rs_initializer *initializer = item->initializer;

	for (size_t i = 0; i < initializer->n_designators; i++) {
		const struct rs_text_change *replacement = &initializer->designators[i];

		if (!brings_braces(work, item, i) && (i == 0 || !brings_braces(work, item, i - 1)))
			add_change(work, changes, replacement->span, replacement->text);
	}
}

/* Changes of the items [first, end) that lie within the span. */
static void collect(struct work *work, size_t first, size_t end, struct rs_span within, struct changes *changes)
{
	for (size_t i = first; i < end;) {
		const struct item *item = &work->items[i];
		struct rs_span span = item->initializer->span;
		bool is_inside = span.start >= within.start && span.end <= within.end;

		if (is_inside && item->mode == MODE_ORDER) {
			add_change(work, changes, inner_span(item->initializer), item->text);
			i = item->end;
			continue;
		}
		if (is_inside && item->mode == MODE_DESIGNATE)
			add_designators(work, item, changes);
		i++;
	}
}

/* --- decisions --- */

static bool lies_in(const struct rs_initializer *inner, const struct rs_initializer *outer)
{
	return strcmp(inner->source->realpath, outer->source->realpath) == 0 &&
	       inner->span.start >= outer->span.start && inner->span.end <= outer->span.end;
}

static int by_file_and_place(const void *a, const void *b)
{
	const struct rs_initializer *left = ((const struct item *)a)->initializer;
	const struct rs_initializer *right = ((const struct item *)b)->initializer;
	int order = strcmp(left->source->realpath, right->source->realpath);

	if (order != 0)
		return order;
	if (left->span.start != right->span.start)
		return left->span.start < right->span.start ? -1 : 1;
	if (left->span.end != right->span.end)
		return left->span.end > right->span.end ? -1 : 1;
	return left->lacks_braces - right->lacks_braces;
}

static void find_ends(struct work *work)
{
	for (size_t i = 0; i < work->n_items; i++) {
		size_t end = i + 1;

		while (end < work->n_items && lies_in(work->items[end].initializer, work->items[i].initializer))
			end++;
		work->items[i].end = end;
	}
}

/* Without braces around it, a list that begins with one would give all its object's members that value. */
static bool begins_with_brace(const struct item *item)
{
	const struct rs_initializer *initializer = item->initializer;

	return initializer->lacks_braces && initializer->n_values > 0 &&
	       initializer->source->text[initializer->values[item->order[0]].span.start] == '{';
}

static void choose(struct work *work, struct item *item, bool designate)
{
	const struct rs_initializer *initializer = item->initializer;

	if (initializer->n_values == 0 && initializer->n_designators == 0)
		item->mode = MODE_KEEP;
	else if (!designate && is_as_before(item))
		item->mode = MODE_KEEP;
	else if ((!designate || initializer->no_designators) && find_order(work->arena, item) &&
		 !begins_with_brace(item))
		item->mode = MODE_ORDER;
	else
		item->mode = initializer->no_designators ? MODE_IMPOSSIBLE : MODE_DESIGNATE;
}

static bool same_group(const struct item *a, const struct item *b)
{
	return a->initializer->group == b->initializer->group && a->ranks == b->ranks &&
	       strcmp(a->initializer->source->realpath, b->initializer->source->realpath) == 0;
}

/* Rows of one table look alike: where one of them needs designators, the others get them, too. */
static void level_groups(struct work *work)
{
	for (size_t i = 0; i < work->n_items; i++)
		for (size_t j = 0; j < work->n_items && work->items[i].mode == MODE_DESIGNATE; j++) {
			struct item *other = &work->items[j];

			if (other->mode == MODE_ORDER && !other->initializer->no_designators &&
			    same_group(&work->items[i], other))
				other->mode = MODE_DESIGNATE;
		}
}

/* From the inside out, since the text of an outer list holds those in it. */
static bool print_all(struct work *work)
{
	bool all = true;

	for (size_t i = work->n_items; i-- > 0;) {
		struct item *item = &work->items[i];

		if (item->mode != MODE_ORDER)
			continue;
		item->text = print_order(work, item);
		if (item->text)
			continue;
		item->mode = item->initializer->no_designators ? MODE_IMPOSSIBLE : MODE_DESIGNATE;
		all = false;
	}
	return all;
}

/* Records are amended after the uses were found, but keep their members. */
static size_t find_view(const struct rs_initializer_pick *pick, const struct rs_record *record)
{
	size_t view = 0;

	while (view + 1 < pick->n_orders && pick->orders[view].record->members != record->members)
		view++;
	return view;
}

static void gather(struct work *work, const struct rs_initializer_pick *picks, size_t n_picks, bool designate)
{
	size_t count = 0;

	for (size_t p = 0; p < n_picks; p++)
		count += picks[p].initializers->n_items;
	work->items = rs_arena_array(work->arena, struct item, count);
	for (size_t p = 0; p < n_picks; p++) {
		size_t **ranks = rs_arena_array(work->arena, size_t *, picks[p].n_orders);

		for (size_t i = 0; i < picks[p].n_orders; i++)
			ranks[i] = find_ranks(work->arena, &picks[p].orders[i]);
		for (size_t i = 0; i < picks[p].initializers->n_items; i++) {
			struct item *item = &work->items[work->n_items++];

			*item = (struct item) { .initializer = &picks[p].initializers->items[i] };
			item->ranks = ranks[find_view(&picks[p], item->initializer->record)];
			choose(work, item, designate);
		}
	}
	if (count > 0)
		qsort(work->items, count, sizeof *work->items, by_file_and_place);
	find_ends(work);
}

/* --- edits --- */

static void add_edits(struct work *work, size_t first, size_t end, struct rs_initializer_edits *edits)
{
	const struct rs_source *source = work->items[first].initializer->source;
	struct changes changes = { 0 };

	collect(work, first, end, work->items[first].initializer->span, &changes);
	sort_changes(&changes);
	for (size_t i = 0; i < changes.n_items; i++) {
		const struct change *change = &changes.items[i];
		size_t size = strlen(change->text);

		if (size == change->span.end - change->span.start &&
		    memcmp(source->text + change->span.start, change->text, size) == 0)
			continue;
		*rs_array_push(work->arena, edits->edits, edits->n_edits, edits->edits_capacity) =
			(struct rs_edit) {
				.source = source, .span = change->span, .text = change->text, .size = size
			};
	}
}

void rs_initializers_rewrite(struct rs_arena *arena, const struct rs_initializer_pick *picks, size_t n_picks,
			     bool designate, struct rs_initializer_edits *ret_edits)
{
	struct work work = { .arena = arena };

	*ret_edits = (struct rs_initializer_edits) { 0 };
	gather(&work, picks, n_picks, designate);
	do
		level_groups(&work);
	while (!print_all(&work));
	for (size_t i = 0; i < work.n_items; i++) {
		const struct item *item = &work.items[i];

		if (item->mode == MODE_IMPOSSIBLE && !ret_edits->impossible) {
			ret_edits->impossible = item->initializer;
			ret_edits->reason = item->initializer->no_designators;
		}
		if (item->mode == MODE_ORDER || item->mode == MODE_DESIGNATE)
			*rs_array_push(arena, ret_edits->changed, ret_edits->n_changed,
				       ret_edits->changed_capacity) = item->initializer;
	}
	for (size_t i = 0; i < work.n_items; i = work.items[i].end)
		add_edits(&work, i, work.items[i].end, ret_edits);
}
