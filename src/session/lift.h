/*
 * Members that are lifted from the record's containers into it, or lowered from it into them: whether every
 * unit at hand takes it, and the texts that it gives.
 */
#ifndef RS_SESSION_LIFT_H
#define RS_SESSION_LIFT_H

#include "rewrite/lift.h"
#include "session/session_internal.h"

struct rs_lift_outcome {
	struct rs_alterations steps; /* with what they go through */
	struct rs_lifting lifting;
	const char *losers;         /* other structs that have the record, and lose what is lowered; NULL */
	struct rs_lift_texts texts; /* refusal: why there are none */
	const char *file;           /* of the refusal, as it is shown */
	unsigned line;
};

/* Looks at all units, writes the texts and proves each unit with them. A refusal is no error. */
struct rs_error *rs_lift_carry_out(struct rs_session *session, const struct rs_session_record *from,
				   struct rs_alterations steps,
				   struct rs_lift_outcome *ret_outcome) RS_MUST_USE;

#endif
