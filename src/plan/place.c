#include "plan/place.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/visited.h"
#include "record/layout.h"

/* A layout whose cost is known, by two hashes of its size and the offsets of what is touched. */
struct rs_seen {
	uint64_t key[2];
	double cost_ns;
	bool is_used;
};

enum { FIRST_SEEN = 4096 };
/* Where an end has its state. */
enum { STATE_SHIFT = 48 };
static const uint64_t SIZE_OF_DEAD = UINT64_MAX / 4;
/* Few of the phases come up where alignments are large. */
enum { STEPS_IN_CHUNK = 64 };
static const double EQUAL_WITHIN = 1e-9;

int rs_score_compare_cost(double a, double b)
{
	if (isinf(a) || isinf(b))
		return (a > b) - (a < b);
	if (fabs(a - b) <= EQUAL_WITHIN * fmax(fabs(a), fabs(b)))
		return 0;
	return a < b ? -1 : 1;
}

int rs_score_compare(struct rs_score a, struct rs_score b)
{
	int by_cost = rs_score_compare_cost(a.cost_ns, b.cost_ns);

	if (by_cost || a.size_bytes == b.size_bytes)
		return by_cost;
	return a.size_bytes < b.size_bytes ? -1 : 1;
}

/* Sizes of an array's element decide the bases; only when all sizes that can come up are whole lines is the
 * base always 0 and no neighbour on the line. */
static bool all_sizes_are_lines(const struct rs_place *place)
{
	const struct rs_problem *problem = place->problem;
	uint64_t line = place->line_bits / 8, align = problem->record->align_bytes, least, sum = 0;

	for (size_t a = 0; a < problem->n_atoms; a++)
		sum += problem->atoms[a].least_bits;
	least = rs_problem_round_size(problem, sum);
	return !problem->has_empty_touch && least % line == 0 &&
	       (align % line == 0 || least + align > problem->max_size_bytes);
}

static void init_bases(struct rs_place *place)
{
	static const struct rs_cost_base origin = { 0, 1.0 };
	const struct rs_problem *problem = place->problem;
	struct rs_cost_base *bases;

	place->bases = &origin;
	place->n_bases = 1;
	place->is_separable = true;
	if (!problem->cost)
		return;
	if (problem->binding->placement.kind == RS_PLACE_ARRAY) {
		place->is_separable = all_sizes_are_lines(place);
		return;
	}
	place->is_separable = !rs_cost_has_neighbours(problem->cost);
	place->n_bases =
		place->is_separable ? rs_cost_bases(problem->cost, problem->record->size_bytes, NULL, 0) : 1;
	bases = rs_arena_array(place->arena, struct rs_cost_base, place->n_bases);
	rs_cost_bases(problem->cost, problem->record->size_bytes, bases, place->n_bases);
	place->bases = bases;
}

static bool has_bitfields(const struct rs_problem *problem)
{
	for (size_t a = 0; a < problem->n_atoms; a++)
		for (size_t t = 0; t < problem->atoms[a].n_tops; t++)
			if (problem->atoms[a].tops[t]->is_bitfield)
				return true;
	return false;
}

static size_t count_touches(const struct rs_problem *problem)
{
	size_t most = 0;

	for (size_t a = 0; a < problem->n_atoms; a++)
		if (most < problem->atoms[a].n_touches)
			most = problem->atoms[a].n_touches;
	return most;
}

/* Whether companions keep together hangs on where the record begins, not on the phase alone. */
static void find_twins(struct rs_place *place)
{
	uint64_t align = place->problem->max_align_bytes;

	place->twins = rs_arena_array(place->arena, size_t, place->n_bases);
	for (size_t b = 0; b < place->n_bases; b++) {
		place->twins[b] = place->companions ? b : 0;
		while (place->bases[place->twins[b]].offset_bytes % align !=
		       place->bases[b].offset_bytes % align)
			place->twins[b]++;
	}
}

static void init_states(struct rs_place *place)
{
	place->n_join_states = rs_joins_count(place->problem->joins);
	place->n_states = place->n_join_states;
	if (place->companions)
		place->n_states <<= place->companions->n_pairs;
	place->n_states += place->n_states > 1;
}

