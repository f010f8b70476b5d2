/*
 * A member that leaves its container for the record embedded there: `rt->rt_uncached` becomes
 * `rt->dst.rt_uncached`. By names, which are the same in every translation unit.
 */
#ifndef RS_RECORD_LIFTED_H
#define RS_RECORD_LIFTED_H

#include "record/record.h"

struct rs_lifted {
	const char *container, *member; /* tag, and the name there */
	const char *through;            /* member of the container that is the record */
	const char *record, *name;      /* where it comes to, and its name there */
};

struct rs_lifting {
	const struct rs_lifted *items;
	size_t n_items;
};

#endif
