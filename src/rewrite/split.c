#include "rewrite/split.h"

#include <string.h>

#include "rewrite/declarators.h"

static bool is_named(const struct rs_record *record, size_t unit)
{
	for (size_t i = 0; i < record->n_pins; i++)
		if (record->pins[i].unit == unit && record->pins[i].strength != RS_PIN_ADVICE)
			return true;
	for (size_t i = 0; i < record->n_constraints; i++) {
		const struct rs_constraint *constraint = &record->constraints[i];

		if (constraint->unit == unit || constraint->other == unit)
			return true;
	}
	return false;
}

static bool starts_line(const struct rs_record *record, size_t byte)
{
	const char *text = record->source->text;

	while (byte > record->body.start && (text[byte - 1] == ' ' || text[byte - 1] == '\t'))
		byte--;
	return byte > record->body.start && text[byte - 1] == '\n';
}

static bool has_plain_members(const struct rs_record *record, const struct rs_unit *unit)
{
	size_t member = unit->first_member;

	for (size_t i = 0; i < unit->n_members; i++) {
		if (record->members[member].is_bitfield || record->members[member].is_anonymous)
			return false;
		member = rs_record_next_sibling(record, member);
	}
	return unit->n_members > 1;
}

static bool can_divide(struct rs_arena *arena, const struct rs_record *record, size_t unit,
		       struct rs_declarators *ret_declarators)
{
	const struct rs_unit *whole = &record->units[unit];

	return whole->origin == RS_UNIT_PLAIN && !whole->n_parts && has_plain_members(record, whole) &&
	       !is_named(record, unit) && starts_line(record, whole->span.start) &&
	       rs_declarators_find(arena, record, unit, ret_declarators) &&
	       ret_declarators->n_items == whole->n_members;
}

/* A record while its units are written anew. */
struct division {
	struct rs_arena *arena;
	const struct rs_record *record;
	struct rs_unit *units;
	struct rs_gap *gaps;
	struct rs_member *members;
	size_t n_units;
	size_t *first_part; /* of each old unit: a new one */
};

static unsigned count_lines(const char *text, struct rs_span span)
{
	unsigned count = 1;

	for (size_t i = span.start; i < span.end; i++)
		count += text[i] == '\n';
	return count;
}

static void add_unit(struct division *division, struct rs_unit unit, struct rs_gap gap)
{
	size_t member = unit.first_member, end = member;

	for (size_t i = 0; i < unit.n_members; i++)
		end = rs_record_next_sibling(division->record, end);
	for (; member < end; member++)
		division->members[member].unit = division->n_units;
	division->gaps[division->n_units] = gap;
	division->units[division->n_units++] = unit;
}

static void add_parts(struct division *division, const struct rs_unit *whole, struct rs_gap gap,
		      const struct rs_declarators *declarators)
{
	size_t member = whole->first_member, n = declarators->n_items;
	const struct rs_record *record = division->record;

	for (size_t k = 0; k < n; k++) {
		const struct rs_declarator *own = &declarators->items[k];
		struct rs_unit unit = *whole;

		unit.span = (struct rs_span) { own->start, own->end };
		unit.declaration = own->span;
		if (k == 0)
			unit.declaration.start = whole->declaration.start;
		if (k + 1 == n)
			unit.declaration.end = whole->declaration.end;
		else
			unit.ends_in_line_comment = own->ends_in_line_comment;
		unit.first_member = member;
		unit.n_members = 1;
		unit.part = (unsigned)k;
		unit.n_parts = (unsigned)n;
		unit.n_lines = count_lines(record->source->text, unit.span);
		unit.name = record->members[member].path;
		add_unit(division, unit, gap);
		gap = (struct rs_gap) { .span = { own->end, k + 1 < n ? own[1].start : own->end } };
		member = rs_record_next_sibling(record, member);
	}
}

static void divide_all(struct division *division)
{
	const struct rs_record *record = division->record;

	for (size_t u = 0; u < record->n_units; u++) {
		struct rs_declarators declarators;

		division->first_part[u] = division->n_units;
		if (can_divide(division->arena, record, u, &declarators))
			add_parts(division, &record->units[u], record->gaps[u], &declarators);
		else
			add_unit(division, record->units[u], record->gaps[u]);
	}
	division->gaps[division->n_units] = record->gaps[record->n_units];
}

static size_t renumber(const struct division *division, size_t unit)
{
	return unit == RS_NONE ? RS_NONE : division->first_part[unit];
}

