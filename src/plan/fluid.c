#include "plan/fluid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/fluid_fill.h"
#include "plan/fluid_model.h"
#include "plan/fluid_round.h"
#include "plan/simplex.h"

enum {
	MOST_ROUNDS = 200,
	ROWS_A_ROUND = 16,
	MOST_ROWS = 2000,
	MOST_CUTS = 80,
	MOST_NODES = 20000,
	MOST_FAMILIES = 240,
	MOST_ENUMERATED = 13,
	FAMILIES_A_ROUND = 8,
	BENDS_A_ROUND = 8,
	COSTING_STEPS = 100
};
static const double TOLERANCE = 1e-10, ROUNDING = 1e-12, INTEGRAL = 1e-6, NEAR_ENOUGH = 1e-4;

/* A decision of the branch and bound: the lines with any of a family are at least, or at most, so many. */
struct cut {
	rs_fluid_family target; /* or the type of a set … */
	size_t path;
	unsigned n_uses; /* … of which the path uses more than so many members */
	bool is_set, is_most;
	double lines;
};

/* Decisions that lead here, and what holds behind them. */
struct node {
	const struct node *parent;
	struct cut cut; /* none for the root */
	size_t n_cuts;
	double bound_ns;
	bool is_done;
};

/* The linear program of a node. The rows are sets, each with so many members of each kind; rows and families
 * stay from node to node. Columns are families, kinds, then decisions. */
struct program {
	struct rs_fluid_model *model;
	rs_fluid_family *families;
	size_t n_families, n_rows, n_columns;
	size_t *row_sets;
	double *row_counts; /* n_kinds a row */
	double *limits, *matrix, *values, *amounts, *prices;
	struct cut cuts[MOST_CUTS];
	size_t n_cuts;
	struct rs_fluid_fill fill;
	double *ratios, *presence; /* scratch: of sets */
	size_t *present, n_present;         /* sets with presence */
	uint64_t n_steps;
	const struct rs_fluid *fluid;
};

static const double *counts_of(const struct program *program, size_t row)
{
	return program->row_counts + row * program->model->n_kinds;
}

/* What is wanted of the lines that are not fixed. */
static double enough_of(const struct program *program)
{
	return *program->fluid->enough_ns - program->model->fixed_ns;
}

static bool counts_in(const struct program *program, struct cut cut, size_t set)
{
	const struct rs_fluid_set *own = &program->model->sets[set];

	if (cut.is_set)
		return cut.target == own->type && own->least[cut.path] > cut.n_uses;
	return (cut.target & own->members) != 0;
}

/* What the prices come to on a line with the set. */
static double weigh_set(struct program *program, size_t index)
{
	const struct rs_fluid_set *set = &program->model->sets[index];
	const double *of_cuts = program->amounts + program->n_families + program->model->n_kinds;
	double sum = 0;

	for (size_t f = 0; f < program->n_families; f++)
		if (program->families[f] & set->members)
			sum += program->amounts[f];
	for (size_t c = 0; c < program->n_cuts; c++)
		if (counts_in(program, program->cuts[c], index))
			sum += (program->cuts[c].is_most ? -1 : 1) * of_cuts[c];
	return sum + rs_fluid_fill_run(&program->fill, set, program->amounts + program->n_families,
				       set->cost_ns - sum);
}

static void add_row(struct program *program, size_t set)
{
	size_t n_kinds = program->model->n_kinds;

	rs_fluid_fill_run(&program->fill, &program->model->sets[set], program->amounts + program->n_families,
			  -INFINITY);
	memcpy(program->row_counts + program->n_rows * n_kinds, program->fill.counts,
	       n_kinds * sizeof *program->fill.counts);
	program->row_sets[program->n_rows++] = set;
}

static void fill_row(struct program *program, size_t index)
{
	const struct rs_fluid_model *model = program->model;
	const struct rs_fluid_set *set = &model->sets[program->row_sets[index]];
	const double *counts = counts_of(program, index);
	double *row = program->matrix + index * program->n_columns;

	program->limits[index] = set->cost_ns;
	for (size_t f = 0; f < program->n_families; f++)
		*row++ = (program->families[f] & set->members) != 0;
	for (size_t k = 0; k < model->n_kinds; k++) {
		*row++ = counts[k];
		program->limits[index] += counts[k] * set->use_ns[model->kinds[k].item];
	}
	for (size_t c = 0; c < program->n_cuts; c++) {
		double sign = program->cuts[c].is_most ? -1 : 1;

		*row++ = counts_in(program, program->cuts[c], program->row_sets[index]) ? sign : 0;
	}
}

