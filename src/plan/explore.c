#include "plan/explore.h"

#include <stdlib.h>
#include <string.h>

#include "plan/archive.h"
#include "plan/chains.h"
#include "plan/exchange.h"
#include "plan/groups.h"
#include "plan/near.h"

/* Placing an atom at a cost takes so much longer than without. */
enum { COST_WEIGHT = 3, SEAM_WEIGHT = 16 };
enum { MOST_GATHERED = 6 };
enum { FEW_ATOMS = 32, MANY_ATOMS = 96, LEAST_WIDTH = 1, MOST_WIDTH = 12, USUAL_LEVELS = 16 };
/* Of the cost of the original, for each byte above the limit: orders on the way may be too large. */
static const double EXCESS_SHARE = 0.01;

/* What becomes of two neighbours. */
struct seams {
	size_t groups; /* rs_groups_weigh_pair(), and rs_groups_weigh_first() */
	size_t breaks; /* atoms behind one that they did not follow originally */
};

struct explore {
	struct rs_pareto *pareto;
	struct rs_place *place;
	const struct rs_problem *problem;
	struct rs_near *near;
	struct rs_archive archive;
	size_t *order, *trial, *climbed, *sorted;
	struct rs_score score; /* of order */
	size_t n_changed;      /* of order: lines */
	struct seams seams;
	size_t *atom_lines; /* source lines of each atom, and of all */
	size_t n_lines;
	struct rs_chains *chains;
	/* Of the run that is looked at: its lines, and the lines of chains in the order without it. */
	size_t run, n_run, run_lines;
	size_t *before, *behind, kept_without;
	size_t longest, longest_swap;
	struct rs_groups groups;
	double ns_per_byte;
	uint64_t n_steps;
};

static void count_lines(struct explore *explore)
{
	const struct rs_problem *problem = explore->problem;

	for (size_t a = 0; a < problem->n_atoms; a++) {
		for (size_t u = 0; u < problem->atoms[a].n_units; u++) {
			unsigned lines = problem->record->units[problem->atoms[a].units[u]].n_lines;

			explore->atom_lines[a] += lines ? lines : 1;
		}
		explore->n_lines += explore->atom_lines[a];
	}
}

static size_t count_run_lines(const struct explore *explore, size_t from, size_t n)
{
	size_t lines = 0;

	for (size_t i = from; i < from + n; i++)
		lines += explore->atom_lines[explore->order[i]];
	return lines;
}

/* The heaviest chain before each position of the order without the run that the run may follow, and behind it
 * that it may precede. */
static void weigh_chains(struct explore *explore, size_t run, size_t n_run)
{
	size_t n_rest = explore->problem->n_atoms - n_run, low = SIZE_MAX, high = 0, most = 0;

	for (size_t i = run; i < run + n_run; i++) {
		low = explore->order[i] < low ? explore->order[i] : low;
		high = explore->order[i] > high ? explore->order[i] : high;
	}
	rs_chains_start(explore->chains);
	for (size_t i = 0; i < n_rest; i++) {
		size_t atom = explore->order[i < run ? i : i + n_run];
		size_t lines = rs_chains_add(explore->chains, atom, explore->atom_lines[atom]);

		explore->before[i + 1] = explore->before[i];
		if (atom < high && lines > explore->before[i + 1])
			explore->before[i + 1] = lines;
		most = lines > most ? lines : most;
	}
	rs_chains_start(explore->chains);
	for (size_t i = n_rest; i-- > 0;) {
		size_t atom = explore->order[i < run ? i : i + n_run], last = explore->problem->n_atoms - 1;
		size_t lines = rs_chains_add(explore->chains, last - atom, explore->atom_lines[atom]);

		explore->behind[i] = i + 1 < n_rest ? explore->behind[i + 1] : 0;
		if (atom > low && lines > explore->behind[i])
			explore->behind[i] = lines;
	}
	explore->kept_without = most;
	explore->n_steps += 2 * n_rest;
}

/* The order after the move changes no fewer lines. */
static size_t bound_lines(struct explore *explore, const struct rs_near_move *move)
{
	size_t last = move->from + move->n_first + move->n_middle, kept;
	size_t run = move->is_last_run ? last : move->from;
	size_t n_run = move->is_last_run ? move->n_last : move->n_first;
	size_t to = move->is_last_run ? move->from : last + move->n_last - n_run;

	if (run != explore->run || n_run != explore->n_run) {
		weigh_chains(explore, run, n_run);
		explore->run = run;
		explore->n_run = n_run;
		explore->run_lines = count_run_lines(explore, run, n_run);
	}
	kept = explore->before[to] + explore->run_lines;
	kept += to < explore->problem->n_atoms - n_run ? explore->behind[to] : 0;
	kept = kept < explore->kept_without ? explore->kept_without : kept;
	kept += move->n_middle ? count_run_lines(explore, last, move->n_last) : 0;
	return kept < explore->n_lines ? 2 * (explore->n_lines - kept) : 0;
}

