#include "plan/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/visited.h"

enum { MOST_ITEMS = 64, FIRST_PLACES = 1 << 12 };
static const double LEAST_BELOW = 1e-9;

/* A touched atom. */
struct item {
	size_t atom, class;
	uint64_t bits, stride_bits;
	uint64_t before;      /* items that must stand before it */
	uint64_t twin;        /* the item before that is interchangeable, or 0 */
	uint64_t least_start; /* behind all atoms that must come before it */
	bool is_uniform;      /* the same wherever it lies across a border */
	struct rs_part part;  /* when it lies on one line */
	rs_element_set elements;
};

/* After some lines. */
struct state {
	uint64_t placed;            /* items */
	uint64_t end;               /* from the line grid */
	const struct rs_part *open; /* what reaches into the line where it ends, or NULL */
	double closed_ns;
	rs_element_set rest;  /* elements whose home is neither before nor on that line */
	rs_element_set homes; /* those at home there */
	bool is_pending;      /* the first item left must come before the next line that begins anew */
	size_t next;          /* RS_NONE */
};

struct sweep {
	struct rs_sweep *out;
	struct rs_arena *arena;
	struct rs_place *place;
	const struct rs_problem *problem;
	struct item items[MOST_ITEMS];
	size_t n_items;
	uint64_t all, base_bits, limit_bits, rest_bits, line_bits;
	bool is_free;   /* lines that begin anew may stand in any order */
	bool has_order; /* some item must stand before another */
	struct state *states;
	size_t n_states, states_capacity;
	size_t *first; /* of each line, a list of states by next */
	size_t n_lines;
	size_t *places, n_places; /* of states by their hash, plus one; 0 is free */
	const struct rs_part *parts[MOST_ITEMS + 2];
	uint64_t n_steps;
	double best_ns;
};

/* A line while it is filled. */
struct line {
	size_t state;
	uint64_t inside, used_bits, left_bits; /* left: of items neither placed nor inside */
	rs_element_set rest;                   /* elements of those, and of the state's */
	struct rs_content content;
	size_t n_parts;
};

static uint64_t bit(size_t item)
{
	return UINT64_C(1) << item;
}

static uint64_t end_of_line(const struct sweep *all, uint64_t end)
{
	return (end / all->line_bits + 1) * all->line_bits;
}

static bool is_fresh(const struct sweep *all, const struct state *state)
{
	return !state->open && state->end % all->line_bits == 0;
}

static void hash_state(const struct state *state, uint64_t key[2])
{
	key[0] = 1;
	key[1] = 2;
	rs_visited_hash(key, state->placed);
	rs_visited_hash(key, state->end * 2 + state->is_pending);
	if (state->open)
		rs_visited_hash(key, state->open->content.key[0]);
}

static bool is_same(const struct state *a, const struct state *b)
{
	if (a->placed != b->placed || a->end != b->end || a->is_pending != b->is_pending ||
	    !a->open != !b->open)
		return false;
	return !a->open || (a->open->content.key[0] == b->open->content.key[0] &&
			    a->open->content.key[1] == b->open->content.key[1]);
}

/* The place of the state, or a free one. */
static size_t *find_place(const struct sweep *all, const struct state *state)
{
	uint64_t key[2];

	hash_state(state, key);
	for (size_t i = key[0] & (all->n_places - 1);; i = (i + 1) & (all->n_places - 1))
		if (!all->places[i] || is_same(&all->states[all->places[i] - 1], state))
			return &all->places[i];
}

static void grow_places(struct sweep *all)
{
	all->n_places *= 4;
	all->places = rs_arena_array(all->arena, size_t, all->n_places);
	for (size_t i = 0; i < all->n_states; i++)
		*find_place(all, &all->states[i]) = i + 1;
}

