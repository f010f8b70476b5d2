#include "plan/gather.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the cost at the start: the rise that is taken at first, and in the end, with probability 1/e. */
static const double FIRST_TEMPERATURE = 0.1, LAST_TEMPERATURE = 1e-5;
enum { CACHE_PLACES = 1 << 14 };

/* A line with the atoms on it. */
struct bin {
	struct rs_content content;
	uint64_t bits, room_bits;
	double cost_ns;
	size_t first; /* of a list of items, linked by next; RS_NONE */
};

/* A touched atom that fits on a line. */
struct item {
	size_t atom, bin, next;
	struct rs_part part;
	uint64_t bits;
};

struct known {
	struct rs_content content;
	double cost_ns;
};

struct gathering {
	const struct rs_problem *problem;
	struct rs_place *place;
	uint64_t random;
	struct item *items;
	size_t n_items;
	struct bin *bins;
	size_t n_bins;
	struct known *cache;
	uint32_t *signatures; /* scratch */
	double cost_ns, best_ns;
	size_t *best; /* bins of items */
};

static uint64_t draw(struct gathering *all, uint64_t limit)
{
	all->random = all->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (all->random >> 33) % limit;
}

static struct rs_content without(struct rs_content all, struct rs_content part)
{
	return (struct rs_content) { { all.key[0] - part.key[0], all.key[1] - part.key[1] } };
}

static size_t append(struct gathering *all, size_t count, const struct rs_part *part)
{
	memcpy(all->signatures + count, part->signatures, part->n_signatures * sizeof *part->signatures);
	return count + part->n_signatures;
}

/* The bin with one item less and one more; RS_NONE for none. */
static double compute_cost(struct gathering *all, size_t bin, size_t less, size_t more)
{
	size_t count = 0;

	for (size_t i = all->bins[bin].first; i != RS_NONE; i = all->items[i].next)
		if (i != less)
			count = append(all, count, &all->items[i].part);
	if (more != RS_NONE)
		count = append(all, count, &all->items[more].part);
	return count ? rs_contents_compute(all->place->contents, all->problem->cost, all->signatures, count)
		     : 0;
}

static double find_cost(struct gathering *all, size_t bin, size_t less, size_t more,
			struct rs_content *ret_content)
{
	struct rs_content content = all->bins[bin].content;
	struct known *known;

	if (less != RS_NONE)
		content = without(content, all->items[less].part.content);
	if (more != RS_NONE)
		content = rs_content_join(content, all->items[more].part.content);
	*ret_content = content;
	known = &all->cache[(content.key[0] ^ content.key[0] >> 32) % CACHE_PLACES];
	if (known->content.key[0] != content.key[0] || known->content.key[1] != content.key[1])
		*known = (struct known) { content, compute_cost(all, bin, less, more) };
	return known->cost_ns;
}

static void take_out(struct gathering *all, size_t item)
{
	struct bin *bin = &all->bins[all->items[item].bin];
	size_t *link = &bin->first;

	while (*link != item)
		link = &all->items[*link].next;
	*link = all->items[item].next;
	bin->content = without(bin->content, all->items[item].part.content);
	bin->bits -= all->items[item].bits;
}

static void put_in(struct gathering *all, size_t item, size_t to)
{
	struct bin *bin = &all->bins[to];

	all->items[item].bin = to;
	all->items[item].next = bin->first;
	bin->first = item;
	bin->content = rs_content_join(bin->content, all->items[item].part.content);
	bin->bits += all->items[item].bits;
}

/* An item changes its bin, or places with another one of the other bin. */
static void exchange(struct gathering *all, size_t item, size_t to, size_t other, double temperature)
{
	size_t from = all->items[item].bin;
	uint64_t back = other == RS_NONE ? 0 : all->items[other].bits;
	uint64_t own = all->items[item].bits;
	struct rs_content contents[2];
	double from_ns, to_ns, rise;

	if ((own > back && all->bins[to].bits - back + own > all->bins[to].room_bits) ||
	    (back > own && all->bins[from].bits - own + back > all->bins[from].room_bits))
		return;
	from_ns = find_cost(all, from, item, other, &contents[0]);
	to_ns = find_cost(all, to, other, item, &contents[1]);
	rise = from_ns + to_ns - all->bins[from].cost_ns - all->bins[to].cost_ns;
	if (rise > 0 && (double)draw(all, 1 << 30) / (1 << 30) >= exp(-rise / temperature))
		return;
	take_out(all, item);
	put_in(all, item, to);
	if (other != RS_NONE) {
		take_out(all, other);
		put_in(all, other, from);
	}
	all->bins[from].cost_ns = from_ns;
	all->bins[to].cost_ns = to_ns;
	all->cost_ns += rise;
}

