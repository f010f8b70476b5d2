#include "plan/joins.h"

#include <string.h>

/* States and kinds of locations. What no path writes, or the paths of the profile do not say, joins any but an
 * exclusive one. */
enum { CLOSED, NEUTRAL, FIRST_COLOR };

/* What a unit does to a location that is open before it. */
struct passage {
	rs_join_state head, tail; /* kinds; CLOSED: holds no bit-field there */
	bool closes;              /* an open location ends in it; tail is what it leaves open */
};

struct rs_joins {
	struct passage *passages; /* one a unit */
	bool *is_exclusive;       /* by kind: joined to nothing */
	size_t n_kinds;
	bool is_free;
};

/* A memory location of the order as it stands. */
struct location {
	size_t writer;    /* path; RS_NONE: nobody */
	bool has_writers; /* more than one */
	bool is_exclusive;
	rs_join_state kind;
};

struct finder {
	struct rs_arena *arena;
	const struct rs_record *record;
	const struct rs_binding *binding;
	struct location *locations;
	size_t n_locations, locations_capacity;
	size_t *heads, *tails; /* of each unit: locations; RS_NONE */
	size_t *of_member;     /* location of each; RS_NONE */
	struct rs_joins *joins;
};

static bool is_open_field(const struct rs_member *member)
{
	return member->is_bitfield && member->size_bits > 0;
}

static bool is_exclusive_unit(const struct rs_record *record, size_t index)
{
	const struct rs_unit *unit = &record->units[index];
	size_t member = unit->first_member;

	if (unit->has_hidden_bitfields)
		return true;
	for (size_t i = 0; i < unit->n_members && unit->origin != RS_UNIT_PLAIN; i++) {
		if (is_open_field(&record->members[member]))
			return true;
		member = rs_record_next_sibling(record, member);
	}
	return false;
}

/* A conditional block may be empty elsewhere: what stands on both sides of it is then side by side. */
static bool may_be_empty(const struct rs_record *record, size_t unit)
{
	return record->units[unit].origin == RS_UNIT_CONDITIONAL || record->units[unit].n_members == 0;
}

static size_t open_location(struct finder *finder, size_t open)
{
	if (open != RS_NONE)
		return open;
	*rs_array_push(finder->arena, finder->locations, finder->n_locations, finder->locations_capacity) =
		(struct location) { .writer = RS_NONE };
	return finder->n_locations - 1;
}

/* Walks the unit's members as the compiler sees them. */
static void locate_plain(struct finder *finder, size_t unit, size_t *open)
{
	const struct rs_record *record = finder->record;
	struct passage *passage = &finder->joins->passages[unit];
	size_t member = record->units[unit].first_member;

	for (size_t i = 0; i < record->units[unit].n_members; i++) {
		if (is_open_field(&record->members[member])) {
			*open = finder->of_member[member] = open_location(finder, *open);
			if (!passage->closes)
				finder->heads[unit] = *open;
		} else {
			*open = RS_NONE;
			passage->closes = true;
		}
		member = rs_record_next_sibling(record, member);
	}
	if (passage->closes)
		finder->tails[unit] = *open;
}

/* Of what may look different elsewhere all is one location. */
static void locate_exclusive(struct finder *finder, size_t unit, size_t *open)
{
	const struct rs_record *record = finder->record;
	size_t member = record->units[unit].first_member;

	*open = finder->heads[unit] = open_location(finder, *open);
	finder->locations[*open].is_exclusive = true;
	for (size_t i = 0; i < record->units[unit].n_members; i++) {
		if (is_open_field(&record->members[member]))
			finder->of_member[member] = *open;
		member = rs_record_next_sibling(record, member);
	}
}

static void locate_all(struct finder *finder)
{
	const struct rs_record *record = finder->record;
	size_t open = RS_NONE;

	for (size_t u = 0; u < record->n_units; u++) {
		finder->heads[u] = finder->tails[u] = RS_NONE;
		if (is_exclusive_unit(record, u))
			locate_exclusive(finder, u, &open);
		else if (!may_be_empty(record, u))
			locate_plain(finder, u, &open);
	}
}

static void add_writer(struct location *location, size_t path)
{
	if (location->writer != RS_NONE && location->writer != path)
		location->has_writers = true;
	location->writer = path;
}