static struct rs_place *create(struct rs_arena *arena, const struct rs_problem *problem,
			       const struct rs_companions *companions)
{
	struct rs_place *place = rs_arena_new(arena, struct rs_place);

	place->arena = arena;
	place->problem = problem;
	place->companions = companions;
	place->contents = rs_contents_create(arena, problem);
	place->line_bits = 512;
	if (problem->cost)
		place->line_bits = rs_cost_line_bytes(problem->cost) * 8;
	else if (companions)
		place->line_bits = companions->line_bytes * 8;
	place->period_bits = problem->max_align_bytes * 8;
	if (place->period_bits < place->line_bits)
		place->period_bits = place->line_bits;
	place->unit_bits = has_bitfields(problem) ? 1 : 8;
	init_states(place);
	init_bases(place);
	find_twins(place);
	place->tables = rs_arena_array(arena, struct rs_step **, problem->n_classes * place->n_bases);
	place->offset_bits = rs_arena_array(arena, uint64_t, problem->record->n_members);
	place->unit_order = rs_arena_array(arena, size_t, problem->record->n_units);
	place->parts = rs_arena_array(arena, const struct rs_part *, problem->n_atoms + 1);
	place->signatures = rs_arena_array(arena, uint32_t, count_touches(problem));
	return place;
}

struct rs_place *rs_place_create(struct rs_arena *arena, const struct rs_problem *problem)
{
	return create(arena, problem, problem->companions);
}

struct rs_place *rs_place_create_free(struct rs_arena *arena, const struct rs_problem *problem)
{
	return create(arena, problem, NULL);
}

/* Offsets count from the record's start and decide alignment; addresses count from the line grid. The offset is
 * chosen so that it is congruent to (address - base) modulo every alignment. */
static uint64_t offset_of_phase(const struct rs_place *place, uint64_t phase, size_t base)
{
	return phase + place->period_bits - place->bases[base].offset_bytes * 8 % place->period_bits;
}

uint64_t rs_place_spread(const struct rs_place *place, const struct rs_atom *atom, uint64_t phase, size_t base,
			 uint64_t *ret_starts, uint64_t *ret_ends)
{
	uint64_t end = offset_of_phase(place, phase, base), shift = end - phase;
	size_t i = 0;

	for (size_t t = 0; t < atom->n_tops; t++) {
		uint64_t offset = rs_layout_place(atom->tops[t], &end) - shift;

		for (; i < atom->n_touches && atom->touches[i].top == t; i++) {
			ret_starts[i] = offset + atom->touches[i].inside_bits;
			ret_ends[i] = ret_starts[i] + atom->touches[i].size_bits;
		}
	}
	return end - shift;
}

/* Where the touches of an atom lie, in lines. */
struct spread {
	const struct rs_atom *atom;
	uint64_t *starts, *ends; /* bits */
	uint64_t line_bits;
};

static uint64_t last_line(const struct spread *spread, size_t touch)
{
	bool empty = spread->ends[touch] == spread->starts[touch];

	return (spread->ends[touch] - !empty) / spread->line_bits;
}

static struct rs_part part_on_line(struct rs_place *place, const struct spread *spread, uint64_t line)
{
	size_t count = 0;

	for (size_t i = 0; i < spread->atom->n_touches; i++)
		if (spread->starts[i] / spread->line_bits <= line && line <= last_line(spread, i))
			place->signatures[count++] = spread->atom->touches[i].signature;
	return rs_contents_make_part(place->contents, place->signatures, count);
}

/* The next line at which something begins or has ended. */
static uint64_t next_change(const struct spread *spread, uint64_t line, uint64_t limit)
{
	for (size_t i = 0; i < spread->atom->n_touches; i++) {
		uint64_t first = spread->starts[i] / spread->line_bits, behind = last_line(spread, i) + 1;

		if (line < first && first < limit)
			limit = first;
		if (line < behind && behind < limit)
			limit = behind;
	}
	return limit;
}

static double cost_line(struct rs_place *place, struct rs_content content, const struct rs_part *const *parts,
			size_t n_parts)
{
	double cost;

	if (rs_contents_find_cost(place->contents, content, &cost))
		return cost;
	return rs_contents_add_cost(place->contents, parts, n_parts);
}

uint64_t rs_place_bits(const struct rs_place *place, uint64_t end)
{
	return place->n_states > 1 ? end & ((UINT64_C(1) << STATE_SHIFT) - 1) : end;
}

size_t rs_place_state(const struct rs_place *place, uint64_t end)
{
	return place->n_states > 1 ? (size_t)(end >> STATE_SHIFT) : 0;
}

