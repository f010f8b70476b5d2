/*
 * What a command found, ready to be shown: the one model that every writer in report/ reads. Const once built;
 * everything lives in the session's arena.
 */
#ifndef RS_SESSION_RESULT_H
#define RS_SESSION_RESULT_H

#include "base/notes.h"
#include "plan/explain.h"
#include "plan/plan.h"
#include "session/finding.h"
#include "text/edit.h"

/* A file that plans change. */
struct rs_file_change {
	const struct rs_source *source;
	const struct rs_edit *edits;
	size_t n_edits;
	const char *new_text; /* the whole file after the edits */
	size_t new_size;
	size_t n_initializers; /* of the records, that the edits write with designators */
};

/* What a layout comes to in another configuration. */
struct rs_configuration_result {
	const char *name;
	uint64_t size_bytes;
	double cost_ns; /* 0 without a profile */
};

/* What a struct that embeds the record comes to. */
struct rs_container_result {
	const char *name;
	uint64_t size_bytes;
};

/* One plan with the edits that carry it out. */
struct rs_plan_result {
	const struct rs_plan *plan;
	const struct rs_edit *edits; /* NULL unless the plan was carried out; of all files, by file and place */
	size_t n_edits;
	const struct rs_file_change *changes; /* the same, file by file */
	size_t n_changes;
	const char *new_text; /* the record's whole file after the edits; NULL likewise */
	size_t new_size;
	size_t changed_lines;         /* of the real diff when carried out, else the plan's estimate */
	const struct rs_pin *remarks; /* what it does that somebody should look at */
	size_t n_remarks;
	bool verified;                      /* re-parsed, and found to be what the plan says */
	const struct rs_line_report *lines; /* of the plan's layout; NULL without a profile */
	size_t n_lines;
	const struct rs_configuration_result *configurations; /* the others in which the record was read */
	size_t n_configurations;
	const struct rs_container_result *containers; /* of the profile's placement, those that are known */
	size_t n_containers;
	struct rs_headlines headlines; /* comments above what moved */
	struct rs_alterations steps;   /* done to declarations before they move; mostly none */
	const struct rs_record_result
		*base;                    /* with steps: the struct with them done, which order and offsets are
					   * of, and where its members lie as it stands; NULL: there are none */
	const struct rs_variant *variant; /* likewise; the session's */
};

enum rs_verdict {
	RS_VERDICT_NONE,    /* nothing was asked for but to show the layout */
	RS_VERDICT_PLANS,   /* there is at least one plan */
	RS_VERDICT_NO_GAIN, /* the order as it stands is as good as any */
	RS_VERDICT_REFUSED, /* a pin says that nothing may move */
};

/* What would help beside another order. */
struct rs_advice {
	const char *code; /* "true-sharing", … (session/advice.h) */
	const char *message;
};

/* What was asked about one field. */
struct rs_explained {
	const char *name;                  /* its path */
	struct rs_explanation now;         /* as the struct stands; with moves where there is no plan */
	const struct rs_plan_result *plan; /* the pick; NULL: there is none, or the field is not in it */
	struct rs_explanation then;        /* in its layout; members are those of its base, if it has one */
	const struct rs_pin *held;         /* what pins it */
	size_t n_held;
};

struct rs_record_result {
	const struct rs_record *record;
	const struct rs_binding *binding; /* NULL without a profile for it */
	const struct rs_cost *cost;       /* NULL likewise */
	struct rs_plan_result original;   /* the layout as it stands; its plan has id 0 */
	enum rs_verdict verdict;
	const char *held_gain;        /* without gain: what is possible without which pins; NULL */
	bool is_by_hand;              /* the order was asked for, not searched */
	struct rs_plan_result *plans; /* empty for annotate */
	size_t n_plans;
	size_t pick; /* index into plans; RS_NONE */
	double lower_bound_ns;
	uint64_t lower_bound_bytes;
	bool proven;
	const struct rs_advice *advice; /* none unless plans were asked for, with a profile */
	size_t n_advice;
	const struct rs_explained *explanations; /* what was asked for */
	size_t n_explanations;
	const struct rs_pin *hazards; /* code elsewhere that depends on the order; same shape as a pin */
	size_t n_hazards;
};

/* A file that records stand in, or initialisers of theirs that plans change. */
struct rs_file_result {
	const struct rs_source *source;
	const char *new_text; /* with the picked plans of all its records; NULL unless they were carried out */
	size_t new_size;
	unsigned mode;        /* of the file: 0100644 or 0100755 */
	const char *old_text; /* what new_text follows on, in a series; NULL: the source's */
	size_t old_size;
};

/* One patch of a series: the plan of one record, on top of those before. */
struct rs_series_step {
	size_t record;                      /* index */
	const struct rs_file_result *files; /* that it changes */
	size_t n_files;
};

/* What was asked for. */
struct rs_asked {
	const char *file; /* NULL: anywhere */
	const char *name; /* NULL: every struct of the file */
};

struct rs_result {
	const char *parser_version; /* rs_parser_version(); NULL: not said */
	const char *triple;
	unsigned line_bytes;
	const char *root; /* paths are shown relative to it; NULL: as they are */
	const struct rs_file_result *files;
	size_t n_files;
	const struct rs_record_result *records;
	size_t n_records;
	const struct rs_series_step *steps; /* the emitted plans one after the other, each verified; empty
					     * unless a series was asked for */
	size_t n_steps;
	const struct rs_asked *asked;
	size_t n_asked;
	const struct rs_finding *findings; /* of check and review */
	size_t n_findings;
	size_t n_unread; /* files that were asked for and do not parse: notes say why */
	const struct rs_notes *notes;
};

#endif
