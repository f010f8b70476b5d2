#include "plan/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/visited.h"

/* A node as one base offset sees it. */
struct view {
	struct rs_content open; /* content of the open line */
	size_t opened_at;       /* how many atoms were placed when a part of it came to lie there first */
	rs_element_set homes;   /* elements whose home it is */
};

struct node {
	uint64_t end;
	uint64_t rest_bits;  /* sizes of what is not placed */
	double closed_ns;    /* lines behind us, expectation over the bases */
	double bound_ns;     /* no order that begins so costs less */
	rs_element_set rest; /* elements not placed */
	struct view *views;  /* one a base */
};

struct branch {
	size_t class;
	double bound_ns;
	bool is_apart; /* completes a set of the guide, or is what a line is made for */
	uint64_t align_bytes;
};

struct run {
	struct rs_search *search;
	struct rs_place *place;
	const struct rs_problem *problem;
	size_t *n_used; /* of each class */
	size_t *order;
	size_t n_placed;
	size_t *region_starts;   /* n_regions + 1: positions in the order */
	struct node *nodes;      /* one a depth, and one more for trials */
	struct branch *branches; /* n_classes for each depth */
	struct rs_visited visited;
	uint64_t n_steps;
	bool out_of_steps;
};

/* Whether a line that closes, or goes on, with these elements can still be one of the guide's sets. */
static bool follows_guide(const struct rs_search *search, rs_element_set homes, bool closes)
{
	if (!search->n_bins || !homes)
		return true;
	for (size_t i = 0; i < search->n_bins; i++)
		if ((homes & ~search->bins[i]) == 0)
			return !closes || homes == search->bins[i];
	return false;
}

/* The parts that the atoms placed so far brought to the open line; gives their number. */
static size_t gather_parts(const struct run *run, size_t base, const struct rs_part **ret_parts)
{
	size_t count = 0;

	for (size_t i = run->nodes[run->n_placed].views[base].opened_at; i < run->n_placed; i++) {
		size_t class = run->problem->atoms[run->order[i]].class;
		const struct rs_step *step = rs_place_step(run->place, class, run->nodes[i].end, base);

		/* Only the atom that opened the line crossed a border. */
		ret_parts[count++] = step->n_crossed ? &step->last : &step->first;
	}
	return count;
}

/* The cost of the open line of the deepest node, with one more part, or NULL, on it. */
static double cost_open_line(struct run *run, size_t base, struct rs_content content,
			     const struct rs_part *more)
{
	const struct rs_part **parts = run->place->parts;
	double cost;
	size_t count;

	if (rs_contents_find_cost(run->place->contents, content, &cost))
		return cost;
	count = gather_parts(run, base, parts);
	if (more)
		parts[count++] = more;
	return rs_contents_add_cost(run->place->contents, parts, count);
}

/* Lays the atom out behind the deepest node as one base sees it; false when the guide forbids it. */
static bool place_in_view(struct run *run, size_t atom, size_t base, struct node *to)
{
	const struct rs_search *search = run->search;
	const struct node *from = &run->nodes[run->n_placed];
	size_t class = run->problem->atoms[atom].class, n_touches = run->problem->atoms[atom].n_touches;
	const struct rs_step *step = rs_place_step(run->place, class, from->end, base);
	struct view view = from->views[base];

	view.open = rs_content_join(view.open, step->first.content);
	view.homes |= rs_bound_elements(search->bound, atom, 0, step->n_first);
	if (!follows_guide(search, view.homes, step->n_crossed > 0))
		return false;
	if (step->n_crossed) {
		to->closed_ns += run->place->bases[base].weight *
				 (cost_open_line(run, base, view.open, &step->first) + step->middle_ns);
		view.open = step->last.content;
		view.opened_at = run->n_placed;
		view.homes = rs_bound_elements(search->bound, atom, step->n_inner, n_touches);
	}
	to->views[base] = view;
	return true;
}

