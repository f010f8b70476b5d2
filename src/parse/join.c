#include <string.h>

#include "parse/identity.h"
#include "parse/records_internal.h"
#include "parse/units.h"

/* The walk over the top-level members in layout order, which is that of the text. */
struct walk {
	const struct rs_record_builder *builder;
	struct rs_definition *definition;
	struct rs_record *record;
	struct rs_pin_list *pins;
	struct rs_unit *units;
	size_t n_units;
	size_t unit;           /* that the last member fell in */
	CXFile foreign;        /* file of the last member, when it is another one … */
	size_t foreign_byte;   /* … its place there … */
	size_t inclusion_byte; /* … and that of the #include that leads there */
};

static bool is_same_file(CXFile a, CXFile b)
{
	return a && b && rs_identity_is_same(a, b);
}

/* The file in which the #include that leads to `file` stands, or NULL; *byte is its place. Of several, the
 * first at or behind *byte. */
static CXFile includer_of(const struct rs_record_builder *builder, CXFile file, CXFile wanted, size_t *byte)
{
	const struct rs_record_inclusion *best = NULL;

	for (size_t i = 0; i < builder->n_inclusions; i++) {
		const struct rs_record_inclusion *inclusion = &builder->inclusions[i];

		if (!is_same_file(inclusion->included, file))
			continue;
		bool is_wanted = is_same_file(inclusion->includer, wanted);
		if (is_wanted && inclusion->byte < *byte)
			continue;
		if (!best || (is_wanted && inclusion->byte < best->byte))
			best = inclusion;
	}
	if (!best)
		return NULL;
	*byte = best->byte;
	return best->includer;
}

/* The place in the record's file of the #include that leads to a member in another file; RS_NONE if none does.
 */
static size_t inclusion_place(struct walk *walk, const struct rs_field_place *place)
{
	bool is_same = is_same_file(walk->foreign, place->file);
	size_t from = walk->definition->span.start;

	if (is_same)
		from = walk->inclusion_byte + (place->byte <= walk->foreign_byte ? 1 : 0);
	CXFile file = place->file;
	for (unsigned depth = 0; depth < 64 && file; depth++) {
		size_t byte = from;

		file = includer_of(walk->builder, file, walk->definition->file, &byte);
		if (is_same_file(file, walk->definition->file)) {
			walk->foreign = place->file;
			walk->foreign_byte = place->byte;
			walk->inclusion_byte = byte;
			return byte;
		}
	}
	return RS_NONE;
}

static size_t find_unit(const struct walk *walk, size_t byte)
{
	for (size_t i = walk->unit; i < walk->n_units; i++)
		if (byte >= walk->units[i].span.start && byte < walk->units[i].span.end)
			return i;
	return RS_NONE;
}

static size_t place_in_record(struct walk *walk, size_t member)
{
	const struct rs_field_place *place = &walk->definition->places[member];

	if (!is_same_file(place->file, walk->definition->file))
		return inclusion_place(walk, place);
	walk->foreign = NULL;
	if (!place->is_macro && !place->is_spelled)
		return RS_NONE;
	return place->byte;
}

static void set_origin(struct rs_unit *unit, const struct rs_definition *definition, size_t member)
{
	const struct rs_field_place *place = &definition->places[member];

	if (unit->origin == RS_UNIT_CONDITIONAL)
		return;
	if (!is_same_file(place->file, definition->file))
		unit->origin = RS_UNIT_INCLUDE;
	else if (place->is_macro && unit->origin == RS_UNIT_PLAIN)
		unit->origin = RS_UNIT_MACRO;
}

static void pin_unmapped(struct walk *walk, size_t member)
{
	const struct rs_member *lost = &walk->definition->members[member];
	size_t byte = walk->definition->places[member].byte;
	const struct rs_source *source = walk->definition->source;
	bool is_here = is_same_file(walk->definition->places[member].file, walk->definition->file);

	rs_pin_add(walk->pins, "unmapped-member", RS_PIN_HARD, RS_NONE,
		   is_here ? rs_source_position(source, byte).line : 0, true,
		   "no piece of the text could be found that spells '%s'", lost->declaration);
}

static void pin_torn(struct walk *walk, size_t member)
{
	const struct rs_field_place *place = &walk->definition->places[member];
	const struct rs_source *source = walk->definition->source;

	rs_pin_add(walk->pins, "unclear-body", RS_PIN_HARD, RS_NONE,
		   rs_source_position(source, place->start_byte).line, true,
		   "what begins here and ends in '%s' cannot be told to be one declaration from its text",
		   walk->definition->members[member].name);
}

static void join_member(struct walk *walk, size_t member)
{
	struct rs_definition *definition = walk->definition;
	size_t byte = place_in_record(walk, member);
	size_t unit = byte == RS_NONE ? RS_NONE : find_unit(walk, byte);

	if (unit == RS_NONE) {
		pin_unmapped(walk, member);
		return;
	}
	/* a macro opened the braces of its type, or made the start of its declaration */
	if (is_same_file(definition->places[member].file, definition->file) &&
	    definition->places[member].start_byte < walk->units[unit].span.start) {
		pin_torn(walk, member);
		return;
	}
	walk->unit = unit;
	if (walk->units[unit].n_members++ == 0)
		walk->units[unit].first_member = member;
	set_origin(&walk->units[unit], definition, member);
}

