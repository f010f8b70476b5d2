#include "plan/near.h"

#include <string.h>

/* A beginning of an order as one base offset sees it. */
struct view {
	double closed_ns; /* lines that are complete */
	struct rs_content open;
};

struct cursor {
	uint64_t end;
	struct view *views; /* one a base */
};

/* The rest of an order, laid out from a position and a phase on. */
struct rest {
	uint64_t advance;
	struct rs_content head; /* what comes to the line that is open before it */
	double cost_ns;         /* of the lines behind that one */
	uint32_t stamp;         /* valid when it is the table's */
};

struct table {
	struct rest *rests; /* by position, base, state of joins and phase */
	uint32_t stamp;
};

struct rs_near {
	struct rs_place *place;
	const struct rs_problem *problem;
	size_t n_atoms, n_phases, n_bases;
	const size_t *order;
	struct cursor *starts;        /* by position: what stands before it */
	struct table whole, without;  /* with, and without, the run that moves */
	size_t run, n_run;            /* that is left out */
	struct cursor passed, placed; /* scratch */
	size_t *trial;
	const struct rs_part **parts;
	uint64_t n_steps;
	bool is_fast;
};

enum { MOST_TABLE_BYTES = 1 << 24 };

static void init_cursor(struct rs_near *near, struct rs_arena *arena, struct cursor *cursor)
{
	cursor->views = rs_arena_array(arena, struct view, near->n_bases);
}

static void copy_cursor(const struct rs_near *near, struct cursor *to, const struct cursor *from)
{
	to->end = from->end;
	memcpy(to->views, from->views, near->n_bases * sizeof *to->views);
}

/* Without a cost and companions only the alignment of an end matters. */
static uint64_t count_phases(const struct rs_place *place)
{
	bool by_line = place->problem->cost || place->companions;
	uint64_t period = by_line ? place->period_bits : place->problem->max_align_bytes * 8;

	return period / place->unit_bits;
}

struct rs_near *rs_near_create(struct rs_arena *arena, struct rs_place *place)
{
	struct rs_near *near = rs_arena_new(arena, struct rs_near);
	size_t n_atoms = place->problem->n_atoms, n_rests;

	near->place = place;
	near->problem = place->problem;
	near->n_atoms = n_atoms;
	near->n_bases = place->n_bases;
	near->n_phases = count_phases(place);
	near->trial = rs_arena_array(arena, size_t, n_atoms);
	n_rests = (n_atoms + 1) * near->n_bases * near->n_phases * place->n_states;
	near->is_fast = place->is_separable && n_rests * sizeof(struct rest) <= MOST_TABLE_BYTES;
	if (!near->is_fast)
		return near;
	near->whole.rests = rs_arena_array(arena, struct rest, n_rests);
	near->without.rests = rs_arena_array(arena, struct rest, n_rests);
	near->starts = rs_arena_array(arena, struct cursor, n_atoms + 1);
	for (size_t i = 0; i <= n_atoms; i++)
		init_cursor(near, arena, &near->starts[i]);
	init_cursor(near, arena, &near->passed);
	init_cursor(near, arena, &near->placed);
	near->parts = rs_arena_array(arena, const struct rs_part *, n_atoms + 1);
	return near;
}

static const struct rs_step *find_step(const struct rs_near *near, size_t atom, uint64_t end, size_t base)
{
	return rs_place_step(near->place, near->problem->atoms[atom].class, end, base);
}

static size_t skip_run(const struct rs_near *near, size_t position)
{
	return position == near->run ? position + near->n_run : position;
}

/* What the step and the atoms behind it bring to the line that the step opens. */
static double cost_opened_line(struct rs_near *near, size_t position, uint64_t end, size_t base,
			       const struct rs_step *opener, struct rs_content content)
{
	size_t n_parts = 1;
	double cost;

	if (rs_contents_find_cost(near->place->contents, content, &cost))
		return cost;
	near->parts[0] = &opener->last;
	for (size_t i = skip_run(near, position); i < near->n_atoms; i = skip_run(near, i + 1)) {
		const struct rs_step *step = find_step(near, near->order[i], end, base);

		near->parts[n_parts++] = &step->first;
		if (step->n_crossed)
			break;
		end += step->advance;
	}
	return rs_contents_add_cost(near->place->contents, near->parts, n_parts);
}

