#include "plan/elements.h"

#include <stdlib.h>

/* An atom laid out at one phase. */
struct sight {
	const struct rs_place *place;
	const struct rs_atom *atom;
	uint64_t *starts, *ends;
	uint64_t atom_start, atom_end;
};

static uint64_t line_of(const struct sight *sight, uint64_t bit)
{
	return bit / sight->place->line_bits;
}

static bool is_on_one_line(const struct sight *sight, size_t touch)
{
	uint64_t start = sight->starts[touch], end = sight->ends[touch];

	return line_of(sight, start) == line_of(sight, end > start ? end - 1 : end);
}

/* A phase at which two neighbouring touches are not surely together. */
static bool separates(const struct sight *sight, size_t touch)
{
	return !is_on_one_line(sight, touch) || !is_on_one_line(sight, touch + 1) ||
	       line_of(sight, sight->starts[touch]) != line_of(sight, sight->starts[touch + 1]);
}

static void look(struct sight *sight, uint64_t phase, size_t base)
{
	const struct rs_atom *atom = sight->atom;
	uint64_t first_size = atom->tops[0]->size_bits;
	struct rs_atom first = { .tops = atom->tops, .n_tops = 1 };

	sight->atom_end = rs_place_spread(sight->place, atom, phase, base, sight->starts, sight->ends);
	sight->atom_start = rs_place_spread(sight->place, &first, phase, base, NULL, NULL) - first_size;
}

typedef void (*sight_fn)(const struct sight *sight, void *context);

/* All phases up to the next at which the first member can begin give the same picture. */
static uint64_t find_stride(const struct rs_place *place, const struct rs_atom *atom)
{
	uint64_t align_bits = (uint64_t)atom->tops[0]->align_bytes * 8;

	return atom->tops[0]->is_bitfield || align_bits < place->unit_bits ? place->unit_bits : align_bits;
}

/* Shows the atom at every phase from every base. */
static void look_everywhere(const struct rs_place *place, const struct rs_atom *atom, sight_fn show,
			    void *context)
{
	struct sight sight = { .place = place, .atom = atom };
	uint64_t stride = find_stride(place, atom);

	sight.starts = (uint64_t *)rs_alloc(2 * atom->n_touches * sizeof *sight.starts);
	sight.ends = sight.starts + atom->n_touches;
	for (size_t b = 0; b < place->n_bases; b++)
		for (uint64_t phase = place->bases[b].offset_bytes * 8 % stride;
		     phase < place->period_bits && place->twins[b] == b; phase += stride) {
			look(&sight, phase, b);
			show(&sight, context);
		}
	free(sight.starts);
}

static void mark_separated(const struct sight *sight, void *context)
{
	bool *separated = (bool *)context;

	for (size_t i = 0; i + 1 < sight->atom->n_touches; i++)
		separated[i] |= separates(sight, i);
}

struct measure {
	struct rs_element *elements; /* of the atom */
	size_t n_elements;
	uint64_t *head_least,
		*kept_least; /* kept: on the home line when the end is cut; UINT64_MAX: never cut */
};

static void take_least(uint64_t *least, uint64_t value)
{
	if (value < *least)
		*least = value;
}

static void measure(const struct sight *sight, void *context)
{
	struct measure *all = (struct measure *)context;

	for (size_t e = 0; e < all->n_elements; e++) {
		struct rs_element *element = &all->elements[e];
		uint64_t start = sight->starts[element->first_touch], from = e ? start : sight->atom_start;
		uint64_t to = e + 1 < all->n_elements ? sight->starts[all->elements[e + 1].first_touch]
						      : sight->atom_end;
		uint64_t line_end = (line_of(sight, start) + 1) * sight->place->line_bits;
		bool cut_before = line_of(sight, from) != line_of(sight, start);

		take_least(&element->weight_bits, to - from);
		take_least(&all->head_least[e], start - from);
		if (cut_before && element->head_bits < start - from)
			element->head_bits = start - from;
		if (to > line_end)
			take_least(&all->kept_least[e], line_end - start);
		for (size_t i = 0; i < element->n_touches; i++)
			if (!is_on_one_line(sight, element->first_touch + i))
				element->cross_bits = 1;
	}
}

static void settle(struct measure *all)
{
	uint64_t sum = 0;

	for (size_t e = 0; e < all->n_elements; e++)
		sum += all->elements[e].weight_bits;
	for (size_t e = 0; e < all->n_elements; e++) {
		struct rs_element *element = &all->elements[e];
		uint64_t kept = all->kept_least[e] == UINT64_MAX ? element->weight_bits
								 : all->kept_least[e] + all->head_least[e];

		element->tail_bits = element->weight_bits > kept ? element->weight_bits - kept : 0;
		element->cross_bits *= sum;
	}
}

static void measure_atom(struct rs_arena *arena, const struct rs_place *place, size_t atom,
			 struct rs_element *elements, size_t n_elements)
{
	struct measure all = { .elements = elements, .n_elements = n_elements };

	all.head_least = rs_arena_array(arena, uint64_t, n_elements);
	all.kept_least = rs_arena_array(arena, uint64_t, n_elements);
	for (size_t e = 0; e < n_elements; e++)
		elements[e].weight_bits = all.head_least[e] = all.kept_least[e] = UINT64_MAX;
	look_everywhere(place, &place->problem->atoms[atom], measure, &all);
	settle(&all);
}

struct element_list {
	struct rs_arena *arena;
	struct rs_element *items;
	size_t n_items, items_capacity;
};

static void add_elements(struct element_list *list, const struct rs_place *place, size_t index)
{
	const struct rs_atom *atom = &place->problem->atoms[index];
	bool *separated = rs_arena_array(list->arena, bool, atom->n_touches + 1);
	size_t first = list->n_items;

	look_everywhere(place, atom, mark_separated, separated);
	for (size_t i = 0; i < atom->n_touches; i++) {
		struct rs_element *element;
		double heat = place->problem->signatures[atom->touches[i].signature].heat;

		if (i == 0 || separated[i - 1])
			*rs_array_push(list->arena, list->items, list->n_items, list->items_capacity) =
				(struct rs_element) { .atom = index, .first_touch = i };
		element = &list->items[list->n_items - 1];
		element->n_touches++;
		element->heat += heat;
	}
	measure_atom(list->arena, place, index, list->items + first, list->n_items - first);
}

struct rs_element *rs_elements_find(struct rs_arena *arena, const struct rs_place *place, size_t *ret_count)
{
	struct element_list list = { .arena = arena };

	for (size_t a = 0; a < place->problem->n_atoms; a++)
		if (place->problem->atoms[a].n_touches)
			add_elements(&list, place, a);
	*ret_count = list.n_items;
	return list.items;
}