/* Once the units are final. */
static void number_units(struct walk *walk)
{
	struct rs_definition *definition = walk->definition;
	size_t next = 0;

	for (size_t u = 0; u < walk->n_units; u++) {
		struct rs_unit *unit = &walk->units[u];

		if (unit->n_members == 0)
			unit->first_member = next;
		next = unit->first_member;
		for (size_t i = 0; i < unit->n_members; i++) {
			size_t end = next + 1 + definition->members[next].n_inside;

			for (; next < end; next++)
				definition->members[next].unit = u;
		}
	}
}

static bool is_inside(struct rs_span span, size_t byte)
{
	return byte >= span.start && byte < span.end;
}

static void place_member(struct walk *walk, size_t index)
{
	struct rs_member *member = &walk->definition->members[index];
	const struct rs_field_place *place = &walk->definition->places[index];
	const struct rs_source *source = walk->definition->source;
	bool is_here = is_same_file(place->file, walk->definition->file);
	const struct rs_unit *unit = member->unit == RS_NONE ? NULL : &walk->units[member->unit];
	struct rs_span span = unit ? unit->span : walk->definition->span;

	if (is_here && is_inside(span, place->name_byte))
		member->byte = place->name_byte;
	else if (is_here && is_inside(span, place->byte))
		member->byte = place->byte;
	else if (member->parent != RS_NONE)
		member->byte = walk->definition->members[member->parent].byte;
	else
		member->byte = unit ? unit->declaration.start : span.start;
	struct rs_position position = rs_source_position(source, member->byte);
	member->line = position.line;
	member->column = position.column;
}

/* A member's path, else the first words of the text. */
static const char *name_unit(const struct walk *walk, const struct rs_unit *unit)
{
	const struct rs_definition *definition = walk->definition;
	size_t member = unit->first_member;

	for (size_t i = 0; i < unit->n_members; i++) {
		size_t end = member + 1 + definition->members[member].n_inside;

		for (; member < end; member++)
			if (*definition->members[member].path)
				return definition->members[member].path;
	}
	size_t length = unit->declaration.end - unit->declaration.start;
	const char *start = definition->source->text + unit->declaration.start;
	const char *line_end = (const char *)memchr(start, '\n', length);
	if (line_end)
		length = (size_t)(line_end - start);
	return rs_arena_strndup(walk->builder->arena, start, length < 40 ? length : 40);
}

static void give_no_units(struct walk *walk, struct rs_span body)
{
	struct rs_gap *gap = rs_arena_new(walk->builder->arena, struct rs_gap);

	gap->span = body;
	gap->is_barrier = true;
	walk->record->body = body;
	walk->record->gaps = gap;
	for (size_t i = 0; i < walk->definition->n_members; i++)
		place_member(walk, i);
}

static bool cut_text(struct walk *walk, struct rs_unit_scan *scan)
{
	const struct rs_definition *definition = walk->definition;
	const struct rs_source *source = definition->source;
	unsigned line = rs_source_position(source, definition->span.start).line;

	if (definition->has_macro_braces) {
		rs_pin_add(walk->pins, "macro-braces", RS_PIN_HARD, RS_NONE, line, true,
			   "the definition of '%s' or a part of its frame comes from a macro",
			   definition->name);
		return false;
	}
	rs_units_scan(walk->builder->arena, source, definition->span, scan);
	if (scan->refusal) {
		rs_pin_add(walk->pins, "unclear-body", RS_PIN_HARD, RS_NONE,
			   rs_source_position(source, scan->refusal_byte).line, true, "%s", scan->refusal);
		return false;
	}
	return true;
}

void rs_join_units(const struct rs_record_builder *builder, struct rs_definition *definition,
		   struct rs_record *record, struct rs_pin_list *pins)
{
	struct walk walk = { .builder = builder, .definition = definition, .record = record, .pins = pins };
	struct rs_unit_scan scan = { 0 };

	if (!cut_text(&walk, &scan)) {
		give_no_units(&walk, (struct rs_span) { definition->span.end, definition->span.end });
		return;
	}
	walk.units = scan.units;
	walk.n_units = scan.n_units;
	for (size_t i = 0; i < definition->n_members; i += 1 + definition->members[i].n_inside)
		join_member(&walk, i);
	struct rs_unit_list list = { definition, scan.units, scan.gaps, scan.n_units };
	rs_barriers_apply(&list);
	walk.n_units = list.n_units;
	number_units(&walk);
	for (size_t i = 0; i < definition->n_members; i++)
		place_member(&walk, i);
	for (size_t i = 0; i < list.n_units; i++)
		list.units[i].name = name_unit(&walk, &list.units[i]);
	rs_pins_assign_regions(definition->source, definition->members, definition->n_members, list.gaps,
			       list.units, list.n_units);
	record->body = scan.body;
	record->units = list.units;
	record->n_units = list.n_units;
	record->gaps = list.gaps;
}
