/*
 * Members that are lifted from the record's containers into it, or lowered from it into them: what is asked for
 * (lift_words.c), whether every unit at hand takes it, and the texts that it gives (lift.c).
 */
#ifndef RS_SESSION_LIFT_H
#define RS_SESSION_LIFT_H

#include "rewrite/lift.h"
#include "session/session_internal.h"

/*
 * The steps for words like "rtable.rt_uncached,rt6_info.rt6i_uncached:rt_uncached": members of one type in
 * different containers, which become one member of the record, called as in the first of them if no name
 * is given; or like "rt_uncached>rtable,rt6_info:uncached": a member of the record that becomes one of each
 * container. Errors: words that say no such thing, with their place.
 */
struct rs_error *rs_lift_parse(struct rs_session *session, const struct rs_profile_names *words,
			       struct rs_alterations *ret_steps) RS_MUST_USE;

struct rs_lift_outcome {
	struct rs_alterations steps; /* with what they go through */
	struct rs_lifting lifting;
	const char *losers;         /* other structs that have the record, and lose what is lowered; NULL */
	struct rs_lift_texts texts; /* refusal: why there are none */
	const char *file;           /* of the refusal, as it is shown */
	unsigned line;
};

/* Whether steps lift or lower. */
bool rs_lift_is_asked(struct rs_alterations steps);
/* The steps of one kind: members go one way in one plan. */
struct rs_alterations rs_lift_only(struct rs_arena *arena, struct rs_alterations steps,
				   enum rs_operation_kind kind);
/* Looks at all units, writes the texts and proves each unit with them. A refusal is no error. */
struct rs_error *rs_lift_carry_out(struct rs_session *session, const struct rs_session_record *from,
				   struct rs_alterations steps,
				   struct rs_lift_outcome *ret_outcome) RS_MUST_USE;

#endif
