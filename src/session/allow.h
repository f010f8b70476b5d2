/*
 * What --allow says: whether its codes and names mean anything, and what could be gained by it.
 */
#ifndef RS_SESSION_ALLOW_H
#define RS_SESSION_ALLOW_H

#include "session/session_internal.h"

/* RS_ERROR_USAGE for a code that no pin has. */
struct rs_error *rs_allow_check_codes(const struct rs_allowance *allowances, size_t count) RS_MUST_USE;
/* Warns of names that none of the records, with its members, answers to, and of hard pins that were named. */
void rs_allow_check_names(struct rs_session *session);
/* For a record without gain: whether there is one without its contract pins. Gives a clause that names the pins
 * and what they cost ("16 bytes less are possible without … (--allow=…)"); NULL. */
const char *rs_allow_find_gain(struct rs_session *session, const struct rs_session_record *from,
			       const struct rs_record_result *result);

#endif
