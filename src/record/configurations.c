#include "record/configurations.h"

#include <string.h>

/* --- comparing --- */

static bool is_same_span(struct rs_span a, struct rs_span b)
{
	return a.start == b.start && a.end == b.end;
}

static bool is_same_member(const struct rs_member *a, const struct rs_member *b)
{
	return a->byte == b->byte && a->offset_bits == b->offset_bits && a->size_bits == b->size_bits &&
	       a->align_bytes == b->align_bytes && a->n_inside == b->n_inside && a->parent == b->parent &&
	       a->is_bitfield == b->is_bitfield && strcmp(a->path, b->path) == 0 &&
	       strcmp(a->declaration, b->declaration) == 0;
}

static bool is_same_unit(const struct rs_unit *a, const struct rs_unit *b)
{
	return is_same_span(a->span, b->span) && a->first_member == b->first_member &&
	       a->n_members == b->n_members;
}

/* The declaration that begins with the unit, all its parts together; *unit goes to the next. */
static struct rs_unit whole_declaration(const struct rs_record *record, size_t *unit)
{
	struct rs_unit whole = record->units[(*unit)++];

	for (; *unit < record->n_units && record->units[*unit].part > 0; (*unit)++) {
		whole.span.end = record->units[*unit].span.end;
		whole.n_members += record->units[*unit].n_members;
	}
	return whole;
}

/* Whether divided or not. */
static bool has_same_declarations(const struct rs_record *a, const struct rs_record *b)
{
	size_t i = 0, j = 0;

	while (i < a->n_units && j < b->n_units) {
		struct rs_unit of_a = whole_declaration(a, &i), of_b = whole_declaration(b, &j);

		if (!is_same_unit(&of_a, &of_b))
			return false;
	}
	return i == a->n_units && j == b->n_units;
}

static bool is_same_pin(const struct rs_pin *a, const struct rs_pin *b)
{
	return a->unit == b->unit && a->refuses == b->refuses && strcmp(a->code, b->code) == 0;
}

bool rs_configurations_show_the_same(const struct rs_record *a, const struct rs_record *b)
{
	if (!is_same_span(a->span, b->span) || a->size_bytes != b->size_bytes ||
	    a->align_bytes != b->align_bytes || a->n_members != b->n_members)
		return false;
	for (size_t i = 0; i < a->n_members; i++)
		if (!is_same_member(&a->members[i], &b->members[i]))
			return false;
	return has_same_declarations(a, b);
}

bool rs_configurations_are_same(const struct rs_record *a, const struct rs_record *b)
{
	if (!rs_configurations_show_the_same(a, b) || a->n_pins != b->n_pins || a->n_units != b->n_units)
		return false;
	for (size_t i = 0; i < a->n_units; i++)
		if (a->units[i].region != b->units[i].region)
			return false;
	for (size_t i = 0; i < a->n_pins; i++)
		if (!is_same_pin(&a->pins[i], &b->pins[i]))
			return false;
	return true;
}

/* --- units of one in terms of the other --- */

static bool overlaps(struct rs_span a, struct rs_span b)
{
	return a.start < b.end && b.start < a.end;
}

/* The first unit that shares bytes with the span; RS_NONE. */
static size_t first_overlap(const struct rs_record *record, struct rs_span span)
{
	for (size_t u = 0; u < record->n_units; u++)
		if (overlaps(record->units[u].span, span))
			return u;
	return RS_NONE;
}

static size_t last_overlap(const struct rs_record *record, struct rs_span span)
{
	for (size_t u = record->n_units; u-- > 0;)
		if (overlaps(record->units[u].span, span))
			return u;
	return RS_NONE;
}

/* How many units stand before a unit of the other that none of them overlaps. */
static size_t gap_of(const struct rs_record *main, struct rs_span span)
{
	size_t count = 0;

	while (count < main->n_units && main->units[count].span.start < span.start)
		count++;
	return count;
}