static const struct rest *find_rest(struct rs_near *near, size_t position, uint64_t end, size_t base)
{
	static const struct rest nothing = { 0 };
	struct table *table;
	const struct rs_step *step;
	const struct rest *next;
	uint64_t units =
		(rs_place_bits(near->place, end) + near->place->unit_bits - 1) / near->place->unit_bits;
	uint64_t phase = units % near->n_phases + rs_place_state(near->place, end) * near->n_phases;
	struct rest *rest;

	position = skip_run(near, position);
	if (position == near->n_atoms)
		return &nothing;
	table = position < near->run ? &near->without : &near->whole;
	rest = &table->rests[(position * near->n_bases + base) * near->n_phases * near->place->n_states +
			     phase];
	if (rest->stamp == table->stamp)
		return rest;
	near->n_steps++;
	step = find_step(near, near->order[position], end, base);
	end += step->advance;
	next = find_rest(near, position + 1, end, base);
	*rest = (struct rest) { .advance = step->advance + next->advance,
				.head = step->first.content,
				.cost_ns = next->cost_ns,
				.stamp = table->stamp };
	if (step->n_crossed)
		rest->cost_ns +=
			step->middle_ns + cost_opened_line(near, position + 1, end, base, step,
							   rs_content_join(step->last.content, next->head));
	else
		rest->head = rs_content_join(rest->head, next->head);
	return rest;
}

/* Lays the atom out behind the cursor; false, and nothing done, when a line that it completes was never costed.
 */
static bool pass_atom(struct rs_near *near, struct cursor *cursor, size_t atom)
{
	struct view *views = near->starts[near->n_atoms].views; /* not in use meanwhile */
	uint64_t advance = find_step(near, atom, cursor->end, 0)->advance;

	near->n_steps += near->n_bases;
	for (size_t b = 0; b < near->n_bases; b++) {
		const struct rs_step *step = find_step(near, atom, cursor->end, b);
		double cost;

		views[b] = cursor->views[b];
		views[b].open = rs_content_join(views[b].open, step->first.content);
		if (!step->n_crossed)
			continue;
		if (!rs_contents_find_cost(near->place->contents, views[b].open, &cost))
			return false;
		views[b].closed_ns += cost + step->middle_ns;
		views[b].open = step->last.content;
	}
	memcpy(cursor->views, views, near->n_bases * sizeof *views);
	cursor->end += advance;
	return true;
}

static bool pass_run(struct rs_near *near, struct cursor *cursor, size_t from, size_t n)
{
	for (size_t i = from; i < from + n; i++)
		if (!pass_atom(near, cursor, near->order[i]))
			return false;
	return true;
}

/* The score of what the cursor has behind it and the order from a position on. */
static bool add_rest(struct rs_near *near, const struct cursor *cursor, size_t position,
		     struct rs_score *ret_score)
{
	struct rs_score score = { 0, 0 };

	for (size_t b = 0; b < near->n_bases; b++) {
		const struct rest *rest = find_rest(near, position, cursor->end, b);
		const struct view *view = &cursor->views[b];
		double cost;

		if (!rs_contents_find_cost(near->place->contents, rs_content_join(view->open, rest->head),
					   &cost))
			return false;
		score.cost_ns += near->place->bases[b].weight * (view->closed_ns + cost + rest->cost_ns);
		score.size_bytes = rs_place_size(near->place, cursor->end + rest->advance);
	}
	*ret_score = score;
	return true;
}

void rs_near_apply(const struct rs_near *near, const struct rs_near_move *move, size_t *ret_order)
{
	const size_t *first = near->order + move->from, *middle = first + move->n_first,
		     *last = middle + move->n_middle;
	size_t *to = ret_order + move->from;

	memcpy(ret_order, near->order, near->n_atoms * sizeof *ret_order);
	memcpy(to, last, move->n_last * sizeof *to);
	memcpy(to + move->n_last, middle, move->n_middle * sizeof *to);
	memcpy(to + move->n_last + move->n_middle, first, move->n_first * sizeof *to);
}

/* From the start; all lines of the order are costed afterwards. */
static struct rs_score score_whole(struct rs_near *near, const struct rs_near_move *move)
{
	near->n_steps += near->n_atoms * near->n_bases;
	rs_near_apply(near, move, near->trial);
	return rs_place_score(near->place, near->trial);
}

void rs_near_start(struct rs_near *near, const size_t *order)
{
	near->order = order;
	near->run = near->n_run = 0;
	if (!near->is_fast)
		return;
	score_whole(near, &(struct rs_near_move) { 0 });
	near->whole.stamp++;
	for (size_t i = 0; i + 1 < near->n_atoms; i++) {
		copy_cursor(near, &near->starts[i + 1], &near->starts[i]);
		pass_atom(near, &near->starts[i + 1], order[i]);
	}
}

struct rs_score rs_near_score(struct rs_near *near, const size_t *other)
{
	size_t from = 0, end = near->n_atoms;
	struct rs_score score;

	while (near->is_fast && from < end && other[from] == near->order[from])
		from++;
	while (end > from && other[end - 1] == near->order[end - 1])
		end--;
	if (near->is_fast && from < end) {
		copy_cursor(near, &near->placed, &near->starts[from]);
		while (from < end && pass_atom(near, &near->placed, other[from]))
			from++;
		if (from == end && add_rest(near, &near->placed, end, &score))
			return score;
	}
	near->n_steps += near->n_atoms * near->n_bases;
	return rs_place_score(near->place, other);
}

