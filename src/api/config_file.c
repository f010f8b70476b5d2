#include <string.h>

#include "api/handle.h"
#include "base/path.h"
#include "restruct/restruct.h"
#include "session/config.h"

static const char *first_file(const struct restruct *r)
{
	if (r->n_targets == 0)
		return ".";
	if (r->targets[0].file)
		return r->targets[0].file;
	return r->targets[0].n_sources > 0 ? r->targets[0].sources[0] : ".";
}

/* What was set before stays; lists of what is allowed or read besides only grow. */
static void take_config(struct restruct *r, const struct rs_config *config)
{
	struct rs_parse_options *parse = &r->options.parse;
	bool has_profiles = r->options.n_profiles > 0;

	if (!r->options.line_bytes)
		r->options.line_bytes = config->line_bytes;
	if (!r->options.plan.max_moves)
		r->options.plan.max_moves = config->max_moves;
	if (!r->options.root)
		r->options.root = config->root;
	if (!parse->resource_directory)
		parse->resource_directory = config->resource_directory;
	if (!parse->has_flags && !parse->build_directory && config->flags.n_names > 0)
		restruct_set_flags(r, config->flags.names, config->flags.n_names);
	if (!parse->has_flags && !parse->build_directory)
		parse->build_directory = config->build_directory;
	for (size_t i = 0; !has_profiles && i < config->profiles.n_names; i++)
		restruct_add_profile(r, config->profiles.names[i]);
	for (size_t i = 0; i < config->contexts.n_names; i++)
		restruct_add_context(r, config->contexts.names[i]);
	for (size_t i = 0; i < config->n_allowances; i++)
		*rs_array_push(r->arena, r->allowances, r->options.n_allowances, r->allowances_capacity) =
			config->allowances[i];
}

static bool has_configuration(const struct restruct *r, const char *name)
{
	for (size_t i = 0; i < r->options.n_configurations; i++)
		if (strcmp(r->configurations[i].name, name) == 0)
			return true;
	return false;
}

enum restruct_status restruct_read_config(struct restruct *r)
{
	const char *file = first_file(r);
	const char *project = r->options.root ? rs_path_canonical(r->arena, r->options.root)
					      : rs_session_project_of(r->arena, file);
	const char *path = rs_config_locate(r->arena, file, project);
	struct rs_config config;

	rs_handle_set_error(r, NULL);
	r->options.with_config = true;
	if (!path)
		return RESTRUCT_OK;
	struct rs_error *error = rs_config_read(r->arena, path, &config);
	if (error)
		return rs_handle_fail(r, error);
	take_config(r, &config);
	for (size_t i = 0; i < config.n_settings; i++)
		if (!has_configuration(r, config.settings[i].name))
			restruct_add_configuration(r, config.settings[i].name, config.settings[i].flags);
	return RESTRUCT_OK;
}
