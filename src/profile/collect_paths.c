#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "profile/collect_internal.h"

enum { MOST_DEPTH = 4 }; /* of calls that belong to one path */

/* One object of one function. */
struct group {
	const struct rs_collecting *collecting;
	const struct rs_counted *counted;
	size_t base, instance;
	size_t n_members;
	unsigned depth;
};

static struct rs_touch_sets sets_of_block(const struct group *group, size_t block);

static struct rs_touch_sets no_sets(const struct group *group)
{
	return (struct rs_touch_sets) { .arena = group->collecting->arena, .n_members = group->n_members };
}

static bool is_of(const struct group *group, size_t base, size_t instance)
{
	return base == group->base && instance == group->instance;
}

static int compare_falling(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x < y) - (x > y);
}

/* The members whose sites ran as often as that, or more often. */
static void add_level(const struct group *group, size_t block, double least, double most, unsigned char *does)
{
	const struct rs_code_function *function = group->counted->function;

	for (size_t i = 0; i < function->n_sites; i++) {
		const struct rs_code_site *site = &function->sites[i];
		double count = group->counted->sites[i];

		if (is_of(group, site->base, site->instance) && site->block == block &&
		    site->member != RS_NONE && count >= least && count <= most)
			does[site->member] |= (unsigned char)site->does;
	}
}

/* n sites, of which a and b with a + b = n: what ran a times and what ran b times are the two ways through. */
static void add_two_ways(const struct group *group, size_t block, const double *counts,
			 struct rs_touch_sets *sets)
{
	for (size_t way = 2; way > 0; way--) {
		unsigned char *does = rs_arena_array(sets->arena, unsigned char, group->n_members);

		add_level(group, block, counts[0], counts[0], does);
		add_level(group, block, counts[way], counts[way], does);
		rs_touch_sets_add(sets, does, counts[way], 1);
	}
}

/* The block's own sites: those behind a return, or behind &&, run less often than the others. */
static struct rs_touch_sets own_sets(const struct group *group, size_t block)
{
	const struct rs_code_function *function = group->counted->function;
	struct rs_touch_sets sets = no_sets(group);
	double *counts = rs_arena_array(sets.arena, double, function->n_sites + 1);
	size_t n_counts = 0, n_steps = 0;

	for (size_t i = 0; i < function->n_sites; i++)
		if (is_of(group, function->sites[i].base, function->sites[i].instance) &&
		    function->sites[i].block == block && function->sites[i].member != RS_NONE)
			counts[n_counts++] = group->counted->sites[i];
	qsort(counts, n_counts, sizeof *counts, compare_falling);
	for (size_t i = 0; i < n_counts; i++)
		if (i == 0 || counts[i] < counts[n_steps - 1])
			counts[n_steps++] = counts[i];
	counts[n_steps] = 0;
	if (n_steps == 3 && fabs(counts[0] - counts[1] - counts[2]) < 0.5) {
		add_two_ways(group, block, counts, &sets);
		return sets;
	}
	for (size_t step = n_steps; step-- > 0;) { /* the fullest set is that of the lowest count */
		unsigned char *does = rs_arena_array(sets.arena, unsigned char, group->n_members);

		add_level(group, block, counts[step], counts[0], does);
		rs_touch_sets_add(&sets, does, counts[step] - counts[step + 1], 1);
	}
	return sets;
}

/* What the callee does to the object, as far as it is called from here. */
static void join_call(const struct group *group, size_t call, struct rs_touch_sets *sets)
{
	const struct rs_code_function *function = group->counted->function;
	const struct rs_counted *callee = group->counted->callees[call];
	size_t record = function->bases[group->base].record;
	struct group inner = *group;

	if (!callee || group->depth == MOST_DEPTH || group->counted->calls[call] <= 0)
		return;
	inner.counted = callee;
	inner.instance = 0;
	inner.depth++;
	for (inner.base = 0; inner.base < callee->function->n_bases; inner.base++) {
		const struct rs_code_base *base = &callee->function->bases[inner.base];

		if (base->record != record || base->parameter != function->calls[call].parameter)
			continue;
		const struct rs_touch_sets given = sets_of_block(&inner, 0);
		rs_touch_sets_join(sets, &given, group->counted->calls[call] / callee->entries);
	}
}