static void find_writers(struct finder *finder)
{
	const struct rs_binding *binding = finder->binding;

	if (!binding || (binding->allow & RS_ALLOW_JOIN))
		return;
	for (size_t p = 0; p < binding->n_paths; p++)
		for (size_t i = 0; i < binding->paths[p].n_accesses; i++) {
			const struct rs_bound_access *access = &binding->paths[p].accesses[i];
			size_t location = finder->of_member[access->member];

			if (access->writes && binding->paths[p].rate > 0 && location != RS_NONE)
				add_writer(&finder->locations[location], p);
		}
}

/* Locations that one path alone writes are of one kind; what several write is of its own. */
static void choose_kind(struct finder *finder, size_t index)
{
	struct location *own = &finder->locations[index];

	own->kind = NEUTRAL;
	if (!own->is_exclusive && own->writer == RS_NONE)
		return;
	for (size_t i = 0; i < index && !own->is_exclusive && !own->has_writers; i++) {
		const struct location *other = &finder->locations[i];

		if (other->is_exclusive || other->has_writers || other->writer != own->writer)
			continue;
		own->kind = other->kind;
		return;
	}
	own->kind = (rs_join_state)finder->joins->n_kinds++;
	finder->joins->is_exclusive[own->kind] = own->is_exclusive;
}

static void choose_kinds(struct finder *finder)
{
	struct rs_joins *joins = finder->joins;

	joins->n_kinds = FIRST_COLOR;
	joins->is_exclusive = rs_arena_array(finder->arena, bool, FIRST_COLOR + finder->n_locations);
	joins->is_free = true;
	for (size_t i = 0; i < finder->n_locations; i++) {
		choose_kind(finder, i);
		if (finder->locations[i].is_exclusive && finder->n_locations > 1)
			joins->is_free = false;
	}
	if (joins->n_kinds > FIRST_COLOR + 1)
		joins->is_free = false;
	for (size_t u = 0; u < finder->record->n_units; u++) {
		struct passage *passage = &joins->passages[u];

		passage->head = finder->heads[u] == RS_NONE ? (rs_join_state)CLOSED
							    : finder->locations[finder->heads[u]].kind;
		passage->tail = finder->tails[u] == RS_NONE ? (rs_join_state)CLOSED
							    : finder->locations[finder->tails[u]].kind;
	}
}

const struct rs_joins *rs_joins_find(struct rs_arena *arena, const struct rs_record *record,
				     const struct rs_binding *binding)
{
	struct rs_joins *joins = rs_arena_new(arena, struct rs_joins);
	struct finder finder = { .arena = arena, .record = record, .binding = binding, .joins = joins };

	joins->passages = rs_arena_array(arena, struct passage, record->n_units);
	finder.heads = rs_arena_array(arena, size_t, record->n_units);
	finder.tails = rs_arena_array(arena, size_t, record->n_units);
	finder.of_member = rs_arena_array(arena, size_t, record->n_members);
	for (size_t m = 0; m < record->n_members; m++)
		finder.of_member[m] = RS_NONE;
	locate_all(&finder);
	find_writers(&finder);
	choose_kinds(&finder);
	return joins;
}

size_t rs_joins_count(const struct rs_joins *joins)
{
	return joins->is_free ? 1 : joins->n_kinds;
}

static rs_join_state join(const struct rs_joins *joins, rs_join_state state, rs_join_state kind)
{
	if (state == CLOSED || state == kind)
		return kind;
	if (joins->is_exclusive[state] || joins->is_exclusive[kind])
		return RS_JOINS_NEVER;
	if (state == NEUTRAL || kind == NEUTRAL)
		return state == NEUTRAL ? kind : state;
	return RS_JOINS_NEVER;
}

rs_join_state rs_joins_pass(const struct rs_joins *joins, size_t unit, rs_join_state state)
{
	const struct passage *passage = &joins->passages[unit];

	if (joins->is_free || state == RS_JOINS_NEVER)
		return state;
	if (passage->head != CLOSED)
		state = join(joins, state, passage->head);
	return state != RS_JOINS_NEVER && passage->closes ? passage->tail : state;
}

/* Numbers the locations of an order as the compiler sees it; RS_NONE for what is no bit-field. */
static void number_locations(const struct rs_record *record, const size_t *order, size_t *ret_numbers)
{
	size_t number = 0;

	for (size_t i = 0; i < record->n_units; i++) {
		const struct rs_unit *unit = &record->units[order ? order[i] : i];
		size_t member = unit->first_member;

		for (size_t k = 0; k < unit->n_members; k++) {
			bool is_open = is_open_field(&record->members[member]);

			ret_numbers[member] = is_open ? number : RS_NONE;
			number += !is_open;
			member = rs_record_next_sibling(record, member);
		}
	}
}

