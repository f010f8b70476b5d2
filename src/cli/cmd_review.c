#include <string.h>

#include "base/file.h"
#include "cli/command.h"

static struct rs_error *usage(const char *message)
{
	return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0, "%s", message);
}

static struct rs_error *check(const struct rs_options *options)
{
	if (options->files.n_items > 1)
		return usage("one change at a time: a patch, a commit or a range");
	if (options->staged && options->files.n_items > 0)
		return usage("--staged and a patch or commit exclude each other");
	if (options->stdin_filename)
		return usage("review reads a patch on stdin: --stdin-filename has no place");
	return options->names.n_items > 0 ? usage("review looks at all structs of the change: -C has no place")
					  : NULL;
}

/* Relative to what the user stands in, as git takes it. */
static enum restruct_status review(struct rs_arena *arena, struct restruct *r, const struct rs_options *options,
				   struct rs_error **ret_error)
{
	const char *what = options->files.n_items > 0 ? options->files.items[0] : "-";
	const char *where = options->root ? options->root : ".";
	size_t size;
	char *text;

	*ret_error = NULL;
	if (options->staged)
		return restruct_review_staged(r, where);
	if (strcmp(what, "-") == 0)
		*ret_error = rs_file_read_stdin(arena, &text, &size);
	else if (rs_file_exists(what))
		*ret_error = rs_file_read(arena, what, &text, &size);
	else
		return restruct_review_range(r, where, what);
	if (*ret_error)
		return RESTRUCT_FAILED;
	return restruct_review_patch(r, options->root, strcmp(what, "-") == 0 ? "the patch" : what, text, size);
}

int rs_cmd_review(struct rs_arena *arena, const struct rs_options *options)
{
	struct rs_options own = *options;
	struct rs_error *error = check(options);
	int status;

	if (error)
		return rs_command_fail(error);
	own.files = (struct rs_list) { 0 };
	own.may_be_without_files = true;
	struct restruct *r = rs_command_open(arena, &own, &status);
	if (!r)
		return status;
	status = (int)review(arena, r, options, &error);
	if (error) {
		status = rs_command_fail(error);
	} else {
		rs_command_report(r, options, false);
		if (status <= RESTRUCT_FINDINGS)
			status = rs_command_print(arena, r, options, status);
	}
	restruct_destroy(r);
	return status;
}
