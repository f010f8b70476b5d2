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
	size_t *twin;   /* for each member before the one after with its path, or in its place; RS_NONE */
	size_t *origin; /* the other way round */
	bool *moved;    /* for each member before: whether it changed its place among those that stayed */
	/* At the top level, but for those that changed their type. */
	size_t n_added, n_removed, n_moved, n_renamed, n_retyped;
	bool has_resized; /* any that has its type still: that grew or shrank elsewhere */
};

/* Fills twin, origin, moved and the counts. */
void rs_review_match(struct rs_review_pair *pair);
/* Whether some field has others before it than it had. */
bool rs_review_has_moves(const struct rs_review_pair *pair);
/* Whether fields changed places, or another one is the first: more than that some came or went. */
bool rs_review_has_reorder(const struct rs_review_pair *pair);
/* Whether the member is one of the record itself, or of an anonymous one in it. */
bool rs_review_is_top(const struct rs_record *record, size_t member);
/* Whether its type is a struct or union that is defined right there, without a name. */
bool rs_review_is_in_place(const struct rs_member *member);
bool rs_review_same_type(const struct rs_member *a, const struct rs_member *b);

/* Fields that came, went or changed, sizes, alignment, cost and sharing. */
void rs_review_compare_layout(const struct rs_review_pair *pair);
/* Comments, #if and bit-fields around what moved. */
void rs_review_compare_text(const struct rs_review_pair *pair);
/* Pins of the old order that the new one does not keep, and initialisers that were not changed with it. before
 * and after are of sessions that looked for uses. changes tells which lists were edited. */
void rs_review_compare_uses(const struct rs_review_pair *pair, const struct rs_session_record *before,
			    const struct rs_session_record *after, const struct rs_git_changes *changes);

/* Sources of the compile database that are read on the other side, too. */
struct rs_review_scope {
	struct rs_arena *arena;
	const char **files; /* canonical */
	size_t n_files, files_capacity;
};

/* Those that showed anything about the order, or did not parse. */
void rs_review_scope_add_session(struct rs_review_scope *scope, const struct rs_session *session);
void rs_review_scope_add_changes(struct rs_review_scope *scope, const struct rs_git_changes *changes);
/* Those of the session that spell a field which is gone. */
void rs_review_scope_add_users(struct rs_review_scope *scope, const struct rs_session *session,
			       const struct rs_review_pair *pair);

/* Files of the change that cannot be read: finding source-broken where they could before it. A session may be
 * NULL. */
void rs_review_compare_failures(struct rs_finding_list *list, const struct rs_session *before,
				const struct rs_session *after);
/* The same for sources that use the record, but for those that touched could not read itself. */
void rs_review_compare_unread(const struct rs_review_pair *pair, const struct rs_record *before,
			      const struct rs_record *after, const struct rs_session *touched);
/* Whether the pin says that a source does not parse. */
bool rs_review_is_unread(const struct rs_pin *pin);

/* The latter part of it. */
void rs_review_compare_initializers(const struct rs_review_pair *pair, const struct rs_session_record *before,
				    const struct rs_session_record *after,
				    const struct rs_git_changes *changes);
/* Whether the pin is about values by position. */
bool rs_review_is_about_initializers(const struct rs_pin *pin);

#endif
