/*
 * Which members of which atoms the paths of a profile touch, and how.
 */
#ifndef RS_PLAN_TOUCHES_H
#define RS_PLAN_TOUCHES_H

#include "plan/problem.h"

/* Fills in the atoms' touches and heat, and the problem's signatures, n_touched and has_empty_touch. atom_of: a
 * unit's atom. Paths that never run touch nothing. */
void rs_touches_find(struct rs_arena *arena, struct rs_problem *problem, struct rs_atom *atoms,
		     const size_t *atom_of);

#endif
