#include "plan/bound.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/rising.h"

/* With all elements kept the bound may be a proof, which is worth more steps. */
static const double STEPS_OF_PROOF = 5e8;
enum { FEWEST_KEPT = 10 };
static const double ROUNDING = 1e-12;

struct maker {
	struct rs_arena *arena;
	struct rs_place *place;
	struct rs_bound *bound;
	const struct rs_cost *cost; /* that lines are costed with */
	double *lines;
	rs_element_set *twins; /* bit of the element before that is interchangeable, or 0 */
	uint64_t weight;       /* of all kept elements */
	double n_steps;
	uint64_t short_bits; /* of the last line at most */
	uint64_t slack;      /* by which the elements of a line may exceed it */
	uint32_t *signatures;
};

static int compare_heat(const void *a, const void *b)
{
	const struct rs_element *x = *(const struct rs_element *const *)a;
	const struct rs_element *y = *(const struct rs_element *const *)b;

	if (x->heat != y->heat)
		return x->heat > y->heat ? -1 : 1;
	return x < y ? -1 : x > y;
}

static void keep_hottest(struct maker *maker, struct rs_element *elements, size_t count)
{
	const struct rs_element **hottest = rs_arena_array(maker->arena, const struct rs_element *, count);
	struct rs_element *kept = rs_arena_array(maker->arena, struct rs_element, count);
	size_t n_kept = 0, most = RS_BOUND_MOST_ELEMENTS;
	bool *keep = rs_arena_array(maker->arena, bool, count);

	for (size_t e = 0; e < count; e++)
		hottest[e] = &elements[e];
	qsort(hottest, count, sizeof *hottest, compare_heat);
	while (count > most && most > FEWEST_KEPT && pow(3, (double)most) / 2 > maker->n_steps)
		most--;
	for (size_t i = 0; i < count && i < most; i++)
		keep[hottest[i] - elements] = true;
	for (size_t e = 0; e < count; e++)
		if (keep[e])
			kept[n_kept++] = elements[e];
	maker->bound->elements = kept;
	maker->bound->n_elements = n_kept;
	maker->bound->is_complete = n_kept == count;
}

/* Elements were numbered anew: twins are looked for again among those kept. */
static void link_twins(struct maker *maker)
{
	const struct rs_bound *bound = maker->bound;
	const struct rs_problem *problem = maker->place->problem;

	maker->twins = rs_arena_array(maker->arena, rs_element_set, bound->n_elements);
	for (size_t e = 0; e < bound->n_elements; e++) {
		const struct rs_element *element = &bound->elements[e];

		for (size_t o = e; o-- > 0 && !maker->twins[e];)
			if (problem->atoms[bound->elements[o].atom].class == problem->atoms[element->atom].class
			    && bound->elements[o].first_touch == element->first_touch)
				maker->twins[e] = (rs_element_set)1 << o;
	}
}

static void map_touches(struct maker *maker)
{
	const struct rs_problem *problem = maker->place->problem;
	struct rs_bound *bound = maker->bound;
	rs_element_set **before = rs_arena_array(maker->arena, rs_element_set *, problem->n_atoms);

	for (size_t a = 0; a < problem->n_atoms; a++)
		before[a] = rs_arena_array(maker->arena, rs_element_set, problem->atoms[a].n_touches + 1);
	for (size_t e = 0; e < bound->n_elements; e++) {
		const struct rs_element *element = &bound->elements[e];

		for (size_t i = element->first_touch; i < problem->atoms[element->atom].n_touches; i++)
			before[element->atom][i + 1] |= (rs_element_set)1 << e;
	}
	bound->before = (const rs_element_set *const *)before;
}

rs_element_set rs_bound_elements(const struct rs_bound *bound, size_t atom, size_t from, size_t to)
{
	return bound->n_elements ? bound->before[atom][to] & ~bound->before[atom][from] : 0;
}

/* A set while it is put together, element by element. */
struct partial {
	rs_element_set set;
	size_t n_signatures;
	uint64_t weight, head, tail, cross;
};

static struct partial with_element(const struct maker *maker, const struct partial *partial, size_t index)
{
	const struct rs_element *element = &maker->bound->elements[index];
	const struct rs_atom *atom = &maker->place->problem->atoms[element->atom];
	struct partial more = *partial;

