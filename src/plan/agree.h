/*
 * Plans that are good in every configuration. The search knows the main one alone: its plans are judged in the
 * others afterwards, and where the best of them is worse than the original somewhere, orders are looked for
 * that are not.
 */
#ifndef RS_PLAN_AGREE_H
#define RS_PLAN_AGREE_H

#include "plan/plan.h"

/* The record as another configuration shows it. */
struct rs_plan_view {
	const char *name;
	const struct rs_record *record;
	const struct rs_binding *binding; /* NULL without a profile */
	const struct rs_cost *cost;       /* likewise */
};

/* What an order comes to in one of them. */
struct rs_plan_figure {
	uint64_t size_bytes;
	double cost_ns;
	bool joins; /* bit-fields that different paths write become one memory location */
	bool parts; /* members that must share a line do not */
};

/* Plans that were dropped because of one view, and what the first of them would have done there. */
struct rs_plan_dropped {
	size_t n_plans;
	struct rs_plan_figure before, after;
	uint64_t size_bytes; /* of that plan in the main configuration */
};

/* What the same must hold for: the record of the main configuration, made to permit only what all do. */
struct rs_plan_problem {
	const struct rs_record *record;
	const struct rs_binding *binding; /* NULL without a profile */
	const struct rs_plan_view *views;
	size_t n_views;
	const struct rs_plan_options *options;
};

struct rs_plan_figure rs_agree_figure(const struct rs_record *record, const struct rs_plan_view *view,
				      const size_t *order);
/* The view's own layout for the order; ret_plan has an order of the view's units. */
void rs_agree_plan(struct rs_arena *arena, const struct rs_record *record, const struct rs_plan_view *view,
		   const struct rs_plan *plan, struct rs_plan *ret_plan);
/* Takes out of the set the plans that are larger than the original in a view or, with a profile, cost more
 * there (more bytes are allowed as far as the options allow them), and puts in what it finds instead.
 * ret_dropped has an entry a view. */
void rs_agree_choose(struct rs_arena *arena, const struct rs_plan_problem *problem, struct rs_plan_set *set,
		     struct rs_plan_dropped *ret_dropped);

#endif
