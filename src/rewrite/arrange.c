#include "rewrite/arrange.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "rewrite/sequence.h"

/* Units that stay outweigh any blanks between them. */
#define UNIT_WEIGHT (UINT64_C(1) << 32)

/* How the units of one group stand in the new order; positions count from the region's start. */
struct group {
	size_t first, last; /* positions */
	size_t count;
	size_t kept;   /* position of the first unit that stays; RS_NONE */
	size_t place;  /* position before which its core goes; RS_NONE: the core is dropped */
	bool is_whole; /* its units stand together */
};

/* One core and where it goes. */
struct placed {
	size_t place;
	bool is_own; /* the group itself follows */
	size_t group;
};

struct arrangement {
	const struct rs_shape *shape;
	const struct rs_shape_region *region;
	const char *text;
	const size_t *order; /* unit by position */
	size_t count;
	bool *keeps;       /* by position: the unit stays, others move around it */
	size_t *next_kept; /* by position: the first kept one at or behind it; count when none */
	size_t *last_kept; /* by position: one more than the last kept one before it; 0 when none */
	struct group *groups;
	struct placed *cores; /* those that are not dropped, by place */
	size_t n_cores, next_core;
	struct rs_pieces *pieces;
	bool ends_blank; /* a blank line was added last */
};

static void add(struct arrangement *a, const char *text, size_t size, size_t start, uint64_t weight)
{
	if (size > 0)
		*rs_array_push(a->pieces->arena, a->pieces->items, a->pieces->n_items,
			       a->pieces->items_capacity) = (struct rs_piece) { text, size, start, weight };
}

static void add_original(struct arrangement *a, struct rs_span span, uint64_t weight)
{
	add(a, a->text + span.start, span.end - span.start, span.start, weight);
}

static void add_new(struct arrangement *a, const char *text, size_t size)
{
	add(a, text, size, RS_NONE, 0);
}

static bool has_content(const struct rs_shape_core *core)
{
	return core->content.start < core->content.end;
}

static uint64_t blank_weight(struct rs_span span)
{
	return span.end - span.start;
}

static struct rs_shape_unit *shape_unit(const struct arrangement *a, size_t position)
{
	return &a->shape->units[a->order[position]];
}

static const struct rs_unit *unit_at(const struct arrangement *a, size_t position)
{
	return &a->shape->record->units[a->order[position]];
}

static struct group *group_at(const struct arrangement *a, size_t position)
{
	return &a->groups[shape_unit(a, position)->group];
}

/* A diff shows the fewest lines when the units that stay have the most. */
static void choose_kept(struct arrangement *a)
{
	struct rs_arena *arena = a->pieces->arena;
	uint64_t *weights = rs_arena_array(arena, uint64_t, a->count);
	size_t next = a->count;

	a->keeps = rs_arena_array(arena, bool, a->count);
	a->next_kept = rs_arena_array(arena, size_t, a->count + 1);
	a->last_kept = rs_arena_array(arena, size_t, a->count + 1);
	for (size_t i = 0; i < a->count; i++)
		weights[i] = unit_at(a, i)->n_lines;
	rs_sequence_choose(arena, a->order, weights, a->count, a->keeps);
	a->next_kept[a->count] = a->count;
	for (size_t i = a->count; i-- > 0;)
		a->next_kept[i] = next = a->keeps[i] ? i : next;
	for (size_t i = 0; i < a->count; i++)
		a->last_kept[i + 1] = a->keeps[i] ? i + 1 : a->last_kept[i];
}

static void describe_groups(struct arrangement *a)
{
	a->groups = rs_arena_array(a->pieces->arena, struct group, a->region->n_groups);
	for (size_t g = 0; g < a->region->n_groups; g++)
		a->groups[g].first = a->groups[g].kept = a->groups[g].place = RS_NONE;
	for (size_t i = 0; i < a->count; i++) {
		struct group *group = group_at(a, i);

		if (group->count++ == 0)
			group->first = i;
		group->last = i;
		if (a->keeps[i] && group->kept == RS_NONE)
			group->kept = i;
	}
	for (size_t g = 0; g < a->region->n_groups; g++)
		a->groups[g].is_whole = a->groups[g].last - a->groups[g].first + 1 == a->groups[g].count;
}

