#include "cli/command.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

int rs_command_fail(struct rs_error *error)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	int status = error->code == RS_ERROR_USAGE ? RESTRUCT_USAGE : RESTRUCT_FAILED;

	rs_error_print(error, &text);
	fputs(text.data, stderr);
	rs_error_destroy(error);
	return status;
}

static struct rs_error *check_values(const struct rs_options *options)
{
	static const char *const whens[] = { "auto", "always", "never" };
	unsigned long line = options->line_bytes;
	bool known = !options->color;

	for (size_t i = 0; i < RS_COUNT_OF(whens); i++)
		known = known || strcmp(options->color, whens[i]) == 0;
	if (!known)
		return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0, "--color: '%s' is not auto, always or never",
				       options->color);
	if (line && (line < 16 || line > 1024 || (line & (line - 1))))
		return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0,
				       "--cacheline-size: %lu is not a power of two from 16 to 1024", line);
	if (options->in_place && options->stdin_filename)
		return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0,
				       "--in-place and --stdin-filename: a buffer has no file to change");
	if (options->in_place && options->output)
		return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0,
				       "--in-place and --output exclude each other");
	return NULL;
}

/* Splits FILE:NAME; a file whose own name has a colon stands for itself. */
static void add_target(struct rs_arena *arena, struct restruct *r, const char *argument)
{
	const char *colon = strchr(argument, ':');

	if (!colon || colon == argument || colon[1] == '\0' || rs_file_exists(argument))
		restruct_add_target(r, argument, NULL);
	else
		restruct_add_target(r, rs_arena_strndup(arena, argument, (size_t)(colon - argument)),
				    colon + 1);
}

/* With -C the files are sources to look in. */
static void add_names(struct restruct *r, const struct rs_options *options)
{
	for (size_t i = 0; i < options->names.n_items; i++)
		restruct_add_target_anywhere(r, options->files.items, options->files.n_items,
					     options->names.items[i]);
}

static bool is_plan_file(const char *argument)
{
	size_t length = strlen(argument);

	return length > 5 && strcmp(argument + length - 5, ".json") == 0;
}

static struct rs_error *add_stdin(struct rs_arena *arena, struct restruct *r, const struct rs_options *options)
{
	char *text;
	size_t size;

	if (!options->stdin_filename)
		return NULL;
	RS_TRY(rs_file_read_stdin(arena, &text, &size));
	restruct_add_buffer(r, options->stdin_filename, text, size);
	if (options->files.n_items > 0)
		return NULL;
	if (options->names.n_items == 0)
		add_target(arena, r, options->stdin_filename);
	for (size_t i = 0; i < options->names.n_items; i++)
		restruct_add_target(r, options->stdin_filename, options->names.items[i]);
	return NULL;
}

static void set_options(struct restruct *r, const struct rs_options *options)
{
	for (size_t i = 0; i < options->profiles.n_items; i++)
		restruct_add_profile(r, options->profiles.items[i]);
	for (size_t i = 0; i < options->contexts.n_items; i++)
		restruct_add_context(r, options->contexts.items[i]);
	if (options->has_flags)
		restruct_set_flags(r, options->flags.items, options->flags.n_items);
	if (options->order.n_items > 0)
		restruct_set_order(r, options->order.items, options->order.n_items);
	restruct_set_build_directory(r, options->build_directory);
	restruct_set_resource_directory(r, options->resource_directory);
	restruct_set_root(r, options->root);
	restruct_set_line_bytes(r, (unsigned)options->line_bytes);
	restruct_set_max_size(r, options->max_size);
	restruct_set_max_moves(r, options->max_moves);
}

static enum restruct_status add_files(struct rs_arena *arena, struct restruct *r,
				      const struct rs_options *options)
{
	enum restruct_status status = RESTRUCT_OK;
	bool plans = false;

	if (options->names.n_items > 0 && !(options->files.n_items == 0 && options->stdin_filename))
		add_names(r, options);
	for (size_t i = 0; i < options->files.n_items && status == RESTRUCT_OK; i++) {
		const char *argument = options->files.items[i];

		if (is_plan_file(argument)) {
			status = restruct_add_plan_file(r, argument, (unsigned)options->pick);
			plans = true;
		} else if (options->names.n_items == 0) {
			add_target(arena, r, argument);
		}
	}
	if (!plans)
		restruct_set_pick(r, (unsigned)options->pick);
	return status;
}

struct restruct *rs_command_open(struct rs_arena *arena, const struct rs_options *options, int *ret_status)
{
	struct rs_error *error = check_values(options);
	struct restruct *r = restruct_create();

	*ret_status = RESTRUCT_OK;
	set_options(r, options);
	if (!error)
		error = add_stdin(arena, r, options);
	if (!error && options->files.n_items == 0 && options->names.n_items == 0 && !options->stdin_filename)
		error = rs_error_create(RS_ERROR_USAGE, NULL, 0, 0, "no file was named (FILE or FILE:NAME)");
	if (error)
		*ret_status = rs_command_fail(error);
	else
		*ret_status = add_files(arena, r, options);
	if (*ret_status == RESTRUCT_OK)
		return r;
	if (!error)
		fprintf(stderr, "restruct: %s\n", restruct_error(r));
	restruct_destroy(r);
	return NULL;
}

void rs_command_report(struct restruct *r, const struct rs_options *options)
{
	const char *line;

	for (size_t i = 0; !options->quiet && (line = restruct_note(r, i)); i++)
		fprintf(stderr, "restruct: %s\n", line);
	for (size_t i = 0; (line = restruct_refusal(r, i)); i++)
		fprintf(stderr, "restruct: %s\n", line);
	if (restruct_error(r))
		fprintf(stderr, "restruct: %s\n", restruct_error(r));
}

static bool wants_color(const struct rs_options *options)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM"), *force = getenv("CLICOLOR_FORCE");

	if (options->color && strcmp(options->color, "auto") != 0)
		return strcmp(options->color, "always") == 0;
	if (options->output || (no_color && *no_color))
		return false;
	if (force && *force && strcmp(force, "0") != 0)
		return true;
	return isatty(STDOUT_FILENO) && !(term && strcmp(term, "dumb") == 0);
}

static struct rs_error *write_out(const char *path, const char *text, size_t length)
{
	if (path && strcmp(path, "-") != 0)
		return rs_file_write(path, text, length);
	if (fwrite(text, 1, length, stdout) == length && fflush(stdout) == 0)
		return NULL;
	return rs_error_create(RS_ERROR_IO, NULL, 0, 0, "cannot write to stdout: %s", strerror(errno));
}

int rs_command_print(struct restruct *r, const struct rs_options *options, int status)
{
	const struct restruct_print_options print = { .format = options->format,
						      .hex = options->hex,
						      .color = wants_color(options),
						      .verbose = options->verbose };
	size_t length;
	char *text = restruct_print(r, &print, &length);

	if (!text) {
		fprintf(stderr, "restruct: error: %s\n", restruct_error(r));
		return RESTRUCT_USAGE;
	}
	struct rs_error *error = write_out(options->output, text, length);
	free(text);
	return error ? rs_command_fail(error) : status;
}
