#include "plan/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/sweep_items.h"
#include "plan/visited.h"

enum { FIRST_PLACES = 1 << 12, MOST_STATES = 1 << 20 };
static const double LEAST_BELOW = 1e-9;

/* What was put on a line, or on the lines that its last item spans. */
struct taken {
	size_t from;        /* state before */
	rs_item_set inside; /* items that lie on it whole */
	size_t over;        /* item that reaches over its end; RS_NONE */
	uint64_t over_start;
};

/* After some lines. */
struct state {
	rs_item_set placed;
	uint64_t end;               /* from the line grid */
	uint32_t usage;             /* of fillers */
	const struct rs_part *open; /* what reaches into the line where it ends, or NULL */
	double closed_ns;
	rs_element_set rest;  /* elements whose home is neither before nor on that line */
	rs_element_set homes; /* those at home there */
	struct taken taken;
	size_t next;    /* state that ends on the same line; RS_NONE */
	size_t sibling; /* state that differs in end and cost only; RS_NONE */
	bool is_beaten; /* by a sibling */
};

struct sweep {
	struct rs_sweep *out;
	struct rs_arena *arena;
	struct rs_place *place;
	const struct rs_bound *bound;
	struct rs_sweep_items items;
	rs_item_set all;
	uint64_t base_bits, limit_bits, line_bits;
	bool is_free; /* nothing must come before anything, and any room may be left */
	struct state *states;
	size_t n_states, states_capacity;
	size_t *first; /* of each line, a list of states by next */
	size_t n_lines;
	size_t *places, n_places; /* first of siblings by their hash, plus one; 0 is free */
	size_t n_families;
	const struct rs_part *parts[RS_SWEEP_MOST_ITEMS + 2];
	uint64_t n_steps;
	double best_ns;
	struct taken best; /* the last lines of what costs that; from is RS_NONE when it is not ours */
};

/* A line while it is filled. */
struct line {
	size_t state;
	rs_item_set inside;
	uint64_t used_bits, left_bits; /* left: of items neither placed nor inside */
	uint64_t hole_bits;            /* that there may be in and before those inside */
	rs_element_set rest, homes;    /* elements of those, and of the state's; those at home here */
	rs_element_set later;          /* those of the rest that cannot be at home here any more */
	struct rs_content content;
	size_t n_parts;
};

static rs_item_set bit(size_t item)
{
	return UINT64_C(1) << item;
}

static uint64_t end_of_line(const struct sweep *all, uint64_t end)
{
	return (end / all->line_bits + 1) * all->line_bits;
}

static void hash_state(const struct state *state, uint64_t key[2])
{
	key[0] = 1;
	key[1] = 2;
	rs_visited_hash(key, state->placed);
	rs_visited_hash(key, state->usage);
	if (state->open)
		rs_visited_hash(key, state->open->content.key[0]);
}

static bool is_sibling(const struct state *a, const struct state *b)
{
	if (a->placed != b->placed || a->usage != b->usage || !a->open != !b->open)
		return false;
	return !a->open || (a->open->content.key[0] == b->open->content.key[0] &&
			    a->open->content.key[1] == b->open->content.key[1]);
}

/* The place of the state's siblings, or a free one. */
static size_t *find_place(const struct sweep *all, const struct state *state)
{
	uint64_t key[2];

	hash_state(state, key);
	for (size_t i = key[0] & (all->n_places - 1);; i = (i + 1) & (all->n_places - 1))
		if (!all->places[i] || is_sibling(&all->states[all->places[i] - 1], state))
			return &all->places[i];
}

static void grow_places(struct sweep *all)
{
	const size_t *old = all->places;
	size_t n_old = all->n_places;

	all->n_places *= 4;
	all->places = rs_arena_array(all->arena, size_t, all->n_places);
	for (size_t i = 0; i < n_old; i++)
		if (old[i])
			*find_place(all, &all->states[old[i] - 1]) = old[i];
}

/* Whether what goes on from one end goes on from the other, too: room may be left. That of the whole line is left by
 * closing it, which is a state of its own; and where something has to come before, there is no room to spare. */
