#include "parse/use_index.h"

#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "base/file.h"
#include "parse/uses_internal.h"

/* Names by their fingerprints, so that the key is plain bytes. */
struct key {
	uint64_t kind, record, view, file, place, code;
};

enum { PIN, INITIALIZER };

struct slot {
	struct key key;
	size_t item; /* in the record's list */
	UT_hash_handle hh;
};

struct rs_use_index {
	struct rs_arena *arena;
	struct rs_pin_list *lists;
	struct rs_initializer_list *initializers;
	struct slot *slots;
};

static uint64_t fingerprint(const char *text)
{
	return text ? rs_hash_bytes(text, strlen(text)) : 0;
}

static struct key key_of_pin(size_t record, size_t view, const char *file, unsigned line, const char *code)
{
	return (struct key) { PIN, record, view, fingerprint(file), line, fingerprint(code) };
}

static struct key key_of_initializer(size_t record, const struct rs_source *source, size_t byte)
{
	return (struct key) { INITIALIZER, record, 0, fingerprint(source->realpath), byte, 0 };
}

/* The first to come stays. */
static void enter(struct rs_use_index *index, const struct key *key, size_t item)
{
	struct slot *slot;

	HASH_FIND(hh, index->slots, key, sizeof *key, slot);
	if (slot)
		return;
	slot = rs_arena_new(index->arena, struct slot);
	slot->key = *key;
	slot->item = item;
	HASH_ADD(hh, index->slots, key, sizeof slot->key, slot);
}

static size_t find(const struct rs_use_index *index, const struct key *key)
{
	struct slot *slot;

	HASH_FIND(hh, index->slots, key, sizeof *key, slot);
	return slot ? slot->item : RS_NONE;
}

static void enter_pin(struct rs_use_index *index, size_t record, size_t view, const struct rs_pin_list *list,
		      size_t item)
{
	const struct rs_pin *pin = &list->pins[item];
	const struct key key = key_of_pin(record, view, pin->file, pin->line, pin->code);

	if (pin->file)
		enter(index, &key, item);
}

static void enter_initializer(struct rs_use_index *index, size_t record, size_t item)
{
	const struct rs_initializer *initializer = &index->initializers[record].items[item];
	const struct key key = key_of_initializer(record, initializer->source, initializer->span.start);

	enter(index, &key, item);
}

struct rs_use_index *rs_use_index_create(struct rs_pin_list *lists, struct rs_initializer_list *initializers,
					 size_t n_records)
{
	struct rs_arena *arena = rs_arena_create();
	struct rs_use_index *index = rs_arena_new(arena, struct rs_use_index);

	*index = (struct rs_use_index) { .arena = arena, .lists = lists, .initializers = initializers };
	for (size_t r = 0; r < n_records; r++) {
		for (size_t i = 0; i < lists[r].n_pins; i++)
			enter_pin(index, r, 0, &lists[r], i);
		for (size_t i = 0; initializers && i < initializers[r].n_items; i++)
			enter_initializer(index, r, i);
	}
	return index;
}

void rs_use_index_destroy(struct rs_use_index *index)
{
	if (!index)
		return;
	HASH_CLEAR(hh, index->slots);
	rs_arena_destroy(index->arena);
}

void rs_use_index_destroyp(struct rs_use_index **index)
{
	rs_use_index_destroy(*index);
}

static struct rs_pin *find_pin(const struct rs_use_index *index, size_t record, size_t view,
			       const struct rs_pin_list *list, const char *file, unsigned line,
			       const char *code)
{
	const struct key key = key_of_pin(record, view, file, line, code);
	size_t item = find(index, &key);

	return item == RS_NONE ? NULL : &list->pins[item];
}

struct rs_pin *rs_use_index_find_pin(struct rs_use_index *index, size_t record, const char *file, unsigned line,
				     const char *code)
{
	return find_pin(index, record, 0, &index->lists[record], file, line, code);
}

void rs_use_index_enter_pin(struct rs_use_index *index, size_t record)
{
	enter_pin(index, record, 0, &index->lists[record], index->lists[record].n_pins - 1);
}

void rs_use_index_enter_view(struct rs_use_index *index, size_t record, size_t view,
			     const struct rs_pin_list *list)
{
	for (size_t i = 0; i < list->n_pins; i++)
		enter_pin(index, record, view, list, i);
}

struct rs_initializer *rs_use_index_find_initializer(struct rs_use_index *index, size_t record,
						     const struct rs_source *source, size_t byte)
{
	const struct key key = key_of_initializer(record, source, byte);
	size_t item = find(index, &key);

	return item == RS_NONE ? NULL : &index->initializers[record].items[item];
}

