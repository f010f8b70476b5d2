#include "report/map.h"

#include <inttypes.h>

#include "report/cells.h"
#include "report/columns.h"
#include "report/format.h"
#include "report/report.h"
#include "report/style.h"

enum {
	MAP_COLUMNS = 78,
	ROW_BYTES = 64,
	LABEL_COLUMNS = 10,
	LABEL_ROOM = 12,
	NAMES_SHOWN = 12,
	SHORTEST_RUN = 4
};

/*
 * Places are counted from the start of the first line, where the record begins base_bytes in. Rows are drawn in
 * order, so that cell and segment only ever move forward.
 */
struct map {
	struct rs_builder *out;
	const struct rs_view *view;
	bool color;
	unsigned row_bytes;
	uint64_t end; /* what follows the record in its last line is drawn up to here */
	const char *neighbour;
	struct rs_cells cells;
	size_t cell, segment;
};

/* A stretch of a row that is drawn in one go. */
struct stretch {
	uint64_t start, end;
	const char *label;
	char glyph;
};

static const char *neighbour_name(const struct rs_binding *binding)
{
	if (!binding || binding->placement.kind == RS_PLACE_LINE_ALIGNED)
		return NULL;
	if (binding->placement.kind == RS_PLACE_ARRAY)
		return "next element";
	if (binding->placement.kind == RS_PLACE_EMBEDDED && binding->placement.n_bases > 0 &&
	    binding->placement.bases[0].container)
		return binding->placement.bases[0].container;
	return "other object";
}

static void init_map(struct map *map, struct rs_builder *out, struct rs_arena *arena,
		     const struct rs_view *view, bool color)
{
	uint64_t end = view->base_bytes + view->size_bytes;

	*map = (struct map) { .out = out, .view = view, .color = color };
	map->row_bytes = view->line_bytes < ROW_BYTES ? view->line_bytes : ROW_BYTES;
	map->neighbour = neighbour_name(view->result->binding);
	map->end = map->neighbour ? rs_view_count_lines(view) * view->line_bytes : end;
	rs_cells_find(&map->cells, arena, view);
}

/* The stretch outside the record that begins at `at`, if there is one. */
static bool find_outside(const struct map *map, uint64_t at, struct stretch *ret_stretch)
{
	uint64_t base = map->view->base_bytes;
	uint64_t record_end = base + map->view->size_bytes;

	if (at >= base && at < record_end)
		return false;
	*ret_stretch = (struct stretch) { .start = at < base ? 0 : record_end,
					  .end = at < base ? base : map->end,
					  .label = map->neighbour ? map->neighbour : "",
					  .glyph = '~' };
	return true;
}

static struct stretch next_name(struct map *map, uint64_t at)
{
	const struct rs_cell *cells = map->cells.cells;
	uint64_t base = map->view->base_bytes;
	struct stretch stretch;

	if (find_outside(map, at, &stretch))
		return stretch;
	while (map->cell < map->cells.n_cells && cells[map->cell].end + base <= at)
		map->cell++;
	stretch = (struct stretch) { .start = map->cell ? cells[map->cell - 1].end + base : base,
				     .end = base + map->view->size_bytes,
				     .label = "" };
	if (map->cell < map->cells.n_cells && cells[map->cell].start + base > at)
		stretch.end = cells[map->cell].start + base;
	else if (map->cell < map->cells.n_cells)
		stretch = (struct stretch) { .start = cells[map->cell].start + base,
					     .end = cells[map->cell].end + base,
					     .label = cells[map->cell].label };
	return stretch;
}

static struct stretch next_segment(struct map *map, uint64_t at)
{
	uint64_t base = map->view->base_bytes;
	struct stretch stretch;

	if (find_outside(map, at, &stretch))
		return stretch;
	while (map->segment + 1 < map->cells.n_segments && map->cells.segments[map->segment].end + base <= at)
		map->segment++;
	const struct rs_segment *segment = &map->cells.segments[map->segment];
	return (struct stretch) { .start = segment->start + base,
				  .end = segment->end + base,
				  .glyph = segment->glyph };
}

