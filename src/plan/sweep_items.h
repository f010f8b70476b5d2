/*
 * What a sweep over the lines puts on them: the touched atoms, each with all ways in which it can reach into another
 * line, and the untouched scalars that fill the room between.
 *
 * Untouched atoms that can be cut by a line's end, and all where there are too many kinds, are taken as fluid: they
 * fill whatever room there is.
 */
#ifndef RS_PLAN_SWEEP_ITEMS_H
#define RS_PLAN_SWEEP_ITEMS_H

#include "plan/bound.h"

enum { RS_SWEEP_MOST_ITEMS = 64, RS_SWEEP_MOST_FILLERS = 8 };

/* A set of items. */
typedef uint64_t rs_item_set;

/* An atom laid out where it reaches into another line. */
struct rs_crossing {
	uint64_t start, end; /* bits from the first of a period's lines */
	const struct rs_step *step;
	bool is_alike; /* the one before, a stride earlier, brings the same to the same lines */
};

/* A touched atom. */
struct rs_item {
	size_t atom, class;
	uint64_t bits, stride_bits;
	uint64_t before_bits; /* of a hole before it, at most */
	uint64_t hole_bits;   /* of all in it and before it */
	rs_item_set before;   /* items that must stand before it */
	rs_item_set twin;     /* the item before that is interchangeable, or none */
	uint64_t least_start; /* behind all atoms that must come before it */
	struct rs_part part;  /* when it lies on one line */
	rs_element_set elements;
	const struct rs_crossing *crossings; /* by start */
	size_t n_crossings;
};

/* Untouched scalars of one size. How many of each kind are used is one number, with a digit for each kind. */
struct rs_filler {
	uint64_t bits;
	uint32_t count, weight; /* weight: of its digit */
};

struct rs_sweep_items {
	struct rs_item items[RS_SWEEP_MOST_ITEMS]; /* the largest first */
	size_t n_items;
	bool has_order;                                  /* some item must stand before another */
	struct rs_filler fillers[RS_SWEEP_MOST_FILLERS]; /* the largest first */
	size_t n_fillers;
	uint32_t n_usages;      /* numbers of what is used */
	uint64_t *scalars_left; /* bits of the fillers that are left, by that number */
	uint64_t fluid_bits;    /* of all others that are not touched, with holes in and before them */
	uint64_t fluid_before_bits; /* the largest hole before any of them */
};

/* False when there are more touched atoms than items can be. Memory is arena's. */
bool rs_sweep_items_init(struct rs_sweep_items *items, struct rs_arena *arena, struct rs_place *place,
			 const struct rs_bound *bound);
/* How many of the kind are left. */
uint32_t rs_filler_left(const struct rs_filler *filler, uint32_t usage);

#endif