static size_t lines_left(const struct run *run, uint64_t end, size_t base)
{
	uint64_t line = (run->place->bases[base].offset_bytes * 8 + rs_place_bits(run->place, end)) /
			run->place->line_bits;
	size_t limit = run->search->bound->limits[base];

	return line < limit ? limit - (size_t)line : 0;
}

static double bound_node(const struct run *run, const struct node *node)
{
	double bound = node->closed_ns;

	for (size_t b = 0; b < run->place->n_bases; b++)
		bound += run->place->bases[b].weight * rs_bound_rest(run->search->bound,
								     node->rest | node->views[b].homes,
								     lines_left(run, node->end, b));
	return bound;
}

static bool is_beaten(const struct run *run, const struct node *node)
{
	const struct rs_search *search = run->search;
	struct rs_score least = { node->bound_ns, rs_place_size(run->place, node->end + node->rest_bits) };

	if (least.size_bytes > run->problem->max_size_bytes)
		return true;
	if (least.size_bytes < search->least_bytes)
		least.size_bytes = search->least_bytes;
	return rs_score_compare(least, search->score) >= 0;
}

/* The class's next atom behind the deepest node; false when nothing better can come of it. */
static bool try_class(struct run *run, size_t class, struct node *to)
{
	const struct rs_problem *problem = run->problem;
	const struct node *from = &run->nodes[run->n_placed];
	size_t atom = problem->classes[class].atoms[run->n_used[class]];

	run->n_steps++;
	to->end = rs_place_end(run->place, class, from->end);
	to->rest_bits = from->rest_bits - problem->atoms[atom].least_bits;
	to->closed_ns = from->closed_ns;
	to->bound_ns = 0;
	if (run->place->is_separable && problem->cost) {
		to->rest = from->rest &
			   ~rs_bound_elements(run->search->bound, atom, 0, problem->atoms[atom].n_touches);
		for (size_t b = 0; b < run->place->n_bases; b++)
			if (!place_in_view(run, atom, b, to))
				return false;
		to->bound_ns = bound_node(run, to);
	}
	return !is_beaten(run, to);
}

static bool may_come(const struct run *run, size_t class)
{
	const struct rs_atom_class *at = &run->problem->classes[class];

	if (run->n_used[class] == at->n_atoms)
		return false;
	for (size_t i = 0; i < at->n_after; i++)
		if (run->n_used[at->after[i]] < run->problem->classes[at->after[i]].n_atoms)
			return false;
	return true;
}

/* With a guide: what belongs to the line first, then filler, the most aligned first. Without: cheapest first.
 */
static int compare_branches(const void *a, const void *b)
{
	const struct branch *x = (const struct branch *)a, *y = (const struct branch *)b;

	if (x->bound_ns != y->bound_ns)
		return x->bound_ns < y->bound_ns ? -1 : 1;
	if (x->is_apart != y->is_apart)
		return x->is_apart ? -1 : 1;
	if (x->is_apart && x->align_bytes != y->align_bytes)
		return x->align_bytes > y->align_bytes ? -1 : 1;
	return x->class < y->class ? -1 : x->class > y->class;
}

static size_t find_branches(struct run *run, size_t region)
{
	const struct rs_problem *problem = run->problem;
	struct branch *branches = run->branches + run->n_placed * problem->n_classes;
	struct node *trial = &run->nodes[problem->n_atoms + 1];
	size_t count = 0;

	for (size_t c = 0; c < problem->n_classes; c++) {
		const struct rs_atom *atom = &problem->atoms[problem->classes[c].atoms[0]];

		if (atom->region != region || !may_come(run, c) || !try_class(run, c, trial))
			continue;
		branches[count++] =
			(struct branch) { c, trial->bound_ns, run->search->n_bins && atom->n_touches,
					  atom->align_bytes };
	}
	qsort(branches, count, sizeof *branches, compare_branches);
	return count;
}