static enum rs_style style_of(char glyph)
{
	switch (glyph) {
	case '=':
		return RS_STYLE_READ;
	case '#':
		return RS_STYLE_WRITE;
	case '%':
		return RS_STYLE_BOTH;
	case '/':
		return RS_STYLE_HOLE;
	case '~':
		return RS_STYLE_NEIGHBOUR;
	default:
		return RS_STYLE_COLD;
	}
}

/* "L1    64  ": the line's number and the offset in the record. A record so large that both do not fit shows
 * the offset alone. */
static void print_label(const struct map *map, uint64_t row_start)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder label = { 0 };
	int64_t offset = (int64_t)(row_start - map->view->base_bytes);

	if (row_start % map->view->line_bytes == 0)
		rs_builder_printf(&label, "L%-3" PRIu64 " %4" PRId64 " ", row_start / map->view->line_bytes,
				  offset);
	else
		rs_builder_printf(&label, "%9" PRId64 " ", offset);
	if (label.length > LABEL_ROOM) {
		label.length = 0;
		rs_builder_printf(&label, "%9" PRId64 " ", offset);
	}
	rs_columns_pad(map->out, label.data, LABEL_COLUMNS);
	rs_builder_appendc(map->out, '|');
}

static void print_names(struct map *map, uint64_t start, uint64_t end)
{
	print_label(map, start);
	for (uint64_t at = start; at < end;) {
		struct stretch stretch = next_name(map, at);
		uint64_t stop = stretch.end < end ? stretch.end : end;
		size_t columns = (size_t)(stop - at) - 1;

		if (stretch.start < at && stretch.label[0] && columns > 0) {
			rs_builder_appendc(map->out, '>');
			columns--;
		}
		rs_columns_fit(map->out, stretch.label, columns);
		rs_builder_appendc(map->out, '|');
		at = stop;
	}
	rs_builder_appendc(map->out, '\n');
}

static void print_glyphs(struct map *map, uint64_t start, uint64_t end)
{
	rs_builder_pad(map->out, ' ', LABEL_COLUMNS);
	rs_builder_appendc(map->out, '|');
	for (uint64_t at = start; at < end;) {
		struct stretch stretch = next_segment(map, at);
		uint64_t stop = stretch.end < end ? stretch.end : end;

		rs_style_begin(map->out, map->color, style_of(stretch.glyph));
		rs_builder_pad(map->out, stretch.glyph, (size_t)(stop - at));
		rs_style_end(map->out, map->color, style_of(stretch.glyph));
		at = stop;
	}
	rs_builder_appendc(map->out, '\n');
}

static void print_sharing(struct map *map, uint64_t row_start)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	const struct rs_line_report *line = rs_view_find_line(map->view, row_start / map->view->line_bytes);

	if (!line || !rs_view_is_shared(line) || line->false_ns <= 0)
		return;
	rs_builder_appends(&text, "!! false sharing ");
	rs_format_ns(&text, line->false_ns);
	rs_builder_appends(&text, " ns: ");
	rs_format_eviction(&text, map->view->record, line, NAMES_SHOWN);
	rs_style_begin(map->out, map->color, RS_STYLE_WARNING);
	rs_columns_wrap(map->out, text.data, LABEL_COLUMNS + 1, MAP_COLUMNS);
	rs_style_end(map->out, map->color, RS_STYLE_WARNING);
}

static void print_scale(const struct map *map)
{
	rs_builder_pad(map->out, ' ', LABEL_COLUMNS + 1);
	for (unsigned i = 0; i + 8 < map->row_bytes; i += 8)
		rs_builder_printf(map->out, "%-8u", i);
	rs_builder_printf(map->out, "%-7u%u\n", map->row_bytes >= 8 ? map->row_bytes - 8 : 0,
			  map->row_bytes - 1);
}