/* The position before which the core's old place lies: that of the first kept unit from its group on. */
static size_t old_place(const struct arrangement *a, size_t g)
{
	for (; g < a->region->n_groups; g++)
		if (a->groups[g].kept != RS_NONE)
			return a->groups[g].kept;
	return a->count;
}

/* Units of the group that moved right before its first kept one are under the same heading. */
static size_t above_group(const struct arrangement *a, size_t position)
{
	size_t group = shape_unit(a, position)->group;

	while (position > 0 && !a->keeps[position - 1] && shape_unit(a, position - 1)->group == group)
		position--;
	return position;
}

static bool starts_with_comment(const struct arrangement *a, size_t position)
{
	return a->text[unit_at(a, position)->span.start] == '/';
}

/* A heading right above a unit's own comment would seem to be that unit's, too: it stays above the unit that it
 * stood above, if that is of the same group still. */
static size_t below_comments(const struct arrangement *a, const struct rs_shape_core *core, size_t place)
{
	size_t group = shape_unit(a, place)->group, position = place;

	if (!has_content(core) || core->below.start < core->below.end || !starts_with_comment(a, place))
		return place;
	while (position < a->count && a->order[position] != core->unit &&
	       shape_unit(a, position)->group == group && starts_with_comment(a, position))
		position++;
	return position < a->count && a->order[position] == core->unit && !starts_with_comment(a, position)
		       ? position
		       : place;
}

/*
 * Where the text over a group goes: with the group when that stays together; else before the first of its
 * units that stays; else its old place. Definitions keep their place, since units below may need them.
 */
static size_t place_core(const struct arrangement *a, size_t g)
{
	const struct group *group = &a->groups[g];
	const struct rs_shape_core *core = &a->region->cores[g];

	if (core->has_directive)
		return g == 0 ? 0 : old_place(a, g);
	if (group->is_whole)
		return below_comments(a, core, group->first);
	if (group->kept != RS_NONE)
		return below_comments(a, core, above_group(a, group->kept));
	return has_content(core) ? old_place(a, g) : RS_NONE;
}

static int placed_compare(const void *left, const void *right)
{
	const struct placed *a = left, *b = right;

	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	if (a->is_own != b->is_own)
		return a->is_own ? 1 : -1;
	return (a->group > b->group) - (a->group < b->group);
}

static void place_cores(struct arrangement *a)
{
	a->cores = rs_arena_array(a->pieces->arena, struct placed, a->region->n_groups);
	for (size_t g = 0; g < a->region->n_groups; g++) {
		size_t place = place_core(a, g);

		a->groups[g].place = place;
		if (place == RS_NONE)
			continue;
		a->cores[a->n_cores++] =
			(struct placed) { place, place < a->count && shape_unit(a, place)->group == g, g };
	}
	qsort(a->cores, a->n_cores, sizeof *a->cores, placed_compare);
}

static void add_blank_lines(struct arrangement *a, struct rs_span lines, size_t position)
{
	if (lines.start == lines.end || position == 0 || a->ends_blank)
		return;
	add_original(a, lines, blank_weight(lines));
	a->ends_blank = true;
}

/* Whether the unit before this position is the last of a group that stands together. */
static bool follows_whole_group(const struct arrangement *a, size_t position)
{
	return position > 0 && group_at(a, position - 1)->is_whole &&
	       group_at(a, position - 1)->last == position - 1;
}

static void add_line_end(struct arrangement *a)
{
	add_new(a, a->shape->line_end, strlen(a->shape->line_end));
}

