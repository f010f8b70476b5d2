/*
 * What the profile's "lift" asks for, as steps.
 */
#ifndef RS_SESSION_LIFT_WORDS_H
#define RS_SESSION_LIFT_WORDS_H

#include "plan/plan.h"

/*
 * The steps for words like "rtable.rt_uncached,rt6_info.rt6i_uncached:rt_uncached": members of one type in
 * different containers, which become one member of the record, called as in the first of them if no name
 * is given; or like "rt_uncached>rtable,rt6_info:uncached": a member of the record that becomes one of each
 * container. Errors: words that say no such thing, with their place.
 */
struct rs_error *rs_lift_words_parse(struct rs_arena *arena, const struct rs_profile_names *words,
				     struct rs_alterations *ret_steps) RS_MUST_USE;
/* Whether steps lift or lower. */
bool rs_lift_words_ask(struct rs_alterations steps);
/* The steps of one kind: members go one way in one plan. */
struct rs_alterations rs_lift_words_of_kind(struct rs_arena *arena, struct rs_alterations steps,
					    enum rs_operation_kind kind);

#endif
