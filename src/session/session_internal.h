/*
 * What the steps of a session share: load.c fills the records, plan.c the plans, emit.c the edits.
 */
#ifndef RS_SESSION_SESSION_INTERNAL_H
#define RS_SESSION_SESSION_INTERNAL_H

#include "parse/facts.h"
#include "parse/records.h"
#include "parse/scan.h"
#include "parse/use_index.h"
#include "plan/agree.h"
#include "profile/profile.h"
#include "rewrite/verify.h"
#include "session/config.h"
#include "session/session.h"

/* One translation unit and the targets that are read in it. */
struct rs_session_tu {
	const char *file;
	const char *configuration; /* of --config; NULL: its own flags */
	struct rs_tu *tu;
};

/* A record as another configuration shows it. */
struct rs_session_view {
	const char *name;
	uint64_t fingerprint;
	struct rs_tu *tu; /* in which it was read; it stays one of the session's */
	const struct rs_record *record;
	struct rs_pin_list found; /* about it */
	const struct rs_binding *binding;
	const struct rs_cost *cost;
};

/* A record that was asked for, with where it came from. */
struct rs_session_record {
	const struct rs_record *record;
	const struct rs_target *target;
	struct rs_tu *tu;
	const struct rs_initializer_list *initializers; /* that a plan writes with designators; NULL: none */
	uint64_t fingerprint;                           /* in tu */
	struct rs_session_view *views;                  /* one for each other layout that was seen */
	size_t n_views, views_capacity;
};

/* A unit of the compile database that was scanned. What libclang holds of it is not kept: that is large. */
struct rs_session_source {
	const struct rs_scan_unit *unit;
	bool is_new;   /* shows a layout of a record that was not known yet when it was asked */
	bool is_open;  /* therefore it is among the session's units now, and nothing below is known */
	size_t *views; /* as which it shows each record; RS_NONE: as itself */
	struct rs_facts facts;
	const struct rs_dependencies *dependencies;
};

/* What is found about the records, while one unit after the other is looked at. */
struct rs_session_findings {
	const struct rs_record **records;
	struct rs_pin_list *lists; /* of the records; what is found of a view is in the view */
	struct rs_initializer_list *initializers;
	size_t n_records;
};

/* A target that may fail, and did. */
struct rs_session_failure {
	const char *file; /* as the target has it */
	const char *path; /* where it fails; NULL: not known */
	unsigned line;
	const char *message;
};

/* A file, and what git says of it. */
struct rs_session_guarded {
	const char *realpath;
	bool is_ignored;
};

/* A struct that embeds a record, found in another unit than the record's. */
struct rs_session_container {
	const char *name;
	const struct rs_record *record; /* NULL: no unit shows it */
};

/* Units that libclang holds at a time; see awake.c. */
enum { RS_SESSION_MAX_AWAKE = 6 };

struct rs_session {
	struct rs_session_options options;
	const struct rs_target *targets;
	size_t n_targets;
	struct rs_arena *arena;
	struct rs_notes notes;
	struct rs_profile profile;
	bool has_profile;
	struct rs_parser *parser;
	struct rs_session_tu *tus;
	size_t n_tus, tus_capacity;
	struct rs_tu *awake[RS_SESSION_MAX_AWAKE]; /* the one that was used last first */
	size_t n_awake;
	size_t n_unread; /* files among others that do not parse */
	struct rs_session_failure *failures;
	size_t n_failures, failures_capacity;
	struct rs_session_record *records;
	size_t n_records, records_capacity;
	const char *root;        /* canonical */
	const char *config_root; /* no configuration file is looked for above it */
	const struct rs_config **configs;
	size_t n_configs, configs_capacity;
	struct rs_session_guarded *guarded;
	size_t n_guarded, guarded_capacity;
	const struct rs_installed *installed; /* once has_installed */
	size_t n_installed;
	bool has_installed;
	bool is_loaded, with_bodies;
	bool is_variant;                       /* of another session's record (session/variant.h) … */
	const struct rs_binding *as_it_stands; /* … which has this binding … */
	struct rs_lifting lifting;             /* … without these members */
	struct rs_session **variants;          /* of this one's */
	size_t n_variants, variants_capacity;
	struct rs_session_source *sources;
	size_t n_sources;
	const struct rs_source **texts; /* of files with initialisers, each once */
	size_t n_texts, texts_capacity;
	struct rs_session_container *containers;
	size_t n_containers, containers_capacity;
	struct rs_fact_cache *cache;
	struct rs_record_result *results; /* what result.records and result.files show */
	struct rs_file_result *files;
	struct rs_result result;
};

