/*
 * Judges a change that somebody else made: both sides are read as the compiler reads them, and records that
 * differ are compared.
 */
#ifndef RS_SESSION_REVIEW_H
#define RS_SESSION_REVIEW_H

#include "session/session.h"
#include "text/git.h"

struct rs_review;
/*
 * Compares both sides of the changes. options as for a session; their buffers must be empty. The result has the
 * new side's records that the changes touch, and the findings:
 *
 * struct-changed     (note) one a record: size, lines, holes, whether it is a pure reorder
 * struct-added, struct-removed
 * source-broken, source-unread   what parses no longer, and what nothing can be said about
 * field-removed, field-added, field-renamed, field-type, field-moved (note), bitfield-split, conditional-moved
 * comment-left-behind, alignment-lost, alignment-gained
 * size-grew          although no field was added
 * cost-increased, cost-decreased, false-sharing-added, false-sharing-removed   with a profile
 * initializer-forgotten   values by position that now go to other members
 * better-plan        (note) what a reorder could still gain
 * and the code of a pin that the old order kept and the new one does not; hazard-added (note).
 */
struct rs_error *rs_review_create(const struct rs_session_options *options,
				  const struct rs_git_changes *changes,
				  struct rs_review **ret_review) RS_MUST_USE;
void rs_review_destroy(struct rs_review *review); /* NULL is allowed */
const struct rs_result *rs_review_result(const struct rs_review *review);
const struct rs_notes *rs_review_notes(const struct rs_review *review);

#endif
