/*
 * Advice on types that may be larger than they need to be. Nobody here knows which values a member takes: it is
 * said with an if, and only where the smaller type would buy something.
 */
#ifndef RS_SESSION_ADVICE_SHRINK_H
#define RS_SESSION_ADVICE_SHRINK_H

#include "session/session_internal.h"

/*
 * The messages for one layout of a result with a profile, the most worth first; few or none. What a plan buys
 * without a smaller type is not offered. Numbers and flags
 * count where a line is saved: of the struct, or for a path at a lower cost. Enumerations and what is called a
 * truth value count where bytes are saved, too. Where no single member buys anything, two may.
 */
const char *const *rs_advice_shrink_find(struct rs_arena *arena, const struct rs_record_result *result,
					 const struct rs_plan_result *layout, size_t *ret_count);

#endif