/* How many whole rows from here on look the same: the inside of a large member. */
static uint64_t count_alike(struct map *map, uint64_t row_start)
{
	struct stretch name = next_name(map, row_start), segment = next_segment(map, row_start);
	uint64_t end = name.end < segment.end ? name.end : segment.end;

	if (name.start > row_start || segment.start > row_start || end <= row_start)
		return 0;
	return (end - row_start) / map->row_bytes;
}

/* Leaves out all but the first of many rows that look the same; gives the place behind them. */
static uint64_t skip_alike(struct map *map, uint64_t row_start)
{
	uint64_t next = row_start + map->row_bytes, alike = count_alike(map, row_start);

	if (alike < SHORTEST_RUN)
		return next;
	/* Whole lines only, so that every line that is shown begins with its number. */
	next = row_start + alike * map->row_bytes;
	next -= (next - row_start) % map->view->line_bytes;
	if (next <= row_start + map->row_bytes)
		return row_start + map->row_bytes;
	rs_builder_pad(map->out, ' ', LABEL_COLUMNS + 1);
	rs_builder_printf(map->out, "... the same up to byte %" PRIu64 "\n", next - map->view->base_bytes - 1);
	return next;
}

static void print_title(const struct map *map)
{
	const struct rs_view *view = map->view;

	rs_style_begin(map->out, map->color, RS_STYLE_HEADING);
	rs_builder_appends(map->out, view->record->is_typedef ? "" : "struct ");
	rs_columns_append(map->out, view->record->name);
	if (view->layout != &view->result->original)
		rs_builder_printf(map->out, "  (plan %u)", view->layout->plan->id);
	rs_style_end(map->out, map->color, RS_STYLE_HEADING);
	rs_builder_appends(map->out, "  ");
	rs_format_count(map->out, view->size_bytes, "byte");
	rs_builder_appends(map->out, ", ");
	rs_format_count(map->out, rs_view_count_lines(view), "line");
	rs_builder_appendc(map->out, '\n');
}

void rs_map_print_view(struct rs_builder *out, struct rs_arena *arena, const struct rs_view *view, bool color)
{
	struct map map;

	init_map(&map, out, arena, view, color);
	print_title(&map);
	if (view->size_bytes > 0)
		print_scale(&map);
	for (uint64_t row = 0; row < map.end;) {
		uint64_t end = row + map.row_bytes < map.end ? row + map.row_bytes : map.end;
		uint64_t start = row;

		print_names(&map, row, end);
		print_glyphs(&map, row, end);
		row = skip_alike(&map, row);
		if (start / view->line_bytes != row / view->line_bytes || row >= map.end)
			print_sharing(&map, start);
	}
}

void rs_map_print_legend(struct rs_builder *out, bool has_profile, bool color)
{
	static const struct {
		char glyph;
		const char *meaning;
		bool needs_profile;
	} glyphs[] = {
		{ '=', "read", true },    { '#', "written", true }, { '%', "read and written", true },
		{ '.', "cold", true },    { '/', "hole", true },    { '~', "neighbour", true },
		{ '.', "member", false }, { '/', "hole", false },
	};
	const char *separator = "";

	rs_builder_pad(out, ' ', LABEL_COLUMNS + 1);
	for (size_t i = 0; i < RS_COUNT_OF(glyphs); i++) {
		if (glyphs[i].needs_profile != has_profile)
			continue;
		rs_builder_appends(out, separator);
		rs_style_begin(out, color, style_of(glyphs[i].glyph));
		rs_builder_appendc(out, glyphs[i].glyph);
		rs_style_end(out, color, style_of(glyphs[i].glyph));
		rs_builder_printf(out, " %s", glyphs[i].meaning);
		separator = "  ";
	}
	rs_builder_appendc(out, '\n');
}

void rs_map_print(struct rs_builder *out, const struct rs_record_result *record,
		  const struct rs_plan_result *layout, unsigned line_bytes, bool color)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	struct rs_view view;

	rs_view_init(&view, arena, record, layout, line_bytes);
	rs_map_print_view(out, arena, &view, color);
	rs_map_print_legend(out, record->binding != NULL, color);
}