/* A location of the new order, with the first fields of what it was before. */
struct joined {
	const struct rs_record *record;
	const size_t *before; /* numbers of the locations as they were, by member */
	size_t location;      /* number in the order; RS_NONE */
	size_t *parts;        /* members */
	size_t n_parts;
};

static bool has_part(const struct joined *joined, size_t member)
{
	for (size_t i = 0; i < joined->n_parts; i++)
		if (joined->before[joined->parts[i]] == joined->before[member])
			return true;
	return false;
}

static const char *print_names(struct rs_arena *arena, const struct joined *joined)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder names = { 0 };

	for (size_t i = 0; i < joined->n_parts; i++) {
		const char *path = joined->record->members[joined->parts[i]].path;

		rs_builder_appends(&names, i == 0 ? "" : i + 1 < joined->n_parts ? ", " : " and ");
		rs_builder_printf(&names, *path ? "'%s'" : "unnamed bits", path);
	}
	return rs_arena_strdup(arena, names.data);
}

static struct rs_pin make_remark(struct rs_arena *arena, const struct joined *joined)
{
	const struct rs_member *first = &joined->record->members[joined->parts[0]];

	return (struct rs_pin) {
		.code = "bitfield-join",
		.strength = RS_PIN_ADVICE,
		.message =
			rs_arena_printf(arena,
					"the bit-fields of %s come to stand side by side, which makes them one "
					"memory location: to write one the compiler may write all, so one "
					"thread or one lock must guard them all",
					print_names(arena, joined)),
		.line = first->line,
		.unit = first->unit,
	};
}

struct remarks {
	struct rs_arena *arena;
	struct rs_pin *items;
	size_t n_items, items_capacity;
};

static void end_location(struct remarks *remarks, struct joined *joined)
{
	if (joined->n_parts > 1)
		*rs_array_push(remarks->arena, remarks->items, remarks->n_items, remarks->items_capacity) =
			make_remark(remarks->arena, joined);
	joined->n_parts = 0;
}

static void take_member(struct remarks *remarks, struct joined *joined, size_t location, size_t member)
{
	if (location != joined->location)
		end_location(remarks, joined);
	joined->location = location;
	if (location != RS_NONE && !has_part(joined, member))
		joined->parts[joined->n_parts++] = member;
}

void rs_joins_remark(struct rs_arena *arena, const struct rs_record *record, const size_t *order,
		     const struct rs_pin **ret_remarks, size_t *ret_count)
{
	size_t *before = rs_arena_array(arena, size_t, record->n_members);
	size_t *behind = rs_arena_array(arena, size_t, record->n_members);
	struct joined joined = { .record = record, .before = before, .location = RS_NONE };
	struct remarks remarks = { .arena = arena };

	joined.parts = rs_arena_array(arena, size_t, record->n_members);
	number_locations(record, NULL, before);
	number_locations(record, order, behind);
	for (size_t i = 0; i < record->n_units; i++) {
		const struct rs_unit *unit = &record->units[order[i]];
		size_t member = unit->first_member;

		for (size_t k = 0; k < unit->n_members; k++) {
			take_member(&remarks, &joined, behind[member], member);
			member = rs_record_next_sibling(record, member);
		}
	}
	end_location(&remarks, &joined);
	*ret_remarks = remarks.items;
	*ret_count = remarks.n_items;
}

static size_t last_member(const struct rs_record *record, size_t unit)
{
	size_t member = record->units[unit].first_member;

	for (size_t i = 1; i < record->units[unit].n_members; i++)
		member = rs_record_next_sibling(record, member);
	return member;
}

bool rs_joins_is_seam(const struct rs_record *record, size_t unit, size_t follower)
{
	if (record->units[unit].n_members == 0 || record->units[follower].n_members == 0)
		return false;
	return is_open_field(&record->members[last_member(record, unit)]) &&
	       is_open_field(&record->members[record->units[follower].first_member]);
}

bool rs_joins_are_permitted(struct rs_arena *arena, const struct rs_record *record,
			    const struct rs_binding *binding, const size_t *order)
{
	const struct rs_joins *joins = rs_joins_find(arena, record, binding);
	rs_join_state state = 0;

	for (size_t i = 0; i < record->n_units && state != RS_JOINS_NEVER; i++)
		state = rs_joins_pass(joins, order[i], state);
	return state != RS_JOINS_NEVER;
}
