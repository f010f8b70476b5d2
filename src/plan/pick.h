/*
 * The default of several plans: the knee, where more lines of a diff no longer buy enough.
 */
#ifndef RS_PLAN_PICK_H
#define RS_PLAN_PICK_H

#include "plan/pareto.h"

/* Of the cost that can be gained, what the default plan has to gain: in all, and for each path that gains in
 * the best plan. Without the second a path that runs seldom would be left beside the writer that it suffers
 * from. */
#define RS_PICK_GAIN_SHARE 0.95
#define RS_PICK_PATH_SHARE 0.9

/* A plan as far as the choice goes, or what there is before any. */
struct rs_pick_option {
	double cost_ns;
	const double *path_ns; /* the cost by path; not looked at where no plan gains any cost */
	uint64_t size_bytes;
	size_t burden; /* in changed lines */
};

/* Of the options with that gain, those that grow the record least; of these the one that weighs least: in
 * lines, a byte less counting for one, and all of the gain that it lacks for 2000. Where no cost can be gained,
 * the least bytes with the least burden. RS_NONE without options. */
size_t rs_pick_choose(const struct rs_pick_option *original, const struct rs_pick_option *options,
		      size_t n_options, size_t n_paths);
/* The same for candidates. */
size_t rs_pick_find(const struct rs_pareto *pareto);

#endif
