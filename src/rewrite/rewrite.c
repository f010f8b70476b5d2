#include "rewrite/rewrite.h"

#include <assert.h>
#include <string.h>

#include "rewrite/arrange.h"
#include "rewrite/headline.h"
#include "rewrite/kernel_doc.h"
#include "rewrite/sequence.h"
#include "rewrite/split.h"
#include "text/patch.h"

struct edit_list {
	struct rs_arena *arena;
	const struct rs_source *source;
	struct rs_edit *edits;
	size_t n_edits, edits_capacity;
};

static bool is_identity(const size_t *order, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (order[i] != i)
			return false;
	return true;
}

/* Which pieces stay in place; the others are deleted there and written where they go. */
static bool *choose_staying(const struct rs_pieces *pieces)
{
	size_t *starts = rs_arena_array(pieces->arena, size_t, pieces->n_items);
	uint64_t *weights = rs_arena_array(pieces->arena, uint64_t, pieces->n_items);
	bool *stays = rs_arena_array(pieces->arena, bool, pieces->n_items);

	for (size_t i = 0; i < pieces->n_items; i++) {
		starts[i] = pieces->items[i].start;
		weights[i] = pieces->items[i].start == RS_NONE ? 0 : pieces->items[i].weight;
	}
	rs_sequence_choose(pieces->arena, starts, weights, pieces->n_items, stays);
	return stays;
}

static void add_edit(struct edit_list *list, struct rs_span span, const char *text, size_t size)
{
	if (size == span.end - span.start && memcmp(list->source->text + span.start, text, size) == 0)
		return;
	*rs_array_push(list->arena, list->edits, list->n_edits, list->edits_capacity) =
		(struct rs_edit) { .source = list->source, .span = span, .text = text, .size = size };
}

/* The edit that puts pieces [first, end) in the place of the original's span. */
static void replace_span(struct edit_list *list, const struct rs_pieces *pieces, size_t first, size_t end,
			 struct rs_span span)
{
	size_t size = 0;
	char *text;

	for (size_t i = first; i < end; i++)
		size += pieces->items[i].size;
	text = rs_arena_alloc(list->arena, size + 1);
	size = 0;
	for (size_t i = first; i < end; i++) {
		memcpy(text + size, pieces->items[i].text, pieces->items[i].size);
		size += pieces->items[i].size;
	}
	add_edit(list, span, text, size);
}

/* Between two pieces that stay, the original's bytes give way to the pieces in between. */
static void edit_region(struct edit_list *list, const struct rs_pieces *pieces, struct rs_span region)
{
	const bool *stays = choose_staying(pieces);
	size_t at = region.start, first = 0;

	for (size_t i = 0; i < pieces->n_items; i++) {
		if (!stays[i])
			continue;
		assert(pieces->items[i].start >= at);
		replace_span(list, pieces, first, i, (struct rs_span) { at, pieces->items[i].start });
		at = pieces->items[i].start + pieces->items[i].size;
		first = i + 1;
	}
	replace_span(list, pieces, first, pieces->n_items, (struct rs_span) { at, region.end });
}

static void count_bytes(const char *text, size_t size, long step, long counts[256])
{
	for (size_t i = 0; i < size; i++)
		counts[(unsigned char)text[i]] += step;
}

/* Nothing but blanks may come or go. */
static bool keeps_bytes(const struct edit_list *list)
{
	long counts[256] = { 0 };

	for (size_t i = 0; i < list->n_edits; i++) {
		const struct rs_edit *edit = &list->edits[i];

		count_bytes(edit->text, edit->size, 1, counts);
		count_bytes(list->source->text + edit->span.start, edit->span.end - edit->span.start, -1,
			    counts);
	}
	for (int c = 0; c < 256; c++)
		if (counts[c] != 0 && c != ' ' && !(c >= '\t' && c <= '\r'))
			return false;
	return true;
}

static void check_order(const struct rs_shape_region *region, const size_t *order)
{
	for (size_t i = region->first; i < region->end; i++)
		assert(order[i] >= region->first && order[i] < region->end);
	(void)region;
	(void)order;
}

static void rewrite_units(struct rs_arena *arena, const struct rs_record *record, const size_t *order,
			  struct rs_edit **ret_edits, size_t *ret_count)
{
	struct edit_list list = { .arena = arena, .source = record->source };
	struct rs_shape shape;

