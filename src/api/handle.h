/*
 * What a handle of the public API holds, and what the files that implement it share.
 */
#ifndef RS_API_HANDLE_H
#define RS_API_HANDLE_H

#include "report/report.h"
#include "restruct/restruct.h"
#include "session/review.h"

struct rs_handle_lines {
	const char **items;
	size_t n_items, items_capacity;
};

struct restruct {
	struct rs_arena *arena;
	struct rs_session_options options;
	struct rs_target *targets;
	size_t n_targets, targets_capacity;
	const char **profiles, **contexts;
	size_t profiles_capacity, contexts_capacity;
	struct rs_buffer *buffers;
	size_t buffers_capacity;
	struct rs_allowance *allowances;
	size_t allowances_capacity;
	struct rs_session_configuration *configurations;
	size_t configurations_capacity;
	const char **explain, **asked;
	size_t explain_capacity, asked_capacity;
	const char *const *order;
	size_t n_order;
	struct rs_session *session;
	struct rs_review *review;
	struct rs_git_changes changes;  /* that the review is of */
	const struct rs_result *result; /* of the last question */
	enum rs_report_kind kind;
	const char *baseline_path;
	struct rs_baseline baseline;
	bool has_baseline;                /* it is there */
	const struct rs_profile *profile; /* that the last question gave; NULL: it gave a result */
	bool shows_profile;               /* as a table, not as the file */
	char *error;
	struct rs_notes recovery;
	struct rs_handle_lines notes, refusals;
};

/* Opens the session with what the handle was loaded with, unless it is open. */
struct rs_error *rs_handle_open(struct restruct *r) RS_MUST_USE;
/* Forgets the last answer. */
void rs_handle_begin(struct restruct *r);
/* Keeps the notes so far, and the error if there is one, which it takes over; gives the status. */
enum restruct_status rs_handle_end(struct restruct *r, struct rs_error *error);
/* What the functions of the API were told, as the options of a session. */
void rs_handle_set_options(struct restruct *r);
/* Keeps the text of an error (NULL: none). */
void rs_handle_set_error(struct restruct *r, const char *text);
/* Takes the error over: keeps its text, gives the status that it comes to. */
enum restruct_status rs_handle_fail(struct restruct *r, struct rs_error *error);
/* Takes the answer to a question in r->result, or the error; gives the status that it comes to. */
enum restruct_status rs_handle_answer(struct restruct *r, struct rs_error *error, enum rs_report_kind kind);
/* Prints r->profile: as a table where that was asked for and the format is text, else as the file that it is.
 */
struct rs_error *rs_handle_print_profile(struct restruct *r, const char *format,
					 struct rs_builder *out) RS_MUST_USE;

#endif
