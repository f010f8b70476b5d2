#include <string.h>

#include "base/builder.h"
#include "parse/aligners.h"
#include "rewrite/prepare_internal.h"

static size_t find_unit(struct rs_preparing *preparing, const struct rs_alteration *step)
{
	const struct rs_record *record = preparing->record;
	size_t member = step->n_fields == 1 ? rs_record_find_member(record, step->fields[0]) : RS_NONE;

	while (member != RS_NONE && record->members[member].parent != RS_NONE)
		member = record->members[member].parent;
	if (member == RS_NONE) {
		rs_preparing_refuse(preparing, record->span.start,
				    rs_arena_printf(preparing->arena, "there is no '%s'", step->fields[0]));
		return RS_NONE;
	}
	return record->members[member].unit;
}

/* A line in front of the unit's own, comments above it included. */
static bool add_line(struct rs_preparing *preparing, size_t unit, const char *text)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder line = { 0 };
	const struct rs_unit *own = &preparing->record->units[unit];
	struct rs_span indent = rs_preparing_indent(preparing, own->span.start), place;

	if (!rs_preparing_lines(preparing, own->span, &place))
		return rs_preparing_refuse(preparing, own->span.start,
					   "it shares its line with something else");
	const char *end = (const char *)memchr(preparing->text + place.start, '\n', place.end - place.start);
	rs_builder_append(&line, preparing->text + indent.start, indent.end - indent.start);
	rs_builder_appends(&line, text);
	rs_builder_appends(&line, end > preparing->text && end[-1] == '\r' ? "\r\n" : "\n");
	rs_preparing_edit(preparing, (struct rs_span) { place.start, place.start },
			  rs_arena_strndup(preparing->arena, line.data, line.length), line.length);
	return true;
}

static void add_words(struct rs_preparing *preparing, size_t at, const char *text)
{
	rs_preparing_edit(preparing, (struct rs_span) { at, at }, text, strlen(text));
}

/* One declarator, that is no bit-field: else the attribute might be for another, or for none. */
static bool is_single(const struct rs_record *record, const struct rs_unit *unit)
{
	return unit->origin == RS_UNIT_PLAIN && unit->n_members == 1 && !unit->n_parts &&
	       !record->members[unit->first_member].is_bitfield &&
	       unit->declaration.end > unit->declaration.start &&
	       record->source->text[unit->declaration.end - 1] == ';';
}

bool rs_prepare_align(struct rs_preparing *preparing, const struct rs_alteration *step)
{
	size_t unit = find_unit(preparing, step), end;
	const struct rs_unit *own;

	if (unit == RS_NONE)
		return false;
	own = &preparing->record->units[unit];
	if (rs_aligners_style(step->spelling) == RS_ALIGNER_MEMBER)
		return add_line(preparing, unit, step->spelling);
	if (!is_single(preparing->record, own))
		return rs_preparing_refuse(preparing, own->span.start,
					   "its declaration has several members, or is made by a macro");
	if (rs_aligners_style(step->spelling) == RS_ALIGNER_BEFORE) {
		add_words(preparing, own->declaration.start,
			  rs_arena_printf(preparing->arena, "%s ", step->spelling));
		return true;
	}
	end = own->declaration.end - 1;
	add_words(preparing, end, rs_arena_printf(preparing->arena, " %s", step->spelling));
	return true;
}

/* The name in the column of the others, where these have one. */
static const char *with_tabs(struct rs_preparing *preparing, size_t unit, const char *text)
{
	struct rs_span indent = rs_preparing_indent(preparing, preparing->record->units[unit].span.start);
	size_t column = rs_preparing_column(preparing, unit), type = strcspn(text, " ");
	size_t at = rs_preparing_column_of(preparing->text, indent.start, indent.end) + type;
	RS_CLEANUP(rs_builder_deinit) struct rs_builder line = { 0 };

	if (at >= column)
		return text;
	rs_builder_append(&line, text, type);
	rs_builder_pad(&line, '\t', column / RS_TAB_COLUMNS - at / RS_TAB_COLUMNS);
	rs_builder_appends(&line, text + type + strspn(text + type, " "));
	return rs_arena_strndup(preparing->arena, line.data, line.length);
}

bool rs_prepare_pad(struct rs_preparing *preparing, const struct rs_alteration *step)
{
	size_t unit = find_unit(preparing, step);

	return unit != RS_NONE && add_line(preparing, unit, with_tabs(preparing, unit, step->spelling));
}
