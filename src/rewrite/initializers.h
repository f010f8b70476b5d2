/*
 * From an order to edits of the initialisers that give values by position: values change places like their
 * members, each with its comments, or get designators.
 */
#ifndef RS_REWRITE_INITIALIZERS_H
#define RS_REWRITE_INITIALIZERS_H

#include "parse/uses.h"
#include "text/edit.h"

/* A record as units show it, and the order that its units take there. */
struct rs_initializer_order {
	const struct rs_record *record;
	const size_t *order;
};

/* A record in each of its configurations, and the initialisers of it. */
struct rs_initializer_pick {
	const struct rs_initializer_order *orders;
	size_t n_orders;
	const struct rs_initializer_list *initializers;
};

struct rs_initializer_edits {
	struct rs_edit *edits; /* by real path and place */
	size_t n_edits, edits_capacity;
	const struct rs_initializer **changed; /* by real path and place */
	size_t n_changed, changed_capacity;
	const struct rs_initializer *impossible; /* one that cannot follow the order; NULL */
	const char *reason;                      /* why not */
};

/*
 * Values are put in order where every member that changes its rank among the list's has a value there and the
 * text shows which comment belongs to which value; else, and everywhere with designate, designators are
 * written. The rows of one table are treated alike.
 */
void rs_initializers_rewrite(struct rs_arena *arena, const struct rs_initializer_pick *picks, size_t n_picks,
			     bool designate, struct rs_initializer_edits *ret_edits);

#endif