/* A heading of // lines would seem to go on in the // lines of a unit that did not stand below it. */
static void part_from_heading(struct arrangement *a, struct rs_span heading, size_t position)
{
	const char *unit = a->text + unit_at(a, position)->span.start;
	size_t line = heading.end;

	if (a->ends_blank || heading.start == heading.end || unit[0] != '/' || unit[1] != '/')
		return;
	for (line--; line > heading.start && a->text[line - 1] != '\n'; line--)
		;
	while (a->text[line] == ' ' || a->text[line] == '\t')
		line++;
	if (a->text[line] != '/' || a->text[line + 1] != '/')
		return;
	add_line_end(a);
	a->ends_blank = true;
}

/* Nothing stands between what comes last and the brace but maybe a blank line. */
static bool ends_blank_anyway(const struct arrangement *a)
{
	const struct rs_span *epilogue = &a->region->epilogue;

	for (size_t i = epilogue->start; i < epilogue->end; i++) {
		if (a->text[i] == '\n')
			return true;
		if (a->text[i] != ' ' && a->text[i] != '\t' && a->text[i] != '\r')
			return false;
	}
	return a->region->span.end == a->shape->record->body.end;
}

/* Whether the group shows as a paragraph of its own wherever it goes: words on lines of their own begin it. */
static bool is_paragraph(const struct arrangement *a, size_t g)
{
	const struct rs_shape_core *core = &a->region->cores[g];
	const struct rs_unit *unit = &a->shape->record->units[core->unit];

	return has_content(core) ||
	       (a->groups[g].is_whole && a->text[unit->span.start] == '/' &&
		memchr(a->text + unit->span.start, '\n', unit->declaration.start - unit->span.start) != NULL);
}

/* Blank lines keep their place between units that stay, and part groups that moved as a whole. */
static void add_core(struct arrangement *a, size_t g, size_t position)
{
	const struct rs_shape_core *core = &a->region->cores[g];

	if (is_paragraph(a, g) || a->groups[g].kept != RS_NONE || follows_whole_group(a, position))
		add_blank_lines(a, core->above, position);
	if (!has_content(core))
		return;
	add_original(a, core->content, blank_weight(core->content));
	a->ends_blank = false;
	if (position < a->count || !ends_blank_anyway(a))
		add_blank_lines(a, core->below, position + 1);
	if (position < a->count && a->order[position] != core->unit)
		part_from_heading(a, core->content, position);
}

/* The end of a group that went elsewhere: what comes next is not part of it. */
static void add_end_of_group(struct arrangement *a, size_t position)
{
	size_t g;
	const struct rs_shape_core *core;
	bool begins_first_group =
		position < a->count && shape_unit(a, position)->group == 0 && a->groups[0].place == position;

	if (!follows_whole_group(a, position) || a->ends_blank)
		return;
	g = shape_unit(a, position - 1)->group;
	core = &a->region->cores[g];
	if (g == 0 || position == a->count)
		return;
	if (begins_first_group || (is_paragraph(a, g) && a->groups[g].kept == RS_NONE))
		add_blank_lines(a, core->above, position);
}

/* All that stands on lines of its own before the unit at this position, or at the end. */
static void add_cores(struct arrangement *a, size_t position)
{
	a->ends_blank = false;
	if (a->next_core == a->n_cores || a->cores[a->next_core].place != position ||
	    a->cores[a->next_core].group == 0)
		add_end_of_group(a, position);
	for (; a->next_core < a->n_cores && a->cores[a->next_core].place == position; a->next_core++)
		add_core(a, a->cores[a->next_core].group, position);
}

