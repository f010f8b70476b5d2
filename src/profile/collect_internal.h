/*
 * What the files behind collect.h share.
 *
 *   collect.c         the profile as a whole
 *   collect_counts.c  how often sites, calls and blocks ran
 *   collect_sets.c    what is touched together, how often
 *   collect_paths.c   paths of a function
 */
#ifndef RS_PROFILE_COLLECT_INTERNAL_H
#define RS_PROFILE_COLLECT_INTERNAL_H

#include "profile/collect.h"

/* A function with its counts. */
struct rs_counted {
	const struct rs_code_function *function;
	double entries;
	double *sites, *calls, *blocks;
	bool *is_known;                    /* one a site: its place has a count */
	struct rs_counted *const *callees; /* one a call; NULL: unknown, or not taken into the caller */
	double *taken;                     /* one a base: calls of it that belong to the caller's paths */
};

struct rs_collecting {
	const struct rs_collect *asked;
	struct rs_arena *arena;
	struct rs_counted *functions; /* as those of the code */
	size_t n_functions;
};

/* Counts everything, and finds the functions that belong to their callers' paths. */
void rs_collect_count(struct rs_collecting *collecting);

/* Members that are touched in one go. */
struct rs_touch_set {
	unsigned char *does; /* rs_code_deed bits, one a member; NULL: nothing is touched */
	double rate;
	double burst;
};

/* Sets whose rates add up to the executions of a block, the fullest first. */
struct rs_touch_sets {
	struct rs_arena *arena;
	size_t n_members; /* of the record */
	struct rs_touch_set *items;
	size_t n_items, items_capacity;
};

void rs_touch_sets_add(struct rs_touch_sets *sets, const unsigned char *does, double rate, double burst);
/* What happens beside what is there, in as many of the same executions as can be. */
void rs_touch_sets_join(struct rs_touch_sets *sets, const struct rs_touch_sets *other, double scale);
/* What happens instead. */
void rs_touch_sets_append(struct rs_touch_sets *sets, const struct rs_touch_sets *other);
double rs_touch_sets_rate(const struct rs_touch_sets *sets); /* of all that touch something */

/* One path of the profile, before it is written. */
struct rs_collected_path {
	const char *name;
	const unsigned char *does;
	double rate, burst;
	bool is_init;
};

struct rs_collected_paths {
	struct rs_collected_path *items;
	size_t n_items, items_capacity;
};

/* All paths over one record, by falling rate. */
void rs_collect_paths(const struct rs_collecting *collecting, size_t record,
		      struct rs_collected_paths *ret_paths);

#endif