static bool is_earlier(const struct sweep *all, const struct state *a, const struct state *b)
{
	if (!all->is_free)
		return a->end == b->end;
	return a->end <= b->end && a->end / all->line_bits == b->end / all->line_bits;
}

static bool is_beaten(struct sweep *all, size_t sibling, const struct state *state)
{
	for (; sibling != RS_NONE; sibling = all->states[sibling].sibling) {
		struct state *known = &all->states[sibling];

		if (known->closed_ns <= state->closed_ns && is_earlier(all, known, state))
			return true;
		known->is_beaten |= state->closed_ns <= known->closed_ns && is_earlier(all, state, known);
	}
	return false;
}

static void add_state(struct sweep *all, const struct state *state)
{
	size_t *place = find_place(all, state), line = state->end / all->line_bits, index = all->n_states;
	size_t sibling = *place ? *place - 1 : RS_NONE;
	struct state *added;

	if (is_beaten(all, sibling, state))
		return;
	added = rs_array_push(all->arena, all->states, all->n_states, all->states_capacity);
	*added = *state;
	added->sibling = sibling;
	added->next = all->first[line];
	all->first[line] = index;
	*place = index + 1;
	all->n_families += sibling == RS_NONE;
	if (all->n_families * 2 > all->n_places)
		grow_places(all);
}

static double cost_line(struct sweep *all, struct rs_content content, const struct rs_part *const *parts,
			size_t n_parts)
{
	double cost;

	if (rs_contents_find_cost(all->place->contents, content, &cost))
		return cost;
	return rs_contents_add_cost(all->place->contents, parts, n_parts);
}

/* What the elements cost at least from the line on on which `end` lies. */
static double bound_rest(const struct sweep *all, rs_element_set elements, uint64_t end)
{
	size_t line = end / all->line_bits, limit = all->bound->limits[0];

	return rs_bound_rest(all->bound, elements, line < limit ? limit - line : 0);
}

static bool is_enough(const struct sweep *all, double cost_ns)
{
	return cost_ns >= all->best_ns * (1 - LEAST_BELOW);
}

static bool keeps_order(const struct sweep *all, rs_item_set placed, rs_item_set inside)
{
	for (; all->items.has_order && inside; inside &= inside - 1)
		if (all->items.items[__builtin_ctzll(inside)].before & ~placed)
			return false;
	return true;
}

/* Whether all that is left goes behind such an end. */
static bool has_room_behind(const struct sweep *all, uint64_t end, uint64_t left_bits, uint32_t usage)
{
	return end + left_bits + all->items.scalars_left[usage] <= all->limit_bits;
}

typedef void (*filled_fn)(struct sweep *all, struct state *state);

/* Room to be filled with fillers. */
struct room {
	uint64_t left_bits;  /* of items */
	bool is_end;         /* of a line, behind which any of the next may come */
	rs_item_set next;
	struct state *state; /* in the end with what is used */
	filled_fn filled;
};

/* One more would fit. Where any room may be left, nothing is lost by putting it there. */
static bool has_more(const struct sweep *all, uint64_t room, uint32_t usage)
{
	for (size_t k = 0; k < all->items.n_fillers; k++)
		if (all->items.fillers[k].bits <= room && rs_filler_left(&all->items.fillers[k], usage))
			return true;
	return false;
}

/* The hole at the end of a line, at most: before what comes next. */
static uint64_t most_behind(const struct sweep *all, const struct room *room, uint32_t usage)
{
	uint64_t most = all->items.fluid_before_bits;

	if (!room->is_end || !all->out->is_strict)
		return 0;
	for (rs_item_set next = room->next; next; next &= next - 1)
		if (most < all->items.items[__builtin_ctzll(next)].before_bits)
			most = all->items.items[__builtin_ctzll(next)].before_bits;
	for (size_t k = 0; k < all->items.n_fillers; k++) {
		uint64_t before = all->items.fillers[k].bits - all->place->unit_bits;

		if (most < before && rs_filler_left(&all->items.fillers[k], usage))
			most = before;
	}
	return most;
}