static const struct rs_record *finish(struct division *division)
{
	const struct rs_record *record = division->record;
	struct rs_arena *arena = division->arena;
	struct rs_record *divided = rs_arena_new(arena, struct rs_record);
	struct rs_pin *pins = rs_arena_array(arena, struct rs_pin, record->n_pins);
	struct rs_constraint *constraints = rs_arena_array(arena, struct rs_constraint, record->n_constraints);

	for (size_t i = 0; i < record->n_pins; i++) {
		pins[i] = record->pins[i];
		pins[i].unit = renumber(division, pins[i].unit);
	}
	for (size_t i = 0; i < record->n_constraints; i++) {
		constraints[i] = record->constraints[i];
		constraints[i].unit = renumber(division, constraints[i].unit);
		constraints[i].other = renumber(division, constraints[i].other);
	}
	*divided = *record;
	divided->members = division->members;
	divided->units = division->units;
	divided->n_units = division->n_units;
	divided->gaps = division->gaps;
	divided->pins = pins;
	divided->constraints = constraints;
	return divided;
}

const struct rs_record *rs_split_divide(struct rs_arena *arena, const struct rs_record *record)
{
	struct division division = { .arena = arena, .record = record };
	size_t most_units = record->n_units + record->n_members;

	division.units = rs_arena_array(arena, struct rs_unit, most_units);
	division.gaps = rs_arena_array(arena, struct rs_gap, most_units + 1);
	division.members = rs_arena_array(arena, struct rs_member, record->n_members);
	division.first_part = rs_arena_array(arena, size_t, record->n_units);
	if (record->n_members)
		memcpy(division.members, record->members, record->n_members * sizeof *division.members);
	divide_all(&division);
	return division.n_units > record->n_units ? finish(&division) : record;
}

bool rs_split_is_divided(const struct rs_record *record)
{
	for (size_t u = 0; u < record->n_units; u++)
		if (record->units[u].n_parts)
			return true;
	return false;
}

/* The text of a divided record while declarations that come apart are written as several. */
struct writing {
	struct rs_arena *arena;
	const struct rs_record *record;
	const char *text;
	const size_t *run_of; /* of each unit: how many parts of its declaration stand together from it on; 0:
			       * it does not begin such a run */
	struct rs_builder out;
	struct rs_unit *units;
	struct rs_gap *gaps;
	size_t n_units;
	size_t *new_unit; /* of each unit; RS_NONE */
};

/* How many parts of one declaration stand together in the order, from each on. */
static size_t *find_runs(struct rs_arena *arena, const struct rs_record *record, const size_t *order)
{
	size_t *runs = rs_arena_array(arena, size_t, record->n_units);

	for (size_t i = 0, end; i < record->n_units; i = end) {
		const struct rs_unit *unit = &record->units[order[i]];

		for (end = i + 1; end < record->n_units && order[end] == order[end - 1] + 1 &&
				  record->units[order[end]].part > unit->part;
		     end++)
			continue;
		runs[order[i]] = end - i;
	}
	return runs;
}

static bool comes_apart(const struct rs_record *record, const size_t *runs)
{
	for (size_t u = 0; u < record->n_units; u++)
		if (runs[u] && record->units[u].n_parts > runs[u])
			return true;
	return false;
}

static void append(struct writing *writing, size_t start, size_t end)
{
	rs_builder_append(&writing->out, writing->text + start, end - start);
}

/* A line end and the blanks that the declaration begins its line with. */
static void append_line_start(struct writing *writing, size_t declaration)
{
	size_t start = writing->record->units[declaration].span.start, blanks = start;
	const char *line_end =
		(const char *)memchr(writing->text + start, '\n', writing->record->source->size - start);

	while (blanks > 0 && writing->text[blanks - 1] != '\n')
		blanks--;
	rs_builder_appends(&writing->out, line_end && line_end[-1] == '\r' ? "\r\n" : "\n");
	append(writing, blanks, start);
}

/* The specifiers again, and what parts them from a declarator. */
static void append_specifiers(struct writing *writing, const struct rs_declarators *found)
{
	size_t end = found->specifiers.end, next = found->items[0].span.start;

	append(writing, found->specifiers.start, end);
	if (end == next || memchr(writing->text + end, '\n', next - end))
		rs_builder_appendc(&writing->out, ' ');
	else
		append(writing, end, next);
}

/* Comments above the declarator, each with the line end behind it. */
static void append_comments_above(struct writing *writing, size_t declaration, const struct rs_declarator *own)
{
	size_t end = own->span.start;

	while (end > own->start && strchr(" \t\r\n", writing->text[end - 1]))
		end--;
	append(writing, own->start, end);
	append_line_start(writing, declaration);
}

