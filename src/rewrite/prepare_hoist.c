#include <string.h>

#include "base/builder.h"
#include "parse/lexer.h"
#include "parse/units.h"
#include "rewrite/prepare_internal.h"

/* A declaration inside an anonymous struct or union that leaves it. */
struct leaving {
	struct rs_span lines;
	size_t anchor;    /* unit of the record: where it goes */
	size_t aggregate; /* member that it leaves */
};

struct hoisting {
	struct rs_preparing *preparing;
	const struct rs_alteration *step;
	struct leaving *items; /* by place */
	size_t n_items;
};

static bool is_listed(const struct rs_alteration *step, const char *path)
{
	for (size_t i = 0; i < step->n_fields; i++)
		if (strcmp(step->fields[i], path) == 0)
			return true;
	return false;
}

static bool is_in_anonymous(const struct rs_record *record, size_t member)
{
	size_t parent = record->members[member].parent;

	for (; parent != RS_NONE; parent = record->members[parent].parent)
		if (!record->members[parent].is_anonymous)
			return false;
	return record->members[member].parent != RS_NONE;
}

/* From the word struct or union to the closing brace; false when the text shows something else there. */
static bool find_definition(const struct rs_preparing *preparing, size_t aggregate, struct rs_span *ret_span)
{
	const struct rs_record *record = preparing->record;
	const char *word = record->members[aggregate].is_union ? "union" : "struct";
	struct rs_lexer lexer;
	struct rs_token token;
	size_t start = record->members[aggregate].byte, depth = 0;

	rs_lexer_init(&lexer, preparing->text, start, record->body.end);
	token = rs_lexer_next(&lexer);
	if (start < record->body.start || !rs_token_is(preparing->text, token, word))
		return false;
	while ((token = rs_lexer_next(&lexer)).kind != RS_TOKEN_END) {
		depth += rs_token_is(preparing->text, token, "{");
		if (!rs_token_is(preparing->text, token, "}") || --depth > 0)
			continue;
		*ret_span = (struct rs_span) { start, token.span.end };
		return true;
	}
	return false;
}

/* The unit of the aggregate's text that declares the byte. */
static const struct rs_unit *find_inner(const struct rs_unit_scan *scan, size_t byte)
{
	for (size_t u = 0; u < scan->n_units; u++)
		if (byte >= scan->units[u].declaration.start && byte < scan->units[u].declaration.end)
			return &scan->units[u];
	return NULL;
}

/* Whether all that the unit declares leaves, and nothing of it is a bit-field. */
static bool leaves_whole(const struct hoisting *hoisting, size_t aggregate, const struct rs_unit *unit)
{
	const struct rs_record *record = hoisting->preparing->record;

	for (size_t m = aggregate + 1; m <= aggregate + record->members[aggregate].n_inside; m++) {
		const struct rs_member *member = &record->members[m];

		if (member->parent != aggregate || member->byte < unit->declaration.start ||
		    member->byte >= unit->declaration.end)
			continue;
		if (member->is_bitfield || !is_listed(hoisting->step, member->path))
			return false;
	}
	return true;
}

static bool add_leaving(struct hoisting *hoisting, struct leaving leaving)
{
	size_t at = hoisting->n_items;

	for (size_t i = 0; i < hoisting->n_items; i++)
		if (hoisting->items[i].lines.start == leaving.lines.start)
			return true;
	for (; at > 0 && hoisting->items[at - 1].lines.start > leaving.lines.start; at--)
		hoisting->items[at] = hoisting->items[at - 1];
	hoisting->items[at] = leaving;
	hoisting->n_items++;
	return true;
}

static bool find_leaving(struct hoisting *hoisting, size_t member)
{
	struct rs_preparing *preparing = hoisting->preparing;
	const struct rs_record *record = preparing->record;
	const struct rs_member *own = &record->members[member];
	struct leaving leaving = { .anchor = own->unit, .aggregate = own->parent };
	struct rs_span definition;
	struct rs_unit_scan scan;

	if (!find_definition(preparing, own->parent, &definition))
		return rs_preparing_refuse(preparing, own->byte,
					   "the struct or union that it stands in is not spelled here");
	rs_units_scan(preparing->arena, record->source, definition, &scan);
	const struct rs_unit *unit = scan.refusal ? NULL : find_inner(&scan, own->byte);
	for (size_t g = 0; unit && g <= scan.n_units; g++)
		if (scan.gaps[g].has_directive || scan.gaps[g].is_barrier)
			unit = NULL;
	if (!unit || unit->origin != RS_UNIT_PLAIN)
		return rs_preparing_refuse(preparing, own->byte,
					   "its declaration cannot be told from its text");
	if (!leaves_whole(hoisting, own->parent, unit))
		return rs_preparing_refuse(preparing, own->byte,
					   "it is a bit-field, or declared together with one that stays");
	if (!rs_preparing_lines(preparing, unit->span, &leaving.lines))
		return rs_preparing_refuse(preparing, own->byte, "it shares its line with something else");
	return add_leaving(hoisting, leaving);
}