/* Contradictory decisions would be worth any amount: as much as is wanted will do. The same for each price, as
 * some rows are still missing. */
static void fill_ceiling(struct program *program)
{
	double *row = program->matrix + program->n_rows * program->n_columns;

	for (size_t j = 0; j < program->n_columns; j++)
		row[j] = j < program->n_columns - program->n_cuts ? 1e-3 : 1;
	program->limits[program->n_rows] = 4 * enough_of(program);
}

static void fill_values(struct program *program)
{
	const struct rs_fluid_model *model = program->model;
	double *value = program->values;

	for (size_t f = 0; f < program->n_families; f++)
		*value++ = rs_fluid_model_lines(model, program->families[f]);
	for (size_t k = 0; k < model->n_kinds; k++)
		*value++ = (double)model->kinds[k].count;
	for (size_t c = 0; c < program->n_cuts; c++)
		*value++ = (program->cuts[c].is_most ? -1 : 1) * program->cuts[c].lines;
}

static void solve(struct program *program)
{
	struct rs_simplex simplex = { .matrix = program->matrix,
				      .limits = program->limits,
				      .values = program->values,
				      .n_steps = program->n_steps };

	program->n_columns = program->n_families + program->model->n_kinds + program->n_cuts;
	fill_values(program);
	for (size_t i = 0; i < program->n_rows; i++)
		fill_row(program, i);
	fill_ceiling(program);
	simplex.n_rows = program->n_rows + 1;
	simplex.n_columns = program->n_columns;
	rs_simplex_solve(&simplex, program->amounts, program->prices);
	program->n_steps = simplex.n_steps;
}

/* What is done besides solving counts, too. */
static void spend(struct program *program, uint64_t n_steps)
{
	program->n_steps -= n_steps < program->n_steps ? n_steps : program->n_steps;
}

/* Adds the sets on which the prices exceed the cost most; gives the share of the prices that holds on all. */
static double add_exceeded(struct program *program)
{
	size_t n_sets = program->model->n_sets, n_kinds = program->model->n_kinds;
	double least = 1;

	spend(program, n_sets * (program->n_families + n_kinds * 4 + ROWS_A_ROUND));

	for (size_t s = 0; s < n_sets; s++) {
		double sum = weigh_set(program, s);

		program->ratios[s] = sum > 0 ? program->model->sets[s].cost_ns / sum : INFINITY;
		least = fmin(least, program->ratios[s]);
	}
	for (size_t k = 0; k < ROWS_A_ROUND && program->n_rows < MOST_ROWS; k++) {
		size_t worst = 0;

		for (size_t s = 1; s < n_sets; s++)
			if (program->ratios[s] < program->ratios[worst])
				worst = s;
		if (program->ratios[worst] >= 1 - TOLERANCE)
			break;
		program->ratios[worst] = INFINITY;
		add_row(program, worst);
	}
	return least;
}

static double evaluate(const struct program *program)
{
	double sum = 0;

	for (size_t j = 0; j < program->n_columns; j++)
		sum += program->values[j] * program->amounts[j];
	return sum;
}

static void find_presence(struct program *program)
{
	memset(program->presence, 0, program->model->n_sets * sizeof *program->presence);
	for (size_t i = 0; i < program->n_rows; i++)
		program->presence[program->row_sets[i]] += program->prices[i];
	program->n_present = 0;
	for (size_t s = 0; s < program->model->n_sets; s++)
		if (program->presence[s] > 0)
			program->present[program->n_present++] = s;
}

static double count_lines(const struct program *program, struct cut cut)
{
	double sum = 0;

	for (size_t i = 0; i < program->n_present; i++)
		if (counts_in(program, cut, program->present[i]))
			sum += program->presence[program->present[i]];
	return sum;
}

/* Sets come in as they are needed. */
static double solve_rows(struct program *program)
{
	double best = 0;

	for (size_t i = 0; i < MOST_ROUNDS; i++) {
		size_t n_rows = program->n_rows;

		solve(program);
		best = fmax(best, add_exceeded(program) * evaluate(program) * (1 - ROUNDING));
		if (program->n_rows == n_rows || !program->n_steps || best >= enough_of(program) ||
		    evaluate(program) - best <= NEAR_ENOUGH * enough_of(program))
			break;
	}
	return best;
}

