/*
 * The blocks that a plan moves, as its diff has them: of several largest sets of lines that may stay where they
 * are git keeps one, and what moves is what it does not keep.
 */
#ifndef RS_SESSION_BLOCKS_H
#define RS_SESSION_BLOCKS_H

#include "session/session_internal.h"

/* Fills in the plan's moves and their number from the diff of records[index]'s file, once the plan was carried
 * out; not for plans with steps, whose moves are in terms of another text, nor where that were more moves than
 * the options allow. */
struct rs_error *rs_blocks_count(struct rs_session *session, size_t index,
				 struct rs_plan_result *plan) RS_MUST_USE;

#endif
