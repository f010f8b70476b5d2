/*
 * Picks of many records, carried out together: proved with one look at each unit when all is well, and in
 * halves where something is rejected, so that one record that cannot be carried out does not stop the others.
 */
#ifndef RS_SESSION_TOGETHER_H
#define RS_SESSION_TOGETHER_H

#include "session/changes.h"

/* Picks of records that do not overlap; those that cannot be carried out beside the others are dropped with the
 * reason, and the best plan that is left is tried instead, until none is. ret_changes: what all of them give.
 */
struct rs_error *rs_together_settle(struct rs_session *session, const size_t *records, size_t n_records,
				    struct rs_session_changes *ret_changes) RS_MUST_USE;

#endif
