/*
 * What would help beside another order of the members, as far as the profile shows it.
 */
#ifndef RS_SESSION_ADVICE_H
#define RS_SESSION_ADVICE_H

#include "session/session_internal.h"

/*
 * Fills in result->advice, about the default plan's layout (without one, about the struct as it stands):
 *
 *   true-sharing      what CPUs fight over whatever the order: count per CPU, shard, clone
 *   room              a field that on a line of its own would save much, where no plan may do that
 *   hot-cold-split    fields that no path uses behind a pointer, where objects are many
 *   padded-elements   array elements on lines of their own, where the model says that it pays
 *   per-thread-array  an array member with an element a CPU
 *   type-shrink       a smaller type that would save a line, or of an enum or a truth value bytes
 */
void rs_advice_find(struct rs_session *session, struct rs_record_result *result);

#endif
