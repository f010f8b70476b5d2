/*
 * The scores of all orders next to one order: those in which two runs of atoms change places. What stands
 * before the first run is laid out once; what comes behind the last one depends only on the phase at which it
 * starts, so it is looked up, and a run that is put elsewhere is scored in a time that does not hang on the
 * number of atoms.
 */
#ifndef RS_PLAN_NEAR_H
#define RS_PLAN_NEAR_H

#include "plan/place.h"

/* Three runs, one behind the other; the first and the last change places. With nothing between them this is the
 * move of one run over the other. */
struct rs_near_move {
	size_t from, n_first, n_middle, n_last;
	bool is_last_run; /* the run that the visit is about is the last one */
};

/* The visitor may score orders and change none. */
typedef void (*rs_near_visit_fn)(void *context, const struct rs_near_move *move, struct rs_score score);

struct rs_near;
/* For problems of so many atoms and phases that the tables would not fit, all is scored from the start. */
struct rs_near *rs_near_create(struct rs_arena *arena, struct rs_place *place);
/* order must stay as it is during the visits. */
void rs_near_start(struct rs_near *near, const size_t *order);
/* The score of another order of the same atoms, the sooner known the less it differs. */
struct rs_score rs_near_score(struct rs_near *near, const size_t *other);
/* Visits all permitted orders in which the run of n atoms at `from` stands elsewhere. */
void rs_near_visit_run(struct rs_near *near, size_t from, size_t n, rs_near_visit_fn visit, void *context);
/* Visits all permitted orders in which the run changes places with one of n_other atoms behind it, others
 * between them. */
void rs_near_visit_swaps(struct rs_near *near, size_t from, size_t n, size_t n_other, rs_near_visit_fn visit,
			 void *context);
void rs_near_apply(const struct rs_near *near, const struct rs_near_move *move, size_t *ret_order);
/* Atoms laid out since the beginning, as a measure of time. */
uint64_t rs_near_steps(const struct rs_near *near);

#endif
