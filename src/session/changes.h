/*
 * What picked plans change, file by file: units that move, and initialisers of the records, which may stand in
 * other files.
 */
#ifndef RS_SESSION_CHANGES_H
#define RS_SESSION_CHANGES_H

#include "rewrite/initializers.h"
#include "session/session_internal.h"

struct rs_session_pick {
	size_t record;                     /* index */
	const struct rs_plan_result *plan; /* with its edits */
};

struct rs_session_changes {
	struct rs_file_change *files; /* by real path */
	size_t n_files, files_capacity;
	const struct rs_edit *edits; /* of all of them, by real path and place */
	size_t n_edits;
	struct rs_initializer_edits initializers; /* what was done with initialisers */
	const char **list_paths;                  /* real paths of files with changed ones, each once */
	size_t n_list_paths;
	const struct rs_source
		*overlap; /* where picks cannot be combined, since they want the same bytes; NULL */
	bool in_macros;   /* some stand in the bodies of macros, which may be used for anything */
	const struct rs_session_pick *picks; /* that give the changes */
	size_t n_picks;
};

/* The edits of all the picks together. */
void rs_changes_collect(struct rs_session *session, const struct rs_session_pick *picks, size_t n_picks,
			struct rs_session_changes *ret_changes);
/* NULL when the file stays as it is. */
const struct rs_file_change *rs_changes_find(const struct rs_session_changes *changes, const char *realpath);
/* Proves the changes: the records of the picks in the units that show them, in every configuration that was
 * seen, and what is said in all others. since: those of the picks without which the changes are proved already;
 * units that read none of their files are left out. */
struct rs_error *rs_changes_verify(struct rs_session *session, const struct rs_session_changes *changes,
				   const struct rs_session_pick *since, size_t n_since) RS_MUST_USE;

#endif