static void add_state(struct sweep *all, const struct state *state)
{
	size_t *place = find_place(all, state), line = state->end / all->line_bits;

	if (*place) {
		struct state *known = &all->states[*place - 1];
		size_t next = known->next;

		if (known->closed_ns <= state->closed_ns)
			return;
		*known = *state;
		known->next = next;
		return;
	}
	*rs_array_push(all->arena, all->states, all->n_states, all->states_capacity) = *state;
	*place = all->n_states;
	all->states[all->n_states - 1].next = all->first[line];
	all->first[line] = all->n_states - 1;
	if (all->n_states * 2 > all->n_places)
		grow_places(all);
}

static double cost_line(struct sweep *all, struct rs_content content, size_t n_parts)
{
	double cost;

	if (rs_contents_find_cost(all->place->contents, content, &cost))
		return cost;
	return rs_contents_add_cost(all->place->contents, all->parts, n_parts);
}

/* What the elements cost at least from the line on on which `end` lies. */
static double bound_rest(const struct sweep *all, rs_element_set elements, uint64_t end)
{
	size_t line = end / all->line_bits, limit = all->out->bound->limits[0];

	return rs_bound_rest(all->out->bound, elements, line < limit ? limit - line : 0);
}

static bool is_enough(const struct sweep *all, double cost_ns)
{
	return cost_ns >= all->best_ns * (1 - LEAST_BELOW);
}

static bool keeps_order(const struct sweep *all, uint64_t placed, uint64_t inside)
{
	for (; all->has_order && inside; inside &= inside - 1)
		if (all->items[__builtin_ctzll(inside)].before & ~placed)
			return false;
	return true;
}

/* The line ends with what lies on it whole. */
static void close_line(struct sweep *all, const struct line *line)
{
	const struct state *from = &all->states[line->state];
	struct state to = { .placed = from->placed | line->inside, .rest = line->rest };
	uint64_t lowest = ~from->placed & all->all;

	lowest &= -lowest;
	to.end = end_of_line(all, from->end);
	if (to.placed != all->all && to.end + line->left_bits > all->limit_bits)
		return;
	if (all->is_free && !(to.placed & lowest) && lowest && (is_fresh(all, from) || from->is_pending))
		return;
	if (is_enough(all, from->closed_ns + bound_rest(all, to.rest, to.end)) ||
	    !keeps_order(all, to.placed, line->inside))
		return;
	to.closed_ns = from->closed_ns + cost_line(all, line->content, line->n_parts);
	if (is_enough(all, to.closed_ns + bound_rest(all, to.rest, to.end)))
		return;
	if (to.placed == all->all)
		all->best_ns = to.closed_ns;
	else
		add_state(all, &to);
}

static void reach_over(struct sweep *all, struct line *line, size_t index, const struct rs_step *step,
		       uint64_t end)
{
	const struct state *from = &all->states[line->state];
	const struct item *item = &all->items[index];
	struct state to = { .placed = from->placed | line->inside | bit(index),
			    .end = end,
			    .open = step->last.n_signatures ? &step->last : NULL };
	uint64_t lowest = ~from->placed & all->all;

	lowest &= -lowest;
	to.homes = rs_bound_elements(all->out->bound, item->atom, step->n_inner,
				     all->problem->atoms[item->atom].n_touches);
	to.rest = line->rest & ~item->elements;
	if (to.end + line->left_bits - item->bits > all->limit_bits)
		return;
	if (is_enough(all, from->closed_ns + step->middle_ns + bound_rest(all, to.rest | to.homes, to.end)))
		return;
	all->parts[line->n_parts] = &step->first;
	to.closed_ns = from->closed_ns + step->middle_ns +
		       cost_line(all, rs_content_join(line->content, step->first.content), line->n_parts + 1);
	if (is_enough(all, to.closed_ns + bound_rest(all, to.rest | to.homes, to.end)))
		return;
	to.is_pending = all->is_free && !(to.placed & lowest) && (is_fresh(all, from) || from->is_pending);
	if (to.is_pending && is_fresh(all, &to))
		return;
	add_state(all, &to);
}