/* Rounds over the same object: the first belongs to what stands around the loop. */
static void join_loop(const struct group *group, size_t around, const struct rs_touch_sets *loop,
		      struct rs_touch_sets *sets)
{
	double n_loop = rs_touch_sets_rate(loop), n_around = group->counted->blocks[around];
	double times = n_around > 0 ? n_loop / n_around : 1;

	if (times <= 1) {
		rs_touch_sets_join(sets, loop, 1);
		return;
	}
	bool alone = rs_touch_sets_rate(sets) <= 0;
	if (!alone)
		rs_touch_sets_join(sets, loop, 1 / times);
	for (size_t i = 0; i < loop->n_items; i++)
		rs_touch_sets_add(sets, loop->items[i].does, loop->items[i].rate * (alone ? 1 : 1 - 1 / times),
				  loop->items[i].burst * times);
}

/* Of an estimate, or of lines, the branches may come to more than there were executions. */
static void join_choice(const struct group *group, size_t around, const struct rs_touch_sets *choice,
			struct rs_touch_sets *sets)
{
	double most = group->counted->blocks[around], sum = 0;

	for (size_t i = 0; i < choice->n_items; i++)
		sum += choice->items[i].rate;
	rs_touch_sets_join(sets, choice, most > 0 && sum > most ? most / sum : 1);
}

static void join_blocks(const struct group *group, size_t block, struct rs_touch_sets *sets)
{
	const struct rs_code_function *function = group->counted->function;
	struct rs_touch_sets choice = no_sets(group);
	size_t chosen = RS_NONE;

	for (size_t b = block + 1; b <= function->n_blocks; b++) {
		bool is_inside = b < function->n_blocks && function->blocks[b].parent == block;

		if (b < function->n_blocks && !is_inside)
			continue;
		if (chosen != RS_NONE && (!is_inside || function->blocks[b].choice != chosen)) {
			join_choice(group, block, &choice, sets);
			choice = no_sets(group);
			chosen = RS_NONE;
		}
		if (!is_inside)
			break;
		const struct rs_touch_sets inner = sets_of_block(group, b);
		if (function->blocks[b].is_loop)
			join_loop(group, block, &inner, sets);
		else
			rs_touch_sets_append(&choice, &inner);
		chosen = function->blocks[b].is_loop ? RS_NONE : function->blocks[b].choice;
	}
}

static struct rs_touch_sets sets_of_block(const struct group *group, size_t block)
{
	const struct rs_code_function *function = group->counted->function;
	struct rs_touch_sets sets = own_sets(group, block);

	for (size_t i = 0; i < function->n_calls; i++)
		if (is_of(group, function->calls[i].base, function->calls[i].instance) &&
		    function->calls[i].block == block)
			join_call(group, i, &sets);
	join_blocks(group, block, &sets);
	return sets;
}

/* --- paths --- */

static bool is_used(const struct group *group)
{
	const struct rs_code_function *function = group->counted->function;

	for (size_t i = 0; i < function->n_sites; i++)
		if (is_of(group, function->sites[i].base, function->sites[i].instance) &&
		    function->sites[i].member != RS_NONE)
			return true;
	for (size_t i = 0; i < function->n_calls; i++)
		if (is_of(group, function->calls[i].base, function->calls[i].instance) &&
		    group->counted->callees[i])
			return true;
	return false;
}

static bool is_empty(const struct group *group, const unsigned char *does)
{
	for (size_t m = 0; does && m < group->n_members; m++)
		if (does[m])
			return false;
	return true;
}

/* "lookup", "lookup:c->db", "lookup:c loop 2" */
static char *name_path(const struct group *group, size_t number, const char *word)
{
	const struct rs_code_function *function = group->counted->function;
	struct rs_arena *arena = group->collecting->arena;
	const struct rs_code_base *base = &function->bases[group->base];
	size_t n_bases = 0;
	char *name;

	for (size_t i = 0; i < function->n_bases; i++)
		n_bases += function->bases[i].record == base->record;
	name = rs_arena_printf(arena, "%s%s%s", function->name, n_bases > 1 ? ":" : "",
			       n_bases > 1 ? base->text : "");
	bool has_detail = n_bases > 1;
	if (group->instance != 0) {
		name = rs_arena_printf(arena, "%s%sloop@%u", name, has_detail ? " " : ":",
				       function->blocks[group->instance].line);
		has_detail = true;
	}
	if (*word) {
		name = rs_arena_printf(arena, "%s%s%s", name, has_detail ? " " : ":", word);
		has_detail = true;
	}
	if (number > 1)
		name = rs_arena_printf(arena, "%s%s%zu", name, has_detail ? " " : ":", number);
	return name;
}