static void fill_room(struct sweep *all, const struct room *room, uint64_t bits, uint64_t most_holes, size_t kind)
{
	const struct rs_filler *filler = &all->items.fillers[kind];
	struct state *state = room->state;
	uint32_t usage = state->usage, left, most;

	all->n_steps++;
	if (kind == all->items.n_fillers) {
		if (bits <= most_holes + most_behind(all, room, usage) && (all->out->is_strict || !has_more(all, bits, usage)) &&
		    has_room_behind(all, state->end, room->left_bits, usage))
			room->filled(all, state);
		return;
	}
	left = rs_filler_left(filler, usage);
	most = left < bits / filler->bits ? left : (uint32_t)(bits / filler->bits);
	for (uint32_t n = most + 1; n-- > 0;) {
		state->usage = usage + n * filler->weight;
		fill_room(all, room, bits - n * filler->bits,
			  all->out->is_strict ? most_holes + n * (filler->bits - all->place->unit_bits) : most_holes, kind + 1);
	}
	state->usage = usage;
}

static void add_filled(struct sweep *all, struct state *state)
{
	add_state(all, state);
}

/* What may be left of a line, besides the room before fillers and before what comes after these items. */
static uint64_t most_holes(const struct sweep *all, const struct line *line)
{
	return all->out->is_strict ? line->hole_bits + all->items.fluid_bits : UINT64_MAX / 2;
}

/* All items are placed: the fillers that are left go anywhere behind them. */
static void end_with(struct sweep *all, const struct line *line)
{
	const struct state *from = &all->states[line->state];
	double cost;

	if (!has_room_behind(all, from->end + line->used_bits, 0, from->usage) ||
	    !keeps_order(all, all->all, line->inside))
		return;
	cost = from->closed_ns + cost_line(all, line->content, all->parts, line->n_parts);
	if (is_enough(all, cost))
		return;
	all->best_ns = cost;
	all->best = (struct taken) { .from = line->state, .inside = line->inside, .over = RS_NONE };
}

/* The line ends with what lies on it whole. */
static void close_line(struct sweep *all, const struct line *line)
{
	const struct state *from = &all->states[line->state];
	uint64_t start = from->end + line->used_bits;
	struct state to = { .placed = from->placed | line->inside, .usage = from->usage, .rest = line->rest };

	to.end = end_of_line(all, from->end);
	if (to.placed == all->all) {
		end_with(all, line);
		return;
	}
	/* A line of fillers alone may as well come last. */
	if (all->is_free && !line->inside && !from->open && from->end % all->line_bits == 0)
		return;
	if (to.end + line->left_bits > all->limit_bits || !keeps_order(all, to.placed, line->inside) ||
	    is_enough(all, from->closed_ns + bound_rest(all, to.rest, to.end)))
		return;
	to.closed_ns = from->closed_ns + cost_line(all, line->content, all->parts, line->n_parts);
	if (is_enough(all, to.closed_ns + bound_rest(all, to.rest, to.end)))
		return;
	to.taken = (struct taken) { .from = line->state, .inside = line->inside, .over = RS_NONE };
	fill_room(all,
		  &(struct room) { line->left_bits, true, all->all & ~to.placed, &to, add_filled },
		  to.end - start, most_holes(all, line), 0);
}

static void end_over(struct sweep *all, struct state *state)
{
	double cost = state->closed_ns;

	if (state->placed != all->all) {
		add_filled(all, state);
		return;
	}
	if (state->open)
		cost += cost_line(all, state->open->content, &state->open, 1);
	if (is_enough(all, cost))
		return;
	all->best_ns = cost;
	all->best = state->taken;
}

