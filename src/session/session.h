/*
 * One run of the program: load → bind → plan → rewrite → verify. A session holds what was read and the result;
 * it prints nothing, and touches files only in rs_session_apply().
 */
#ifndef RS_SESSION_SESSION_H
#define RS_SESSION_SESSION_H

#include "parse/scan.h"
#include "record/amend.h"
#include "session/baseline.h"
#include "session/result.h"

/* A file that must still be the one a plan was made for. */
struct rs_target_file {
	const char *path;
	uint64_t hash;
};

/* A plan out of a result: which declarations move, and where every field must come to stand by it. */
struct rs_target_move {
	const char *const *units;
	size_t n_units;
	const char *after; /* NULL: they come first */
};

struct rs_target_field {
	const char *name;
	uint64_t offset_bits;
};

/* A comment above a declaration. */
struct rs_target_headline {
	const char *unit, *text;
};

struct rs_target_plan {
	const struct rs_target_move *moves;
	size_t n_moves;
	struct rs_alterations steps; /* before the moves, which are of what they leave */
	const struct rs_target_headline *headlines;
	size_t n_headlines;
	bool splits; /* declarations of several declarators, whose parts are units then */
	const struct rs_target_field *fields;
	size_t n_fields;
	uint64_t size_bytes;
};

/* What to look at. */
struct rs_target {
	const char
		*file; /* that defines the record; NULL: it stands in one of the sources or what they include */
	const char *name;           /* NULL: every record that the file itself defines; never with sources */
	const char *const *sources; /* tried in turn; empty: those of the compile database */
	size_t n_sources;
	const char *const *order; /* an order chosen by hand; NULL: the optimizer's */
	size_t n_order;
	const struct rs_target_plan *plan; /* one that was made before; then there is no order; NULL: none */
	bool may_fail;          /* then it is a note, not an error, that it cannot be read or is not there */
	bool may_be_missing;    /* then it is no error that the file or the struct is not there */
	bool has_expected_hash; /* the file must still be the one a plan was made for */
	uint64_t expected_hash;
	const struct rs_target_file *others; /* files with initialisers that the plan changes, too */
	size_t n_others;
};

/* --config NAME=FLAGS: the records are read with these flags behind those of every unit, too. */
struct rs_session_configuration {
	const char *name;
	const char *const *flags;
	size_t n_flags;
};

struct rs_session_options {
	struct rs_parse_options parse; /* prelude is filled from the profile */
	const char *const *profiles;
	size_t n_profiles;
	unsigned line_bytes; /* 0: the profile's, or 64 */
	const char *root;    /* edits stay below it; NULL: the git top level, or the current folder */
	struct rs_plan_options plan;
	const struct rs_allowance *allowances; /* pins that the user overrules */
	size_t n_allowances;
	const struct rs_session_configuration *configurations;
	size_t n_configurations;
	bool with_config; /* .restruct.json files hold: their path rules and the allowances in them */
	struct rs_scan_settings scan;    /* its cache is the session's own affair */
	const char *const *only_sources; /* canonical: of the database no others are scanned; NULL: all are */
	size_t n_only_sources;
	bool with_cache;          /* answers are kept between runs */
	bool headlines;           /* comments over groups that are put elsewhere, in all plans */
	bool splits;              /* declarations of several declarators may become several */
	const char *const *asked; /* --pin: "A:first", "A:near:B", … (session/asked.h) */
	size_t n_asked;
	const char *const *explain; /* fields that RS_GOAL_OPTIMIZE explains */
	size_t n_explain;
	unsigned pick;                      /* id of the plan to carry out; 0: the default */
	const struct rs_baseline *baseline; /* for RS_GOAL_CHECK; NULL: none */
	bool is_series;                     /* what is emitted is also to be had as one patch a record */
	bool designate; /* initialisers by position get designators, even where their values could change places
			 */
};

enum rs_session_goal {
	RS_GOAL_ANNOTATE, /* layouts as they stand */
	RS_GOAL_OPTIMIZE, /* plans, each carried out and verified */
	RS_GOAL_CHECK,    /* layouts as they stand, held to the baseline and to the profile's groups */
	RS_GOAL_REVIEW,   /* plans, none of them carried out */
	RS_GOAL_SITES,    /* layouts and the code that uses them, but not what it means for the order */
	RS_GOAL_EMIT,     /* the picked plans alone, carried out together and verified */
};

struct rs_session;
/* Everything in options and targets must outlive the session. */
struct rs_error *rs_session_create(const struct rs_session_options *options, const struct rs_target *targets,
				   size_t n_targets, struct rs_session **ret_session) RS_MUST_USE;
void rs_session_destroy(struct rs_session *session);
/* Can be called again with another goal; the last result stays valid until the session ends. */
struct rs_error *rs_session_run(struct rs_session *session, enum rs_session_goal goal,
				const struct rs_result **ret_result) RS_MUST_USE;
/* Writes the files of the last RS_GOAL_EMIT run: all of them or none. */
struct rs_error *rs_session_apply(struct rs_session *session) RS_MUST_USE;
/* Remarks so far; also there when a run failed. */
const struct rs_notes *rs_session_notes(const struct rs_session *session);

/* The project that a file, named by path, belongs to: the git top level, else the current folder or the file's.
 */
const char *rs_session_project_of(struct rs_arena *arena, const char *path);

#endif
