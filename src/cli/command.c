#include "cli/command.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/inputs.h"

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
	static const char *const dialects[] = { "c11", "kernel", "table" };
	bool knows_dialect = !options->dialect;
	for (size_t i = 0; i < RS_COUNT_OF(dialects); i++)
		knows_dialect = knows_dialect || strcmp(options->dialect, dialects[i]) == 0;
	if (!knows_dialect)
		return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0,
				       "--dialect: '%s' is not c11, kernel or table", options->dialect);
	if (options->format && !restruct_has_format(options->format))
		return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0, "--format: '%s' is no format that is known",
				       options->format);
	return NULL;
}

/* NAME=FLAGS: the name is what results call it. */
static struct rs_error *check_configurations(const struct rs_list *configurations)
{
	for (size_t i = 0; i < configurations->n_items; i++) {
		const char *text = configurations->items[i];
		size_t length = strcspn(text, "=");

		if (length == 0 || text[length] == '\0')
			return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0,
					       "--config: '%s' is not of the form NAME=FLAGS", text);
		for (size_t j = 0; j < i; j++)
			if (strncmp(configurations->items[j], text, length + 1) == 0)
				return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0,
						       "--config: the name of '%s' is given twice", text);
	}
	return NULL;
}

/* One line that is written over and goes when all is done. */
static void show_progress(size_t n_done, size_t n_all)
{
	if (n_done < n_all)
		fprintf(stderr, "\rrestruct: %zu/%zu sources", n_done, n_all);
	else
		fprintf(stderr, "\r%*s\r", 48, "");
	fflush(stderr);
}

static void set_options(struct rs_arena *arena, struct restruct *r, const struct rs_options *options)
{
	for (size_t i = 0; i < options->profiles.n_items; i++)
		restruct_add_profile(r, options->profiles.items[i]);
	for (size_t i = 0; i < options->contexts.n_items; i++)
		restruct_add_context(r, options->contexts.items[i]);
	for (size_t i = 0; i < options->configurations.n_items; i++) {
		const char *text = options->configurations.items[i], *equals = strchr(text, '=');

		restruct_add_configuration(r, rs_arena_strndup(arena, text, (size_t)(equals - text)),
					   equals + 1);
	}
	restruct_set_designate(r, options->designate);
	for (size_t i = 0; i < options->allowed.n_items; i++)
		restruct_allow(r, options->allowed.items[i]);
	for (size_t i = 0; i < options->pins.n_items; i++)
		restruct_pin(r, options->pins.items[i]);
	for (size_t i = 0; i < options->explain.n_items; i++)
		restruct_explain(r, options->explain.items[i]);
	if (options->has_flags)
		restruct_set_flags(r, options->flags.items, options->flags.n_items);
	if (options->order.n_items > 0)
		restruct_set_order(r, options->order.items, options->order.n_items);
	restruct_set_build_directory(r, options->build_directory);
	restruct_set_resource_directory(r, options->resource_directory);
	restruct_set_root(r, options->root);
	restruct_set_scan(r, (unsigned)options->jobs, !options->no_cache,
			  !options->quiet && isatty(STDERR_FILENO) ? show_progress : NULL);
	restruct_set_line_bytes(r, (unsigned)options->line_bytes);
	restruct_set_max_size(r, options->max_size);
	restruct_set_max_moves(r, options->max_moves);
	restruct_set_max_lines_changed(r, options->max_lines);
	restruct_set_time_limit(r, (double)options->time_limit);
	restruct_set_split(r, options->split);
	restruct_set_section_comments(r, options->section_comments);
	restruct_set_series(r, options->series);
}

static struct rs_error *prepare(struct rs_arena *arena, struct restruct *r, const struct rs_options *options)
{
	RS_TRY(check_values(options));
	RS_TRY(check_configurations(&options->configurations));
	RS_TRY(rs_inputs_check(options));
	set_options(arena, r, options);
	return rs_inputs_add(arena, r, options);
}

static struct restruct *open_handle(struct restruct *r, struct rs_error *error, int *ret_status)
{
	*ret_status = error ? rs_command_fail(error) : RESTRUCT_OK;
	if (!error && (restruct_error(r) || restruct_read_config(r) != RESTRUCT_OK ||
		       restruct_recover(r) != RESTRUCT_OK)) {
		fprintf(stderr, "restruct: %s\n", restruct_error(r));
		*ret_status = RESTRUCT_FAILED;
	}
	if (*ret_status == RESTRUCT_OK)
		return r;
	restruct_destroy(r);
	return NULL;
}

struct restruct *rs_command_open(struct rs_arena *arena, const struct rs_options *options, int *ret_status)
{
	struct restruct *r = restruct_create();

	return open_handle(r, prepare(arena, r, options), ret_status);
}

struct restruct *rs_command_open_bare(struct rs_arena *arena, const struct rs_options *options, int *ret_status)
{
	struct restruct *r = restruct_create();
	struct rs_error *error = check_values(options);

	if (!error)
		set_options(arena, r, options);
	return open_handle(r, error, ret_status);
}

void rs_command_report(struct restruct *r, const struct rs_options *options, bool with_reasons)
{
	const char *line;

	for (size_t i = 0; !options->quiet && (line = restruct_note(r, i)); i++)
		fprintf(stderr, "restruct: %s\n", line);
	for (size_t i = 0; with_reasons && (line = restruct_refusal(r, i)); i++)
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

int rs_command_print_stdout(const char *text, size_t length, int status)
{
	if (fwrite(text, 1, length, stdout) == length && fflush(stdout) == 0)
		return status;
	return rs_command_fail(
		rs_error_create(RS_ERROR_IO, NULL, 0, 0, "cannot write to stdout: %s", strerror(errno)));
}

static int write_file(struct rs_arena *arena, struct restruct *r, const struct rs_options *options,
		      const char *text, size_t length, int status)
{
	struct rs_error *error = rs_inputs_check_output(arena, r, options);

	if (!error && options->series && rs_file_is_directory(options->output))
		error = rs_command_write_mails(arena, options->output, text, length);
	else if (!error)
		error = rs_file_write(options->output, text, length);
	return error ? rs_command_fail(error) : status;
}

int rs_command_print(struct rs_arena *arena, struct restruct *r, const struct rs_options *options, int status)
{
	struct restruct_mail_options mail;
	const struct restruct_print_options print = { .format = options->format,
						      .hex = options->hex,
						      .color = wants_color(options),
						      .verbose = options->verbose,
						      .dialect = options->dialect,
						      .mail = &mail };
	size_t length;

	rs_command_mail(arena, options, &mail);
	char *text = restruct_print(r, &print, &length);

	if (!text) {
		fprintf(stderr, "restruct: %s\n", restruct_error(r));
		return RESTRUCT_FAILED;
	}
	if (options->output && strcmp(options->output, "-") != 0)
		status = write_file(arena, r, options, text, length, status);
	else
		status = rs_command_print_stdout(text, length, status);
	free(text);
	return status;
}

int rs_command_ask(struct rs_arena *arena, const struct rs_options *options,
		   enum restruct_status (*ask)(struct restruct *r), bool with_reasons)
{
	int status;
	struct restruct *r = rs_command_open(arena, options, &status);

	if (!r)
		return status;
	status = (int)ask(r);
	rs_command_report(r, options, with_reasons);
	if (status <= RESTRUCT_FINDINGS)
		status = rs_command_print(arena, r, options, status);
	restruct_destroy(r);
	return status;
}