bool rs_place_is_dead(const struct rs_place *place, uint64_t end)
{
	return place->n_states > 1 && rs_place_state(place, end) == place->n_states - 1;
}

uint64_t rs_place_size(const struct rs_place *place, uint64_t end)
{
	if (rs_place_is_dead(place, end))
		return SIZE_OF_DEAD;
	return rs_problem_round_size(place->problem, rs_place_bits(place, end));
}

/* The state behind the atom; the dead one where it may not come after an end with this state. */
static size_t next_state(const struct rs_place *place, size_t atom, uint64_t phase, size_t base, size_t state)
{
	const struct rs_atom *own = &place->problem->atoms[atom];
	const struct rs_companion_run run = { .tops = own->tops,
					      .n_tops = own->n_tops,
					      .end_bits = offset_of_phase(place, phase, base),
					      .bases = place->bases,
					      .n_bases = place->n_bases };
	size_t dead = place->n_states - 1, join = state % place->n_join_states;
	rs_companion_state open = 0;

	if (place->n_states == 1)
		return 0;
	if (state == dead)
		return dead;
	join = rs_problem_pass(place->problem, atom, (rs_join_state)join);
	if (place->companions)
		open = rs_companions_pass(place->companions, &run,
					  (rs_companion_state)(state / place->n_join_states));
	return join == RS_JOINS_NEVER || open == RS_COMPANIONS_NEVER ? dead
								     : join + open * place->n_join_states;
}

static void fill_step(struct rs_place *place, const struct rs_atom *atom, uint64_t phase, size_t base,
		      struct rs_step *step)
{
	struct spread spread = { .atom = atom, .line_bits = place->line_bits };
	uint64_t end, first = phase / place->line_bits, last;

	spread.starts = (uint64_t *)rs_alloc((2 * atom->n_touches + 1) * sizeof *spread.starts);
	spread.ends = spread.starts + atom->n_touches;
	end = rs_place_spread(place, atom, phase, base, spread.starts, spread.ends);
	last = end / place->line_bits;
	*step = (struct rs_step) { .advance = end - phase,
				   .n_crossed = (uint32_t)(last - first),
				   .first = part_on_line(place, &spread, first),
				   .is_known = true };
	if (last > first)
		step->last = part_on_line(place, &spread, last);
	for (uint64_t line = first + 1, next; line < last; line = next) {
		struct rs_part part = part_on_line(place, &spread, line);
		const struct rs_part *const parts[] = { &part };

		next = next_change(&spread, line, last);
		step->middle_ns += (double)(next - line) * cost_line(place, part.content, parts, 1);
	}
	for (size_t i = 0; i < atom->n_touches; i++) {
		step->n_first += spread.starts[i] / place->line_bits == first;
		step->n_inner += spread.starts[i] / place->line_bits == first ||
				 spread.starts[i] / place->line_bits < last;
	}
	free(spread.starts);
}

static void fill_any_step(struct rs_place *place, size_t atom, uint64_t end, size_t base, struct rs_step *step)
{
	uint64_t phase =
		(place->bases[base].offset_bytes * 8 + rs_place_bits(place, end)) & (place->period_bits - 1);
	size_t state = rs_place_state(place, end);
	size_t next = next_state(place, atom, phase, base, state);

	if (place->n_states > 1 && next == place->n_states - 1)
		*step = (struct rs_step) { .is_known = true };
	else
		fill_step(place, &place->problem->atoms[atom], phase, base, step);
	step->advance += ((uint64_t)next - state) << STATE_SHIFT;
}

const struct rs_step *rs_place_step(struct rs_place *place, size_t class, uint64_t end_before, size_t base)
{
	uint64_t end = place->unit_bits == 8 ? (end_before + 7) & ~UINT64_C(7) : end_before;
	uint64_t phase =
		(place->bases[base].offset_bytes * 8 + rs_place_bits(place, end)) & (place->period_bits - 1);
	struct rs_step ***table = &place->tables[class * place->n_bases + place->twins[base]];
	size_t n_phases = place->period_bits / place->unit_bits;
	size_t index = phase / place->unit_bits + rs_place_state(place, end) * n_phases;
	struct rs_step **chunk, *step;

	if (!*table)
		*table = rs_arena_array(place->arena, struct rs_step *,
					n_phases * place->n_states / STEPS_IN_CHUNK + 1);
	chunk = &(*table)[index / STEPS_IN_CHUNK];
	if (!*chunk)
		*chunk = rs_arena_array(place->arena, struct rs_step, STEPS_IN_CHUNK);
	step = &(*chunk)[index % STEPS_IN_CHUNK];
	if (!step->is_known)
		fill_any_step(place, place->problem->classes[class].atoms[0], end, base, step);
	return step;
}

