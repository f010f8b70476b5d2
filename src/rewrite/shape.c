#include "rewrite/shape.h"

#include <string.h>

#include "parse/lexer.h"

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static const char *text_of(const struct rs_shape *shape)
{
	return shape->record->source->text;
}

static struct rs_span trimmed(const char *text, struct rs_span span)
{
	while (span.start < span.end && is_blank(text[span.start]))
		span.start++;
	while (span.end > span.start && is_blank(text[span.end - 1]))
		span.end--;
	return span;
}

static bool is_empty(struct rs_span span)
{
	return span.start == span.end;
}

static bool has_line_end(const char *text, struct rs_span span)
{
	return memchr(text + span.start, '\n', span.end - span.start) != NULL;
}

/* Behind the first line end at or after byte; the span's end when there is none. */
static size_t next_line(const char *text, size_t byte, size_t end)
{
	const char *found = memchr(text + byte, '\n', end - byte);

	return found ? (size_t)(found - text) + 1 : end;
}

/* The start of the line that byte stands on, not before `start`. */
static size_t line_start(const char *text, size_t start, size_t byte)
{
	while (byte > start && text[byte - 1] != '\n')
		byte--;
	return byte;
}

static const char *usual_line_end(const struct rs_source *source)
{
	size_t n_lines = 0, n_returns = 0;

	for (size_t i = 0; i < source->size; i++) {
		if (source->text[i] != '\n')
			continue;
		n_lines++;
		n_returns += i > 0 && source->text[i - 1] == '\r';
	}
	return n_returns > n_lines / 2 ? "\r\n" : "\n";
}

static bool starts_with_directive(const char *text, struct rs_span span)
{
	struct rs_lexer lexer;
	struct rs_token token;

	rs_lexer_init(&lexer, text, span.start, span.end);
	do
		token = rs_lexer_next(&lexer);
	while (rs_token_is_comment(token));
	return token.kind == RS_TOKEN_DIRECTIVE;
}

/*
 * Where units stop: a barrier, or text that shares a line with a unit without belonging to it. The text is then
 * a delimiter as a brace is one. A barrier without text of its own only says that units stay where they are.
 */
static bool is_delimiter(const struct rs_shape *shape, size_t gap)
{
	const char *text = text_of(shape);
	struct rs_span span = shape->record->gaps[gap].span, words = trimmed(text, span);
	bool starts_line = gap == 0 || has_line_end(text, (struct rs_span) { span.start, words.start });
	bool ends_line =
		gap == shape->record->n_units || has_line_end(text, (struct rs_span) { words.end, span.end });

	return !is_empty(words) && (shape->record->gaps[gap].is_barrier || !starts_line || !ends_line);
}

/* Comments below a barrier are the next group's, as those below a brace are. */
static size_t delimiter_end(const char *text, struct rs_span gap)
{
	struct rs_lexer lexer;
	struct rs_token token;
	size_t end = gap.start, words_end = trimmed(text, gap).end;

	if (!has_line_end(text, (struct rs_span) { words_end, gap.end }))
		return words_end;
	rs_lexer_init(&lexer, text, gap.start, gap.end);
	while ((token = rs_lexer_next(&lexer)).kind != RS_TOKEN_END)
		if (!rs_token_is_comment(token))
			end = token.span.end;
	return end > gap.start ? end : words_end;
}

/* The whole lines behind the brace that stay there: the rest of the brace's line, comments on it and what goes
 * on with them, and blank lines. */
static size_t prologue_end(const char *text, struct rs_span lines)
{
	struct rs_lexer lexer;
	struct rs_token token;
	size_t at = lines.start;

	rs_lexer_init(&lexer, text, lines.start, lines.end);
	while ((token = rs_lexer_next(&lexer)).kind != RS_TOKEN_END) {
		size_t limit = next_line(text, at, lines.end);

		if (at > lines.start)
			limit = next_line(text, limit, lines.end);
		if (token.span.start >= limit)
			break;
		at = token.span.end;
	}
	at = next_line(text, at, lines.end);
	while (at < lines.end &&
	       is_empty(trimmed(text, (struct rs_span) { at, next_line(text, at, lines.end) })))
		at = next_line(text, at, lines.end);
	return at;
}

static void shape_core(const char *text, struct rs_span lines, size_t unit, bool has_directive,
		       struct rs_shape_core *core)
{
	struct rs_span words = trimmed(text, lines);

	*core = (struct rs_shape_core) { .above = lines, .unit = unit };
	if (is_empty(words))
		return;
	core->above.end = core->content.start = line_start(text, lines.start, words.start);
	core->content.end = core->below.start = next_line(text, words.end, lines.end);
	core->below.end = lines.end;
	core->has_directive = has_directive;
}

