/*
 * What the fluid bound (plan/fluid.h) is computed from: the closed sets of signatures that a line may hold,
 * what such a line costs, and how many lines families of signatures need.
 */
#ifndef RS_PLAN_FLUID_MODEL_H
#define RS_PLAN_FLUID_MODEL_H

#include "plan/place.h"

typedef uint64_t rs_fluid_family; /* bit per kept signature */

/* What a line may hold. It costs cost_ns and, for each member with a part in it, what that one adds at least: a
 * path's further uses cost less each, so from one to the most that there is room for the chord is taken. */
struct rs_fluid_set {
	rs_fluid_family members;
	double cost_ns; /* of the set, less what its members add; not negative */
	double *use_ns; /* of each kept signature: what a member adds */
};

/* Members of one signature and size. */
struct rs_fluid_kind {
	size_t item; /* kept signature */
	uint64_t bits;
	size_t count;
};

struct rs_fluid_model {
	size_t n_kept;    /* signatures */
	bool is_complete; /* all are kept; else the cost is a part of it that never falls (plan/rising.h) */
	uint64_t line_bits;
	uint64_t room_bits;  /* members with a part in one line are no larger together */
	uint64_t *item_bits; /* of each kept signature */
	struct rs_fluid_set *sets;
	size_t n_sets;
	struct rs_fluid_kind *kinds; /* small before large */
	size_t n_kinds;
	const size_t *kind_of_atom;      /* RS_NONE: none of its touches is kept */
	const rs_fluid_family *families; /* to begin with */
	size_t n_families;
};

/* The place's problem has a cost that is separable, and touches. Memory is arena's. */
const struct rs_fluid_model *rs_fluid_model_create(struct rs_arena *arena, struct rs_place *place);
/* How many lines the family covers at least, whatever the order. */
double rs_fluid_model_lines(const struct rs_fluid_model *model, rs_fluid_family members);

#endif