static void step(struct gathering *all, double temperature)
{
	size_t item = draw(all, all->n_items), other = RS_NONE, to;

	if (draw(all, 2)) {
		other = draw(all, all->n_items);
		to = all->items[other].bin;
	} else {
		to = draw(all, all->n_bins);
	}
	if (to != all->items[item].bin)
		exchange(all, item, to, other, temperature);
	if (all->cost_ns >= all->best_ns * (1 - 1e-12))
		return;
	all->best_ns = all->cost_ns;
	for (size_t i = 0; i < all->n_items; i++)
		all->best[i] = all->items[i].bin;
}

static void add_item(struct gathering *all, size_t atom, size_t line)
{
	const struct rs_atom *own = &all->problem->atoms[atom];
	uint32_t *signatures = (uint32_t *)rs_alloc(own->n_touches * sizeof *signatures);
	struct item *item = &all->items[all->n_items];

	for (size_t i = 0; i < own->n_touches; i++)
		signatures[i] = own->touches[i].signature;
	*item = (struct item) { .atom = atom, .bits = own->least_bits };
	item->part = rs_contents_make_part(all->place->contents, signatures, own->n_touches);
	free(signatures);
	put_in(all, all->n_items++, line < all->n_bins ? line : all->n_bins - 1);
}

/* From the lines that the atoms begin on in the order. */
static void add_items(struct gathering *all, const size_t *order)
{
	uint64_t end = 0, base = all->place->bases[0].offset_bytes * 8;

	for (size_t b = 0; b < all->n_bins; b++)
		all->bins[b].first = RS_NONE;
	for (size_t i = 0; i < all->problem->n_atoms; i++) {
		const struct rs_atom *atom = &all->problem->atoms[order[i]];
		size_t line;

		end = rs_place_end(all->place, atom->class, end);
		line = (base + rs_place_bits(all->place, end) - atom->least_bits) / all->place->line_bits;
		if (atom->n_touches && atom->least_bits && atom->least_bits <= all->place->line_bits)
			add_item(all, order[i], line);
	}
	for (size_t b = 0; b < all->n_bins; b++)
		all->bins[b].cost_ns = compute_cost(all, b, RS_NONE, RS_NONE);
}

static size_t count_touches(const struct rs_problem *problem)
{
	size_t count = 0;

	for (size_t a = 0; a < problem->n_atoms; a++)
		count += problem->atoms[a].n_touches;
	return count;
}

/* The lines of the largest permitted size: the first and the last may be shorter than the others. */
static void make_bins(struct rs_arena *arena, struct gathering *all)
{
	uint64_t line = all->place->line_bits, start = all->place->bases[0].offset_bytes * 8;
	uint64_t end = start + all->problem->max_size_bytes * 8;
	size_t first = start / line, n_lines = (end + line - 1) / line - first;

	all->n_bins = n_lines < 1 ? 1 : n_lines;
	all->bins = rs_arena_array(arena, struct bin, all->n_bins);
	for (size_t b = 0; b < all->n_bins; b++) {
		uint64_t from = (first + b) * line, to = from + line;

		all->bins[b].room_bits = (to < end ? to : end) - (from > start ? from : start);
	}
}

static void init(struct rs_arena *arena, struct gathering *all, const struct rs_gather *gather)
{
	const struct rs_problem *problem = gather->place->problem;

	all->problem = problem;
	all->place = gather->place;
	all->random = gather->seed;
	all->items = rs_arena_array(arena, struct item, problem->n_atoms);
	all->best = rs_arena_array(arena, size_t, problem->n_atoms);
	make_bins(arena, all);
	all->cache = rs_arena_array(arena, struct known, CACHE_PLACES);
	all->signatures = rs_arena_array(arena, uint32_t, count_touches(problem) + 1);
	add_items(all, gather->order);
	for (size_t b = 0; b < all->n_bins; b++)
		all->cost_ns += all->bins[b].cost_ns;
	for (size_t i = 0; i < all->n_items; i++)
		all->best[i] = all->items[i].bin;
	all->best_ns = all->cost_ns;
}

static void read_out(const struct gathering *all, struct rs_gather *gather)
{
	gather->n_lines = all->n_bins;
	for (size_t a = 0; a < all->problem->n_atoms; a++)
		gather->lines[a] = RS_NONE;
	for (size_t i = 0; i < all->n_items; i++)
		gather->lines[all->items[i].atom] = all->best[i];
}

bool rs_gather_run(struct rs_gather *gather)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	struct gathering all = { 0 };
	double scale;

	if (gather->place->n_bases != 1 || !gather->place->is_separable || !gather->place->problem->n_touched)
		return false;
	init(arena, &all, gather);
	scale = all.cost_ns;
	if (all.n_items < 2 || all.n_bins < 2 || scale <= 0)
		return false;
	for (uint64_t i = 0; i < gather->n_steps; i++) {
		double done = (double)i / (double)gather->n_steps;

		step(&all, scale * FIRST_TEMPERATURE * pow(LAST_TEMPERATURE / FIRST_TEMPERATURE, done));
	}
	read_out(&all, gather);
	return true;
}