/* The item behind what lies on the line whole, at every place that makes a difference. */
static void try_reaching(struct sweep *all, struct line *line, size_t index)
{
	const struct state *from = &all->states[line->state];
	const struct item *item = &all->items[index];
	uint64_t start = from->end + line->used_bits, line_end = end_of_line(all, from->end);
	const struct rs_step *last = NULL;

	if (start < item->least_start)
		start = item->least_start;
	start = (start - all->base_bits + item->stride_bits - 1) / item->stride_bits * item->stride_bits;
	for (; start + all->base_bits < line_end; start += item->stride_bits) {
		const struct rs_step *step = rs_place_step(all->place, item->class, start, 0);

		all->n_steps++;
		if (!step->n_crossed)
			continue;
		if (last && last->middle_ns == step->middle_ns &&
		    last->first.content.key[0] == step->first.content.key[0] &&
		    last->last.content.key[0] == step->last.content.key[0])
			continue;
		last = step;
		reach_over(all, line, index, step,
			   all->base_bits + rs_place_bits(all->place, start + step->advance));
		if (item->is_uniform)
			return;
	}
}

static void reach(struct sweep *all, struct line *line)
{
	uint64_t placed = all->states[line->state].placed | line->inside;

	if (!keeps_order(all, placed, line->inside))
		return;
	for (size_t i = 0; i < all->n_items; i++)
		if (!(placed & bit(i)) && !(all->items[i].twin & ~placed) && !(all->items[i].before & ~placed))
			try_reaching(all, line, i);
}

static bool has_room(const struct sweep *all, const struct line *line, size_t index)
{
	const struct state *from = &all->states[line->state];
	uint64_t end = end_of_line(all, from->end), bits = all->items[index].bits;

	return from->end + line->used_bits + bits <= end && all->items[index].least_start + bits <= end;
}

/* All sets that have these items and later ones. */
static void fill_line(struct sweep *all, struct line *line, size_t index)
{
	uint64_t placed = all->states[line->state].placed;

	if (++all->n_steps > all->out->n_steps)
		return;
	if (line->inside || !all->is_free || !is_fresh(all, &all->states[line->state]))
		close_line(all, line);
	reach(all, line);
	for (size_t i = index; i < all->n_items; i++) {
		const struct item *item = &all->items[i];
		struct line more = *line;

		if (placed & bit(i) || item->twin & ~(placed | line->inside) || !has_room(all, line, i))
			continue;
		more.inside |= bit(i);
		more.used_bits += item->bits;
		more.left_bits -= item->bits;
		more.rest &= ~item->elements;
		more.content = rs_content_join(line->content, item->part.content);
		all->parts[more.n_parts++] = &item->part;
		fill_line(all, &more, i + 1);
	}
}

static uint64_t weigh_left(const struct sweep *all, uint64_t placed)
{
	uint64_t sum = 0;

	for (uint64_t left = all->all & ~placed; left; left &= left - 1)
		sum += all->items[__builtin_ctzll(left)].bits;
	return sum;
}

static void expand(struct sweep *all, size_t index)
{
	const struct state *state = &all->states[index];
	struct line line = { .state = index, .left_bits = weigh_left(all, state->placed), .rest = state->rest };

	if (is_enough(all, state->closed_ns + bound_rest(all, state->rest | state->homes, state->end)))
		return;
	if (state->open) {
		line.content = state->open->content;
		all->parts[line.n_parts++] = state->open;
	}
	fill_line(all, &line, 0);
}

static bool is_uniform(const struct rs_atom *atom)
{
	return atom->n_tops == 1 && atom->n_touches == 1 && atom->touches[0].inside_bits == 0 &&
	       atom->touches[0].size_bits == atom->least_bits && !atom->tops[0]->is_bitfield;
}

static bool must_precede(const struct rs_problem *problem, size_t a, size_t b)
{
	return problem->atoms[a].region < problem->atoms[b].region || rs_problem_precedes(problem, a, b);
}

