/*
 * Random walks over the orders of atoms, for simulated annealing. No clock and no other randomness than the
 * seed: the same everywhere.
 */
#ifndef RS_PLAN_WALK_H
#define RS_PLAN_WALK_H

#include "plan/problem.h"

struct rs_walk {
	const struct rs_problem *problem;
	uint64_t random;
	size_t *order, *trial;
};

void rs_walk_init(struct rs_walk *walk, struct rs_arena *arena, const struct rs_problem *problem,
		  const size_t *order, size_t seed);
uint64_t rs_walk_draw(struct rs_walk *walk);
/* 0 to 1, 1 excluded. */
double rs_walk_draw_unit(struct rs_walk *walk);
/* Each makes trial a permitted neighbour of order, or gives false: a short run goes elsewhere, two runs of any
 * length side by side change places, two atoms change places, a run goes back behind the atom that it followed
 * originally. */
bool rs_walk_move_run(struct rs_walk *walk);
bool rs_walk_exchange(struct rs_walk *walk);
bool rs_walk_swap_two(struct rs_walk *walk);
bool rs_walk_send_home(struct rs_walk *walk);
/* The trial becomes the order. */
void rs_walk_take(struct rs_walk *walk);

#endif
