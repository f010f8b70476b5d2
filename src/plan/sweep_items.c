#include "plan/sweep_items.h"

#include <stdlib.h>

enum { MOST_USAGES = 1 << 12 };

struct maker {
	struct rs_sweep_items *all;
	struct rs_arena *arena;
	struct rs_place *place;
	const struct rs_problem *problem;
	const struct rs_bound *bound;
	uint64_t base_bits;
};

static rs_item_set bit(size_t item)
{
	return UINT64_C(1) << item;
}

static bool brings_same(const struct rs_step *a, const struct rs_step *b)
{
	return a->n_crossed == b->n_crossed && a->middle_ns == b->middle_ns &&
	       a->first.content.key[0] == b->first.content.key[0] &&
	       a->first.content.key[1] == b->first.content.key[1] &&
	       a->last.content.key[0] == b->last.content.key[0] &&
	       a->last.content.key[1] == b->last.content.key[1] && a->n_first == b->n_first &&
	       a->n_inner == b->n_inner;
}

/* Behind a bit-field another one may begin in the midst of a byte, unless none is permitted to be joined to it. */
static bool takes_whole_bytes(const struct maker *maker, size_t atom)
{
	const struct rs_problem *problem = maker->problem;
	const struct rs_atom *own = &problem->atoms[atom];
	rs_join_state state = rs_problem_pass(problem, atom, 0);

	if (!own->tops[own->n_tops - 1]->is_bitfield)
		return true;
	for (size_t a = 0; a < problem->n_atoms; a++)
		if (a != atom && problem->atoms[a].n_tops && problem->atoms[a].tops[0]->is_bitfield &&
		    rs_problem_pass(problem, a, state) != RS_JOINS_NEVER)
			return false;
	return true;
}

static uint64_t round_to_bytes(uint64_t bits)
{
	return (bits + 7) / 8 * 8;
}

/* An end at the beginning of a line leaves nothing on it. */
static bool reaches_over(const struct maker *maker, uint64_t end, const struct rs_step *step)
{
	return step->n_crossed > 1 || (step->n_crossed == 1 && end % maker->place->line_bits != 0);
}

static void find_crossings(struct maker *maker, struct rs_item *item, bool whole_bytes)
{
	uint64_t period = maker->place->period_bits, stride = item->stride_bits;
	struct rs_crossing *found = NULL;
	size_t capacity = 0;

	for (uint64_t start = maker->base_bits % stride; start < period; start += stride) {
		uint64_t offset = start + period - maker->base_bits % period;
		const struct rs_step *step = rs_place_step(maker->place, item->class, offset, 0);
		uint64_t end = start + rs_place_bits(maker->place, offset + step->advance) - offset;
		const struct rs_crossing *last = item->n_crossings ? &found[item->n_crossings - 1] : NULL;

		if (!reaches_over(maker, end, step))
			continue;
		/* What lies on a line to its end is still open there. */
		if (whole_bytes && round_to_bytes(end) % maker->place->line_bits)
			end = round_to_bytes(end);
		*rs_array_push(maker->arena, found, item->n_crossings, capacity) = (struct rs_crossing) {
			.start = start,
			.end = end,
			.step = step,
			.is_alike = last && last->start + stride == start && brings_same(last->step, step) &&
				    last->start / maker->place->line_bits == start / maker->place->line_bits
		};
	}
	item->crossings = found;
}

static bool must_precede(const struct rs_problem *problem, size_t a, size_t b)
{
	return problem->atoms[a].region < problem->atoms[b].region || rs_problem_precedes(problem, a, b);
}

/* A member begins at the first place behind the one before that its alignment allows, a bit-field at the next bit
 * unless it would lie across a border of its type's. */
static uint64_t most_before(const struct maker *maker, const struct rs_member *member)
{
	uint64_t align_bits = (uint64_t)member->align_bytes * 8;

	if (member->is_bitfield && member->size_bits && member->size_bits < align_bits)
		return member->size_bits - 1;
	return align_bits - maker->place->unit_bits;
}

static uint64_t most_holes(const struct maker *maker, const struct rs_atom *atom)
{
	uint64_t sum = 0;

	for (size_t t = 0; t < atom->n_tops; t++)
		sum += most_before(maker, atom->tops[t]);
	return sum;
}

static void add_item(struct maker *maker, size_t atom)
{
	const struct rs_atom *own = &maker->problem->atoms[atom];
	struct rs_item *item = &maker->all->items[maker->all->n_items++];
	uint32_t *signatures = rs_arena_array(maker->arena, uint32_t, own->n_touches);
	uint64_t align_bits = (uint64_t)own->tops[0]->align_bytes * 8;
	bool whole_bytes = takes_whole_bytes(maker, atom);

	for (size_t i = 0; i < own->n_touches; i++)
		signatures[i] = own->touches[i].signature;
	*item = (struct rs_item) { .atom = atom, .class = own->class, .bits = own->least_bits };
	item->stride_bits = own->tops[0]->is_bitfield || align_bits < maker->place->unit_bits
				    ? maker->place->unit_bits
				    : align_bits;
	item->part = rs_contents_make_part(maker->place->contents, signatures, own->n_touches);
	item->before_bits = most_before(maker, own->tops[0]);
	item->hole_bits = most_holes(maker, own);
	item->elements = rs_bound_elements(maker->bound, atom, 0, own->n_touches);
	item->least_start = maker->base_bits;
	for (size_t a = 0; a < maker->problem->n_atoms; a++)
		if (a != atom && must_precede(maker->problem, a, atom))
			item->least_start += maker->problem->atoms[a].least_bits;
	if (whole_bytes)
		item->bits = round_to_bytes(item->bits);
	find_crossings(maker, item, whole_bytes);
}

