/*
 * .restruct.json: defaults for options, and rules about files. The nearest one upward from a file counts, not
 * beyond the project root. docs/formats.md describes it, docs/config.schema.json states it.
 */
#ifndef RS_SESSION_CONFIG_H
#define RS_SESSION_CONFIG_H

#include "profile/profile.h"
#include "record/amend.h"

#define RS_CONFIG_NAME ".restruct.json"

/* {"path": …, "keep": true, "allow": […]}: what holds for the files that match. */
struct rs_config_rule {
	struct rs_profile_names
		patterns; /* relative to the file's folder; "*" stays in a folder, "**" does not */
	bool keep;        /* nothing in these files is changed */
	const struct rs_allowance *allowances;
	size_t n_allowances;
	unsigned line;
};

struct rs_config_setting { /* "config": {"NAME": "FLAGS"} */
	const char *name, *flags;
};

/* Paths are absolute. What the file does not say is NULL, 0 or empty. */
struct rs_config {
	const char *path, *folder;
	unsigned line_bytes, max_moves;
	const char *root, *build_directory, *resource_directory;
	struct rs_profile_names profiles, contexts;
	struct rs_profile_names flags;
	const struct rs_allowance *allowances;
	size_t n_allowances;
	const struct rs_config_setting *settings;
	size_t n_settings;
	const struct rs_config_rule *rules;
	size_t n_rules;
};

/* The file's path; NULL when there is none from file's folder (for a folder: from itself) up to root. */
const char *rs_config_locate(struct rs_arena *arena, const char *file, const char *root);
/* Errors have line and column, and suggest a name for an unknown key or code. */
struct rs_error *rs_config_read(struct rs_arena *arena, const char *path,
				struct rs_config *ret_config) RS_MUST_USE;
/* Whether the rule is about this file, by its real path. */
bool rs_config_matches(struct rs_arena *arena, const struct rs_config *config,
		       const struct rs_config_rule *rule, const char *realpath);

#endif
