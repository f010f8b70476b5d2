#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/command.h"

static const char default_name[] = ".restruct-baseline.json";

/* The nearest one upward from here; NULL when there is none. */
static const char *locate(struct rs_arena *arena)
{
	const char *folder = rs_path_canonical(arena, ".");

	for (;;) {
		const char *path = rs_path_absolute(arena, folder, default_name);

		if (rs_file_exists(path))
			return path;
		if (strcmp(folder, "/") == 0)
			return NULL;
		folder = rs_path_directory(arena, folder);
	}
}

static int write_baseline(struct restruct *r, const char *path)
{
	size_t length;
	char *text = restruct_print(r, &(struct restruct_print_options) { .format = "baseline" }, &length);
	struct rs_error *error = text ? rs_file_write(path, text, length) : NULL;

	if (!text)
		fprintf(stderr, "restruct: %s\n", restruct_error(r));
	free(text);
	if (error)
		return rs_command_fail(error);
	return text ? RESTRUCT_OK : RESTRUCT_FAILED;
}

static int check(struct rs_arena *arena, struct restruct *r, const struct rs_options *options,
		 const char *baseline)
{
	int status = baseline ? (int)restruct_set_baseline(r, baseline, options->update) : RESTRUCT_OK;

	if (status == RESTRUCT_OK)
		status = (int)restruct_check(r);
	rs_command_report(r, options, false);
	if (status <= RESTRUCT_FINDINGS && options->update)
		return write_baseline(r, baseline);
	return status <= RESTRUCT_FINDINGS ? rs_command_print(arena, r, options, status) : status;
}

static int usage(const char *message)
{
	return rs_command_fail(rs_error_create(RS_ERROR_USAGE, NULL, 0, 0, "%s", message));
}

int rs_cmd_check(struct rs_arena *arena, const struct rs_options *options)
{
	struct rs_options own = *options;
	const char *baseline = options->baseline ? options->baseline : locate(arena);
	bool names_nothing =
		options->files.n_items == 0 && options->names.n_items == 0 && !options->stdin_filename;
	int status;

	if (!baseline && options->update)
		baseline = default_name;
	own.may_be_without_files = baseline && rs_file_exists(baseline);
	if (names_nothing && !own.may_be_without_files)
		return usage("there is no baseline here, so name files (and --update to write one)");
	if (!baseline && options->profiles.n_items == 0)
		return usage("nothing to hold the layouts to: no baseline and no profile");
	struct restruct *r = rs_command_open(arena, &own, &status);
	if (!r)
		return status;
	status = check(arena, r, &own, baseline);
	restruct_destroy(r);
	return status;
}