static int compare_items(const void *a, const void *b)
{
	const struct rs_item *x = (const struct rs_item *)a, *y = (const struct rs_item *)b;

	if (x->bits != y->bits)
		return x->bits > y->bits ? -1 : 1;
	return x->atom < y->atom ? -1 : x->atom > y->atom;
}

static void link_items(struct maker *maker)
{
	struct rs_sweep_items *all = maker->all;

	for (size_t i = 0; i < all->n_items; i++)
		for (size_t o = 0; o < all->n_items; o++) {
			if (o < i && all->items[o].class == all->items[i].class)
				all->items[i].twin = bit(o);
			if (o != i && must_precede(maker->problem, all->items[o].atom, all->items[i].atom)) {
				all->items[i].before |= bit(o);
				all->has_order = true;
			}
		}
}

/* A scalar neither is cut by a line's end nor leaves room that a smaller one would not. */
static bool is_scalar(const struct maker *maker, const struct rs_atom *atom)
{
	return atom->n_touches == 0 && atom->n_tops == 1 && !atom->tops[0]->is_bitfield &&
	       atom->least_bits == (uint64_t)atom->tops[0]->align_bytes * 8 &&
	       atom->least_bits <= maker->place->line_bits;
}

static bool add_filler(struct maker *maker, uint64_t bits)
{
	struct rs_sweep_items *all = maker->all;
	size_t at = 0;

	while (at < all->n_fillers && all->fillers[at].bits > bits)
		at++;
	if (at == all->n_fillers || all->fillers[at].bits != bits) {
		if (all->n_fillers == RS_SWEEP_MOST_FILLERS)
			return false;
		for (size_t i = all->n_fillers++; i > at; i--)
			all->fillers[i] = all->fillers[i - 1];
		all->fillers[at] = (struct rs_filler) { .bits = bits };
	}
	all->fillers[at].count++;
	return true;
}

static void add_fluid(struct maker *maker, const struct rs_atom *atom)
{
	uint64_t before = atom->n_tops ? most_before(maker, atom->tops[0]) : 0;

	if (maker->all->fluid_before_bits < before)
		maker->all->fluid_before_bits = before;
	maker->all->fluid_bits += atom->least_bits + most_holes(maker, atom);
}

/* The smallest come nearest to a fluid: they become some where all cannot be told apart. */
static void number_usages(struct maker *maker)
{
	struct rs_sweep_items *all = maker->all;
	size_t n_kept = 0;

	all->n_usages = 1;
	while (n_kept < all->n_fillers && all->n_usages <= MOST_USAGES / (all->fillers[n_kept].count + 1)) {
		all->fillers[n_kept].weight = all->n_usages;
		all->n_usages *= all->fillers[n_kept++].count + 1;
	}
	for (size_t k = n_kept; k < all->n_fillers; k++) {
		uint64_t before = all->fillers[k].bits - maker->place->unit_bits;

		if (all->fluid_before_bits < before)
			all->fluid_before_bits = before;
		all->fluid_bits += all->fillers[k].count * (all->fillers[k].bits + before);
	}
	all->n_fillers = n_kept;
	all->scalars_left = rs_arena_array(maker->arena, uint64_t, all->n_usages);
	for (uint32_t usage = 0; usage < all->n_usages; usage++)
		for (size_t k = 0; k < all->n_fillers; k++)
			all->scalars_left[usage] +=
				all->fillers[k].bits * rs_filler_left(&all->fillers[k], usage);
}

uint32_t rs_filler_left(const struct rs_filler *filler, uint32_t usage)
{
	return filler->count - usage / filler->weight % (filler->count + 1);
}

bool rs_sweep_items_init(struct rs_sweep_items *items, struct rs_arena *arena, struct rs_place *place,
			 const struct rs_bound *bound)
{
	const struct rs_problem *problem = place->problem;
	struct maker maker = { .all = items,
			       .arena = arena,
			       .place = place,
			       .problem = problem,
			       .bound = bound,
			       .base_bits = place->bases[0].offset_bytes * 8 };

	if (problem->n_touched > RS_SWEEP_MOST_ITEMS)
		return false;
	for (size_t a = 0; a < problem->n_atoms; a++)
		if (problem->atoms[a].n_touches)
			add_item(&maker, a);
		else if (!is_scalar(&maker, &problem->atoms[a]) ||
			 !add_filler(&maker, problem->atoms[a].least_bits))
			add_fluid(&maker, &problem->atoms[a]);
	qsort(items->items, items->n_items, sizeof *items->items, compare_items);
	link_items(&maker);
	number_usages(&maker);
	return true;
}
