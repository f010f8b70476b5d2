#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/command.h"

/* What the command came to: notes on stderr, the product on stdout or in -o FILE. */
static int finish(struct rs_arena *arena, struct restruct *r, const struct rs_options *options, int status)
{
	rs_command_report(r, options, false);
	if (status <= RESTRUCT_FINDINGS)
		status = rs_command_print(arena, r, options, status);
	restruct_destroy(r);
	return status;
}

static int usage(const char *text, const char *about)
{
	return rs_command_fail(rs_error_create(RS_ERROR_USAGE, NULL, 0, 0, text, about));
}

static bool parse_address(const char *text, unsigned long long *ret_address)
{
	char *end;

	errno = 0;
	*ret_address = strtoull(text, &end, 0);
	return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0;
}

int rs_cmd_profile_import(struct rs_arena *arena, const struct rs_options *options)
{
	struct restruct_import_options import = { .format = options->from,
						  .as = options->as,
						  .allocation = options->allocation,
						  .has_object_base = options->object_base != NULL,
						  .by_field = options->by_field };
	bool reads_sources = options->contexts.n_items > 0 || options->build_directory || options->has_flags;
	int status;

	if (import.has_object_base && !parse_address(options->object_base, &import.object_base))
		return usage("--object-base: '%s' is no address", options->object_base);
	if (reads_sources && options->names.n_items == 0)
		return usage("%s: the structs to look for in the sources are named with -C", "profile import");
	struct restruct *r = rs_command_open_bare(arena, options, &status);
	if (!r)
		return status;
	for (size_t i = 0; i < options->names.n_items; i++)
		restruct_add_target_anywhere(r, options->contexts.items, options->contexts.n_items,
					     options->names.items[i]);
	status = (int)restruct_import_profile(r, options->files.items, options->files.n_items, &import);
	return finish(arena, r, options, status);
}

/* FILE or FILE=WEIGHT; a file that exists under the longer name is preferred. */
static struct rs_error *split_weight(struct rs_arena *arena, const char *argument, const char **ret_file,
				     double *ret_weight)
{
	const char *equals = strrchr(argument, '=');
	char *end;

	*ret_file = argument;
	*ret_weight = 1;
	if (!equals || rs_file_exists(argument))
		return NULL;
	*ret_file = rs_arena_strndup(arena, argument, (size_t)(equals - argument));
	*ret_weight = strtod(equals + 1, &end);
	if (equals[1] == '\0' || *end != '\0' || !isfinite(*ret_weight) || *ret_weight < 1e-12 ||
	    *ret_weight > 1e12)
		return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0,
				       "%s: the weight '%s' is no number above 0, such as 0.5", *ret_file,
				       equals + 1);
	return NULL;
}

int rs_cmd_profile_merge(struct rs_arena *arena, const struct rs_options *options)
{
	struct rs_options plain = *options;
	double *weights = rs_arena_array(arena, double, options->files.n_items);
	int status;

	plain.files.items = rs_arena_array(arena, const char *, options->files.n_items);
	for (size_t i = 0; i < options->files.n_items; i++) {
		struct rs_error *error =
			split_weight(arena, options->files.items[i], &plain.files.items[i], &weights[i]);

		if (error)
			return rs_command_fail(error);
	}
	struct restruct *r = rs_command_open_bare(arena, &plain, &status);
	if (!r)
		return status;
	status = (int)restruct_merge_profiles(r, plain.files.items, weights, plain.files.n_items);
	return finish(arena, r, &plain, status);
}

int rs_cmd_profile_show(struct rs_arena *arena, const struct rs_options *options)
{
	int status;
	struct restruct *r = rs_command_open_bare(arena, options, &status);

	if (!r)
		return status;
	status = (int)restruct_show_profiles(r, options->files.items, options->files.n_items);
	return finish(arena, r, options, status);
}

/* The first argument is the profile, the others name structs as everywhere. */
int rs_cmd_profile_check(struct rs_arena *arena, const struct rs_options *options)
{
	struct rs_options layout = *options;
	struct restruct *r;
	int status;

	if (options->files.n_items == 0)
		return usage("no profile was named %s", "(PROFILE [FILE[:NAME]...])");
	layout.files.items++;
	layout.files.n_items--;
	*rs_array_push(arena, layout.profiles.items, layout.profiles.n_items, layout.profiles.items_capacity) =
		options->files.items[0];
	if (layout.files.n_items > 0 || layout.names.n_items > 0)
		r = rs_command_open(arena, &layout, &status);
	else
		r = rs_command_open_bare(arena, &layout, &status);
	if (!r)
		return status;
	return finish(arena, r, &layout, (int)restruct_check_profile(r));
}
