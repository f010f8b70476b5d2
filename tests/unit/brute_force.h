/*
 * The best of all permitted orders of a record, found by looking at each. Costs and rules are worked out anew,
 * not by the optimizer's own steps.
 */
#ifndef RS_TESTS_BRUTE_FORCE_H
#define RS_TESTS_BRUTE_FORCE_H

#include <math.h>

#include "join_rule.h"
#include "plan/bytes.h"
#include "plan/permit.h"
#include "plan/search.h"
#include "random_record.h"

/* Costs of lines already met, by the set of accesses that have a part in them. */
struct line_costs {
	uint64_t *sets; /* open addressing; 0 is free, and costs nothing */
	double *costs;
	size_t n_buckets, n_entries;
};

/* An access of a path: a member and what the path does with it. */
struct access {
	size_t path, member;
	bool writes;
};

enum { MOST_ACCESSES = 64, MOST_LINES = 4096 };

struct brute {
	struct rs_arena *arena;
	const struct rs_record *record;
	const struct rs_binding *binding;
	const struct rs_cost *cost;
	struct line_costs lines;
	struct access accesses[MOST_ACCESSES];
	size_t n_accesses;   /* more than MOST_ACCESSES: whole layouts are costed */
	uint64_t *line_sets; /* scratch: by line */
	struct rs_cost_base bases[64];
	size_t n_bases;
	uint64_t limit, companion_line_bytes;
	struct join_rule joins;
	size_t order[MOST_RANDOM_UNITS];
	uint64_t *offsets;
	double least_ns;
	uint64_t bytes_at_least, least_bytes;
};