static void reach_over(struct sweep *all, struct line *line, size_t index, const struct rs_crossing *crossing,
		       uint64_t start, bool is_alike)
{
	const struct state *from = &all->states[line->state];
	const struct rs_item *item = &all->items.items[index];
	const struct rs_step *step = crossing->step;
	uint64_t used_end = from->end + line->used_bits, left_bits = line->left_bits - item->bits;
	struct state to = { .placed = from->placed | line->inside | bit(index),
			    .end = start + crossing->end - crossing->start,
			    .usage = from->usage,
			    .open = step->last.n_signatures ? &step->last : NULL };

	to.homes = rs_bound_elements(all->bound, item->atom, step->n_inner,
				     all->place->problem->atoms[item->atom].n_touches);
	to.rest = line->rest & ~item->elements;
	if (to.end + left_bits > all->limit_bits ||
	    is_enough(all, from->closed_ns + step->middle_ns + bound_rest(all, to.rest | to.homes, to.end)))
		return;
	all->parts[line->n_parts] = &step->first;
	to.closed_ns = from->closed_ns + step->middle_ns +
		       cost_line(all, rs_content_join(line->content, step->first.content), all->parts,
				 line->n_parts + 1);
	if (is_enough(all, to.closed_ns + bound_rest(all, to.rest | to.homes, to.end)))
		return;
	to.taken = (struct taken) {
		.from = line->state, .inside = line->inside, .over = index, .over_start = start
	};
	fill_room(all, &(struct room) { left_bits, false, 0, &to, end_over }, start - used_end,
		  is_alike ? item->stride_bits - 1 : most_holes(all, line) + item->hole_bits, 0);
}

/* The item behind what lies on the line whole, wherever it makes a difference: what could as well begin a stride
 * earlier would leave more room behind it. */
static void try_reaching(struct sweep *all, struct line *line, size_t index)
{
	const struct state *from = &all->states[line->state];
	const struct rs_item *item = &all->items.items[index];
	uint64_t start = from->end + line->used_bits, line_end = end_of_line(all, from->end);
	uint64_t period_start = (from->end / all->place->period_bits) * all->place->period_bits;
	uint64_t scalars = all->items.scalars_left[from->usage];
	const struct rs_part *part = all->parts[line->n_parts];
	bool is_first = true;

	if (start < item->least_start)
		start = item->least_start;
	for (size_t c = 0; c < item->n_crossings; c++) {
		const struct rs_crossing *crossing = &item->crossings[c];
		uint64_t own = period_start + crossing->start;
		bool is_alike = crossing->is_alike && !is_first && !all->out->is_strict;

		if (own < start || own >= line_end)
			continue;
		is_first = false;
		if (is_alike && own - from->end - line->used_bits >= scalars + item->stride_bits)
			continue;
		all->n_steps++;
		reach_over(all, line, index, crossing, own, is_alike);
	}
	all->parts[line->n_parts] = part;
}

static void reach(struct sweep *all, struct line *line)
{
	rs_item_set placed = all->states[line->state].placed | line->inside;

	if (!keeps_order(all, placed, line->inside))
		return;
	for (size_t i = 0; i < all->items.n_items; i++) {
		const struct rs_item *item = &all->items.items[i];

		if (item->n_crossings && !(placed & bit(i)) && !(item->twin & ~placed) &&
		    !(item->before & ~placed))
			try_reaching(all, line, i);
	}
}

static bool has_room(const struct sweep *all, const struct line *line, const struct rs_item *item)
{
	const struct state *from = &all->states[line->state];
	uint64_t end = end_of_line(all, from->end);

	if (end > all->limit_bits)
		end = all->limit_bits;
	return from->end + line->used_bits + item->bits <= end && item->least_start + item->bits <= end;
}

/* Whether nothing better can come of the line with these items and any later ones. */
static bool is_hopeless(const struct sweep *all, const struct line *line)
{
	const struct state *from = &all->states[line->state];

	return is_enough(all, from->closed_ns + all->bound->lines[line->homes] +
				      bound_rest(all, line->later, end_of_line(all, from->end)));
}

/* All sets that have these items and later ones. */
static void fill_line(struct sweep *all, struct line *line, size_t index)
{
	rs_item_set placed = all->states[line->state].placed;
	struct line own = *line;

	if (++all->n_steps > all->out->n_steps || is_hopeless(all, line))
		return;
	close_line(all, line);
	reach(all, line);
	for (size_t i = index; i < all->items.n_items; i++) {
		const struct rs_item *item = &all->items.items[i];
		struct line more = own;

		if (placed & bit(i))
			continue;
		if (!(item->twin & ~(placed | line->inside)) && has_room(all, line, item)) {
			more.inside |= bit(i);
			more.used_bits += item->bits;
			more.left_bits -= item->bits;
			more.hole_bits += item->hole_bits;
			more.rest &= ~item->elements;
			more.homes |= item->elements;
			more.content = rs_content_join(line->content, item->part.content);
			all->parts[more.n_parts++] = &item->part;
			fill_line(all, &more, i + 1);
		}
		if (item->n_crossings)
			continue;
		own.later |= item->elements;
		if (is_hopeless(all, &own))
			return;
	}
}

