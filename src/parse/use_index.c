#include "parse/use_index.h"

#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "base/file.h"

/* Names by their fingerprints, so that the key is plain bytes. */
struct key {
	uint64_t kind, record, file, place, code;
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

static struct key key_of_pin(size_t record, const char *file, unsigned line, const char *code)
{
	return (struct key) { PIN, record, fingerprint(file), line, fingerprint(code) };
}

static struct key key_of_initializer(size_t record, const struct rs_source *source, size_t byte)
{
	return (struct key) { INITIALIZER, record, fingerprint(source->realpath), byte, 0 };
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

static void enter_pin(struct rs_use_index *index, size_t record, size_t item)
{
	const struct rs_pin *pin = &index->lists[record].pins[item];
	const struct key key = key_of_pin(record, pin->file, pin->line, pin->code);

	if (pin->file)
		enter(index, &key, item);
}

static void enter_initializer(struct rs_use_index *index, size_t record, size_t item)
{
	const struct rs_initializer *initializer = &index->initializers[record].items[item];
	const struct key key = key_of_initializer(record, initializer->source, initializer->byte);

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
			enter_pin(index, r, i);
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

struct rs_pin *rs_use_index_find_pin(struct rs_use_index *index, size_t record, const char *file, unsigned line,
				     const char *code)
{
	const struct key key = key_of_pin(record, file, line, code);
	size_t item = find(index, &key);

	return item == RS_NONE ? NULL : &index->lists[record].pins[item];
}

void rs_use_index_enter_pin(struct rs_use_index *index, size_t record)
{
	enter_pin(index, record, index->lists[record].n_pins - 1);
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

bool rs_use_index_same_insertions(const struct rs_initializer *known, const struct rs_insertion *insertions,
				  size_t count)
{
	if (known->n_insertions != count)
		return false;
	for (size_t i = 0; i < count; i++)
		if (known->insertions[i].byte != insertions[i].byte ||
		    strcmp(known->insertions[i].text, insertions[i].text) != 0)
			return false;
	return true;
}

void rs_use_index_strengthen(struct rs_pin_list *list, struct rs_pin *pin, const char *message)
{
	pin->refuses = true;
	pin->strength = RS_PIN_CONTRACT;
	pin->message = rs_arena_strdup(list->arena, message);
}

/* --- merging --- */

/* Where the pin stands in the list from now on. */
static size_t merge_pin(struct rs_use_index *index, size_t record, const struct rs_pin *pin)
{
	struct rs_pin_list *list = &index->lists[record];
	struct rs_pin *known = rs_use_index_find_pin(index, record, pin->file, pin->line, pin->code);

	if (known) {
		if (pin->refuses && !known->refuses)
			rs_use_index_strengthen(list, known, pin->message);
		return (size_t)(known - list->pins);
	}
	*rs_array_push(list->arena, list->pins, list->n_pins, list->pins_capacity) = *pin;
	rs_use_index_enter_pin(index, record);
	return list->n_pins - 1;
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

static void refuse_list(struct rs_use_index *index, size_t record, struct rs_initializer *known)
{
	static const char code[] = "positional-initializer";
	static const char message[] = "initialised here by position, and the patch cannot add designators: it "
				      "gives other members in another translation unit";
	struct rs_pin_list *list = &index->lists[record];
	unsigned line = rs_source_position(known->source, known->byte).line;
	struct rs_pin *pin = rs_use_index_find_pin(index, record, known->source->path, line, code);

	known->n_insertions = 0;
	if (pin) {
		rs_use_index_strengthen(list, pin, message);
		return;
	}
	rs_pin_add(list, code, RS_PIN_CONTRACT, RS_NONE, line, true, "%s", message);
	list->pins[list->n_pins - 1].file = known->source->path;
	rs_use_index_enter_pin(index, record);
}

static bool has_source(const struct rs_initializer_list *list, const struct rs_source *source)
{
	for (size_t i = 0; i < list->n_sources; i++)
		if (list->sources[i].source == source)
			return true;
	return false;
}

static void merge_initializer(struct rs_use_index *index, size_t record, const struct rs_initializer *found)
{
	struct rs_initializer_list *list = &index->initializers[record];
	struct rs_initializer *known = rs_use_index_find_initializer(index, record, found->source, found->byte);

	if (known && rs_use_index_same_insertions(known, found->insertions, found->n_insertions))
		return;
	if (known) {
		refuse_list(index, record, known);
		return;
	}
	*rs_array_push(list->arena, list->items, list->n_items, list->items_capacity) = *found;
	rs_use_index_enter_initializer(index, record);
}

void rs_use_index_merge(struct rs_use_index *index, size_t record, const struct rs_pin_list *found_pins,
			const struct rs_initializer_list *found_initializers)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *scratch = rs_arena_create();
	struct rs_initializer_list *list = &index->initializers[record];
	size_t *places = rs_arena_array(scratch, size_t, found_pins->n_pins);

	for (size_t i = 0; i < found_pins->n_pins; i++)
		places[i] = merge_pin(index, record, &found_pins->pins[i]);
	for (size_t i = 0; i < found_pins->n_constraints; i++) {
		size_t pin = found_pins->constraints[i].pin;

		merge_constraint(&index->lists[record], &found_pins->constraints[i],
				 pin == RS_NONE ? RS_NONE : places[pin]);
	}
	for (size_t i = 0; i < found_initializers->n_sources; i++)
		if (!has_source(list, found_initializers->sources[i].source))
			*rs_array_push(list->arena, list->sources, list->n_sources, list->sources_capacity) =
				found_initializers->sources[i];
	for (size_t i = 0; i < found_initializers->n_items; i++)
		merge_initializer(index, record, &found_initializers->items[i]);
}