/* Whether the atom at a position may come before all of a run that stands before it, or behind it. */
static bool may_pass(const struct rs_near *near, size_t from, size_t n, size_t position)
{
	const struct rs_problem *problem = near->problem;
	size_t atom = near->order[position];

	if (problem->atoms[near->order[from]].region != problem->atoms[atom].region)
		return false;
	for (size_t i = from; i < from + n; i++)
		if (position < from ? rs_problem_precedes(problem, atom, near->order[i])
				    : rs_problem_precedes(problem, near->order[i], atom))
			return false;
	return true;
}

static bool is_one_region(const struct rs_near *near, size_t from, size_t n)
{
	return near->problem->atoms[near->order[from]].region ==
	       near->problem->atoms[near->order[from + n - 1]].region;
}

static void visit_behind(struct rs_near *near, size_t from, size_t n, rs_near_visit_fn visit, void *context)
{
	struct rs_near_move move = { .from = from, .n_first = n };

	if (near->is_fast)
		copy_cursor(near, &near->passed, &near->starts[from]);
	for (size_t at = from + n; at < near->n_atoms && may_pass(near, from, n, at); at++) {
		struct rs_score score;

		move.n_last++;
		if (!near->is_fast) {
			visit(context, &move, score_whole(near, &move));
			continue;
		}
		if (!pass_atom(near, &near->passed, near->order[at])) {
			score_whole(near, &move);
			pass_atom(near, &near->passed, near->order[at]);
		}
		copy_cursor(near, &near->placed, &near->passed);
		if (!pass_run(near, &near->placed, from, n) || !add_rest(near, &near->placed, at + 1, &score))
			score = score_whole(near, &move);
		visit(context, &move, score);
	}
}

static void visit_before(struct rs_near *near, size_t from, size_t n, rs_near_visit_fn visit, void *context)
{
	struct rs_near_move move = { .n_last = n, .is_last_run = true };

	for (size_t at = from; at-- > 0 && may_pass(near, from, n, at);) {
		struct rs_score score;

		move.from = at;
		move.n_first = from - at;
		if (!near->is_fast) {
			visit(context, &move, score_whole(near, &move));
			continue;
		}
		copy_cursor(near, &near->placed, &near->starts[at]);
		if (!pass_run(near, &near->placed, from, n) || !add_rest(near, &near->placed, at, &score))
			score = score_whole(near, &move);
		visit(context, &move, score);
	}
}

void rs_near_visit_run(struct rs_near *near, size_t from, size_t n, rs_near_visit_fn visit, void *context)
{
	if (!is_one_region(near, from, n))
		return;
	near->run = from;
	near->n_run = n;
	near->without.stamp++;
	visit_behind(near, from, n, visit, context);
	visit_before(near, from, n, visit, context);
	near->run = near->n_run = 0;
}

static struct rs_score score_swap(struct rs_near *near, const struct rs_near_move *move)
{
	size_t middle = move->from + move->n_first, last = middle + move->n_middle;
	struct rs_score score;

	if (!near->is_fast)
		return score_whole(near, move);
	copy_cursor(near, &near->placed, &near->starts[move->from]);
	if (!pass_run(near, &near->placed, last, move->n_last) ||
	    !pass_run(near, &near->placed, middle, move->n_middle) ||
	    !pass_run(near, &near->placed, move->from, move->n_first) ||
	    !add_rest(near, &near->placed, last + move->n_last, &score))
		return score_whole(near, move);
	return score;
}

static bool is_alike(const struct rs_near *near, const struct rs_near_move *move)
{
	const size_t *first = near->order + move->from, *last = first + move->n_first + move->n_middle;

	return move->n_first == 1 && move->n_last == 1 &&
	       near->problem->atoms[*first].class == near->problem->atoms[*last].class;
}

void rs_near_visit_swaps(struct rs_near *near, size_t from, size_t n, size_t n_other, rs_near_visit_fn visit,
			 void *context)
{
	struct rs_near_move move = { .from = from, .n_first = n, .n_middle = 1, .n_last = n_other };

	if (!is_one_region(near, from, n))
		return;
	for (size_t last = from + n + 1; last + n_other <= near->n_atoms; last++, move.n_middle++) {
		if (!may_pass(near, from, n, last - 1))
			return;
		if (is_alike(near, &move) ||
		    !rs_problem_may_pass(near->problem, near->order, from + n, move.n_middle, n_other) ||
		    !rs_problem_may_pass(near->problem, near->order, from, n, move.n_middle + n_other))
			continue;
		visit(context, &move, score_swap(near, &move));
	}
}

uint64_t rs_near_steps(const struct rs_near *near)
{
	return near->n_steps;
}