/* Orders that are too large stay possible on the way but are dear. */
static struct rs_score weigh(const struct explore *explore, struct rs_score score)
{
	uint64_t limit = explore->problem->max_size_bytes;

	if (explore->problem->cost && score.size_bytes > limit)
		score.cost_ns += explore->ns_per_byte * (double)(score.size_bytes - limit);
	return score;
}

static void add(struct explore *explore, const size_t *order, struct rs_score score)
{
	struct rs_moves moves;

	moves = rs_pareto_count_moves(explore->pareto, order);
	explore->n_steps += 8 * explore->problem->record->n_units;
	if (rs_archive_add(&explore->archive, order, weigh(explore, score), moves))
		rs_pareto_offer_moves(explore->pareto, order, score, moves);
}

/* With other seams between the atom at a position, SIZE_MAX for none, and a follower. */
static void add_seam(const struct explore *explore, struct seams *seams, size_t position, size_t follower,
		     int sign)
{
	const struct rs_atom *atoms = explore->problem->atoms;
	size_t n_atoms = explore->problem->n_atoms, groups = 0;
	size_t atom = position == SIZE_MAX ? SIZE_MAX : explore->order[position];
	size_t next = follower == n_atoms ? n_atoms : explore->order[follower];

	if (next < n_atoms && atom == SIZE_MAX)
		groups = rs_groups_weigh_first(&explore->groups, atoms[next].units[0]);
	else if (next < n_atoms)
		groups = rs_groups_weigh_pair(&explore->groups, atoms[atom].units[atoms[atom].n_units - 1],
					      atoms[next].units[0]);
	seams->groups += sign * groups;
	seams->breaks += sign * (atom + 1 != next);
}

/* The seams after the move; of units that are carried before a region's first atom nothing is known. */
static struct seams find_seams(const struct explore *explore, const struct rs_near_move *move)
{
	size_t first = move->from, middle = first + move->n_first, last = middle + move->n_middle;
	size_t behind = last + move->n_last;
	struct seams seams = explore->seams;

	add_seam(explore, &seams, first - 1, first, -1);
	add_seam(explore, &seams, last - 1, last, -1);
	add_seam(explore, &seams, behind - 1, behind, -1);
	add_seam(explore, &seams, first - 1, last, 1);
	add_seam(explore, &seams, middle - 1, behind, 1);
	if (move->n_middle) {
		add_seam(explore, &seams, middle - 1, middle, -1);
		add_seam(explore, &seams, behind - 1, middle, 1);
		add_seam(explore, &seams, last - 1, first, 1);
	} else {
		add_seam(explore, &seams, behind - 1, first, 1);
	}
	return seams;
}

/* A block that moves parts at most three pairs of neighbours. */
static size_t least_burden(size_t n_lines, struct seams seams)
{
	return n_lines + (seams.breaks + 2) / 3 + seams.groups;
}

static void visit(void *context, const struct rs_near_move *move, struct rs_score score)
{
	struct explore *explore = (struct explore *)context;
	struct rs_score weighed = weigh(explore, score);
	size_t n_lines = bound_lines(explore, move);

	if (!rs_archive_wants(&explore->archive, weighed, n_lines) ||
	    !rs_archive_wants(&explore->archive, weighed, least_burden(n_lines, find_seams(explore, move))))
		return;
	rs_near_apply(explore->near, move, explore->trial);
	add(explore, explore->trial, score);
}

static bool has_time(const struct explore *explore, uint64_t most_steps)
{
	uint64_t weight = explore->problem->cost ? COST_WEIGHT : 1;

	return explore->n_steps + weight * rs_near_steps(explore->near) < most_steps;
}

static void start_around(struct explore *explore, const size_t *order)
{
	struct rs_moves moves = rs_pareto_count_moves(explore->pareto, order);
	size_t n_atoms = explore->problem->n_atoms;

	memcpy(explore->order, order, explore->problem->n_atoms * sizeof *order);
	explore->n_run = SIZE_MAX;
	rs_near_start(explore->near, explore->order);
	explore->score = rs_place_score(explore->place, order);
	explore->n_changed = moves.changed_lines;
	explore->seams = (struct seams) { moves.burden - moves.n_blocks - moves.changed_lines, 0 };
	for (size_t i = 0; i <= n_atoms; i++)
		explore->seams.breaks += (i ? order[i - 1] + 1 : 0) != (i < n_atoms ? order[i] : n_atoms);
}

