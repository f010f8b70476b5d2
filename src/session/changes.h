/*
 * What picked plans change, file by file: units that move, and initialisers of the records, which may stand in
 * other files.
 */
#ifndef RS_SESSION_CHANGES_H
#define RS_SESSION_CHANGES_H

#include "session/session_internal.h"

struct rs_session_pick {
	size_t record;                     /* index */
	const struct rs_plan_result *plan; /* with its edits */
};

struct rs_session_changes {
	struct rs_file_change *files; /* by real path */
	size_t n_files, files_capacity;
	struct rs_designated *lists; /* as they must read afterwards */
	size_t n_lists;
};

/* The edits of one plan, in all files, by real path and place. */
void rs_changes_find_edits(struct rs_session *session, size_t record, struct rs_plan_result *plan);
/* The edits of all the picks together. */
void rs_changes_collect(struct rs_session *session, const struct rs_session_pick *picks, size_t n_picks,
			struct rs_session_changes *ret_changes);
/* NULL when the file stays as it is. */
const struct rs_file_change *rs_changes_find(const struct rs_session_changes *changes, const char *realpath);
/* Proves the changes of the picks, whose records all stand in source: first in the units that show them, in
 * every configuration that was seen, then in all others. */
struct rs_error *rs_changes_verify(struct rs_session *session, const struct rs_source *source,
				   const struct rs_session_changes *changes,
				   const struct rs_session_pick *picks, size_t n_picks) RS_MUST_USE;
/* Reads everything in every unit, without a look at the records themselves. */
struct rs_error *rs_changes_verify_together(struct rs_session *session,
					    const struct rs_session_changes *changes) RS_MUST_USE;

#endif