/* The gap at the region's start: from the delimiter to the first unit. */
static void shape_start(struct rs_shape *shape, struct rs_shape_region *region, bool has_directive)
{
	const char *text = text_of(shape);
	struct rs_shape_unit *unit = &shape->units[region->first];
	struct rs_span gap = { region->span.start, shape->record->units[region->first].span.start };

	region->starts_inline = !has_line_end(text, gap);
	region->prologue = gap;
	if (region->starts_inline)
		return;
	unit->has_head = true;
	unit->head = (struct rs_span) { line_start(text, gap.start, gap.end), gap.end };
	region->prologue.end = prologue_end(text, (struct rs_span) { gap.start, unit->head.start });
	shape_core(text, (struct rs_span) { region->prologue.end, unit->head.start }, region->first,
		   has_directive, &region->cores[0]);
}

/* The gap between two units of a region. */
static void shape_middle(struct rs_shape *shape, struct rs_shape_region *region, size_t next)
{
	const char *text = text_of(shape);
	const struct rs_gap *gap = &shape->record->gaps[next];
	struct rs_shape_unit *left = &shape->units[next - 1], *right = &shape->units[next];
	struct rs_span core;

	right->cluster = left->cluster;
	right->group = left->group;
	if (!has_line_end(text, gap->span))
		return;
	right->cluster = next;
	left->has_tail = right->has_head = true;
	left->tail = (struct rs_span) { gap->span.start, next_line(text, gap->span.start, gap->span.end) };
	right->head = (struct rs_span) { line_start(text, gap->span.start, gap->span.end), gap->span.end };
	core = (struct rs_span) { left->tail.end, right->head.start };
	if (is_empty(core))
		return;
	right->group++;
	region->n_groups++;
	shape_core(text, core, next, gap->has_directive, &region->cores[right->group]);
}

/* The gap at the region's end: from the last unit to the delimiter. */
static void shape_end(struct rs_shape *shape, struct rs_shape_region *region)
{
	const char *text = text_of(shape);
	struct rs_shape_unit *unit = &shape->units[region->end - 1];
	struct rs_span gap = { shape->record->units[region->end - 1].span.end, region->span.end };
	size_t first_line = next_line(text, gap.start, gap.end);

	region->epilogue = gap;
	region->ends_inline = !has_line_end(text, gap);
	if (region->ends_inline)
		return;
	unit->has_tail = true;
	unit->tail = (struct rs_span) { gap.start, first_line };
	region->epilogue.start = first_line;
}

static void shape_region(struct rs_arena *arena, struct rs_shape *shape, struct rs_shape_region *region)
{
	region->cores = rs_arena_array(arena, struct rs_shape_core, region->end - region->first);
	region->n_groups = 1;
	shape->units[region->first].group = 0;
	shape->units[region->first].cluster = region->first;
	shape_start(shape, region, region->first == 0 && shape->record->gaps[0].has_directive);
	for (size_t i = region->first + 1; i < region->end; i++)
		shape_middle(shape, region, i);
	for (size_t i = region->end; i-- > region->first;) {
		struct rs_shape_unit *unit = &shape->units[i];
		bool is_last = i + 1 == region->end || unit[1].cluster != unit->cluster;

		unit->cluster_last = is_last ? i : unit[1].cluster_last;
	}
	shape_end(shape, region);
}

void rs_shape_compute(struct rs_arena *arena, const struct rs_record *record, struct rs_shape *ret_shape)
{
	struct rs_shape shape = { .record = record, .line_end = usual_line_end(record->source) };
	const char *text = record->source->text;
	size_t first = 0, start = record->body.start;

	if (record->n_units > 0 && is_delimiter(&shape, 0))
		start = delimiter_end(text, record->gaps[0].span);
	shape.units = rs_arena_array(arena, struct rs_shape_unit, record->n_units);
	for (size_t i = 0; i < record->n_units; i++) {
		bool ends = is_delimiter(&shape, i + 1);
		struct rs_span words = trimmed(text, record->gaps[i + 1].span);
		struct rs_shape_region *region;

		shape.units[i].starts_with_directive = starts_with_directive(text, record->units[i].span);
		if (!ends && i + 1 < record->n_units)
			continue;
		region = rs_array_push(arena, shape.regions, shape.n_regions, shape.regions_capacity);
		region->first = first;
		region->end = i + 1;
		region->span = (struct rs_span) { start, ends ? words.start : record->body.end };
		shape_region(arena, &shape, region);
		first = i + 1;
		start = delimiter_end(text, record->gaps[i + 1].span);
	}
	for (size_t i = 0; i < record->n_units && !shape.lender; i++)
		if (shape.units[i].has_head && !shape.units[i].starts_with_directive)
			shape.lender = &shape.units[i];
	*ret_shape = shape;
}