/* A struct without members is not what anybody asked for. */
static bool leaves_something(const struct hoisting *hoisting, size_t aggregate)
{
	const struct rs_record *record = hoisting->preparing->record;

	for (size_t m = aggregate + 1; m <= aggregate + record->members[aggregate].n_inside; m++)
		if (record->members[m].parent == aggregate &&
		    !is_listed(hoisting->step, record->members[m].path))
			return true;
	return false;
}

/* What stands behind the indentation, its name in the column of the others where it has tabs in front. */
static void append_rest(struct rs_builder *out, const char *text, struct rs_span line, size_t lost,
			size_t column)
{
	struct rs_span tabs = rs_preparing_tabs(text, line);
	size_t line_start = line.start;

	while (line_start > 0 && text[line_start - 1] != '\n')
		line_start--;
	size_t at = rs_preparing_column_of(text, line_start, tabs.start) - lost;
	if (tabs.start == tabs.end || at >= column) {
		rs_builder_append(out, text + line.start, line.end - line.start);
		return;
	}
	rs_builder_append(out, text + line.start, tabs.start - line.start);
	rs_builder_pad(out, '\t', column / RS_TAB_COLUMNS - at / RS_TAB_COLUMNS);
	rs_builder_append(out, text + tabs.end, line.end - tabs.end);
}

/* The lines as they look in the place of the anchor: what they are indented more is taken off. */
static void append_lines(struct rs_builder *out, const struct rs_preparing *preparing, struct rs_span lines,
			 struct rs_span indent, size_t column)
{
	const char *text = preparing->text;
	size_t own = strspn(text + lines.start, " \t"), at = lines.start;
	size_t lost = rs_preparing_column_of(text, lines.start, lines.start + own) -
		      rs_preparing_column_of(text, indent.start, indent.end);

	while (at < lines.end) {
		const char *end = (const char *)memchr(text + at, '\n', lines.end - at);
		size_t next = end ? (size_t)(end - text) + 1 : lines.end;

		if (next - at >= own && memcmp(text + at, text + lines.start, own) == 0) {
			rs_builder_append(out, text + indent.start, indent.end - indent.start);
			append_rest(out, text, (struct rs_span) { at + own, next }, lost, column);
		} else {
			rs_builder_append(out, text + at, next - at);
		}
		at = next;
	}
}

/* All that goes in front of one unit. */
static bool move_before(const struct hoisting *hoisting, size_t anchor)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder moved = { 0 };
	struct rs_preparing *preparing = hoisting->preparing;
	struct rs_span unit = preparing->record->units[anchor].span, place;

	if (!rs_preparing_lines(preparing, unit, &place))
		return rs_preparing_refuse(preparing, unit.start, "what they stand in has no lines of its own");
	for (size_t i = 0; i < hoisting->n_items; i++) {
		struct rs_span lines = hoisting->items[i].lines;

		if (hoisting->items[i].anchor != anchor)
			continue;
		append_lines(&moved, preparing, lines, rs_preparing_indent(preparing, unit.start),
			     rs_preparing_column(preparing, anchor));
		lines.start = rs_preparing_with_blank_line(preparing, lines);
		rs_preparing_edit(preparing, lines, "", 0);
	}
	if (moved.length > 0)
		rs_preparing_edit(preparing, (struct rs_span) { place.start, place.start },
				  rs_arena_strndup(preparing->arena, moved.data, moved.length), moved.length);
	return true;
}

bool rs_prepare_hoist(struct rs_preparing *preparing, const struct rs_alteration *step)
{
	const struct rs_record *record = preparing->record;
	struct hoisting hoisting = { .preparing = preparing, .step = step };

	hoisting.items = rs_arena_array(preparing->arena, struct leaving, step->n_fields);
	for (size_t i = 0; i < step->n_fields; i++) {
		size_t member = rs_record_find_member(record, step->fields[i]);

		if (member == RS_NONE || !is_in_anonymous(record, member))
			return rs_preparing_refuse(
				preparing, record->span.start,
				rs_arena_printf(preparing->arena, "'%s' is not in an anonymous struct or union",
						step->fields[i]));
		if (!find_leaving(&hoisting, member))
			return false;
	}
	for (size_t i = 0; i < hoisting.n_items; i++)
		if (!leaves_something(&hoisting, hoisting.items[i].aggregate))
			return rs_preparing_refuse(preparing, hoisting.items[i].lines.start,
						   "nothing would be left in the struct or union");
	for (size_t u = 0; u < record->n_units; u++)
		for (size_t i = 0; i < hoisting.n_items; i++)
			if (hoisting.items[i].anchor == u) {
				if (!move_before(&hoisting, u))
					return false;
				break;
			}
	return true;
}
