/*
 * An order to start from when the original one parts members that must share a line.
 */
#ifndef RS_PLAN_SETTLE_COMPANIONS_H
#define RS_PLAN_SETTLE_COMPANIONS_H

#include "plan/place.h"

/* The problem's start where it keeps all companions; else an order of atoms that keeps as many as can be had by
 * moving one atom at a time next to where it stood. */
const size_t *rs_settle_companions(struct rs_arena *arena, struct rs_place *place);

#endif
