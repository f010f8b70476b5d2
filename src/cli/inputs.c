#include "cli/inputs.h"

#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

void rs_inputs_split(struct rs_arena *arena, const char *argument, const char **ret_file, const char **ret_name)
{
	const char *first = strchr(argument, ':'), *split = NULL;

	for (const char *colon = first; colon && !split; colon = strchr(colon + 1, ':'))
		if (rs_file_exists(rs_arena_strndup(arena, argument, (size_t)(colon - argument))))
			split = colon;
	if (!split)
		split = first;
	if (!split || split == argument || split[1] == '\0' || rs_file_exists(argument))
		split = NULL;
	*ret_file = split ? rs_arena_strndup(arena, argument, (size_t)(split - argument)) : argument;
	*ret_name = split ? split + 1 : NULL;
}

static struct rs_error *usage(const char *text, const char *about)
{
	return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0, text, about);
}

/* PLAN.json and no record of a file that is called so. */
static bool is_plan_file(const char *argument)
{
	size_t length = strlen(argument);

	return length > 5 && strcmp(argument + length - 5, ".json") == 0;
}

static struct rs_error *check_plan_file(const struct rs_options *options, const char *path)
{
	if (options->names.n_items > 0)
		return usage("--class-name and a plan file exclude each other: %s says which structs it is for",
			     path);
	if (options->order.n_items > 0)
		return usage("--order and a plan file exclude each other: %s has its own", path);
	return NULL;
}

struct rs_error *rs_inputs_check(const struct rs_options *options)
{
	const char *buffer = options->stdin_filename;

	if (options->in_place && buffer)
		return usage("--in-place and --stdin-filename: %s", "a buffer has no file to change");
	if (options->in_place && options->output)
		return usage("--in-place and --output %s", "exclude each other");
	if (buffer && rs_file_is_directory(buffer))
		return usage("--stdin-filename: '%s' is a folder", buffer);
	if (options->files.n_items == 0 && options->names.n_items == 0 && !buffer &&
	    !options->may_be_without_files)
		return usage("no file was named %s", "(FILE or FILE:NAME)");
	for (size_t i = 0; i < options->files.n_items; i++) {
		const char *argument = options->files.items[i];

		if (*argument == '\0')
			return usage("the name of a file is %s", "empty");
		if (is_plan_file(argument))
			RS_TRY(check_plan_file(options, argument));
	}
	return NULL;
}

/* With -C the files are sources to look in. */
static struct rs_error *add_names(struct rs_arena *arena, struct restruct *r, const struct rs_options *options)
{
	const char *buffer = options->stdin_filename;
	const struct rs_list *sources = &options->files;
	const struct rs_list only_buffer = { .items = &buffer, .n_items = 1 };

	for (size_t i = 0; i < sources->n_items; i++) {
		const char *file, *name;

		rs_inputs_split(arena, sources->items[i], &file, &name);
		if (name && rs_file_exists(file))
			return usage("with --class-name the files are sources to look in, without a name: '%s'",
				     sources->items[i]);
	}
	if (buffer && sources->n_items == 0)
		sources = &only_buffer;
	for (size_t i = 0; i < options->names.n_items; i++)
		restruct_add_target_anywhere(r, sources->items, sources->n_items, options->names.items[i]);
	return NULL;
}

static void add_target(struct rs_arena *arena, struct restruct *r, const char *argument)
{
	const char *file, *name;

	rs_inputs_split(arena, argument, &file, &name);
	restruct_add_target(r, file, name);
}

static void add_files(struct rs_arena *arena, struct restruct *r, const struct rs_options *options)
{
	bool failed = false;

	for (size_t i = 0; i < options->files.n_items && !failed; i++) {
		const char *argument = options->files.items[i];

		if (is_plan_file(argument))
			failed = restruct_add_plan_file(r, argument, (unsigned)options->pick) != RESTRUCT_OK;
		else
			add_target(arena, r, argument);
	}
}

static struct rs_error *add_stdin(struct rs_arena *arena, struct restruct *r, const struct rs_options *options)
{
	const char *file, *name;
	char *text;
	size_t size;

	RS_TRY(rs_file_read_stdin(arena, &text, &size));
	rs_inputs_split(arena, options->stdin_filename, &file, &name);
	restruct_add_buffer(r, file, text, size);
	if (options->files.n_items == 0 && options->names.n_items == 0)
		restruct_add_target(r, file, name);
	return NULL;
}

struct rs_error *rs_inputs_add(struct rs_arena *arena, struct restruct *r, const struct rs_options *options)
{
	if (options->stdin_filename)
		RS_TRY(add_stdin(arena, r, options));
	restruct_set_pick(r, (unsigned)options->pick);
	if (options->names.n_items > 0)
		return add_names(arena, r, options);
	add_files(arena, r, options);
	return NULL;
}

static bool is_same_file(const struct stat *output, const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && status.st_dev == output->st_dev && status.st_ino == output->st_ino;
}

static const char *find_same(const struct stat *output, const struct rs_list *list)
{
	for (size_t i = 0; i < list->n_items; i++)
		if (is_same_file(output, list->items[i]))
			return list->items[i];
	return NULL;
}

struct rs_error *rs_inputs_check_output(struct rs_arena *arena, struct restruct *r,
					const struct rs_options *options)
{
	struct stat output;
	const char *path, *found;

	if (!options->output || stat(options->output, &output) != 0 || !S_ISREG(output.st_mode))
		return NULL;
	found = find_same(&output, &options->profiles);
	if (!found)
		found = find_same(&output, &options->contexts);
	for (size_t i = 0; !found && i < options->files.n_items; i++) {
		const char *file, *name;

		rs_inputs_split(arena, options->files.items[i], &file, &name);
		found = is_same_file(&output, file) ? file : NULL;
	}
	for (size_t i = 0; !found && (path = restruct_file(r, i)); i++)
		found = is_same_file(&output, path) ? path : NULL;
	return found ? usage("--output: '%s' is read by this very call", options->output) : NULL;
}