/* Profile, parser, translation units, records; for plans with function bodies and what depends on the order. */
struct rs_error *rs_session_load(struct rs_session *session, enum rs_session_goal goal) RS_MUST_USE;
/* The functions that touch the records in all sources that are at hand: those of the targets, of --uses, of the
 * database. Settled. A source of the database that does not parse is a warning. */
struct rs_code;
struct rs_error *rs_session_read_code(struct rs_session *session, const struct rs_record *const *records,
				      size_t n_records, struct rs_code *code) RS_MUST_USE;
/* The member of any of the records whose name is nearest; NULL: none is near. */
const char *rs_session_nearest_member(struct rs_session *session, const char *name);
/* A struct that embeds a record, as the record's unit shows it, or any other; NULL: none does. */
struct rs_error *rs_session_find_container(struct rs_session *session, struct rs_tu *tu, const char *name,
					   const struct rs_record **ret_record) RS_MUST_USE;
/* Opens the unit of a file, or finds the one that is open. */
struct rs_error *rs_session_open(struct rs_session *session, const char *file,
				 struct rs_tu **ret_tu) RS_MUST_USE;
/* Closes the unit if it was opened last and shows no record of the session. */
void rs_session_drop_last(struct rs_session *session, struct rs_tu *tu);
/* The sources of the compile database whose text has the name; none without a database. */
struct rs_error *rs_session_sources_that_spell(struct rs_session *session, const char *name,
					       const char *const **ret_sources, size_t *ret_count) RS_MUST_USE;
/* Adds to the records what their text, their uses and the tree around them say against moving. */
struct rs_error *rs_session_find_uses(struct rs_session *session) RS_MUST_USE;
/* Looks at an open unit: at each record as the unit shows it. *ret_is_new: see rs_session_find_views(). */
struct rs_error *rs_session_look_into(struct rs_session *session, const struct rs_session_findings *findings,
				      struct rs_tu *tu, const char *configuration,
				      bool *ret_is_new) RS_MUST_USE;
/* A unit that was just opened becomes one of the session's. */
void rs_session_remember(struct rs_session *session, const char *canonical, const char *configuration,
			 struct rs_tu *tu);
/* Before a unit of the session is looked into; the one that was not used longest may sleep then. */
struct rs_error *rs_session_wake(struct rs_session *session, struct rs_tu *tu) RS_MUST_USE;
/* A unit that will be destroyed. */
void rs_session_forget(struct rs_session *session, const struct rs_tu *tu);
/* A source that cannot be read may depend on the order of any record that it names. */
void rs_session_note_unread(struct rs_session *session, const struct rs_session_findings *findings,
			    const char *file, const struct rs_error *error);
/* Looks at the sources of the compile database, as the units that they are. */
struct rs_error *rs_session_scan(struct rs_session *session,
				 const struct rs_session_findings *findings) RS_MUST_USE;
/* Opens the cache when it is first needed. */
struct rs_scan_settings rs_session_scan_settings(struct rs_session *session);
/* The unit of each source. */
const struct rs_scan_unit **rs_session_units_of(struct rs_session *session,
						struct rs_session_source *const *sources, size_t count);
/* Parses the units with the new texts: RS_ERROR_REJECTED when one has something against them. done has one
 * entry for each open unit: those that are left out. */
struct rs_error *rs_session_check_elsewhere(struct rs_session *session, const bool *done,
					    const struct rs_verify_context *all) RS_MUST_USE;
/* Opens each record's unit in the named configurations, too. */
struct rs_error *rs_session_vary_units(struct rs_session *session) RS_MUST_USE;
/* Opens a unit in the named configuration and keeps it open. */
struct rs_error *rs_session_vary(struct rs_session *session, const struct rs_session_tu *from,
				 const struct rs_session_configuration *configuration,
				 struct rs_tu **ret_tu) RS_MUST_USE;