	more.set |= (rs_element_set)1 << index;
	more.weight += element->weight_bits;
	if (more.head < element->head_bits)
		more.head = element->head_bits;
	if (more.tail < element->tail_bits)
		more.tail = element->tail_bits;
	if (more.cross < element->cross_bits)
		more.cross = element->cross_bits;
	for (size_t i = 0; i < element->n_touches; i++)
		maker->signatures[more.n_signatures++] = atom->touches[element->first_touch + i].signature;
	return more;
}

/* Costs every set that can be (part of) the content of a line; elements from `index` on are still open. */
static void cost_lines(struct maker *maker, const struct partial *partial, size_t index)
{
	struct partial more;

	if (partial->weight > maker->place->line_bits + partial->head + partial->tail + partial->cross &&
	    partial->weight > maker->place->line_bits + maker->slack)
		return;
	if (index == maker->bound->n_elements) {
		if (partial->set &&
		    partial->weight <= maker->place->line_bits + partial->head + partial->tail + partial->cross)
			maker->lines[partial->set] = rs_contents_compute(
				maker->place->contents, maker->cost, maker->signatures, partial->n_signatures);
		return;
	}
	cost_lines(maker, partial, index + 1);
	more = with_element(maker, partial, index);
	cost_lines(maker, &more, index + 1);
}

static void spread_least_over_subsets(struct maker *maker)
{
	size_t n_sets = (size_t)1 << maker->bound->n_elements;

	for (size_t e = 0; e < maker->bound->n_elements; e++)
		for (size_t set = 0; set < n_sets; set++) {
			size_t more = set | (size_t)1 << e;

			if (maker->lines[set] > maker->lines[more])
				maker->lines[set] = maker->lines[more];
		}
}

/* Leaves only sets whose elements can all have their home on one line. */
static void remove_unfit(struct maker *maker, const struct partial *partial, size_t index)
{
	struct partial more;

	if (index == maker->bound->n_elements) {
		if (partial->weight > maker->place->line_bits + partial->head + partial->tail)
			maker->lines[partial->set] = INFINITY;
		return;
	}
	remove_unfit(maker, partial, index + 1);
	more = with_element(maker, partial, index);
	remove_unfit(maker, &more, index + 1);
}

static void make_lines(struct maker *maker)
{
	size_t n_sets = (size_t)1 << maker->bound->n_elements, n_touches = 1;
	uint64_t head = 0, tail = 0, cross = 0;
	struct partial none = { 0 };

	for (size_t e = 0; e < maker->bound->n_elements; e++) {
		const struct rs_element *element = &maker->bound->elements[e];

		n_touches += element->n_touches;
		maker->weight += element->weight_bits;
		head = head < element->head_bits ? element->head_bits : head;
		tail = tail < element->tail_bits ? element->tail_bits : tail;
		cross = cross < element->cross_bits ? element->cross_bits : cross;
	}
	maker->slack = head + tail + cross;
	maker->signatures = rs_arena_array(maker->arena, uint32_t, n_touches);
	maker->lines = rs_arena_array(maker->arena, double, n_sets);
	for (size_t set = 0; set < n_sets; set++)
		maker->lines[set] = INFINITY;
	cost_lines(maker, &none, 0);
	spread_least_over_subsets(maker);
	remove_unfit(maker, &none, 0);
	maker->lines[0] = 0;
	maker->bound->lines = maker->lines;
}

/* Of interchangeable elements only how many there are matters: the set with the first ones instead. */
static rs_element_set find_canonical(const struct maker *maker, rs_element_set set)
{
	for (rs_element_set rest = set; rest; rest &= rest - 1) {
		rs_element_set own = rest & -rest, twin = maker->twins[__builtin_ctz(rest)];

		if (twin && !(set & twin))
			return find_canonical(maker, (set ^ own) | twin);
	}
	return set;
}

/* On any number of lines, one of which holds the lowest element. */
static double solve_unlimited(const double *lines, const double *table, rs_element_set set)
{
	rs_element_set lowest = set & -set, rest = set ^ lowest, sub = rest;
	double best = INFINITY;

	for (;; sub = (sub - 1) & rest) {
		double cost = lines[lowest | sub] + table[rest ^ sub];

		if (cost < best)
			best = cost;
		if (!sub)
			return best;
	}
}

/* One line, and less[] of what is left. The last line is not like the others: any of them may be the one. */
static double solve_limited(const double *lines, const double *less, rs_element_set set)
{
	double best = less[set];

	for (rs_element_set sub = set; sub; sub = (sub - 1) & set) {
		double cost = lines[sub] + less[set ^ sub];

		if (cost < best)
			best = cost;
	}
	return best;
}