/* Families and rows without weight go: they come back when they are needed. */
static void drop_idle(struct program *program)
{
	size_t n_kinds = program->model->n_kinds, n_kept = 0;

	for (size_t f = 0; f < program->n_families; f++)
		if (program->amounts[f] > 0)
			program->families[n_kept++] = program->families[f];
	program->n_families = n_kept;
	n_kept = 0;
	for (size_t i = 0; i < program->n_rows; i++) {
		if (program->prices[i] <= 0)
			continue;
		program->row_sets[n_kept] = program->row_sets[i];
		memmove(program->row_counts + n_kept * n_kinds, program->row_counts + i * n_kinds,
			n_kinds * sizeof *program->row_counts);
		program->prices[n_kept++] = program->prices[i];
	}
	program->n_rows = n_kept;
}

static double count_missing(const struct program *program, rs_fluid_family family)
{
	return rs_fluid_model_lines(program->model, family) -
	       count_lines(program, (struct cut) { .target = family });
}

/* The families that lack most of the lines that they need; false when none does. */
static bool add_families(struct program *program)
{
	rs_fluid_family all = ((rs_fluid_family)1 << program->model->n_kept) - 1, worst[FAMILIES_A_ROUND];
	double missing[FAMILIES_A_ROUND];
	size_t n_worst = 0;

	if (program->model->n_kept > MOST_ENUMERATED)
		return false;
	find_presence(program);
	spend(program, (program->n_present + program->model->n_kept / 2) << program->model->n_kept);
	for (rs_fluid_family f = 1; f <= all; f++) {
		double own = count_missing(program, f);
		size_t at = n_worst;

		if (own <= 1e-3 || (n_worst == FAMILIES_A_ROUND && own <= missing[n_worst - 1]))
			continue;
		at -= n_worst == FAMILIES_A_ROUND;
		n_worst += n_worst < FAMILIES_A_ROUND;
		for (; at > 0 && missing[at - 1] < own; at--) {
			missing[at] = missing[at - 1];
			worst[at] = worst[at - 1];
		}
		missing[at] = own;
		worst[at] = f;
	}
	if (n_worst)
		drop_idle(program);
	for (size_t i = 0; i < n_worst && program->n_families < MOST_FAMILIES; i++)
		program->families[program->n_families++] = worst[i];
	return n_worst > 0;
}

/* A line that the program takes, and a path whose uses there cost more than the chord says. */
struct bend {
	size_t row, path;
	unsigned n_uses;
	double lack_ns;
};

/* The worst of a row. */
static struct bend find_bend(struct program *program, size_t row)
{
	struct bend worst = { .row = row };

	for (size_t p = 0; p < program->model->n_paths; p++) {
		unsigned n_uses =
			(unsigned)(rs_fluid_model_count_uses(program->model, counts_of(program, row), p) +
				   INTEGRAL);
		double lack = rs_fluid_model_lack(program->model, program->row_sets[row], p, n_uses);

		lack *= program->prices[row];
		if (lack > worst.lack_ns)
			worst = (struct bend) { row, p, n_uses, lack };
	}
	return worst;
}

/* Whether a worse one of the same set was met; if not, it takes the place of the others. */
static bool is_known(const struct program *program, struct bend *bends, size_t n_bends, struct bend bend)
{
	for (size_t i = 0; i < n_bends; i++)
		if (program->row_sets[bends[i].row] == program->row_sets[bend.row]) {
			if (bend.lack_ns > bends[i].lack_ns)
				bends[i] = bend;
			return true;
		}
	return false;
}

static bool part_set(struct program *program, size_t set, size_t path, unsigned n_uses)
{
	if (!rs_fluid_model_split(program->model, set, path, n_uses))
		return false;
	for (size_t i = 0; i < program->n_rows; i++)
		if (program->row_sets[i] == set &&
		    rs_fluid_model_count_uses(program->model, counts_of(program, i), path) > n_uses + INTEGRAL)
			program->row_sets[i] = program->model->n_sets - 1;
	return true;
}

/* Parts the sets whose chords lie furthest below what the lines cost that the program takes; false when all
 * are near enough. */