/* Ends the line of the unit at this position. */
static void add_tail(struct arrangement *a, size_t position)
{
	size_t last = shape_unit(a, position)->cluster_last;
	const struct rs_shape_unit *owner = &a->shape->units[last];
	bool is_owner = last == a->order[position];
	bool inherits;

	if (!owner->has_tail) {
		add_line_end(a);
		return;
	}
	/* what stood behind it on its line is gone: the line's end is now its own */
	inherits = a->keeps[position] && (position + 1 >= a->count || a->next_kept[position + 1] == a->count ||
					  shape_unit(a, a->next_kept[position + 1])->cluster != owner->cluster);
	if (is_owner || inherits)
		add_original(a, owner->tail, a->keeps[position] ? blank_weight(owner->tail) : 0);
	else if (owner->tail.end - owner->tail.start >= 2 && a->text[owner->tail.end - 2] == '\r')
		add_new(a, "\r\n", 2);
	else
		add_new(a, "\n", 1);
}

/* The blanks before the struct. */
static void add_struct_indent(struct arrangement *a)
{
	size_t start = a->shape->record->span.start, end;

	while (start > 0 && a->text[start - 1] != '\n')
		start--;
	for (end = start; a->text[end] == ' ' || a->text[end] == '\t'; end++)
		;
	add_new(a, a->text + start, end - start);
}

/* Blanks for what never began a line: those of some unit, or one step more than the struct's. */
static void add_borrowed_head(struct arrangement *a)
{
	const struct rs_shape_unit *lender = a->shape->lender;

	if (lender) {
		add_new(a, a->text + lender->head.start, lender->head.end - lender->head.start);
		return;
	}
	add_struct_indent(a);
	add_new(a, "\t", 1);
}

/* Begins the line of the unit at this position. */
static void add_head(struct arrangement *a, size_t position)
{
	const struct rs_shape_unit *owner = &a->shape->units[shape_unit(a, position)->cluster];

	if (owner->has_head)
		add_original(a, owner->head, a->keeps[position] ? blank_weight(owner->head) : 0);
	else
		add_borrowed_head(a);
}

/* The blanks between the unit and the one before it, when both stood on one line. */
static bool glue_before(const struct arrangement *a, size_t unit, struct rs_span *ret_glue)
{
	if (unit == a->region->first || a->shape->units[unit].cluster != a->shape->units[unit - 1].cluster)
		return false;
	*ret_glue = a->shape->record->gaps[unit].span;
	return true;
}

/* Whether the place before this position lies inside a line: between two units of it that stay, or between one
 * and the delimiter. */
static bool lies_inside_line(const struct arrangement *a, size_t position)
{
	size_t before = a->last_kept[position], after = a->next_kept[position];
	const struct rs_shape_unit *units = a->shape->units;
	size_t left, right;

	if (before == 0 && !a->region->starts_inline)
		return false;
	if (after == a->count && !a->region->ends_inline)
		return false;
	left = units[before == 0 ? a->region->first : a->order[before - 1]].cluster;
	right = units[after == a->count ? a->region->end - 1 : a->order[after]].cluster;
	return left == right;
}

/* Whether the units on both sides of the position come from one line, which is near: they only changed places.
 */
static bool lies_beside_own_line(const struct arrangement *a, size_t position)
{
	size_t before = a->last_kept[position], after = a->next_kept[position];
	size_t cluster = shape_unit(a, position)->cluster;

	if (shape_unit(a, position - 1)->cluster != cluster)
		return false;
	return (before > 0 && shape_unit(a, before - 1)->cluster == cluster) ||
	       (after < a->count && shape_unit(a, after)->cluster == cluster);
}

/* Whether the unit may go on a line with others. */
static bool is_one_line(const struct arrangement *a, size_t position)
{
	return unit_at(a, position)->n_lines == 1 && !shape_unit(a, position)->starts_with_directive;
}

static bool fits_in_line(const struct arrangement *a, size_t position)
{
	return a->keeps[position] || is_one_line(a, position);
}

static bool stays_in_line(const struct arrangement *a, size_t position)
{
	size_t left = a->order[position - 1], right = a->order[position];
	struct rs_span glue;

	if (a->shape->record->units[left].ends_in_line_comment || a->shape->units[right].starts_with_directive)
		return false;
	if (right == left + 1 && glue_before(a, right, &glue))
		return true;
	/* a comment between two declarations on a line belongs to the first of them */
	if (starts_with_comment(a, position))
		return false;
	return (lies_inside_line(a, position) || lies_beside_own_line(a, position)) &&
	       fits_in_line(a, position - 1) && fits_in_line(a, position);
}

