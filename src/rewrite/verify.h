/*
 * The proof that a rewritten text means what its plan says: it is parsed again in the same translation unit.
 */
#ifndef RS_REWRITE_VERIFY_H
#define RS_REWRITE_VERIFY_H

#include "parse/uses.h"
#include "plan/plan.h"
#include "text/edit.h"

/* A record and the plan that the new text claims to carry out. Of a record that configurations show in
 * different ways there is one for each. */
struct rs_verification {
	const struct rs_record *record; /* as it stood */
	const struct rs_plan *plan;
	const struct rs_record
		*base; /* what the plan is of: the record with the steps done; NULL: there are none */
	struct rs_alterations steps;
};

/* What changes beside the file that the records stand in: initialisers of theirs. */
struct rs_verify_context {
	const struct rs_buffer *texts; /* of other files, as they will be */
	size_t n_texts;
	const char *const *list_paths; /* real paths of files with changed initialisers */
	size_t n_list_paths;
	bool compares_lists;       /* initialisers must give the same values, whatever changes */
	bool compares_all_lists;   /* those of other types, too */
	bool others_planned;       /* records in other files change, too */
	struct rs_lifting lifting; /* members that leave their containers, or come into them */
};

/*
 * source: the file as it stood, read in tu. edits turn it into new_text. Checked: the inverse edits restore
 * every byte; parsed again there is no new diagnostic; the file defines the same records; a planned record has
 * the same members (names, types, sizes, attributes) in the planned order, at the planned offsets; every other
 * record is as it was; initialisers give the same values (rs_uses_compare()). context may be NULL: nothing else
 * changes. Where a planned record is embedded in another, that one's size and offsets may follow.
 * RS_ERROR_REJECTED is the compiler's word against the new order (a static assertion, say), with its place;
 * RS_ERROR_VERIFY any other failure.
 */
struct rs_error *rs_verify(struct rs_tu *tu, const struct rs_source *source, const char *new_text,
			   size_t new_size, const struct rs_verification *verifications, size_t n_verifications,
			   const struct rs_edit *edits, size_t n_edits,
			   const struct rs_verify_context *context) RS_MUST_USE;
/* Texts of several files, each verified by itself: read together in the unit they must bring no new diagnostic
 * either, and initialisers must give the same values (RS_ERROR_REJECTED). */
struct rs_error *rs_verify_together(struct rs_tu *tu, const struct rs_verify_context *all) RS_MUST_USE;
/* What the context wants to be compared of a unit before it changes; NULL: nothing. */
const struct rs_given_lists *rs_verify_lists(struct rs_tu *before, struct rs_arena *arena,
					     const struct rs_verify_context *context);
/* The same for a unit that was parsed from the new texts by itself; before: what the compiler said of the old,
 * lists: rs_verify_lists() of it. */
struct rs_error *rs_verify_unit(struct rs_tu *after, const struct rs_diagnostic *before, size_t n_before,
				const struct rs_given_lists *lists,
				const struct rs_verify_context *all) RS_MUST_USE;
/* Whether the edits turn the source into new_text, and their inverse turns it back. */
struct rs_error *rs_verify_inverse(const struct rs_source *source, const char *new_text, size_t new_size,
				   const struct rs_edit *edits, size_t n_edits) RS_MUST_USE;

#endif
