/*
 * Orders from which others are sought: for every burden the few best scores that are known to be reachable with
 * no more than that.
 */
#ifndef RS_PLAN_ARCHIVE_H
#define RS_PLAN_ARCHIVE_H

#include "plan/moves.h"
#include "plan/place.h"

struct rs_archive_item {
	const size_t *order; /* of atoms */
	struct rs_score score;
	struct rs_moves moves;
	bool is_expanded;
};

struct rs_archive {
	struct rs_arena *arena;
	size_t n_atoms;
	size_t width;                  /* how many others may be no worse in burden and score */
	struct rs_archive_item *items; /* by burden, then score */
	size_t n_items, capacity;
	struct rs_score *limits; /* by burden: what a newcomer has to beat */
	size_t n_limits;
	struct rs_score *best; /* scratch: width */
};

void rs_archive_init(struct rs_archive *archive, struct rs_arena *arena, size_t n_atoms, size_t width,
		     size_t most_burden);
/* Whether an order with this score would be taken in if its burden were that. */
bool rs_archive_wants(const struct rs_archive *archive, struct rs_score score, size_t burden);
/* Takes the order in, unless it is not wanted or there already; what is not wanted any more goes. */
bool rs_archive_add(struct rs_archive *archive, const size_t *order, struct rs_score score,
		    struct rs_moves moves);
/* The next order to look around: of those not expanded the one with the least burden, or the one with the best
 * score. It counts as expanded. NULL when there is none. */
const struct rs_archive_item *rs_archive_next(struct rs_archive *archive, bool by_score);

#endif