static bool was_visited(struct run *run)
{
	const struct node *node = &run->nodes[run->n_placed];
	uint64_t key[2] = { 1, 2 };

	if (!run->place->is_separable)
		return false;
	for (size_t c = 0; c < run->problem->n_classes; c++)
		rs_visited_hash(key, run->n_used[c]);
	rs_visited_hash(key, node->end);
	for (size_t b = 0; b < run->place->n_bases && run->problem->cost; b++) {
		rs_visited_hash(key, node->views[b].open.key[0]);
		rs_visited_hash(key, node->views[b].open.key[1]);
		if (run->search->n_bins)
			rs_visited_hash(key, node->views[b].homes);
	}
	return rs_visited_check(&run->visited, key, node->closed_ns);
}

static void finish(struct run *run)
{
	const struct rs_problem *problem = run->problem;
	const struct node *node = &run->nodes[run->n_placed];
	struct rs_score score = { node->closed_ns, rs_place_size(run->place, node->end) };

	if (!run->place->is_separable)
		score = rs_place_score(run->place, run->order);
	for (size_t b = 0; b < run->place->n_bases && run->place->is_separable && problem->cost; b++) {
		if (!follows_guide(run->search, node->views[b].homes, true))
			return;
		score.cost_ns +=
			run->place->bases[b].weight * cost_open_line(run, b, node->views[b].open, NULL);
	}
	if (score.size_bytes > problem->max_size_bytes || rs_score_compare(score, run->search->score) >= 0)
		return;
	run->search->score = score;
	memcpy(run->search->best, run->order, problem->n_atoms * sizeof *run->order);
}

static size_t region_at(const struct run *run, size_t position)
{
	size_t region = 0;

	while (run->region_starts[region + 1] <= position)
		region++;
	return region;
}

static void explore(struct run *run)
{
	const struct rs_problem *problem = run->problem;
	struct branch *branches = run->branches + run->n_placed * problem->n_classes;
	size_t count;

	if (run->n_placed == problem->n_atoms) {
		finish(run);
		return;
	}
	if (was_visited(run))
		return;
	count = find_branches(run, region_at(run, run->n_placed));
	for (size_t i = 0; i < count && !run->out_of_steps; i++) {
		size_t class = branches[i].class;

		run->out_of_steps = run->n_steps > run->search->n_steps;
		if (!try_class(run, class, &run->nodes[run->n_placed + 1]))
			continue;
		run->order[run->n_placed++] = problem->classes[class].atoms[run->n_used[class]++];
		explore(run);
		run->n_placed--;
		run->n_used[class]--;
	}
}

static void init_nodes(struct run *run, struct rs_arena *arena)
{
	const struct rs_problem *problem = run->problem;
	size_t n_nodes = problem->n_atoms + 2;
	struct view *views = rs_arena_array(arena, struct view, n_nodes * run->place->n_bases);

	run->nodes = rs_arena_array(arena, struct node, n_nodes);
	for (size_t i = 0; i < n_nodes; i++)
		run->nodes[i].views = views + i * run->place->n_bases;
	for (size_t a = 0; a < problem->n_atoms; a++)
		run->nodes[0].rest_bits += problem->atoms[a].least_bits;
	if (run->search->bound)
		run->nodes[0].rest = run->search->bound->all;
}

static void init_regions(struct run *run, struct rs_arena *arena)
{
	const struct rs_problem *problem = run->problem;

	run->region_starts = rs_arena_array(arena, size_t, problem->n_regions + 1);
	for (size_t a = 0; a < problem->n_atoms; a++)
		run->region_starts[problem->atoms[a].region + 1]++;
	for (size_t r = 0; r < problem->n_regions; r++)
		run->region_starts[r + 1] += run->region_starts[r];
}

bool rs_search_run(struct rs_search *search)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	const struct rs_problem *problem = search->place->problem;
	struct run run = { .search = search, .place = search->place, .problem = problem };

	run.n_used = rs_arena_array(arena, size_t, problem->n_classes);
	run.order = rs_arena_array(arena, size_t, problem->n_atoms);
	run.branches = rs_arena_array(arena, struct branch, problem->n_atoms * problem->n_classes);
	init_nodes(&run, arena);
	init_regions(&run, arena);
	rs_visited_init(&run.visited, search->n_steps);
	explore(&run);
	rs_visited_deinit(&run.visited);
	return !run.out_of_steps;
}