static void expand(struct explore *explore, const size_t *order, uint64_t most_steps)
{
	size_t n_atoms = explore->problem->n_atoms;

	start_around(explore, order);
	for (size_t n = 1; n <= explore->longest; n++)
		for (size_t from = 0; from + n <= n_atoms && has_time(explore, most_steps); from++)
			rs_near_visit_run(explore->near, from, n, visit, explore);
	for (size_t n = 1; n <= explore->longest_swap; n++)
		for (size_t other = 1; other <= explore->longest_swap; other++)
			for (size_t from = 0; from + n <= n_atoms && has_time(explore, most_steps); from++)
				rs_near_visit_swaps(explore->near, from, n, other, visit, explore);
}

static void expand_all(struct explore *explore, bool by_score, uint64_t most_steps)
{
	const struct rs_archive_item *next;

	while (has_time(explore, most_steps) && (next = rs_archive_next(&explore->archive, by_score)))
		expand(explore, next->order, most_steps);
}

/* So that fewer lines and less torn groups go before longer runs. */
static size_t weigh_order(size_t n_lines, struct seams seams)
{
	return SEAM_WEIGHT * (n_lines + seams.groups) + seams.breaks;
}

/* What a run's best move leads to: the best score, or the least weight at no worse score. */
struct climb {
	struct explore *explore;
	bool for_score;
	struct rs_score score; /* in: of the order as it is; out: after the move */
	size_t weight;         /* likewise */
	struct rs_near_move move;
	bool found;
};

static void visit_to_climb(void *context, const struct rs_near_move *move, struct rs_score score)
{
	struct climb *climb = (struct climb *)context;
	struct rs_score weighed = weigh(climb->explore, score);
	int by_score = rs_score_compare(weighed, climb->score);
	bool takes_equal = !climb->for_score || climb->found;
	size_t weight;

	if (by_score > 0 || (by_score == 0 && !takes_equal))
		return;
	weight = weigh_order(bound_lines(climb->explore, move), find_seams(climb->explore, move));
	if (weight >= climb->weight && (by_score == 0 || !climb->for_score))
		return;
	climb->found = true;
	climb->move = *move;
	climb->score = weighed;
	climb->weight = weight;
}

static bool climb_step(struct explore *explore, size_t *order, size_t from, size_t n, bool for_score)
{
	struct climb climb = { .explore = explore, .for_score = for_score };

	climb.score = weigh(explore, explore->score);
	climb.weight = weigh_order(explore->n_changed, explore->seams);
	rs_near_visit_run(explore->near, from, n, visit_to_climb, &climb);
	if (!climb.found && !for_score && n == 1)
		rs_near_visit_swaps(explore->near, from, n, n, visit_to_climb, &climb);
	if (!climb.found)
		return false;
	rs_near_apply(explore->near, &climb.move, order);
	return true;
}

/* Moves one run after the other to the best place for it, as long as that gains anything: many moves that have
 * little to do with each other are found in the time of one expansion. */
static void climb(struct explore *explore, const size_t *start, bool for_score, uint64_t most_steps)
{
	size_t n_atoms = explore->problem->n_atoms, *order = explore->climbed, n_idle = 0;
	size_t n_runs = explore->longest * n_atoms;

	memmove(order, start, n_atoms * sizeof *order);
	start_around(explore, order);
	add(explore, order, explore->score);
	for (size_t i = 0; n_idle < n_runs && has_time(explore, most_steps); i = (i + 1) % n_runs) {
		size_t n = 1 + i / n_atoms, from = i % n_atoms;

		n_idle++;
		if (from + n > n_atoms || !climb_step(explore, order, from, n, for_score))
			continue;
		n_idle = 0;
		start_around(explore, order);
		add(explore, order, explore->score);
	}
}

/* The atoms of a class, where that is permitted, behind the first one: members of one odd size leave one hole
 * together and one each apart. */
static void gather_class(struct explore *explore, const struct rs_atom_class *class)
{
	size_t *order = explore->climbed, n_atoms = explore->problem->n_atoms;

	for (size_t i = 1; i < class->n_atoms; i++) {
		size_t to = rs_moves_find(explore->climbed, n_atoms, class->atoms[i - 1]) + 1;
		size_t from = rs_moves_find(explore->climbed, n_atoms, class->atoms[i]);
		struct rs_exchange exchange = { to, from - to, 1 };

		if (from <= to || !rs_exchange_apply(explore->problem, order, exchange, explore->trial))
			continue;
		memcpy(order, explore->trial, n_atoms * sizeof *order);
	}
}

