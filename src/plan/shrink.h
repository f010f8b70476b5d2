/*
 * What a layout would come to if members had smaller types: nothing else changes place but them. A pure
 * function, as the search is.
 */
#ifndef RS_PLAN_SHRINK_H
#define RS_PLAN_SHRINK_H

#include "plan/explain.h"

enum { RS_SHRINK_MOST_MEMBERS = 2 };

/* Top-level members, each the only one of its unit, and the bytes of their new types. */
struct rs_shrink {
	size_t members[RS_SHRINK_MOST_MEMBERS];
	uint64_t bytes[RS_SHRINK_MOST_MEMBERS];
	size_t n_members;
};

struct rs_shrunk {
	uint64_t size_bytes;
	double cost_ns;              /* 0 without a profile */
	const uint64_t *offset_bits; /* of members */
	const struct rs_cost *cost;  /* of the record with the smaller members; NULL without a profile */
};

/* Each of the members stays, or goes (all together, then each alone) to where the layout is best then: cost,
 * then bytes. Records of more units than is sensible are only laid out in place. Memory is arena's. */
void rs_shrink_try(struct rs_arena *arena, const struct rs_explain_subject *subject,
		   const struct rs_shrink *shrink, struct rs_shrunk *ret_shrunk);

#endif
