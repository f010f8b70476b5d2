/*
 * Plans that do more than move: the struct with some steps done to it (plan/plan.h) is a text of its own, which
 * is read and searched in a session of its own. What it finds there is held against the struct as it stands.
 */
#ifndef RS_SESSION_VARIANT_H
#define RS_SESSION_VARIANT_H

#include "rewrite/lift.h"
#include "session/changes.h"
#include "session/session_internal.h"

struct rs_variant {
	struct rs_alterations steps;
	struct rs_lifting lifting;             /* what they lift */
	struct rs_lift_texts texts;            /* with what is lifted, of all files; none otherwise */
	const char *losers;                    /* structs that lose what is lowered, as words; NULL */
	struct rs_session *session;            /* of the text with the steps done */
	const struct rs_record_result *result; /* there */
};

/* Adds to the result the plans that the profile's "allow" permits beside moves, takes out what is beaten then,
 * and chooses the default anew. What cannot be done is said in result->hazards. */
struct rs_error *rs_variants_add(struct rs_session *session, const struct rs_session_record *from,
				 struct rs_record_result *result) RS_MUST_USE;
/* The one plan of a target that gives an order or a plan with steps; *ret_plan stays as it is when the target
 * needs no steps. */
struct rs_error *rs_variant_by_hand(struct rs_session *session, const struct rs_session_record *from,
				    struct rs_record_result *result, bool *ret_done) RS_MUST_USE;
/* The edits from the session's own texts to what the plan makes of them. */
void rs_variant_edits(struct rs_session *session, const struct rs_session_pick *pick,
		      struct rs_session_changes *changes, struct rs_edit **ret_edits, size_t *ret_count);

#endif