/* What no single move gains: each class of few atoms with odd sizes is gathered in the order climbed to. */
static void climb_gathered(struct explore *explore, uint64_t most_steps)
{
	const struct rs_problem *problem = explore->problem;
	size_t *climbed = explore->sorted;

	memcpy(climbed, explore->climbed, problem->n_atoms * sizeof *climbed);
	for (size_t c = 0; c < problem->n_classes; c++) {
		const struct rs_atom_class *class = &problem->classes[c];

		if (class->n_atoms < 2 || class->n_atoms > MOST_GATHERED ||
		    problem->atoms[class->atoms[0]].least_bits % (problem->max_align_bytes * 8) == 0)
			continue;
		memcpy(explore->climbed, climbed, problem->n_atoms * sizeof *climbed);
		gather_class(explore, class);
		climb(explore, explore->climbed, true, most_steps);
	}
}

/* Interchangeable atoms stand in their original order. */
static void sort_classes(const struct explore *explore, const size_t *order, size_t *ret_order)
{
	const struct rs_problem *problem = explore->problem;
	size_t *next = (size_t *)rs_alloc(problem->n_classes * sizeof *next);

	for (size_t i = 0; i < problem->n_atoms; i++) {
		size_t class = problem->atoms[order[i]].class;

		ret_order[i] = problem->classes[class].atoms[next[class]++];
	}
	free(next);
}

/* So many orders for each burden that all can be expanded in the time that there is. */
static size_t choose_width(const struct explore *explore, uint64_t n_steps)
{
	uint64_t n = explore->problem->n_atoms, each = explore->problem->cost ? COST_WEIGHT * 4 : 4;
	uint64_t steps = explore->longest * n * n * each * explore->place->n_bases;
	uint64_t width = n_steps / (steps * USUAL_LEVELS + 1);

	if (width < LEAST_WIDTH)
		return LEAST_WIDTH;
	return width < MOST_WIDTH ? (size_t)width : MOST_WIDTH;
}

static void choose_runs(struct explore *explore)
{
	size_t n_atoms = explore->problem->n_atoms;

	explore->longest = n_atoms <= FEW_ATOMS ? n_atoms : n_atoms <= MANY_ATOMS ? 4 : 2;
	explore->longest_swap = n_atoms <= FEW_ATOMS ? 3 : n_atoms <= MANY_ATOMS ? 2 : 1;
}

void rs_explore_run(struct rs_pareto *pareto, struct rs_place *place, const size_t *best, uint64_t n_steps)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	struct explore explore = { .pareto = pareto, .place = place, .problem = place->problem };
	size_t n_atoms = explore.problem->n_atoms;

	explore.near = rs_near_create(arena, place);
	explore.order = rs_arena_array(arena, size_t, n_atoms);
	explore.trial = rs_arena_array(arena, size_t, n_atoms);
	explore.sorted = rs_arena_array(arena, size_t, n_atoms);
	explore.climbed = rs_arena_array(arena, size_t, n_atoms);
	rs_groups_find(arena, explore.problem->record, &explore.groups);
	explore.atom_lines = rs_arena_array(arena, size_t, n_atoms);
	explore.chains = rs_chains_create(arena, n_atoms);
	explore.before = rs_arena_array(arena, size_t, n_atoms + 1);
	explore.behind = rs_arena_array(arena, size_t, n_atoms + 1);
	explore.ns_per_byte = EXCESS_SHARE * pareto->original.cost_ns;
	count_lines(&explore);
	choose_runs(&explore);
	rs_archive_init(&explore.archive, arena, n_atoms, choose_width(&explore, n_steps),
			8 * explore.n_lines + 64);
	climb(&explore, explore.problem->start, true, n_steps / 4);
	if (!explore.problem->cost)
		climb_gathered(&explore, n_steps / 2);
	for (size_t i = 0, n_items = pareto->n_items; i < n_items; i++) {
		memcpy(explore.sorted, pareto->items[i].order, n_atoms * sizeof *explore.sorted);
		add(&explore, explore.sorted, rs_place_score(place, explore.sorted));
	}
	if (best) {
		sort_classes(&explore, best, explore.sorted);
		climb(&explore, explore.sorted, false, n_steps / 2);
	}
	expand_all(&explore, false, n_steps / 4 * 3);
	expand_all(&explore, true, n_steps);
}
