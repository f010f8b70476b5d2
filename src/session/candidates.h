/*
 * Which steps beside moves are worth a try for a struct, and which of all plans is the default.
 */
#ifndef RS_SESSION_CANDIDATES_H
#define RS_SESSION_CANDIDATES_H

#include "session/session_internal.h"

struct rs_candidates {
	struct rs_alterations *items;
	size_t n_items, items_capacity;
};

/* What the profile's "allow" permits and promises some gain; none in a session that is a variant itself. What
 * speaks against a step is added to result->hazards. */
struct rs_error *rs_candidates_find(struct rs_session *session, const struct rs_session_record *from,
				    struct rs_record_result *result,
				    struct rs_candidates *ret_candidates) RS_MUST_USE;
/* What alignments and padding are tried on. */
struct rs_aligned_base {
	const struct rs_record *record; /* from's, or a model of it with a step done */
	const struct rs_cost *cost;     /* of the record; NULL without a profile */
	const size_t *order;            /* of its units */
	double known_ns;                /* what has to be beaten */
	struct rs_alteration before;    /* the step; without fields: none */
};

/* Its part about alignments and padding (candidates_align.c). */
void rs_candidates_find_aligned(struct rs_session *session, const struct rs_session_record *from,
				const struct rs_record_result *result, const struct rs_aligned_base *base,
				struct rs_candidates *candidates);
/* What a plan's layout comes to when one more field begins a line, whatever bytes that takes. */
struct rs_candidates_room {
	const char *field; /* arena's */
	double cost_ns;
	uint64_t size_bytes;
};

/* The best field for that; false: none makes it cheaper, or objects are not allocated aligned. */
bool rs_candidates_find_room(struct rs_arena *arena, const struct rs_record *record, const struct rs_cost *cost,
			     const struct rs_plan *plan, uint32_t line_bytes,
			     struct rs_candidates_room *ret_room);
/* The steps that the target's order or plan needs; none. */
struct rs_alterations rs_candidates_asked(struct rs_session *session, const struct rs_session_record *from);
/* "hoist metrics, rate_tokens" */
const char *rs_candidates_describe(struct rs_arena *arena, struct rs_alterations steps);
/* Whether the unit of the record with the steps done is none of the old record's. */
bool rs_candidates_is_new(struct rs_alterations steps, const struct rs_record *record, size_t unit);
/* Adds what somebody should know of the steps to the plan's remarks. */
void rs_candidates_remark(struct rs_arena *arena, const struct rs_record *old, struct rs_alterations steps,
			  struct rs_plan_result *plan);
/* What the struct may grow to; record: as it stands, or with members lifted into it, for which it has to grow.
 */
uint64_t rs_candidates_most_bytes(const struct rs_session *session, const struct rs_record_result *result,
				  const struct rs_record *record);
/* Makes the plans that are not beaten by another the result's, by rising number of changed lines, numbers them
 * and picks the default (plan/pick.h). */
void rs_candidates_choose(struct rs_session *session, struct rs_record_result *result,
			  const struct rs_plan_result *plans, size_t n_plans);

#endif
