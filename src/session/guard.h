/*
 * Files that are left alone whatever their records could gain: those that a path rule keeps, those that version
 * control ignores, and headers that the build installs.
 */
#ifndef RS_SESSION_GUARD_H
#define RS_SESSION_GUARD_H

#include "session/session_internal.h"

/* The configuration file that is nearest to a file; NULL: none, or none is to be looked for. */
struct rs_error *rs_guard_config(struct rs_session *session, const char *realpath,
				 const struct rs_config **ret_config) RS_MUST_USE;
/* Adds to list what forbids to change the record's file, or a file with initialisers that its plan would
 * change: path-rule, git-ignored, public-header. */
struct rs_error *rs_guard_find(struct rs_session *session, const struct rs_record *record,
			       const struct rs_initializer_list *initializers,
			       struct rs_pin_list *list) RS_MUST_USE;
/* The allowances of the call and those of path rules for the record's file. */
struct rs_error *rs_guard_allowances(struct rs_session *session, const struct rs_record *record,
				     const struct rs_allowance **ret_allowances, size_t *ret_count) RS_MUST_USE;

#endif
