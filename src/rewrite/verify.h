/*
 * The proof that a rewritten text means what its plan says: it is parsed again in the same translation unit.
 */
#ifndef RS_REWRITE_VERIFY_H
#define RS_REWRITE_VERIFY_H

#include "parse/tu.h"
#include "plan/plan.h"
#include "text/edit.h"

struct rs_verification {
	const struct rs_record *record; /* as it stood */
	const struct rs_plan *plan;
	const char *new_text; /* the whole file after the edits */
	size_t new_size;
};

/* Same members, types and attributes; offsets and size equal to the plan's; no new diagnostics; every other
 * record of the file unchanged but for what the record's size explains; inverse edits restore the bytes. Error
 * RS_ERROR_VERIFY says what failed. */
struct rs_error *rs_verify(struct rs_tu *tu, const struct rs_verification *verification,
			   const struct rs_edit *edits, size_t n_edits) RS_MUST_USE;

#endif