static bool refine(struct program *program)
{
	struct bend bends[BENDS_A_ROUND];
	size_t n_bends = 0;

	spend(program, program->n_rows * program->model->n_paths * (program->model->n_kinds + COSTING_STEPS));
	for (size_t i = 0; i < program->n_rows; i++) {
		struct bend bend = { 0 };

		if (program->prices[i] > INTEGRAL)
			bend = find_bend(program, i);
		if (bend.lack_ns <= NEAR_ENOUGH * enough_of(program) ||
		    is_known(program, bends, n_bends, bend) || n_bends == BENDS_A_ROUND)
			continue;
		bends[n_bends++] = bend;
	}
	for (size_t i = 0; i < n_bends; i++)
		part_set(program, program->row_sets[bends[i].row], bends[i].path, bends[i].n_uses);
	return n_bends > 0;
}

static double bound_node(struct program *program)
{
	double best = solve_rows(program);

	while (program->n_steps && best < enough_of(program)) {
		bool is_parted = refine(program);

		if (!add_families(program) && !is_parted)
			break;
		best = fmax(best, solve_rows(program));
	}
	return best;
}

/* Lines of one type by how many members a path uses. */
static void find_cut_of_uses(struct program *program, double *most, struct cut *ret_cut)
{
	for (size_t i = 0; i < program->n_present; i++) {
		const struct rs_fluid_set *set = &program->model->sets[program->present[i]];

		for (size_t p = 0; p < program->model->n_paths; p++) {
			struct cut cut = { .target = set->type,
					   .path = p,
					   .n_uses = set->least[p] - 1u,
					   .is_set = true };
			double lines = cut.n_uses ? count_lines(program, cut) : 0, far = fabs(lines - round(lines));

			if (far <= *most)
				continue;
			*most = far;
			*ret_cut = cut;
			ret_cut->lines = floor(lines);
		}
	}
}

/* A set is counted or it is not. */
static bool part_at(struct program *program, struct cut cut)
{
	size_t n_sets = program->model->n_sets;

	for (size_t s = 0; s < n_sets && cut.n_uses; s++) {
		const struct rs_fluid_set *set = &program->model->sets[s];

		if (set->type == cut.target && set->least[cut.path] <= cut.n_uses &&
		    set->most[cut.path] > cut.n_uses && !part_set(program, s, cut.path, cut.n_uses))
			return false;
	}
	return true;
}

/* A family, or else a set, of which the program takes no whole number of lines; false when there is none. */
static bool find_cut(struct program *program, struct cut *ret_cut)
{
	double most = INTEGRAL;

	find_presence(program);
	for (size_t t = 0; t < program->n_families + program->model->n_types; t++) {
		bool is_set = t >= program->n_families;
		struct cut cut = { .target = is_set ? t - program->n_families : program->families[t],
				   .is_set = is_set };
		double lines = count_lines(program, cut), far = fabs(lines - round(lines));

		if (t == program->n_families && most > INTEGRAL)
			break;
		if (far <= most)
			continue;
		most = far;
		*ret_cut = cut;
		ret_cut->lines = floor(lines);
	}
	if (most <= INTEGRAL)
		find_cut_of_uses(program, &most, ret_cut);
	ret_cut->is_most = true;
	return most > INTEGRAL && part_at(program, *ret_cut);
}

/* The least set with each signature: with these every price has a limit. */
static void add_first_rows(struct program *program)
{
	for (size_t i = 0; i < program->model->n_kept; i++)
		add_row(program, rs_fluid_model_find_least(program->model, i));
}

static void round_lines(struct program *program, size_t *lines)
{
	struct rs_fluid_rows rows = { .model = program->model,
				      .sets = program->row_sets,
				      .counts = program->row_counts,
				      .n_rows = program->n_rows,
				      .amounts = program->prices };
	size_t n_lines = rs_fluid_round_lines(&rows, program->fluid->place->problem, lines);

	program->fluid->visit(program->fluid->context, lines, n_lines);
}

struct tree {
	struct rs_arena *arena;
	struct program *program;
	struct node **nodes;
	size_t n_nodes, nodes_capacity;
	size_t *lines; /* scratch: of atoms */
};

static void gather_cuts(struct program *program, const struct node *node)
{
	program->n_cuts = 0;
	for (; node->parent; node = node->parent)
		program->cuts[program->n_cuts++] = node->cut;
}

