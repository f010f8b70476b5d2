/*
 * From lines to an order, exactly: every touched atom is to lie across the same borders as is wanted of it. What
 * stands beside it, and which untouched atoms and holes fill the lines up, is searched for.
 */
#ifndef RS_PLAN_REALIZE_H
#define RS_PLAN_REALIZE_H

#include "plan/place.h"

/* Where an atom is wanted: on one line whole, or where it would lie if it began at `start`, in bits from the line grid. */
struct rs_wanted {
	size_t line;    /* it begins on; RS_NONE: anywhere */
	uint64_t start; /* UINT64_MAX: it lies on the line whole */
};

struct rs_realize {
	struct rs_place *place; /* one base offset */
	const struct rs_wanted *wanted; /* of each atom */
	uint64_t n_steps;               /* budget: atoms placed */
	size_t *order;                  /* out: of atoms; permitted, of the largest permitted size at most */
};

/* False when there is no such order, or the budget was used up. */
bool rs_realize_run(struct rs_realize *realize);

#endif