static uint64_t weigh(const struct maker *maker, rs_element_set set)
{
	uint64_t weight = 0;

	for (; set; set &= set - 1)
		weight += maker->bound->elements[__builtin_ctz(set)].weight_bits;
	return weight;
}

/* Sets that cannot be what is left for so many lines keep the bound 0. */
static bool is_asked_for(const struct maker *maker, rs_element_set set, size_t n_lines)
{
	uint64_t line = maker->place->line_bits + maker->slack, gone = maker->weight - weigh(maker, set);

	return gone <= (maker->bound->most_lines - n_lines) * line;
}

/* Whether so many lines cannot hold the set. */
static bool is_too_much(const struct maker *maker, rs_element_set set, size_t n_lines)
{
	uint64_t line = maker->place->line_bits + maker->slack;

	return weigh(maker, set) > (n_lines - 1) * line + maker->short_bits + maker->slack;
}

static double count_steps(const struct maker *maker, size_t n_lines)
{
	double sum = 0;

	for (rs_element_set set = 1; set <= maker->bound->all && set; set++)
		if (is_asked_for(maker, set, n_lines) && !is_too_much(maker, set, n_lines) &&
		    find_canonical(maker, set) == set)
			sum += (double)((uint64_t)1 << __builtin_popcount(set));
	return sum;
}

/* The last line alone. Nothing of what is on it lies behind it. */
static double *make_last_line(const struct maker *maker)
{
	double *table = rs_arena_array(maker->arena, double, (size_t)maker->bound->all + 1);

	for (rs_element_set set = 1; set <= maker->bound->all && set; set++) {
		uint64_t head = 0;

		for (rs_element_set rest = set; rest; rest &= rest - 1) {
			const struct rs_element *element = &maker->bound->elements[__builtin_ctz(rest)];

			head = head < element->head_bits ? element->head_bits : head;
		}
		table[set] = weigh(maker, set) > maker->short_bits + head ? INFINITY : maker->lines[set];
	}
	return table;
}

/* The canonical set is never the larger number, so it is solved before. */
static void make_limited_table(struct maker *maker, size_t n_lines)
{
	struct rs_bound *bound = maker->bound;
	double *table = rs_arena_array(maker->arena, double, (size_t)bound->all + 1);

	bound->tables[n_lines] = table;
	for (rs_element_set set = 1; set <= bound->all && set; set++) {
		rs_element_set canonical = find_canonical(maker, set);

		if (!is_asked_for(maker, set, n_lines))
			continue;
		if (is_too_much(maker, set, n_lines))
			table[set] = INFINITY;
		else if (canonical != set)
			table[set] = table[canonical];
		else
			table[set] = solve_limited(maker->lines, bound->tables[n_lines - 1], set);
	}
}

static void make_unlimited_table(struct maker *maker)
{
	struct rs_bound *bound = maker->bound;
	double *table = rs_arena_array(maker->arena, double, (size_t)bound->all + 1);

	bound->tables[bound->n_tables] = table;
	bound->is_unlimited = true;
	for (rs_element_set set = 1; set <= bound->all && set; set++) {
		rs_element_set canonical = find_canonical(maker, set);

		table[set] = canonical == set ? solve_unlimited(maker->lines, table, set) : table[canonical];
	}
}

static void count_lines(struct maker *maker)
{
	const struct rs_place *place = maker->place;
	size_t *limits = rs_arena_array(maker->arena, size_t, place->n_bases);
	bool one_more = place->problem->has_empty_touch;

	for (size_t b = 0; b < place->n_bases; b++) {
		uint64_t end = (place->bases[b].offset_bytes + place->problem->max_size_bytes) * 8;

		uint64_t last;

		limits[b] = (size_t)((end - !one_more) / place->line_bits + 1);
		last = end - (limits[b] - 1) * place->line_bits;
		if (maker->short_bits < last)
			maker->short_bits = last;
		if (maker->bound->most_lines < limits[b])
			maker->bound->most_lines = limits[b];
	}
	maker->bound->limits = limits;
}

static void make_tables(struct maker *maker)
{
	struct rs_bound *bound = maker->bound;
	double steps = bound->is_complete ? STEPS_OF_PROOF : maker->n_steps;
	size_t n_lines = 1, most = bound->most_lines;

	/* With one line more than elements there is no limit. */
	if (most > bound->n_elements + 1)
		most = bound->n_elements + 1;
	bound->tables = rs_arena_array(maker->arena, double *, most + 2);
	bound->tables[1] = make_last_line(maker);
	while (n_lines < most && (steps -= count_steps(maker, n_lines + 1)) >= 0)
		make_limited_table(maker, ++n_lines);
	bound->n_tables = n_lines + (n_lines < most);
	if (n_lines < most)
		make_unlimited_table(maker);
}