uint64_t rs_place_end(struct rs_place *place, size_t class, uint64_t end)
{
	return end + rs_place_step(place, class, end, 0)->advance;
}

static double cost_from_base(struct rs_place *place, const size_t *order, size_t base)
{
	const struct rs_problem *problem = place->problem;
	struct rs_content open = { { 0, 0 } };
	size_t n_parts = 0;
	uint64_t end = 0;
	double cost = 0;

	for (size_t i = 0; i < problem->n_atoms; i++) {
		const struct rs_step *step = rs_place_step(place, problem->atoms[order[i]].class, end, base);

		end += step->advance;
		open = rs_content_join(open, step->first.content);
		place->parts[n_parts] = &step->first;
		n_parts += step->first.n_signatures > 0;
		if (!step->n_crossed)
			continue;
		cost += cost_line(place, open, place->parts, n_parts) + step->middle_ns;
		open = step->last.content;
		place->parts[0] = &step->last;
		n_parts = 1;
	}
	return cost + cost_line(place, open, place->parts, n_parts);
}

static struct rs_seen *find_seen(struct rs_place *place, const uint64_t key[2])
{
	size_t bucket = key[0] & (place->n_seen_buckets - 1);

	while (place->seen[bucket].is_used &&
	       (place->seen[bucket].key[0] != key[0] || place->seen[bucket].key[1] != key[1]))
		bucket = (bucket + 1) & (place->n_seen_buckets - 1);
	return &place->seen[bucket];
}

static void grow_seen(struct rs_place *place)
{
	struct rs_seen *old = place->seen;
	size_t n_old = place->n_seen_buckets;

	place->n_seen_buckets = n_old ? 4 * n_old : FIRST_SEEN;
	place->seen = rs_arena_array(place->arena, struct rs_seen, place->n_seen_buckets);
	for (size_t i = 0; i < n_old; i++)
		if (old[i].is_used)
			*find_seen(place, old[i].key) = old[i];
}

/* Elements of an array share lines with their neighbours, and embedded structs with their container's fields;
 * the size decides how: the whole layout is one question to the cost model. */
static double cost_of_element(struct rs_place *place, const size_t *order, uint64_t size_bytes)
{
	const struct rs_problem *problem = place->problem;
	uint64_t key[2] = { 1, 2 };
	struct rs_seen *seen;

	rs_problem_expand(problem, order, place->unit_order);
	rs_layout_compute(problem->record, place->unit_order, place->offset_bits, &size_bytes);
	rs_visited_hash(key, size_bytes);
	for (size_t p = 0; p < problem->binding->n_paths; p++)
		for (size_t i = 0; i < problem->binding->paths[p].n_accesses; i++)
			rs_visited_hash(key, place->offset_bits[problem->binding->paths[p].accesses[i].member]);
	if (place->n_seen * 2 >= place->n_seen_buckets)
		grow_seen(place);
	seen = find_seen(place, key);
	if (seen->is_used)
		return seen->cost_ns;
	*seen = (struct rs_seen) { { key[0], key[1] },
				   rs_cost_layout(problem->cost, place->offset_bits, size_bytes),
				   true };
	place->n_seen++;
	return seen->cost_ns;
}

struct rs_score rs_place_score(struct rs_place *place, const size_t *order)
{
	const struct rs_problem *problem = place->problem;
	struct rs_score score = { 0, 0 };
	uint64_t end = 0;

	for (size_t i = 0; i < problem->n_atoms; i++)
		end = rs_place_end(place, problem->atoms[order[i]].class, end);
	score.size_bytes = rs_place_size(place, end);
	if (!problem->cost)
		return score;
	if (!place->is_separable) {
		score.cost_ns = cost_of_element(place, order, score.size_bytes);
		/* The base offsets that an element of this size has. */
		if (place->companions && !rs_companions_hold(place->companions, problem->binding,
							     place->offset_bits, score.size_bytes))
			score.size_bytes = SIZE_OF_DEAD;
	}
	for (size_t b = 0; b < place->n_bases && place->is_separable; b++)
		score.cost_ns += place->bases[b].weight * cost_from_base(place, order, b);
	return score;
}