static uint64_t weigh_left(const struct sweep *all, rs_item_set placed)
{
	uint64_t sum = 0;

	for (rs_item_set left = all->all & ~placed; left; left &= left - 1)
		sum += all->items.items[__builtin_ctzll(left)].bits;
	return sum;
}

static void expand(struct sweep *all, size_t index)
{
	const struct state *state = &all->states[index];
	struct line line = { .state = index,
			     .left_bits = weigh_left(all, state->placed),
			     .rest = state->rest,
			     .homes = state->homes };

	if (state->is_beaten ||
	    is_enough(all, state->closed_ns + bound_rest(all, state->rest | state->homes, state->end)))
		return;
	if (state->open) {
		line.content = state->open->content;
		all->parts[line.n_parts++] = state->open;
	}
	fill_line(all, &line, 0);
}

static void read_out(struct sweep *all)
{
	struct rs_wanted *wanted = all->out->wanted;

	for (size_t a = 0; a < all->place->problem->n_atoms; a++)
		wanted[a] = (struct rs_wanted) { RS_NONE, UINT64_MAX };
	for (const struct taken *taken = &all->best; taken->from != RS_NONE;
	     taken = &all->states[taken->from].taken) {
		size_t line = all->states[taken->from].end / all->line_bits;

		for (rs_item_set inside = taken->inside; inside; inside &= inside - 1)
			wanted[all->items.items[__builtin_ctzll(inside)].atom].line = line;
		if (taken->over != RS_NONE)
			wanted[all->items.items[taken->over].atom] =
				(struct rs_wanted) { line, taken->over_start };
	}
	all->out->is_better = all->best.from != RS_NONE;
}

static bool init(struct sweep *all)
{
	const struct rs_problem *problem = all->place->problem;

	if (all->place->n_bases != 1 || !all->place->is_separable || problem->has_empty_touch ||
	    !problem->n_touched || !all->bound->n_tables ||
	    !rs_sweep_items_init(&all->items, all->arena, all->place, all->bound))
		return false;
	all->line_bits = all->place->line_bits;
	all->base_bits = all->place->bases[0].offset_bytes * 8;
	all->limit_bits = all->base_bits + problem->max_size_bytes * 8;
	all->all = all->items.n_items == 64 ? UINT64_MAX : bit(all->items.n_items) - 1;
	all->is_free = !all->out->is_strict && !all->items.has_order && all->place->period_bits == all->line_bits;
	for (size_t i = 0; i < all->items.n_items; i++)
		all->is_free &= all->items.items[i].least_start == all->base_bits;
	all->n_lines = all->limit_bits / all->line_bits + 2;
	all->first = rs_arena_array(all->arena, size_t, all->n_lines);
	for (size_t l = 0; l < all->n_lines; l++)
		all->first[l] = RS_NONE;
	all->n_places = FIRST_PLACES;
	all->places = rs_arena_array(all->arena, size_t, all->n_places);
	all->best_ns = all->out->enough_ns;
	all->best.from = RS_NONE;
	return true;
}

bool rs_sweep_run(struct rs_sweep *sweep)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	struct sweep *all = rs_arena_new(arena, struct sweep);
	struct state start = { .taken = { .from = RS_NONE } };

	*all = (struct sweep) {
		.out = sweep, .arena = arena, .place = sweep->place, .bound = sweep->bound
	};
	sweep->is_better = false;
	if (!init(all))
		return false;
	start.end = all->base_bits;
	start.rest = sweep->bound->all;
	add_state(all, &start);
	for (size_t l = 0; l < all->n_lines; l++)
		for (size_t s = all->first[l]; s != RS_NONE && all->n_steps <= sweep->n_steps;
		     s = all->states[s].next) {
			expand(all, s);
			if (all->n_states > MOST_STATES)
				return false;
		}
	sweep->n_steps_done = all->n_steps;
	if (all->n_steps > sweep->n_steps)
		return false;
	sweep->least_ns = all->best_ns;
	read_out(all);
	return true;
}