static void write_run(struct writing *writing, size_t unit, const struct rs_declarators *found)
{
	const struct rs_unit *parts = &writing->record->units[unit];
	size_t part = parts->part, n = writing->run_of[unit], last = part + n - 1;
	const struct rs_declarator *own = &found->items[part], *end = &found->items[last];

	if (own->start < own->span.start && part > 0)
		append_comments_above(writing, unit - part, own);
	if (part > 0)
		append_specifiers(writing, found);
	append(writing, part > 0 ? own->span.start : own->start, end->span.end);
	if (last + 1 == found->n_items) {
		append(writing, end->span.end, end->end);
		return;
	}
	rs_builder_appendc(&writing->out, ';');
	for (size_t at = end->span.end; at < end->end; at++)
		if (writing->text[at] == ',') {
			append(writing, at + 1, end->end);
			break;
		}
}

static void add_written(struct writing *writing, size_t unit, struct rs_gap gap, size_t gap_start, size_t start)
{
	size_t run = writing->run_of[unit];
	const struct rs_unit *last = &writing->record->units[unit + run - 1];
	struct rs_unit written = writing->record->units[unit];

	gap.span = (struct rs_span) { gap_start, start };
	written.span = written.declaration = (struct rs_span) { start, writing->out.length };
	written.n_members = 0;
	for (size_t i = 0; i < run; i++)
		written.n_members += writing->record->units[unit + i].n_members;
	written.n_parts = written.part = 0;
	written.ends_in_line_comment = last->ends_in_line_comment;
	written.n_lines = count_lines(writing->out.data, written.span);
	writing->gaps[writing->n_units] = gap;
	writing->new_unit[unit] = writing->n_units;
	writing->units[writing->n_units++] = written;
}

static void write_unit(struct writing *writing, size_t unit, bool is_first)
{
	const struct rs_record *record = writing->record;
	const struct rs_unit *own = &record->units[unit];
	size_t run = writing->run_of[unit], gap_start = writing->out.length, start;
	struct rs_gap gap = { .has_comment = false };
	struct rs_declarators found;

	if (is_first) {
		gap = record->gaps[unit];
		append(writing, gap.span.start, gap.span.end);
	} else {
		append_line_start(writing, unit - own->part);
	}
	start = writing->out.length;
	if (run < own->n_parts && rs_declarators_find(writing->arena, record, unit - own->part, &found))
		write_run(writing, unit, &found);
	else
		append(writing, own->span.start, record->units[unit + run - 1].span.end);
	add_written(writing, unit, gap, gap_start, start);
}

static void write_all(struct writing *writing)
{
	const struct rs_record *record = writing->record;
	size_t start;

	append(writing, 0, record->body.start);
	for (size_t u = 0; u < record->n_units; u++) {
		writing->new_unit[u] = RS_NONE;
		if (writing->run_of[u])
			write_unit(writing, u, record->units[u].part == 0);
	}
	start = writing->out.length;
	append(writing, record->gaps[record->n_units].span.start, record->body.end);
	writing->gaps[writing->n_units] = record->gaps[record->n_units];
	writing->gaps[writing->n_units].span = (struct rs_span) { start, writing->out.length };
}

static const struct rs_record *written_record(struct writing *writing)
{
	const struct rs_record *record = writing->record;
	struct rs_record *written = rs_arena_new(writing->arena, struct rs_record);
	size_t body_end = writing->out.length;

	append(writing, record->body.end, record->source->size);
	*written = *record;
	written->body.end = body_end;
	written->span.end += body_end - record->body.end;
	written->units = writing->units;
	written->n_units = writing->n_units;
	written->gaps = writing->gaps;
	written->source = rs_source_create(
		writing->arena, record->source->path, record->source->realpath,
		rs_arena_strndup(writing->arena, writing->out.data, writing->out.length), writing->out.length);
	return written;
}

bool rs_split_apply(struct rs_arena *arena, const struct rs_record *record, const size_t *order,
		    struct rs_split *ret_split)
{
	const size_t *runs = find_runs(arena, record, order);
	struct writing writing = {
		.arena = arena, .record = record, .text = record->source->text, .run_of = runs
	};
	bool apart = comes_apart(record, runs);
	size_t count = 0;

	writing.units = rs_arena_array(arena, struct rs_unit, record->n_units);
	writing.gaps = rs_arena_array(arena, struct rs_gap, record->n_units + 1);
	writing.new_unit = rs_arena_array(arena, size_t, record->n_units);
	write_all(&writing);
	ret_split->record = written_record(&writing);
	rs_builder_deinit(&writing.out);
	ret_split->order = rs_arena_array(arena, size_t, record->n_units);
	for (size_t i = 0; i < record->n_units; i++)
		if (runs[order[i]])
			ret_split->order[count++] = writing.new_unit[order[i]];
	return apart;
}