	*ret_edits = NULL;
	*ret_count = 0;
	if (is_identity(order, record->n_units))
		return;
	rs_shape_compute(arena, record, &shape);
	for (size_t i = 0; i < shape.n_regions; i++) {
		const struct rs_shape_region *region = &shape.regions[i];
		struct rs_pieces pieces = { .arena = arena };

		check_order(region, order);
		rs_arrange_region(&shape, region, order, &pieces);
		edit_region(&list, &pieces, region->span);
	}
	assert(keeps_bytes(&list));
	*ret_edits = list.edits;
	*ret_count = list.n_edits;
}

static struct rs_span lines_of(const struct rs_source *source, size_t start, size_t count)
{
	size_t first = count ? start - 1 : start;
	struct rs_span span;

	span.start = first < source->n_lines ? source->line_starts[first] : source->size;
	span.end = first + count < source->n_lines ? source->line_starts[first + count] : source->size;
	return span;
}

void rs_rewrite_lines(struct rs_arena *arena, const struct rs_source *source, const struct rs_source *target,
		      struct rs_edit **ret_edits, size_t *ret_count)
{
	struct edit_list list = { .arena = arena, .source = source };
	struct rs_patch_hunk *hunks;
	size_t count;
	struct rs_error *error =
		rs_patch_hunks(arena, source->text, source->size, target->text, target->size, &hunks, &count);

	if (error)
		add_edit(&list, (struct rs_span) { 0, source->size }, target->text, target->size);
	rs_error_destroy(error);
	for (size_t i = 0; !error && i < count; i++) {
		struct rs_span old = lines_of(source, hunks[i].old_start, hunks[i].old_lines);
		struct rs_span now = lines_of(target, hunks[i].new_start, hunks[i].new_lines);

		add_edit(&list, old, target->text + now.start, now.end - now.start);
	}
	*ret_edits = list.edits;
	*ret_count = list.n_edits;
}

/* Declarations that come apart are first written as several where they stand; those move. */
static void rewrite_parts(struct rs_arena *arena, const struct rs_record *record, const size_t *order,
			  struct rs_edit **ret_edits, size_t *ret_count)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	struct rs_split split;
	const struct rs_source *source = record->source;
	bool apart = rs_split_apply(arena, record, order, &split);

	rewrite_units(arena, split.record, split.order, ret_edits, ret_count);
	if (!apart) {
		for (size_t i = 0; i < *ret_count; i++)
			(*ret_edits)[i].source = source;
		return;
	}
	rs_edit_apply(split.record->source, *ret_edits, *ret_count, &text);
	rs_rewrite_lines(arena, source,
			 rs_source_create(arena, source->path, source->realpath,
					  rs_arena_strndup(arena, text.data, text.length), text.length),
			 ret_edits, ret_count);
}

/* The comment stands above the struct. */
static void prepend(struct rs_arena *arena, const struct rs_edit *edit, struct rs_edit **edits, size_t *count)
{
	struct rs_edit *all = rs_arena_array(arena, struct rs_edit, *count + 1);

	all[0] = *edit;
	memcpy(all + 1, *edits, *count * sizeof *all);
	*edits = all;
	(*count)++;
}

void rs_rewrite_order(struct rs_arena *arena, const struct rs_record *record, const size_t *order,
		      struct rs_edit **ret_edits, size_t *ret_count)
{
	struct rs_edit comment;

	if (rs_split_is_divided(record))
		rewrite_parts(arena, record, order, ret_edits, ret_count);
	else
		rewrite_units(arena, record, order, ret_edits, ret_count);
	if (*ret_count > 0 && rs_kernel_doc_order(arena, record, order, &comment))
		prepend(arena, &comment, ret_edits, ret_count);
}

void rs_rewrite_with_headlines(struct rs_arena *arena, const struct rs_record *record, const size_t *order,
			       struct rs_headlines headlines, struct rs_edit **ret_edits, size_t *ret_count)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	const struct rs_record *written = rs_headlines_write(arena, record, headlines);
	const struct rs_source *source = record->source;

	rs_rewrite_order(arena, written, order, ret_edits, ret_count);
	if (written == record)
		return;
	rs_edit_apply(written->source, *ret_edits, *ret_count, &text);
	rs_rewrite_lines(arena, source,
			 rs_source_create(arena, source->path, source->realpath,
					  rs_arena_strndup(arena, text.data, text.length), text.length),
			 ret_edits, ret_count);
}
