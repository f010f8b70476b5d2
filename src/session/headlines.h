/*
 * What is written above the groups of fields that a plan puts elsewhere.
 */
#ifndef RS_SESSION_HEADLINES_H
#define RS_SESSION_HEADLINES_H

#include "session/session_internal.h"

/* One for each block that moves and that some path writes: which paths do. What is read alone does not say why
 * it lies where it does. */
struct rs_headlines rs_headlines_find(struct rs_arena *arena, const struct rs_record *record,
				      const struct rs_binding *binding, const struct rs_plan *plan);

#endif
