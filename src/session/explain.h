/*
 * Why fields lie where they do: what was asked for with --explain, answered from the plans of a result.
 */
#ifndef RS_SESSION_EXPLAIN_H
#define RS_SESSION_EXPLAIN_H

#include "session/session_internal.h"

/* An error for a name that none of the session's records has, with the nearest one. */
struct rs_error *rs_session_explain_check(struct rs_session *session) RS_MUST_USE;
/* Fills in result->explanations for the names that the record has; its plans must be final. */
void rs_session_explain(struct rs_session *session, struct rs_record_result *result);

#endif