/* As what each record is seen in the unit: the number of a view, RS_NONE for the record itself (also when the
 * unit does not show it). A layout that was not seen yet becomes a view, called by the configuration or,
 * without one, by the unit's file; *ret_is_new says that the unit must stay open. */
struct rs_error *rs_session_find_views(struct rs_session *session, struct rs_tu *tu, const char *configuration,
				       size_t *ret_views, bool *ret_is_new) RS_MUST_USE;
/* Makes what holds in any view hold for the record; adds pins to list. */
void rs_session_unite(struct rs_session *session, struct rs_session_record *from, struct rs_pin_list *list);
/* Costs of the views, for a record that was bound. */
struct rs_error *rs_session_bind_views(struct rs_session *session,
				       const struct rs_session_record *from) RS_MUST_USE;
/* The views as the planner sees them; n_views of the record. */
struct rs_plan_view *rs_session_plan_views(struct rs_session *session, const struct rs_session_record *from);
/* The plans for record, which is from's or an amended copy of it, that are good in every view. ret_dropped has
 * an entry a view, all zero. */
void rs_session_optimize(struct rs_session *session, const struct rs_session_record *from,
			 const struct rs_record *record, const struct rs_binding *binding,
			 struct rs_plan_set *ret_set, struct rs_plan_dropped *ret_dropped);
/* The same for from's own, with what was dropped as hazards of the result. */
void rs_session_find_plans(struct rs_session *session, const struct rs_session_record *from,
			   struct rs_record_result *result, struct rs_plan_set *ret_set);
/* Binds the profile to the record as one unit shows it; NULL when the profile has nothing about it. */
struct rs_error *rs_session_bind(struct rs_session *session, const struct rs_record *record, struct rs_tu *tu,
				 struct rs_notes *notes, const struct rs_binding **ret_binding) RS_MUST_USE;
/* The result of one record: binding, cost, the layout as it stands and, unless `annotate`, its plans. */
struct rs_error *rs_session_plan(struct rs_session *session, const struct rs_session_record *from,
				 enum rs_session_goal goal, struct rs_record_result *ret_result) RS_MUST_USE;
/* Carries a plan out of a result over to the record as it is read here; RS_ERROR_CHANGED when it does not give
 * the layout that it was made for. */
struct rs_error *rs_session_replay(struct rs_session *session, const struct rs_target_plan *target,
				   const struct rs_record_result *result, struct rs_plan *ret_plan) RS_MUST_USE;
/* The comments of such a plan. */
struct rs_error *rs_session_replay_headlines(struct rs_session *session, const struct rs_target_plan *target,
					     const struct rs_record_result *result,
					     struct rs_headlines *ret_headlines) RS_MUST_USE;
/* Fills in the edits of a plan of records[index] and the texts that they give. */
void rs_session_rewrite(struct rs_session *session, size_t index, struct rs_plan_result *plan);
/* Fills in the number of lines that the plan's diff adds and removes. */
struct rs_error *rs_session_count_lines(struct rs_plan_result *plan) RS_MUST_USE;
/* Takes out the pick of results[index] for the reason given; the best plan that is left becomes the pick. */
void rs_session_drop_pick(struct rs_session *session, size_t index, const struct rs_error *reason);
/* Carries out and verifies each plan by itself; those that the compiler rejects are dropped with the reason. */
struct rs_error *rs_session_carry_out(struct rs_session *session) RS_MUST_USE;
/* Carries out the picked plans, all of them together; fills result.files. Picks that cannot be carried out
 * beside the others are dropped with the reason. */
struct rs_error *rs_session_emit(struct rs_session *session) RS_MUST_USE;

/* Fills result.findings from the baseline and the groups of the profile. */
void rs_session_check(struct rs_session *session);
/* Fills result.steps from the picks that were emitted; each state between is verified, too. */
struct rs_error *rs_session_make_series(struct rs_session *session) RS_MUST_USE;

/* Whether the file's text has one of the words, anywhere. */
bool rs_session_spells(const char *path, const char *const *words, size_t n_words, bool if_unreadable);

#endif