/* What callers have not taken. */
static double share_left(const struct group *group)
{
	const struct rs_counted *counted = group->counted;
	bool is_static = group->collecting->asked->coverage->kind == RS_COVERAGE_NONE;
	double taken = counted->taken[group->base];

	if (taken <= 0)
		return 1;
	if (is_static)
		return 0;
	return taken < counted->entries ? 1 - taken / counted->entries : 0;
}

static void add_group(const struct group *group, struct rs_collected_paths *paths)
{
	double share = group->instance == 0 ? share_left(group) : 1;
	size_t number = 0;

	if (!is_used(group) || share <= 0)
		return;
	const struct rs_touch_sets sets = sets_of_block(group, group->instance);
	for (size_t i = 0; i < sets.n_items; i++) {
		if (is_empty(group, sets.items[i].does) || sets.items[i].rate * share < 0.5)
			continue;
		*rs_array_push(sets.arena, paths->items, paths->n_items, paths->items_capacity) =
			(struct rs_collected_path) { .name = name_path(group, ++number, ""),
						     .does = sets.items[i].does,
						     .rate = round(sets.items[i].rate * share * 1000) / 1000,
						     .burst = sets.items[i].burst };
	}
}

static void add_groups(const struct rs_collecting *collecting, const struct rs_counted *counted, size_t record,
		       struct rs_collected_paths *paths)
{
	struct group group = { .collecting = collecting,
			       .counted = counted,
			       .n_members = collecting->asked->records[record]->n_members };

	for (group.base = 0; group.base < counted->function->n_bases; group.base++)
		if (counted->function->bases[group.base].record == record)
			for (group.instance = 0; group.instance < counted->function->n_blocks; group.instance++)
				if (group.instance == 0 || counted->function->blocks[group.instance].is_loop)
					add_group(&group, paths);
}

/* Copies of whole objects touch everything, mostly when they are made. */
static void add_wholes(const struct rs_collecting *collecting, const struct rs_counted *counted, size_t record,
		       struct rs_collected_paths *paths)
{
	const struct rs_record *of = collecting->asked->records[record];
	const struct rs_code_function *function = counted->function;

	for (size_t i = 0; i < function->n_sites; i++) {
		const struct rs_code_site *site = &function->sites[i];
		const struct group group = { collecting, counted, site->base, 0, of->n_members, 0 };
		unsigned char *does;

		if (site->member != RS_NONE || function->bases[site->base].record != record ||
		    counted->sites[i] <= 0)
			continue;
		does = rs_arena_array(collecting->arena, unsigned char, of->n_members);
		for (size_t m = 0; m < of->n_members; m++)
			if (of->members[m].parent == RS_NONE && of->members[m].path[0])
				does[m] = (unsigned char)site->does;
		*rs_array_push(collecting->arena, paths->items, paths->n_items, paths->items_capacity) =
			(struct rs_collected_path) { .name = name_path(&group, 1, "whole"),
						     .does = does,
						     .rate = counted->sites[i],
						     .burst = 1,
						     .is_init = (site->does & RS_CODE_WRITE) != 0 };
	}
}

static int compare_paths(const void *a, const void *b)
{
	const struct rs_collected_path *x = (const struct rs_collected_path *)a;
	const struct rs_collected_path *y = (const struct rs_collected_path *)b;

	if (x->rate < y->rate || x->rate > y->rate)
		return x->rate < y->rate ? 1 : -1;
	return strcmp(x->name, y->name);
}

void rs_collect_paths(const struct rs_collecting *collecting, size_t record,
		      struct rs_collected_paths *ret_paths)
{
	struct rs_collected_paths paths = { 0 };

	for (size_t i = 0; i < collecting->n_functions; i++) {
		add_groups(collecting, &collecting->functions[i], record, &paths);
		add_wholes(collecting, &collecting->functions[i], record, &paths);
	}
	if (paths.n_items > 0)
		qsort(paths.items, paths.n_items, sizeof *paths.items, compare_paths);
	*ret_paths = paths;
}
