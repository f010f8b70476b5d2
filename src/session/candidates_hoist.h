/*
 * Which of the members that a profile lets leave their anonymous struct or union are worth it: each one that
 * leaves takes room of its own. Worked out on a model of the record (plan/hoist.h), before any text is made.
 */
#ifndef RS_SESSION_CANDIDATES_HOIST_H
#define RS_SESSION_CANDIDATES_HOIST_H

#include "plan/hoist.h"
#include "session/candidates.h"

/* A choice of members, and the record as the model has it with them outside. */
struct rs_hoist_choice {
	struct rs_alteration step;
	const struct rs_hoisted *hoisted; /* NULL: the model knows of no such record */
	const struct rs_cost *cost;       /* of hoisted */
	const size_t *order;              /* of its units: the best one found */
	double cost_ns;                   /* of the order */
	uint64_t size_bytes;
};

enum { RS_HOIST_MOST_CHOICES = 3 };

/* The step with all members; then, where they are others, the fewest of these that reach as low a cost in as
 * few bytes, and the one that alone has at least half of that gain. Gives their number. */
size_t rs_candidates_choose_hoists(struct rs_session *session, const struct rs_session_record *from,
				   const struct rs_record_result *result, struct rs_alteration all,
				   struct rs_hoist_choice *ret_choices);

#endif