/* On how many of all objects the path runs. */
static double share_of_objects(const struct rs_placement *placement, size_t path)
{
	size_t count = 0;

	if (placement->kind != RS_PLACE_EMBEDDED || !placement->n_bases)
		return 1;
	for (size_t b = 0; b < placement->n_bases; b++)
		count += !placement->bases[b].around || placement->bases[b].around->runs[path];
	return (double)count / (double)placement->n_bases;
}

/* Each execution of a path touches at least the lines that its largest member spans. */
static double sum_hits(const struct rs_problem *problem, uint64_t line_bits)
{
	const struct rs_binding *binding = problem->binding;
	double sum = 0;

	for (size_t p = 0; p < binding->n_paths; p++) {
		const struct rs_bound_path *path = &binding->paths[p];
		uint64_t lines = 0;

		for (size_t i = 0; i < path->n_accesses; i++) {
			uint64_t bits = problem->record->members[path->accesses[i].member].size_bits;
			uint64_t own = bits ? (bits + line_bits - 1) / line_bits : 1;

			lines = lines < own ? own : lines;
		}
		sum += path->rate * share_of_objects(&binding->placement, p) * binding->machine.t_hit_ns *
		       (double)lines;
	}
	return sum;
}

static void make_bound(struct maker *maker, struct rs_element *elements, size_t n_elements)
{
	struct rs_bound *bound = maker->bound;

	keep_hottest(maker, elements, n_elements);
	bound->all = bound->n_elements ? (rs_element_set)(((uint64_t)1 << bound->n_elements) - 1) : 0;
	maker->cost = bound->is_complete ? maker->place->problem->cost
					 : rs_rising_cost(maker->arena, maker->place->problem->binding);
	link_twins(maker);
	map_touches(maker);
	make_lines(maker);
	make_tables(maker);
}

const struct rs_bound *rs_bound_create(struct rs_arena *arena, struct rs_place *place, double n_steps)
{
	struct rs_bound *bound = rs_arena_new(arena, struct rs_bound);
	struct maker maker = { .arena = arena, .place = place, .bound = bound, .n_steps = n_steps };
	size_t n_elements = 0;
	struct rs_element *elements;
	double least = 0;

	bound->place = place;
	bound->least_ns = sum_hits(place->problem, place->line_bits);
	if (!place->is_separable)
		return bound;
	count_lines(&maker);
	elements = rs_elements_find(arena, place, &n_elements);
	if (!n_elements)
		return bound;
	make_bound(&maker, elements, n_elements);
	for (size_t b = 0; b < place->n_bases; b++)
		least += place->bases[b].weight * rs_bound_rest(bound, bound->all, bound->limits[b]);
	bound->least_ns = fmax(bound->least_ns, least);
	return bound;
}

double rs_bound_rest(const struct rs_bound *bound, rs_element_set elements, size_t n_lines)
{
	if (!bound->n_tables || !elements)
		return 0;
	if (n_lines > bound->n_tables)
		n_lines = bound->n_tables;
	return n_lines ? bound->tables[n_lines][elements] : INFINITY;
}

/* A set whose removal explains the cost, with the lowest element where lines are not counted. */
static rs_element_set find_set(const struct rs_bound *bound, const double *table, const double *less,
			       rs_element_set set)
{
	rs_element_set always = less == table ? set & -set : 0, rest = set ^ always, sub = rest;

	for (;; sub = (sub - 1) & rest) {
		if (bound->lines[always | sub] + less[rest ^ sub] <= table[set] * (1 + ROUNDING))
			return always | sub;
		if (!sub)
			return set;
	}
}

size_t rs_bound_partition(const struct rs_bound *bound, rs_element_set *ret_sets)
{
	size_t count = 0, lines = bound->n_tables;
	rs_element_set rest = bound->all;

	if (!lines || isinf(bound->tables[lines][rest]))
		return 0;
	while (rest) {
		bool counted = !bound->is_unlimited || lines < bound->n_tables;
		const double *table = bound->tables[lines];
		rs_element_set set = rest;

		if (!counted || lines > 1)
			set = find_set(bound, table, counted ? bound->tables[lines - 1] : table, rest);
		if (set)
			ret_sets[count++] = set;
		rest ^= set;
		lines -= counted;
	}
	return count;
}
