/*
 * A member that leaves its container for the record embedded there: `rt->rt_uncached` becomes
 * `rt->dst.rt_uncached`. Or the other way, when it is lowered. By names, which are the same in every
 * translation unit.
 */
#ifndef RS_RECORD_LIFTED_H
#define RS_RECORD_LIFTED_H

#include "record/record.h"

struct rs_lifted {
	const char *container, *member; /* tag, and the name there */
	const char *through;            /* member of the container that is the record */
	const char *record, *name;      /* where it comes to, and its name there */
	bool lowers;                    /* it leaves the record for the container */
};

struct rs_lifting {
	const struct rs_lifted *items;
	size_t n_items;
};

/* The name by which the member goes as the texts stand. */
static inline const char *rs_lifted_old_name(const struct rs_lifted *lifted)
{
	return lifted->lowers ? lifted->name : lifted->member;
}

static inline bool rs_lifting_lowers(struct rs_lifting lifting)
{
	return lifting.n_items > 0 && lifting.items[0].lowers;
}

#endif
