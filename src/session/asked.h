/*
 * Places that the user asks for with --pin: what plans have to keep to, beside what the sources say.
 *
 *	A:first, A:last    A comes first, or last, of all
 *	A:before:B         A stands somewhere before B; A:after:B the other way round
 *	A:next:B           B directly follows A
 *	A:near:B           both lie on one cache line, whole, wherever objects begin
 */
#ifndef RS_SESSION_ASKED_H
#define RS_SESSION_ASKED_H

#include "session/session_internal.h"

/* RS_ERROR_USAGE for what is no such text, and for a name that none of the records has. */
struct rs_error *rs_asked_check_names(struct rs_session *session) RS_MUST_USE;
/* Adds to list what is asked of members that the record has; RS_ERROR_USAGE for what cannot be. */
struct rs_error *rs_asked_add(struct rs_session *session, const struct rs_record *record,
			      struct rs_pin_list *list) RS_MUST_USE;
/* RS_ERROR_USAGE when no order keeps what is asked beside all else; record: with what was added. */
struct rs_error *rs_asked_check(struct rs_session *session, const struct rs_record *record) RS_MUST_USE;

/* RS_ERROR_USAGE for two members that no order at all can put on one line. */
struct rs_error *rs_asked_check_lines(const struct rs_record *record,
				      const struct rs_binding *binding) RS_MUST_USE;

/* Where there is no plan and the order as it stands does not keep what is asked: says so in result->hazards. */
void rs_asked_note_unmet(struct rs_session *session, struct rs_record_result *result);

#endif
