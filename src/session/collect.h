/*
 * Profiles from the code of the session's targets and exports of coverage.
 */
#ifndef RS_SESSION_COLLECT_H
#define RS_SESSION_COLLECT_H

#include "session/session.h"

struct rs_session_collect {
	const char *const
		*paths; /* exports of llvm-cov or gcov, maybe packed; none: an estimate from the code */
	size_t n_paths;
	const char *origin; /* what the profile calls the exports; NULL: their names */
	bool by_field;      /* counts of fields instead of paths */
	const char *version;
};

struct rs_error *rs_session_collect(struct rs_session *session, const struct rs_session_collect *collect,
				    struct rs_profile *ret_profile) RS_MUST_USE;

#endif