static inline bool is_near(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

static inline double cost_set(const struct brute *brute, uint64_t set)
{
	uint16_t counts[MAKE_PATHS] = { 0 };
	bool writes[MAKE_PATHS] = { false };

	for (size_t i = 0; i < brute->n_accesses; i++) {
		if (!(set >> i & 1))
			continue;
		counts[brute->accesses[i].path]++;
		writes[brute->accesses[i].path] |= brute->accesses[i].writes;
	}
	return rs_cost_line(brute->cost, counts, writes);
}

static inline double find_line_cost(struct brute *brute, uint64_t set)
{
	struct line_costs *lines = &brute->lines;
	size_t bucket = (set * UINT64_C(0x9e3779b97f4a7c15) >> 40) & (lines->n_buckets - 1);

	if (!set)
		return 0;
	while (lines->sets[bucket] && lines->sets[bucket] != set)
		bucket = (bucket + 1) & (lines->n_buckets - 1);
	if (lines->sets[bucket])
		return lines->costs[bucket];
	if (++lines->n_entries * 2 > lines->n_buckets)
		return cost_set(brute, set);
	lines->sets[bucket] = set;
	return lines->costs[bucket] = cost_set(brute, set);
}

/* The definition, line by line: not the optimizer's steps and not the evaluator's borders. */
static inline double cost_at_base(struct brute *brute, uint64_t base_bytes)
{
	uint64_t line_bits = rs_cost_line_bytes(brute->cost) * 8, last_line = 0;
	double cost = 0;

	for (size_t i = 0; i < brute->n_accesses; i++) {
		const struct rs_member *member = &brute->record->members[brute->accesses[i].member];
		uint64_t start = base_bytes * 8 + brute->offsets[brute->accesses[i].member];
		uint64_t bits = member->size_bits ? member->size_bits : 8;

		for (uint64_t line = start / line_bits; line <= (start + bits - 1) / line_bits; line++) {
			brute->line_sets[line] |= UINT64_C(1) << i;
			last_line = line > last_line ? line : last_line;
		}
	}
	for (uint64_t line = 0; line <= last_line; line++) {
		cost += find_line_cost(brute, brute->line_sets[line]);
		brute->line_sets[line] = 0;
	}
	return cost;
}

static inline double cost_order(struct brute *brute, uint64_t size)
{
	double cost = 0;

	if (brute->binding->placement.kind == RS_PLACE_ARRAY || brute->n_accesses > MOST_ACCESSES)
		return rs_cost_layout(brute->cost, brute->offsets, size);
	for (size_t b = 0; b < brute->n_bases; b++)
		cost += brute->bases[b].weight * cost_at_base(brute, brute->bases[b].offset_bytes);
	return cost;
}

/* The definition: for each place where an object may begin, the first and the last bit of both have one line.
 */
static inline bool shares_line(const struct brute *brute, const struct rs_constraint *constraint,
			       uint64_t line_bytes, uint64_t base_bytes)
{
	const struct rs_member *a = &brute->record->members[constraint->member];
	const struct rs_member *b = &brute->record->members[constraint->other_member];
	uint64_t a_start = base_bytes * 8 + brute->offsets[constraint->member];
	uint64_t b_start = base_bytes * 8 + brute->offsets[constraint->other_member];
	uint64_t line = a_start / (line_bytes * 8);

	return (a_start + a->size_bits - 1) / (line_bytes * 8) == line && b_start / (line_bytes * 8) == line &&
	       (b_start + b->size_bits - 1) / (line_bytes * 8) == line;
}

static inline bool keeps_companions(const struct brute *brute)
{
	struct rs_cost_base bases[128] = { { 0, 1 } };
	uint64_t size;
	size_t n_bases = 1;

	rs_layout_compute(brute->record, brute->order, brute->offsets, &size);
	if (brute->cost)
		n_bases = rs_cost_bases(brute->cost, size, bases, RS_COUNT_OF(bases));
	for (size_t i = 0; i < brute->record->n_constraints; i++) {
		const struct rs_constraint *constraint = &brute->record->constraints[i];
		uint64_t line = brute->cost ? rs_cost_line_bytes(brute->cost) : constraint->line_bytes;

		if (constraint->kind == RS_KEEP_ON_LINE && !brute->cost)
			line = brute->companion_line_bytes;
		for (size_t b = 0; constraint->kind == RS_KEEP_ON_LINE && b < n_bases; b++)
			if (!shares_line(brute, constraint, line, bases[b].offset_bytes))
				return false;
	}
	return true;
}

static inline bool is_permitted(const struct brute *brute)
{
	bool permitted = rs_permit_check_sequence(brute->arena, brute->record, brute->binding, brute->order) &&
			 keeps_companions(brute);

	if (permitted != rs_plan_is_permitted(brute->arena, brute->record, brute->binding, brute->order, NULL))
		fail_msg("companions by their definition %s", permitted ? "share a line" : "do not");
	return permitted;
}

static inline void judge(struct brute *brute)
{
	size_t n_constraints =
		brute->record->n_constraints + (brute->binding ? brute->binding->n_constraints : 0);
	uint64_t size;
	double cost = 0;

	if (join_rule_breaks(&brute->joins, brute->order))
		return;
	if (n_constraints && !is_permitted(brute))
		return;
	rs_layout_compute(brute->record, brute->order, brute->offsets, &size);
	if (size < brute->least_bytes)
		brute->least_bytes = size;
	if (size > brute->limit)
		return;
	if (brute->cost)
		cost = cost_order(brute, size);
	if (cost < brute->least_ns * (1 - 1e-9)) {
		brute->least_ns = cost;
		brute->bytes_at_least = size;
	} else if (cost <= brute->least_ns * (1 + 1e-9) && size < brute->bytes_at_least) {
		brute->bytes_at_least = size;
	}
}

/* Units do not leave their region. */
static inline void permute(struct brute *brute, size_t position)
{
	const struct rs_unit *units = brute->record->units;
	size_t n = brute->record->n_units;

	if (position == n) {
		judge(brute);
		return;
	}
	for (size_t i = position; i < n; i++) {
		size_t unit = brute->order[i];

		if (units[unit].region != units[position].region)
			continue;
		brute->order[i] = brute->order[position];
		brute->order[position] = unit;
		permute(brute, position + 1);
		brute->order[position] = brute->order[i];
		brute->order[i] = unit;
	}
}

static inline void prepare_costs(struct brute *brute)
{
	uint64_t size;

	for (size_t p = 0; p < brute->binding->n_paths; p++)
		for (size_t i = 0; i < brute->binding->paths[p].n_accesses; i++) {
			const struct rs_bound_access *access = &brute->binding->paths[p].accesses[i];

			if (brute->n_accesses++ < MOST_ACCESSES)
				brute->accesses[brute->n_accesses - 1] =
					(struct access) { p, access->member, access->writes };
		}
	brute->lines.n_buckets = 1 << 14;
	brute->lines.sets = rs_arena_array(brute->arena, uint64_t, brute->lines.n_buckets);
	brute->lines.costs = rs_arena_array(brute->arena, double, brute->lines.n_buckets);
	brute->line_sets = rs_arena_array(brute->arena, uint64_t, MOST_LINES);
	brute->n_bases = rs_cost_bases(brute->cost, brute->record->size_bytes, brute->bases, 64);
	rs_layout_compute(brute->record, brute->order, brute->offsets, &size);
	if (!is_near(cost_order(brute, size), rs_cost_layout(brute->cost, brute->offsets, size)))
		fail_msg("the line costs do not add up to the layout's");
}

static inline struct brute *brute_force(struct rs_arena *arena, const struct rs_record *record,
					const struct rs_binding *binding, const struct rs_cost *cost)
{
	struct brute *brute = rs_arena_new(arena, struct brute);

	*brute = (struct brute) { .arena = arena,
				  .record = record,
				  .binding = binding,
				  .cost = cost,
				  .least_ns = INFINITY,
				  .least_bytes = UINT64_MAX };
	brute->limit = binding && binding->max_size ? binding->max_size : record->size_bytes;
	brute->offsets = rs_arena_array(arena, uint64_t, record->n_members);
	for (size_t i = 0; i < record->n_units; i++)
		brute->order[i] = i;
	for (size_t i = record->n_constraints; i-- > 0;)
		if (record->constraints[i].kind == RS_KEEP_ON_LINE)
			brute->companion_line_bytes = record->constraints[i].line_bytes;
	join_rule_init(&brute->joins, arena, record, binding);
	if (cost)
		prepare_costs(brute);
	permute(brute, 0);
	return brute;
}

static inline void fail_case(unsigned seed, const char *what, double got, double expected)
{
	print_error("seed %u: %s: %.12g, brute force %.12g\n", seed, what, got, expected);
	fail();
}

/* What costs infinitely much is not there. */
static inline bool is_better(struct rs_score score, struct rs_score than)
{
	if (isinf(score.cost_ns))
		return false;
	return is_near(score.cost_ns, than.cost_ns) ? score.size_bytes < than.size_bytes
						    : score.cost_ns < than.cost_ns;
}

static inline struct rs_score score_of(const struct rs_plan *plan)
{
	return (struct rs_score) { plan->cost_ns, plan->size_bytes };
}

/* Every plan keeps the rules; the best of them, or the original where none is better. */
static inline struct rs_score check_plans(unsigned seed, const struct rs_plan_set *set,
					  const struct brute *brute)
{
	struct rs_score best = score_of(&set->original);

	for (size_t i = 0; i < set->n_plans; i++) {
		const struct rs_plan *plan = &set->plans[i];

		if (plan->size_bytes > brute->limit)
			fail_case(seed, "size", (double)plan->size_bytes, (double)brute->limit);
		if (!rs_plan_is_permitted(brute->arena, brute->record, brute->binding, plan->order, NULL))
			fail_case(seed, "permitted", 0, 1);
		if (is_better(score_of(plan), best))
			best = score_of(plan);
	}
	return best;
}

/* Branch and bound, which the optimizer itself uses for larger problems only, before its first step. */
static inline struct rs_search make_search(struct rs_arena *arena, const struct rs_record *record,
					   const struct rs_binding *binding, const struct rs_cost *cost,
					   uint64_t n_steps)
{
	const struct rs_problem *problem = rs_problem_create(arena, record, binding, cost, 0);
	struct rs_place *place = rs_place_create(arena, problem);
	struct rs_bytes bytes;

	rs_bytes_solve(arena, place->companions ? rs_place_create_free(arena, problem) : place, &bytes);
	return (struct rs_search) { .place = place,
				    .n_steps = n_steps,
				    .bound = cost ? rs_bound_create(arena, place, 5e8) : NULL,
				    .least_bytes = bytes.least_bytes,
				    .best = rs_arena_array(arena, size_t, problem->n_atoms),
				    .score = { 1e300, UINT64_MAX } };
}

static inline bool check_search(struct rs_arena *arena, unsigned seed, const struct rs_record *record,
				const struct rs_binding *binding, const struct brute *brute)
{
	struct rs_search search = make_search(arena, record, binding, brute->cost, 2000000);

	if (search.bound && search.bound->least_ns > brute->least_ns * (1 + 1e-9))
		fail_case(seed, "root bound", search.bound->least_ns, brute->least_ns);
	if (!rs_search_run(&search))
		fail_case(seed, "search ended", 0, 1);
	if (isinf(brute->least_ns) && search.score.cost_ns < 1e300)
		fail_case(seed, "search found what there is not", search.score.cost_ns, INFINITY);
	if (isinf(brute->least_ns))
		return false;
	if (!is_near(search.score.cost_ns, brute->least_ns))
		fail_case(seed, "search cost", search.score.cost_ns, brute->least_ns);
	if (search.score.size_bytes != brute->bytes_at_least)
		fail_case(seed, "search bytes", (double)search.score.size_bytes, (double)brute->bytes_at_least);
	return brute->cost && search.place->is_separable && is_near(search.bound->least_ns, brute->least_ns);
}

#endif
