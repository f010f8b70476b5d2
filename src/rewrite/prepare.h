/*
 * What is done to declarations before they move, as text: members leave their anonymous struct or union, a
 * declaration gets an alignment, a member is added.
 *
 * The result is a text to be read like any other: its record, and not one computed from the old, is what plans
 * are then made for. Whole lines are moved; where the text does not show which lines belong to a member nothing
 * is done.
 */
#ifndef RS_REWRITE_PREPARE_H
#define RS_REWRITE_PREPARE_H

#include "plan/plan.h"

struct rs_prepared {
	const struct rs_source *source; /* the record's file with the steps done; NULL: refused */
	const char *refusal;            /* why not */
	size_t refusal_byte;            /* in the old text */
};

void rs_prepare_apply(struct rs_arena *arena, const struct rs_record *record, struct rs_alterations steps,
		      struct rs_prepared *ret_prepared);

#endif