static size_t append_of(const struct rs_record *main, const struct rs_record *other, size_t unit,
			size_t *ret_order, size_t count)
{
	for (size_t v = 0; v < other->n_units; v++)
		if (first_overlap(main, other->units[v].span) == unit)
			ret_order[count++] = v;
	return count;
}

/* What stands between units of the main record does not move: behind as many units as before. */
static size_t append_fixed(const struct rs_record *main, const struct rs_record *other, size_t gap,
			   size_t *ret_order, size_t count)
{
	for (size_t v = 0; v < other->n_units; v++)
		if (first_overlap(main, other->units[v].span) == RS_NONE &&
		    gap_of(main, other->units[v].span) == gap)
			ret_order[count++] = v;
	return count;
}

static bool has_same_cut(const struct rs_record *a, const struct rs_record *b)
{
	if (a->n_units != b->n_units)
		return false;
	for (size_t u = 0; u < a->n_units; u++)
		if (!is_same_span(a->units[u].span, b->units[u].span))
			return false;
	return true;
}

void rs_configurations_project(const struct rs_record *main, const struct rs_record *other, const size_t *order,
			       size_t *ret_order)
{
	size_t count = 0;

	if (has_same_cut(main, other)) {
		for (size_t i = 0; i < main->n_units; i++)
			ret_order[i] = order[i];
		return;
	}
	for (size_t i = 0; i < main->n_units; i++) {
		count = append_fixed(main, other, i, ret_order, count);
		count = append_of(main, other, order[i], ret_order, count);
	}
	append_fixed(main, other, main->n_units, ret_order, count);
}

/* --- what holds elsewhere --- */

struct unite {
	const struct rs_record *main;
	const struct rs_configuration *other; /* that is looked at */
	struct rs_pin_list *list;
	bool *splits; /* a region begins at this unit */
};

static unsigned line_of(const struct rs_record *record, size_t unit)
{
	return rs_source_position(record->source, record->units[unit].declaration.start).line;
}

static void split(struct unite *unite, size_t unit)
{
	if (unit > 0 && unit < unite->main->n_units)
		unite->splits[unit] = true;
}

/* A unit whose text declares nothing elsewhere: nothing says what it is there, so it stays. */
static void hold_absent(struct unite *unite, size_t unit)
{
	const struct rs_record *main = unite->main;

	rs_pin_add(unite->list, "other-configuration", RS_PIN_HARD, unit, line_of(main, unit), false,
		   "'%s' is no declaration in configuration '%s': it stays where it is", main->units[unit].name,
		   unite->other->name);
	split(unite, unit);
	split(unite, unit + 1);
}

static void hold_together(struct unite *unite, size_t unit)
{
	const struct rs_record *main = unite->main;

	rs_pin_add(unite->list, "other-configuration", RS_PIN_HARD, unit, line_of(main, unit), false,
		   "'%s' and '%s' are one in configuration '%s': they stay together", main->units[unit].name,
		   main->units[unit + 1].name, unite->other->name);
	rs_constraint_add(unite->list, RS_KEEP_NEXT, unit, unit + 1);
}

/* The border between a unit of the main record and the one before it, as the other sees it. */
static void compare_border(struct unite *unite, size_t unit)
{
	const struct rs_record *main = unite->main, *other = unite->other->record;
	size_t before = last_overlap(other, main->units[unit - 1].span);
	size_t behind = first_overlap(other, main->units[unit].span);

	if (before == RS_NONE || behind == RS_NONE)
		return;
	if (before == behind)
		hold_together(unite, unit - 1);
	else if (other->units[before].region != other->units[behind].region)
		split(unite, unit);
}

static void compare_units(struct unite *unite)
{
	for (size_t u = 0; u < unite->main->n_units; u++) {
		if (first_overlap(unite->other->record, unite->main->units[u].span) == RS_NONE)
			hold_absent(unite, u);
		if (u > 0)
			compare_border(unite, u);
	}
}

