#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/handle.h"
#include "base/builder.h"
#include "config.h"
#include "text/git.h"

int restruct_has_format(const char *name)
{
	if (strcmp(name, "baseline") == 0)
		return 1;
	for (const struct rs_report_format *format = rs_report_formats; format->name; format++)
		if (strcmp(format->name, name) == 0)
			return 1;
	return 0;
}

/* A commit that the repository knows becomes its citation; what has a blank in it is one already. */
static struct rs_error *cite(struct restruct *r, const char *path, const char *fixes, const char **ret_citation)
{
	*ret_citation = fixes;
	return fixes && !strchr(fixes, ' ') ? rs_git_cite(r->arena, path, fixes, ret_citation) : NULL;
}

static int64_t date_of(const struct restruct_mail_options *options)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");

	if (options->date)
		return options->date;
	return epoch && *epoch ? strtoll(epoch, NULL, 10) : (int64_t)time(NULL);
}

/* The files of the answer tell in which repository it is. */
static struct rs_error *make_mail(struct restruct *r, const struct restruct_mail_options *options,
				  struct rs_mail_options *ret_mail)
{
	static const struct restruct_mail_options plain = { 0 };
	const char *path = r->result->n_files > 0 ? r->result->files[0].source->realpath : ".";
	struct rs_git_identity author;

	options = options ? options : &plain;
	rs_git_find_identity(r->arena, path, &author);
	if (options->sign_off && (!author.name || !author.email))
		return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0,
				       "cannot sign off: git knows no user.name and user.email");
	*ret_mail = (struct rs_mail_options) {
		.author_name = author.name ? author.name : "Your Name",
		.author_email = author.email ? author.email : "you@example.com",
		.sign_off = options->sign_off != 0,
		.subject = options->subject,
		.links = options->links,
		.n_links = options->n_links,
		.words = options->words,
		.n_words = options->n_words,
		.date = date_of(options),
		.tool = "restruct " RESTRUCT_VERSION,
	};
	return cite(r, path, options->fixes, &ret_mail->fixes);
}

static enum rs_guard_dialect find_dialect(const char *name)
{
	if (name && strcmp(name, "kernel") == 0)
		return RS_GUARD_KERNEL;
	return name && strcmp(name, "table") == 0 ? RS_GUARD_TABLE : RS_GUARD_C11;
}

static struct rs_error *print(struct restruct *r, const struct restruct_print_options *options,
			      struct rs_builder *out)
{
	static const struct restruct_print_options plain = { 0 };

	if (!options)
		options = &plain;
	const char *name = options->format ? options->format : "text";

	if (r->result && r->kind == RS_REPORT_CHECK && strcmp(name, "baseline") == 0 && r->baseline_path) {
		rs_baseline_print(out, r->arena, r->has_baseline ? &r->baseline : NULL, r->baseline_path,
				  r->result);
		return NULL;
	}
	const struct rs_report_format *format = rs_report_find(name, r->kind);
	struct rs_mail_options mail = { 0 };
	const struct rs_report_options report = { .kind = r->kind,
						  .hex = options->hex != 0,
						  .color = options->color != 0,
						  .verbose = options->verbose != 0,
						  .dialect = find_dialect(options->dialect),
						  .mail = &mail };

	if (r->profile)
		return rs_handle_print_profile(r, name, out);
	if (!r->result)
		return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0, "nothing was asked yet");
	if (!format)
		return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0, "there is no format '%s' for this", name);
	/* Whose mail it is takes a look into the repository, which nothing else needs. */
	if (strcmp(name, "mbox") == 0)
		RS_TRY(make_mail(r, options->mail, &mail));
	return format->write(out, r->result, &report);
}

char *restruct_print(struct restruct *r, const struct restruct_print_options *options, size_t *ret_length)
{
	struct rs_builder out = { 0 };
	struct rs_error *error = print(r, options, &out);

	if (error) {
		rs_handle_fail(r, error);
		rs_builder_deinit(&out);
		return NULL;
	}
	rs_builder_appends(&out, "");
	if (ret_length)
		*ret_length = out.length;
	return out.data;
}