void rs_use_index_enter_initializer(struct rs_use_index *index, size_t record)
{
	enter_initializer(index, record, index->initializers[record].n_items - 1);
}

/* Of the value's member, or of the first one in it that has a name. */
static const char *path_of(const struct rs_initializer *initializer, size_t value)
{
	size_t member = initializer->values[value].member;

	if (member == RS_NONE)
		return "";
	while (initializer->record->members[member].is_anonymous &&
	       initializer->record->members[member].n_inside > 0)
		member++;
	return initializer->record->members[member].path;
}

static bool same_values(const struct rs_initializer *a, const struct rs_initializer *b)
{
	if (a->n_values != b->n_values || a->span.end != b->span.end || a->lacks_braces != b->lacks_braces ||
	    a->is_designated != b->is_designated)
		return false;
	for (size_t i = 0; i < a->n_values; i++)
		if (a->values[i].span.start != b->values[i].span.start ||
		    a->values[i].span.end != b->values[i].span.end || strcmp(path_of(a, i), path_of(b, i)) != 0)
			return false;
	return true;
}

static bool same_designators(const struct rs_initializer *a, const struct rs_initializer *b)
{
	if (a->n_designators != b->n_designators)
		return false;
	for (size_t i = 0; i < a->n_designators; i++)
		if (a->designators[i].span.start != b->designators[i].span.start ||
		    a->designators[i].span.end != b->designators[i].span.end ||
		    strcmp(a->designators[i].text, b->designators[i].text) != 0)
			return false;
	return true;
}

static size_t count_at(const struct rs_initializer *initializer, size_t first)
{
	size_t count = 1;

	while (first + count < initializer->n_designators &&
	       initializer->designators[first + count].span.start == initializer->designators[first].span.start)
		count++;
	return count;
}

static size_t find_at(const struct rs_initializer *initializer, size_t byte)
{
	for (size_t i = 0; i < initializer->n_designators; i++)
		if (initializer->designators[i].span.start == byte)
			return i;
	return RS_NONE;
}

/* Whether both write the same at a place. */
static bool write_same(const struct rs_initializer *a, size_t at_a, const struct rs_initializer *b, size_t at_b)
{
	size_t count = count_at(a, at_a);

	if (count != count_at(b, at_b))
		return false;
	for (size_t i = 0; i < count; i++)
		if (a->designators[at_a + i].span.end != b->designators[at_b + i].span.end ||
		    strcmp(a->designators[at_a + i].text, b->designators[at_b + i].text) != 0)
			return false;
	return true;
}

/* Units that read other branches of #if show other values: all of them get their designators, which must be the
 * same ones wherever two units show the same value. */
static const char *join_branches(struct rs_arena *arena, struct rs_initializer *known,
				 const struct rs_initializer *another)
{
	struct rs_text_change *all =
		rs_arena_array(arena, struct rs_text_change, known->n_designators + another->n_designators);
	size_t n_all = known->n_designators;

	if (n_all > 0)
		memcpy(all, known->designators, n_all * sizeof *all);
	for (size_t i = 0, count; i < another->n_designators; i += count) {
		size_t at = find_at(known, another->designators[i].span.start);

		count = count_at(another, i);
		if (at != RS_NONE && !write_same(known, at, another, i)) {
			known->n_values = 0;
			return "it gives other members in another translation unit";
		}
		for (size_t k = 0; at == RS_NONE && k < count; k++)
			all[n_all++] = another->designators[i + k];
	}
	known->designators = all;
	known->n_designators = n_all;
	return known->no_designators;
}

const char *rs_use_index_join(struct rs_arena *arena, struct rs_initializer *known,
			      const struct rs_initializer *another)
{
	if (!known->no_order)
		known->no_order = another->no_order;
	if (!known->no_designators)
		known->no_designators = another->no_designators;
	if (known->n_values > 0 && known->has_directive && another->has_directive &&
	    known->span.end == another->span.end)
		return join_branches(arena, known, another);
	if (known->n_values == 0 || !same_values(known, another) || !same_designators(known, another)) {
		known->n_values = 0;
		return "it gives other members in another translation unit";
	}
	if (known->record->members != another->record->members && !known->no_order)
		known->no_order = "other configurations have other members";
	return known->no_order && known->no_designators ? known->no_designators : NULL;
}