static void add_node(struct tree *tree, const struct node *parent, struct cut cut)
{
	struct node *node = rs_arena_new(tree->arena, struct node);

	*node = (struct node) { .parent = parent, .cut = cut };
	node->n_cuts = parent ? parent->n_cuts + 1 : 0;
	node->bound_ns = parent ? parent->bound_ns : 0;
	*rs_array_push(tree->arena, tree->nodes, tree->n_nodes, tree->nodes_capacity) = node;
}

/* What has the least bound decides over the bound of the whole. */
static struct node *find_weakest(const struct tree *tree)
{
	struct node *weakest = NULL;

	for (size_t i = 0; i < tree->n_nodes; i++)
		if (!weakest || tree->nodes[i]->bound_ns < weakest->bound_ns)
			weakest = tree->nodes[i];
	return weakest;
}

static void remove_node(struct tree *tree, const struct node *node)
{
	size_t i = 0;

	while (tree->nodes[i] != node)
		i++;
	tree->nodes[i] = tree->nodes[--tree->n_nodes];
}

/* Looks at a node for the first time: bounds it, and parts it in two where the program wants parts of lines. */
static void branch(struct tree *tree, struct node *node)
{
	struct program *program = tree->program;
	struct cut cut;
	bool is_whole;

	gather_cuts(program, node);
	node->bound_ns = fmax(node->bound_ns, bound_node(program));
	node->is_done = true;
	if (node->bound_ns >= enough_of(program) || !program->n_steps)
		return;
	is_whole = !find_cut(program, &cut);
	round_lines(program, tree->lines);
	if (is_whole || node->n_cuts == MOST_CUTS)
		return;
	remove_node(tree, node);
	add_node(tree, node, cut);
	cut.is_most = false;
	cut.lines++;
	add_node(tree, node, cut);
}

static double run(struct tree *tree)
{
	struct node *node;

	add_first_rows(tree->program);
	add_node(tree, NULL, (struct cut) { 0 });
	for (size_t i = 0; i < MOST_NODES; i++) {
		node = find_weakest(tree);
		if (node->is_done || node->bound_ns >= enough_of(tree->program) || !tree->program->n_steps)
			break;
		branch(tree, node);
	}
	return find_weakest(tree)->bound_ns;
}

static void init_program(struct rs_arena *arena, struct program *program)
{
	const struct rs_fluid_model *model = program->model;
	size_t most_columns = MOST_FAMILIES + model->n_kinds + MOST_CUTS;

	program->families = rs_arena_array(arena, rs_fluid_family, MOST_FAMILIES);
	program->n_families = model->n_families;
	memcpy(program->families, model->families, model->n_families * sizeof *model->families);
	program->row_sets = rs_arena_array(arena, size_t, MOST_ROWS);
	program->row_counts = rs_arena_array(arena, double, MOST_ROWS * model->n_kinds);
	program->limits = rs_arena_array(arena, double, MOST_ROWS + 1);
	program->prices = rs_arena_array(arena, double, MOST_ROWS + 1);
	program->matrix = rs_arena_array(arena, double, (MOST_ROWS + 1) * most_columns);
	program->values = rs_arena_array(arena, double, most_columns);
	program->amounts = rs_arena_array(arena, double, most_columns);
	rs_fluid_fill_init(&program->fill, arena, model);
	program->ratios = rs_arena_array(arena, double, RS_FLUID_MOST_SETS);
	program->presence = rs_arena_array(arena, double, RS_FLUID_MOST_SETS);
	program->present = rs_arena_array(arena, size_t, RS_FLUID_MOST_SETS);
}

double rs_fluid_bound(const struct rs_fluid *fluid)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	struct program program = { .n_steps = (uint64_t)fluid->n_steps, .fluid = fluid };
	struct tree tree = { .arena = arena, .program = &program };

	if (!fluid->place->is_separable || !fluid->place->problem->n_signatures)
		return 0;
	program.model = rs_fluid_model_create(arena, fluid->place);
	if (!program.model->n_kept)
		return program.model->fixed_ns;
	init_program(arena, &program);
	tree.lines = rs_arena_array(arena, size_t, fluid->place->problem->n_atoms);
	return program.model->fixed_ns + fmax(0, run(&tree));
}
