/*
 * Profiles from other tools, joined to the records of a session where they need it.
 */
#ifndef RS_SESSION_IMPORT_H
#define RS_SESSION_IMPORT_H

#include "session/session.h"

struct rs_session_import {
	const char *const *paths;
	size_t n_paths;
	const char *format, *as, *allocation; /* see struct rs_import; NULL: found, reads, any */
	bool has_base;
	uint64_t base; /* address of an object of the single target */
	bool by_field; /* counts of fields, where the file knows paths, too */
};

/* Adds all files up. The session's targets, if it has any, are the structs that are meant. */
struct rs_error *rs_session_import(struct rs_session *session, const struct rs_session_import *import,
				   struct rs_profile *ret_profile) RS_MUST_USE;
/* Every field of the targets, with how often the code uses it: ten times for each loop around. */
struct rs_error *rs_session_init_profile(struct rs_session *session, const char *version,
					 struct rs_profile *ret_profile) RS_MUST_USE;
/* Compares the session's profile with its records. The result has no records; its findings say what is gone or
 * new. */
struct rs_error *rs_session_check_profile(struct rs_session *session,
					  const struct rs_result **ret_result) RS_MUST_USE;

#endif