static size_t home_of(const struct unite *unite, size_t unit)
{
	return unit == RS_NONE ? RS_NONE : first_overlap(unite->main, unite->other->record->units[unit].span);
}

static bool has_constraint(const struct rs_constraint *constraints, size_t count, enum rs_constraint_kind kind,
			   size_t unit, size_t other)
{
	for (size_t i = 0; i < count; i++)
		if (constraints[i].kind == kind && constraints[i].unit == unit && constraints[i].other == other)
			return true;
	return false;
}

static bool has_pin(const struct rs_pin *pins, size_t count, const struct rs_pin *pin, size_t unit)
{
	for (size_t i = 0; i < count; i++)
		if (pins[i].unit == unit && pins[i].refuses >= pin->refuses &&
		    pins[i].strength >= pin->strength && strcmp(pins[i].code, pin->code) == 0 &&
		    pins[i].line == pin->line && (!pin->file) == (!pins[i].file) &&
		    (!pin->file || strcmp(pin->file, pins[i].file) == 0))
			return true;
	return false;
}

/* Constraints of the other record, its own and those found: one list. */
struct claims {
	const struct rs_constraint *constraints;
	size_t n_constraints;
	const struct rs_pin *pins;
	size_t n_pins;
};

static bool is_known_constraint(const struct unite *unite, const struct rs_constraint *constraint)
{
	size_t unit = home_of(unite, constraint->unit), other = home_of(unite, constraint->other);
	const struct rs_record *main = unite->main;

	if (unit == RS_NONE || unit == other || (constraint->other != RS_NONE && other == RS_NONE))
		return true;
	return has_constraint(main->constraints, main->n_constraints, constraint->kind, unit, other) ||
	       has_constraint(unite->list->constraints, unite->list->n_constraints, constraint->kind, unit,
			      other);
}

/* What #if leaves empty before the unit that comes first there may have members elsewhere. */
static void claim_first(struct unite *unite, size_t unit)
{
	const struct rs_record *other = unite->other->record;

	for (size_t u = unit; u < other->n_units && other->units[u].region == other->units[unit].region; u++) {
		if (home_of(unite, u) != RS_NONE)
			rs_constraint_add(unite->list, RS_KEEP_FIRST, home_of(unite, u), RS_NONE);
		if (other->units[u].n_members > 0)
			return;
	}
}

static void take_constraint(struct unite *unite, const struct rs_constraint *constraint)
{
	if (constraint->kind == RS_KEEP_FIRST)
		claim_first(unite, constraint->unit);
	else if (!is_known_constraint(unite, constraint))
		rs_constraint_add(unite->list, constraint->kind, home_of(unite, constraint->unit),
				  home_of(unite, constraint->other));
}

static bool says_news(const struct unite *unite, const struct claims *claims, size_t index)
{
	const struct rs_pin *pin = &claims->pins[index];
	size_t unit = home_of(unite, pin->unit);

	for (size_t i = 0; i < claims->n_constraints; i++)
		if (claims->constraints[i].pin == index && !is_known_constraint(unite, &claims->constraints[i]))
			return true;
	return !has_pin(unite->main->pins, unite->main->n_pins, pin, unit) &&
	       !has_pin(unite->list->pins, unite->list->n_pins, pin, unit);
}

static void take_pin(struct unite *unite, const struct claims *claims, size_t index)
{
	const struct rs_pin *pin = &claims->pins[index];

	if (!says_news(unite, claims, index))
		return;
	rs_pin_add(unite->list, pin->code, pin->strength, home_of(unite, pin->unit), pin->line, pin->refuses,
		   "%s (in configuration '%s')", pin->message, unite->other->name);
	unite->list->pins[unite->list->n_pins - 1].file = pin->file;
	for (size_t i = 0; i < claims->n_constraints; i++)
		if (claims->constraints[i].pin == index)
			take_constraint(unite, &claims->constraints[i]);
}

