/*
 * What the fluid bound (plan/fluid.h) is computed from: the closed sets of signatures that a line may hold,
 * what such a line costs, and how many lines families of signatures need.
 */
#ifndef RS_PLAN_FLUID_MODEL_H
#define RS_PLAN_FLUID_MODEL_H

#include "plan/place.h"

enum { RS_FLUID_MOST_SETS = 4096 };

typedef uint64_t rs_fluid_family; /* bit per kept signature */

/* What a line may hold. It costs cost_ns and, for each member with a part in it, what that one adds at least: a
 * path's further uses cost less each, so between the least and the most of them the chord is taken. */
struct rs_fluid_set {
	rs_fluid_family members;
	size_t type;     /* number of the closed set: it may stand here several times, with other uses */
	uint16_t *least; /* of each path: how many members it uses, … */
	uint16_t *most;  /* … to how many */
	uint16_t *room;  /* of each kept signature: how many members there are at most */
	double cost_ns;  /* of the set, less what its members add; not negative */
	double *use_ns;  /* of each kept signature: what a member adds */
};

/* Members of one signature and size. */
struct rs_fluid_kind {
	size_t item;           /* kept signature */
	const uint8_t *levels; /* of each path: 0 where it does not use them */
	uint64_t bits;
	size_t count;
};

struct rs_fluid_maker;
struct rs_fluid_model {
	struct rs_fluid_maker *maker; /* what sets are made from */
	double fixed_ns;              /* of the lines that one atom alone covers, wherever others lie */
	size_t n_paths;
	size_t n_kept;    /* signatures */
	bool is_complete; /* all are kept; else the cost is a part of it that never falls (plan/rising.h) */
	uint64_t line_bits;
	uint64_t *item_bits; /* of each kept signature */
	struct rs_fluid_set *sets;
	size_t n_sets, n_types;
	struct rs_fluid_kind *kinds; /* small before large */
	size_t n_kinds;
	const size_t *kind_of_atom;      /* RS_NONE: none of its touches is kept */
	const rs_fluid_family *families; /* to begin with */
	size_t n_families;
};

/* The place's problem has a cost that is separable, and touches. Memory is arena's. */
struct rs_fluid_model *rs_fluid_model_create(struct rs_arena *arena, struct rs_place *place);
/* How many of so many members of each kind the path uses. */
double rs_fluid_model_count_uses(const struct rs_fluid_model *model, const double *counts, size_t path);
/* The least set with a kept signature. */
size_t rs_fluid_model_find_least(const struct rs_fluid_model *model, size_t item);
/* What a line with the set costs more than its chord says when the path uses so many members of it. */
double rs_fluid_model_lack(struct rs_fluid_model *model, size_t set, size_t path, unsigned n_uses);
/* Parts the set in two: those lines of which the path uses at most n_uses members stay, the others become the
 * last set. False when there would be too many sets. */
bool rs_fluid_model_split(struct rs_fluid_model *model, size_t set, size_t path, unsigned n_uses);
/* How many lines the family covers at least, whatever the order. */
double rs_fluid_model_lines(const struct rs_fluid_model *model, rs_fluid_family members);

#endif