static void init_item(struct sweep *all, size_t atom)
{
	const struct rs_atom *own = &all->problem->atoms[atom];
	struct item *item = &all->items[all->n_items++];
	uint32_t *signatures = rs_arena_array(all->arena, uint32_t, own->n_touches);
	uint64_t align_bits = (uint64_t)own->tops[0]->align_bytes * 8;

	for (size_t i = 0; i < own->n_touches; i++)
		signatures[i] = own->touches[i].signature;
	*item = (struct item) { .atom = atom, .class = own->class, .bits = own->least_bits };
	item->stride_bits = own->tops[0]->is_bitfield || align_bits < all->place->unit_bits
				    ? all->place->unit_bits
				    : align_bits;
	item->is_uniform = is_uniform(own);
	item->part = rs_contents_make_part(all->place->contents, signatures, own->n_touches);
	item->elements = rs_bound_elements(all->out->bound, atom, 0, own->n_touches);
	item->least_start = all->base_bits;
	for (size_t a = 0; a < all->problem->n_atoms; a++)
		if (a != atom && must_precede(all->problem, a, atom))
			item->least_start += all->problem->atoms[a].least_bits;
}

static int compare_size(const void *a, const void *b)
{
	const struct item *x = (const struct item *)a, *y = (const struct item *)b;

	if (x->bits != y->bits)
		return x->bits > y->bits ? -1 : 1;
	return x->atom < y->atom ? -1 : x->atom > y->atom;
}

static void link_items(struct sweep *all)
{
	for (size_t i = 0; i < all->n_items; i++)
		for (size_t o = 0; o < all->n_items; o++) {
			if (o < i && all->items[o].class == all->items[i].class)
				all->items[i].twin = bit(o);
			if (o != i && must_precede(all->problem, all->items[o].atom, all->items[i].atom)) {
				all->items[i].before |= bit(o);
				all->has_order = true;
			}
		}
}

static bool init(struct sweep *all)
{
	const struct rs_problem *problem = all->problem;

	if (all->place->n_bases != 1 || !all->place->is_separable || problem->has_empty_touch ||
	    problem->n_touched > MOST_ITEMS || !problem->n_touched)
		return false;
	all->line_bits = all->place->line_bits;
	all->base_bits = all->place->bases[0].offset_bytes * 8;
	all->limit_bits = all->base_bits + problem->max_size_bytes * 8;
	for (size_t a = 0; a < problem->n_atoms; a++)
		if (problem->atoms[a].n_touches)
			init_item(all, a);
	qsort(all->items, all->n_items, sizeof *all->items, compare_size);
	link_items(all);
	all->all = all->n_items == 64 ? UINT64_MAX : bit(all->n_items) - 1;
	all->is_free = !all->has_order && all->place->period_bits == all->line_bits;
	/* Of others nothing is claimed: no test compares them with all orders. */
	for (size_t i = 0; i < all->n_items; i++)
		if (!all->items[i].is_uniform || all->items[i].least_start != all->base_bits)
			return false;
	all->n_lines = all->limit_bits / all->line_bits + 2;
	all->first = rs_arena_array(all->arena, size_t, all->n_lines);
	for (size_t l = 0; l < all->n_lines; l++)
		all->first[l] = RS_NONE;
	all->n_places = FIRST_PLACES;
	all->places = rs_arena_array(all->arena, size_t, all->n_places);
	all->best_ns = all->out->enough_ns;
	return true;
}

bool rs_sweep_run(struct rs_sweep *sweep)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	struct sweep all = {
		.out = sweep, .arena = arena, .place = sweep->place, .problem = sweep->place->problem
	};
	struct state start = { 0 };

	if (!init(&all))
		return false;
	start.end = all.base_bits;
	start.rest = sweep->bound->all;
	add_state(&all, &start);
	for (size_t l = 0; l < all.n_lines; l++)
		for (size_t s = all.first[l]; s != RS_NONE && all.n_steps <= sweep->n_steps;
		     s = all.states[s].next)
			expand(&all, s);
	if (all.n_steps > sweep->n_steps)
		return false;
	sweep->least_ns = all.best_ns;
	return true;
}
