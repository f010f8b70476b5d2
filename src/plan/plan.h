/*
 * Plans: lists of operations that turn one layout into another. The optimizer is a pure function of record,
 * binding and options; it prints nothing and touches no source.
 */
#ifndef RS_PLAN_PLAN_H
#define RS_PLAN_PLAN_H

#include "plan/cost.h"

enum rs_operation_kind {
	RS_OPERATION_MOVE,  /* a run of units goes elsewhere */
	RS_OPERATION_SPLIT, /* a declaration of several declarators, which are the units, becomes several */
	RS_OPERATION_HOIST, /* members leave their anonymous struct or union */
	RS_OPERATION_ALIGN, /* a declaration gets an alignment attribute */
	RS_OPERATION_PAD,   /* a member is added that only takes room */
	RS_OPERATION_LIFT,  /* a member leaves the containers of the record for the record */
	RS_OPERATION_LOWER, /* a member leaves the record for its containers */
};

/* What is done to the declarations themselves, before they move: of all kinds but the first two. */
struct rs_alteration {
	enum rs_operation_kind kind;
	const char *const *fields; /* HOIST: those that leave, as they stand; ALIGN: the one; PAD: the one that
				    * it stands before; LIFT: those that become one, "rtable.rt_uncached";
				    * LOWER: those that it becomes */
	size_t n_fields;
	const char *spelling;       /* ALIGN: what asks for it; PAD: the declaration. NULL for others */
	const char *name;           /* PAD, LIFT: of the new member; LOWER: of the one that goes */
	const char *const *through; /* LIFT, LOWER: for each field the container's member that is the record */
	unsigned bytes;             /* ALIGN: to how many; PAD: how large */
	bool adds_member;           /* PAD, LIFT, and ALIGN where a member without size asks for it */
};

struct rs_alterations {
	const struct rs_alteration *items;
	size_t n_items;
};

/* A comment that is written above a unit, which may have moved. */
struct rs_headline {
	size_t unit;
	const char *text;
};

struct rs_headlines {
	const struct rs_headline *items;
	size_t n_items;
};

struct rs_operation {
	enum rs_operation_kind kind;
	size_t first_unit, n_units; /* a run that is contiguous in the original order and in the new one */
	size_t after_unit; /* the unit it follows in the new order; RS_NONE: it comes first, or is split */
};

struct rs_plan {
	unsigned id;                 /* from 1; 0 is the order as it stands */
	const size_t *order;         /* n_units of the record */
	const uint64_t *offset_bits; /* one a member of the record */
	uint64_t size_bytes;
	double cost_ns;                        /* 0 without a profile */
	const struct rs_operation *operations; /* what is split, then moves */
	size_t n_operations;
	size_t moved_blocks;          /* as `git diff --color-moved` shows them */
	size_t changed_lines;         /* estimate: lines removed plus lines added; the diff says it exactly */
	const struct rs_pin *remarks; /* advice on what this plan does */
	size_t n_remarks;
};

struct rs_plan_options {
	uint64_t max_size_bytes; /* 0: the original size (or the profile's max_size) */
	size_t max_moves;        /* 0: any */
	size_t max_lines;        /* changed ones; 0: any */
	double time_limit_s; /* 0: the default, 2 s. Bounds counts of steps, not a clock, so that the result is
			      * the same everywhere */
};

struct rs_plan_set {
	struct rs_plan original;     /* id 0 */
	const struct rs_plan *plans; /* the frontier: none is beaten in cost, bytes and burden (changed lines,
				      * moved blocks, groups torn: plan/moves.h) at once; by rising number of
				      * changed lines */
	size_t n_plans;              /* 0: nothing better than the original */
	size_t pick;                 /* index of the default plan; RS_NONE */
	double lower_bound_ns;       /* no order that the constraints permit costs less */
	uint64_t lower_bound_bytes;  /* likewise */
	bool proven;                 /* the best plan meets the bound (cost with a profile, bytes without) */
};

/* binding NULL: bytes alone. A refused record gets no plans. */
void rs_plan_optimize(struct rs_arena *arena, const struct rs_record *record, const struct rs_binding *binding,
		      const struct rs_plan_options *options, struct rs_plan_set *ret_set);

/* The plan for an order given by hand: member names, whole or those that come first (the rest keeps its order
 * behind them). Errors: unknown or repeated name, an order that a constraint forbids. */
struct rs_error *rs_plan_from_names(struct rs_arena *arena, const struct rs_record *record,
				    const struct rs_binding *binding, const char *const *names, size_t n_names,
				    struct rs_plan *ret_plan) RS_MUST_USE;
/* The plan for a permutation of all units. Does not look at constraints. */
void rs_plan_from_order(struct rs_arena *arena, const struct rs_record *record, const struct rs_cost *cost,
			const size_t *order, struct rs_plan *ret_plan);
/* Whether the order keeps regions and constraints (binding may be NULL); if not, ret_reason (arena's) says
 * which. */
bool rs_plan_is_permitted(struct rs_arena *arena, const struct rs_record *record,
			  const struct rs_binding *binding, const size_t *order, const char **ret_reason);

#endif