static void take_claims(struct unite *unite, const struct claims *claims)
{
	for (size_t i = 0; i < claims->n_pins; i++)
		take_pin(unite, claims, i);
}

static void take_other(struct unite *unite)
{
	const struct rs_record *other = unite->other->record;
	const struct rs_pin_list *found = unite->other->found;
	const struct claims own = { .constraints = other->constraints,
				    .n_constraints = other->n_constraints,
				    .pins = other->pins,
				    .n_pins = other->n_pins };

	compare_units(unite);
	take_claims(unite, &own);
	if (found) {
		const struct claims more = { .constraints = found->constraints,
					     .n_constraints = found->n_constraints,
					     .pins = found->pins,
					     .n_pins = found->n_pins };

		take_claims(unite, &more);
	}
}

/* --- names --- */

struct names {
	struct rs_arena *arena;
	const struct rs_record *record;
	struct rs_alias *items;
	size_t n_items, items_capacity;
};

static bool is_listed(const struct names *names, const char *path)
{
	for (size_t i = 0; i < names->n_items; i++)
		if (strcmp(names->items[i].path, path) == 0)
			return true;
	return false;
}

static void add_names(struct names *names, const struct rs_record *from)
{
	for (size_t m = 0; m < from->n_members; m++) {
		const struct rs_member *member = &from->members[m];
		const struct rs_unit *unit = member->unit == RS_NONE ? NULL : &from->units[member->unit];

		if (!*member->path || rs_record_find_member(names->record, member->path) != RS_NONE ||
		    is_listed(names, member->path))
			continue;
		*rs_array_push(names->arena, names->items, names->n_items, names->items_capacity) =
			(struct rs_alias) { member->path,
					    unit ? first_overlap(names->record, unit->span) : RS_NONE };
	}
}

const struct rs_record *rs_configurations_add_names(struct rs_arena *arena, const struct rs_record *record,
						    const struct rs_record *main,
						    const struct rs_configuration *others, size_t n_others)
{
	struct names names = { .arena = arena, .record = record };
	struct rs_record *copy = rs_arena_new(arena, struct rs_record);

	add_names(&names, main);
	for (size_t i = 0; i < n_others; i++)
		add_names(&names, others[i].record);
	*copy = *record;
	copy->aliases = names.items;
	copy->n_aliases = names.n_items;
	return copy;
}

/* --- the whole --- */

static void renumber(const struct unite *unite, struct rs_unit *units, struct rs_gap *gaps)
{
	const struct rs_record *main = unite->main;
	size_t region = 0;

	for (size_t u = 0; u < main->n_units; u++) {
		units[u] = main->units[u];
		gaps[u] = main->gaps[u];
		gaps[u].is_barrier |= unite->splits[u];
		region += u > 0 && (main->units[u].region != main->units[u - 1].region || unite->splits[u]);
		units[u].region = region;
	}
	gaps[main->n_units] = main->gaps[main->n_units];
}

const struct rs_record *rs_configurations_unite(const struct rs_record *main,
						const struct rs_configuration *others, size_t n_others,
						struct rs_pin_list *list)
{
	struct rs_arena *arena = list->arena;
	struct rs_unit *units = rs_arena_array(arena, struct rs_unit, main->n_units);
	struct rs_gap *gaps = rs_arena_array(arena, struct rs_gap, main->n_units + 1);
	struct unite unite = { .main = main, .list = list };

	unite.splits = rs_arena_array(arena, bool, main->n_units + 1);
	for (size_t i = 0; i < n_others; i++) {
		unite.other = &others[i];
		take_other(&unite);
	}
	renumber(&unite, units, gaps);
	struct rs_record *united = rs_arena_new(arena, struct rs_record);
	*united = *main;
	united->units = units;
	united->gaps = gaps;
	return rs_configurations_add_names(arena, united, main, others, n_others);
}