void rs_use_index_strengthen(struct rs_pin_list *list, struct rs_pin *pin, const char *message)
{
	pin->refuses = true;
	pin->strength = RS_PIN_CONTRACT;
	pin->message = rs_arena_strdup(list->arena, message);
}

/* --- merging --- */

/* Where what is merged goes. */
struct goal {
	struct rs_use_index *index;
	size_t record, view;
	struct rs_pin_list *list;
};

static void add_pin(const struct goal *goal, const struct rs_pin *pin)
{
	struct rs_pin_list *list = goal->list;

	*rs_array_push(list->arena, list->pins, list->n_pins, list->pins_capacity) = *pin;
	enter_pin(goal->index, goal->record, goal->view, list, list->n_pins - 1);
}

/* Where the pin stands in the list from now on. */
static size_t merge_pin(const struct goal *goal, const struct rs_pin *pin)
{
	struct rs_pin_list *list = goal->list;
	struct rs_pin *known =
		find_pin(goal->index, goal->record, goal->view, list, pin->file, pin->line, pin->code);

	if (!known) {
		add_pin(goal, pin);
		return list->n_pins - 1;
	}
	if (pin->refuses && !known->refuses)
		rs_use_index_strengthen(list, known, pin->message);
	return (size_t)(known - list->pins);
}

static void merge_constraint(struct rs_pin_list *list, const struct rs_constraint *constraint, size_t pin)
{
	for (size_t i = 0; i < list->n_constraints; i++) {
		const struct rs_constraint *known = &list->constraints[i];

		if (known->kind == constraint->kind && known->unit == constraint->unit &&
		    known->other == constraint->other && known->pin == pin)
			return;
	}
	struct rs_constraint *added =
		rs_array_push(list->arena, list->constraints, list->n_constraints, list->constraints_capacity);
	*added = *constraint;
	added->pin = pin;
}

static void refuse_list(const struct goal *goal, struct rs_initializer *known, const char *problem)
{
	const struct rs_source *source = known->source;
	const struct rs_pin pin = {
		.code = "positional-initializer",
		.strength = RS_PIN_CONTRACT,
		.message = rs_arena_printf(goal->list->arena,
					   "initialised here by position, and the patch cannot rewrite it: %s",
					   problem),
		.file = source->path,
		.line = rs_source_position(source, known->span.start).line,
		.unit = RS_NONE,
		.refuses = true,
	};

	merge_pin(goal, &pin);
}

static bool has_source(const struct rs_initializer_list *list, const struct rs_source *source)
{
	for (size_t i = 0; i < list->n_sources; i++)
		if (list->sources[i].source == source)
			return true;
	return false;
}

static void merge_initializer(const struct goal *goal, const struct rs_initializer *found)
{
	struct rs_initializer_list *list = &goal->index->initializers[goal->record];
	struct rs_initializer *known =
		rs_use_index_find_initializer(goal->index, goal->record, found->source, found->span.start);

	if (known) {
		const char *problem = rs_use_index_join(list->arena, known, found);

		if (problem)
			refuse_list(goal, known, problem);
		return;
	}
	*rs_array_push(list->arena, list->items, list->n_items, list->items_capacity) = *found;
	rs_use_index_enter_initializer(goal->index, goal->record);
}

void rs_use_index_merge(struct rs_use_index *index, size_t record, size_t view, struct rs_pin_list *list,
			const struct rs_pin_list *found_pins,
			const struct rs_initializer_list *found_initializers)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *scratch = rs_arena_create();
	const struct goal goal = { .index = index, .record = record, .view = view, .list = list };
	struct rs_initializer_list *known = &index->initializers[record];
	size_t *places = rs_arena_array(scratch, size_t, found_pins->n_pins);

	for (size_t i = 0; i < found_pins->n_pins; i++)
		places[i] = merge_pin(&goal, &found_pins->pins[i]);
	for (size_t i = 0; i < found_pins->n_constraints; i++) {
		size_t pin = found_pins->constraints[i].pin;

		merge_constraint(list, &found_pins->constraints[i], pin == RS_NONE ? RS_NONE : places[pin]);
	}
	for (size_t i = 0; i < found_initializers->n_sources; i++)
		if (!has_source(known, found_initializers->sources[i].source))
			*rs_array_push(known->arena, known->sources, known->n_sources,
				       known->sources_capacity) = found_initializers->sources[i];
	for (size_t i = 0; i < found_initializers->n_branches; i++)
		rs_use_branch_add(known, &found_initializers->branches[i]);
	for (size_t i = 0; i < found_initializers->n_items; i++)
		merge_initializer(&goal, &found_initializers->items[i]);
}
