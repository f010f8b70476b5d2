#include "cli/command.h"
#include "cli/coverage_run.h"

static struct rs_error *usage(const char *text, const char *about)
{
	return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0, text, about);
}

static struct rs_error *check(const struct rs_options *options)
{
	size_t n_sources = (options->files.n_items > 0) + options->is_static + (options->run != NULL);

	if (options->names.n_items == 0)
		return usage("%s: the structs to collect for are named with -C", "profile collect");
	if (n_sources == 0)
		return usage("%s: name an export of llvm-cov or gcov, --run=COMMAND or --static",
			     "profile collect");
	if (n_sources > 1)
		return usage("%s exclude each other", "exports, --run and --static");
	if (options->binaries.n_items > 0 && !options->run)
		return usage("--binary is for %s", "--run");
	return NULL;
}

static int collect(struct rs_arena *arena, const struct rs_options *options, const struct rs_list *exports)
{
	const struct restruct_collect_options how = { .by_field = options->by_field, .origin = options->run };
	int status;
	struct restruct *r = rs_command_open_bare(arena, options, &status);

	if (!r)
		return status;
	for (size_t i = 0; i < options->names.n_items; i++)
		restruct_add_target_anywhere(r, options->contexts.items, options->contexts.n_items,
					     options->names.items[i]);
	status = (int)restruct_collect_profile(r, exports->items, exports->n_items, &how);
	rs_command_report(r, options, false);
	if (status <= RESTRUCT_FINDINGS)
		status = rs_command_print(arena, r, options, status);
	restruct_destroy(r);
	return status;
}

int rs_cmd_profile_collect(struct rs_arena *arena, const struct rs_options *options)
{
	struct rs_coverage_run run = { 0 };
	const struct rs_list *exports = &options->files;
	struct rs_error *error = check(options);
	int status;

	if (!error && options->run) {
		error = rs_coverage_run(arena, options, &run);
		exports = &run.exports;
	}
	status = error ? rs_command_fail(error) : collect(arena, options, exports);
	rs_coverage_run_clean(arena, &run);
	return status;
}
