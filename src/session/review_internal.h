/*
 * What the parts of a review share: review.c reads both sides, review_layout.c compares layouts, review_text.c
 * what stands in the source, review_uses.c what depends on the order.
 */
#ifndef RS_SESSION_REVIEW_INTERNAL_H
#define RS_SESSION_REVIEW_INTERNAL_H

#include "session/review.h"
#include "session/session_internal.h"

/* A record on both sides. */
struct rs_review_pair {
	struct rs_arena *arena;
	struct rs_finding_list *list;
	const struct rs_record_result *before, *after;
	const size_t *twin; /* for each member before the one after with its path; RS_NONE */
	bool *moved;        /* for each member before: whether it changed its place among those that stayed */
	size_t n_added, n_removed, n_moved;
};

/* Fills twin, moved and the counts. */
void rs_review_match(struct rs_review_pair *pair);
/* Whether the order of the fields, or anything about their places, differs. */
bool rs_review_has_moves(const struct rs_review_pair *pair);

/* Fields that came, went or changed, sizes, alignment, cost and sharing. */
void rs_review_compare_layout(const struct rs_review_pair *pair);
/* Comments, #if and bit-fields around what moved. */
void rs_review_compare_text(const struct rs_review_pair *pair);
/* Pins of the old order that the new one does not keep, and initialisers that were not changed with it. before
 * and after are of sessions that looked for uses. changes tells which lists were edited. */
void rs_review_compare_uses(const struct rs_review_pair *pair, const struct rs_session_record *before,
			    const struct rs_session_record *after, const struct rs_git_changes *changes);

/* The latter part of it. */
void rs_review_compare_initializers(const struct rs_review_pair *pair, const struct rs_session_record *before,
				    const struct rs_session_record *after, const struct rs_git_changes *changes);
/* Whether the pin is about values by position. */
bool rs_review_is_about_initializers(const struct rs_pin *pin);

#endif
