/*
 * Comments over groups of units that a plan puts elsewhere: each is written above its unit where that stands,
 * and goes with it.
 */
#ifndef RS_REWRITE_HEADLINE_H
#define RS_REWRITE_HEADLINE_H

#include "plan/plan.h"

/* The record as it reads with the texts above their units, as part of them. A unit that shares its line keeps
 * none. The same record when nothing is written. */
const struct rs_record *rs_headlines_write(struct rs_arena *arena, const struct rs_record *record,
					   struct rs_headlines headlines);

#endif