static void add_glue(struct arrangement *a, size_t position)
{
	size_t left = a->order[position - 1], right = a->order[position];
	struct rs_span glue;

	if (glue_before(a, right, &glue))
		add_original(a, glue, a->keeps[position] ? blank_weight(glue) : 0);
	else if ((left + 1 < a->region->end && glue_before(a, left + 1, &glue)) || glue_before(a, left, &glue))
		add_new(a, a->text + glue.start, glue.end - glue.start);
	else
		add_new(a, " ", 1);
}

/* Whether text on lines of its own goes before this position. */
static bool has_core(const struct arrangement *a, size_t position)
{
	for (size_t i = a->next_core; i < a->n_cores && a->cores[i].place == position; i++)
		if (has_content(&a->region->cores[a->cores[i].group]))
			return true;
	return false;
}

/* Blank lines have no place inside a line. */
static void skip_cores(struct arrangement *a, size_t position)
{
	while (a->next_core < a->n_cores && a->cores[a->next_core].place == position)
		a->next_core++;
}

static void add_separator(struct arrangement *a, size_t position)
{
	if (stays_in_line(a, position) && !has_core(a, position)) {
		skip_cores(a, position);
		add_glue(a, position);
		return;
	}
	add_tail(a, position - 1);
	add_cores(a, position);
	add_head(a, position);
}

/* Whether the first unit must not share the line of the delimiter that another unit shared it with. */
static bool breaks_start(const struct arrangement *a)
{
	bool is_new = a->order[0] != a->region->first;
	bool behind_brace = a->region->span.start == a->shape->record->body.start;

	if (!a->region->starts_inline)
		return false;
	return has_core(a, 0) ||
	       (is_new && (!is_one_line(a, 0) || (starts_with_comment(a, 0) && !behind_brace)));
}

static void add_start(struct arrangement *a)
{
	bool is_new = a->order[0] != a->region->first;
	bool breaks = breaks_start(a);

	if (breaks)
		add_line_end(a);
	else
		add_original(a, a->region->prologue, UNIT_WEIGHT);
	if (a->region->starts_inline && !breaks) {
		skip_cores(a, 0);
		return;
	}
	add_cores(a, 0);
	if (is_new && !breaks && !has_content(&a->region->cores[0]))
		part_from_heading(a, a->region->prologue, 0);
	add_head(a, 0);
}

static void add_end(struct arrangement *a)
{
	size_t last = a->count - 1;
	bool breaks =
		a->region->ends_inline && (unit_at(a, last)->ends_in_line_comment || has_core(a, a->count));

	if (breaks || !a->region->ends_inline) {
		add_tail(a, last);
		add_cores(a, a->count);
	}
	if (!breaks)
		add_original(a, a->region->epilogue, UNIT_WEIGHT);
	else if (a->region->span.end == a->shape->record->body.end)
		add_struct_indent(a);
	else
		add_borrowed_head(a);
}

void rs_arrange_region(const struct rs_shape *shape, const struct rs_shape_region *region, const size_t *order,
		       struct rs_pieces *pieces)
{
	struct arrangement a = { .shape = shape,
				 .region = region,
				 .text = shape->record->source->text,
				 .order = order + region->first,
				 .count = region->end - region->first,
				 .pieces = pieces };

	choose_kept(&a);
	describe_groups(&a);
	place_cores(&a);
	add_start(&a);
	for (size_t i = 0; i < a.count; i++) {
		if (i > 0)
			add_separator(&a, i);
		add_original(&a, unit_at(&a, i)->span, a.keeps[i] ? UNIT_WEIGHT * unit_at(&a, i)->n_lines : 0);
	}
	add_end(&a);
}
