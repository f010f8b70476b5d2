#include "report/cells.h"

#include <inttypes.h>
#include <stdlib.h>

struct cell_list {
	const struct rs_view *view;
	struct rs_arena *arena;
	struct rs_cell *items;
	size_t n_items, items_capacity;
};

char rs_cells_glyph(unsigned uses)
{
	return ".=#%"[uses & (RS_USE_READ | RS_USE_WRITE)];
}

static const char *first_name(const struct rs_record *record, size_t member)
{
	for (size_t i = member; i <= member + record->members[member].n_inside; i++)
		if (record->members[i].name[0])
			return record->members[i].name;
	return "";
}

/* "a/b": what the alternatives of an anonymous union begin with. */
static const char *union_label(struct rs_arena *arena, const struct rs_record *record, size_t member)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder label = { 0 };
	size_t end = member + record->members[member].n_inside;

	rs_builder_appends(&label, "");
	for (size_t i = member + 1; i <= end && label.length < 256; i += 1 + record->members[i].n_inside) {
		const char *name = first_name(record, i);

		rs_builder_appends(&label, label.length && name[0] ? "/" : "");
		rs_builder_appends(&label, name);
	}
	return rs_arena_strndup(arena, label.data, label.length);
}

static const char *label_of(const struct cell_list *list, size_t index)
{
	const struct rs_member *member = &list->view->record->members[index];

	if (member->is_anonymous)
		return union_label(list->arena, list->view->record, index);
	if (member->is_array)
		return rs_arena_printf(list->arena, "%s[%" PRIu64 "]", member->name, member->array_count);
	return member->name;
}

static bool is_padding(const struct rs_member *member)
{
	return member->size_bits == 0 || (member->is_bitfield && !member->name[0]);
}

static void add_cell(struct cell_list *list, size_t index)
{
	const struct rs_member *member = &list->view->record->members[index];
	uint64_t offset_bits = list->view->offset_bits[index];
	uint64_t start = offset_bits / 8, end = (offset_bits + member->size_bits + 7) / 8;
	struct rs_cell *last = list->n_items ? &list->items[list->n_items - 1] : NULL;

	if (is_padding(member))
		return;
	if (last && start < last->end) {
		last->label = rs_arena_printf(list->arena, "%s,%s", last->label, member->name);
		last->end = end > last->end ? end : last->end;
		return;
	}
	*rs_array_push(list->arena, list->items, list->n_items, list->items_capacity) = (struct rs_cell) {
		.start = start, .end = end, .label = label_of(list, index), .member = index
	};
}

static size_t largest_inside(const struct rs_member *members, size_t index)
{
	size_t largest = index + 1;

	for (size_t i = index + 1; i <= index + members[index].n_inside; i += 1 + members[i].n_inside)
		if (members[i].size_bits > members[largest].size_bits)
			largest = i;
	return largest;
}

static void add_cells(struct cell_list *list, size_t index);

static void add_inside(struct cell_list *list, size_t index)
{
	const struct rs_member *members = list->view->record->members;

	for (size_t i = index + 1; i <= index + members[index].n_inside; i += 1 + members[i].n_inside)
		add_cells(list, i);
}

/* A union is one cell, unless its largest alternative is an anonymous struct: that one's members are shown, the
 * first of them with the names of all alternatives. */
static void add_union(struct cell_list *list, size_t index)
{
	const struct rs_member *members = list->view->record->members;
	size_t largest = largest_inside(members, index), n_before = list->n_items;

	if (!members[largest].is_anonymous || members[largest].is_union || members[largest].n_inside == 0) {
		add_cell(list, index);
		return;
	}
	add_inside(list, largest);
	if (list->n_items > n_before)
		list->items[n_before].label = union_label(list->arena, list->view->record, index);
}

static void add_cells(struct cell_list *list, size_t index)
{
	const struct rs_member *member = &list->view->record->members[index];

	if (!member->is_anonymous || member->n_inside == 0)
		add_cell(list, index);
	else if (member->is_union)
		add_union(list, index);
	else
		add_inside(list, index);
}

/* A place where some member starts or ends. */
struct border {
	uint64_t byte;
	unsigned char uses;
	bool opens;
};

static int by_byte(const void *a, const void *b)
{
	const struct border *left = (const struct border *)a, *right = (const struct border *)b;

	return (left->byte > right->byte) - (left->byte < right->byte);
}

/* Members with bytes of their own. Of an array of structs the members inside are those of one element only. */
static size_t find_borders(const struct rs_view *view, struct border *borders)
{
	const struct rs_record *record = view->record;
	size_t count = 0, i = 0;

	while (i < record->n_members) {
		const struct rs_member *member = &record->members[i];
		uint64_t start = view->offset_bits[i] / 8;
		uint64_t end = (view->offset_bits[i] + member->size_bits + 7) / 8;

		if (member->n_inside > 0 && !member->is_array) {
			i++;
			continue;
		}
		if (!is_padding(member)) {
			borders[count++] = (struct border) { start, view->uses[i], true };
			borders[count++] = (struct border) { end, view->uses[i], false };
		}
		i += 1 + member->n_inside;
	}
	qsort(borders, count, sizeof *borders, by_byte);
	return count;
}

struct sweep {
	size_t n_open, n_readers, n_writers;
};

static void pass(struct sweep *sweep, const struct border *border)
{
	size_t step = border->opens ? 1 : SIZE_MAX;

	sweep->n_open += step;
	sweep->n_readers += border->uses & RS_USE_READ ? step : 0;
	sweep->n_writers += border->uses & RS_USE_WRITE ? step : 0;
}

static char sweep_glyph(const struct sweep *sweep)
{
	if (sweep->n_open == 0)
		return '/';
	return rs_cells_glyph((sweep->n_readers ? RS_USE_READ : 0u) | (sweep->n_writers ? RS_USE_WRITE : 0u));
}

static void find_segments(struct rs_cells *cells, struct rs_arena *arena, const struct rs_view *view)
{
	struct border *borders = rs_arena_array(arena, struct border, 2 * view->record->n_members);
	size_t n_borders = find_borders(view, borders), count = 0;
	struct rs_segment *segments = rs_arena_array(arena, struct rs_segment, n_borders + 1);
	struct sweep sweep = { 0 };
	uint64_t at = 0;

	for (size_t i = 0; i <= n_borders; i++) {
		uint64_t next = i < n_borders ? borders[i].byte : view->size_bytes;
		char glyph = sweep_glyph(&sweep);

		if (next > at && count > 0 && segments[count - 1].glyph == glyph)
			segments[count - 1].end = next;
		else if (next > at)
			segments[count++] = (struct rs_segment) { at, next, glyph };
		at = next > at ? next : at;
		if (i < n_borders)
			pass(&sweep, &borders[i]);
	}
	cells->segments = segments;
	cells->n_segments = count;
}

void rs_cells_find(struct rs_cells *cells, struct rs_arena *arena, const struct rs_view *view)
{
	struct cell_list list = { .view = view, .arena = arena };

	for (size_t i = 0; i < view->n_top; i++)
		add_cells(&list, view->top[i]);
	cells->cells = list.items;
	cells->n_cells = list.n_items;
	find_segments(cells, arena, view);
}
