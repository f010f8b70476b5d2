#include <math.h>
#include <string.h>

#include "api/handle.h"
#include "profile/merge.h"
#include "profile/scale.h"
#include "profile/write.h"
#include "report/profile.h"
#include "session/collect.h"
#include "session/import.h"

/* What is written must be read again as it is: names and sums out of other files are not to be trusted. */
static struct rs_error *check_written(struct restruct *r, const struct rs_profile *profile)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	struct rs_profile again;

	rs_profile_write(&text, profile);
	return rs_error_prefix(rs_profile_parse(r->arena, "the result", text.data, text.length, &again),
			       "this makes no valid profile");
}

static enum restruct_status answer(struct restruct *r, struct rs_error *error, struct rs_profile *profile)
{
	if (!error)
		error = check_written(r, profile);
	enum restruct_status status = rs_handle_end(r, error);
	if (status == RESTRUCT_OK)
		r->profile = profile;
	return status;
}

enum restruct_status restruct_import_profile(struct restruct *r, const char *const *paths, size_t n_paths,
					     const struct restruct_import_options *options)
{
	static const struct restruct_import_options plain = { 0 };
	struct rs_profile *profile = rs_arena_new(r->arena, struct rs_profile);
	struct rs_error *error;

	options = options ? options : &plain;
	const struct rs_session_import import = { .paths = paths,
						  .n_paths = n_paths,
						  .format = options->format,
						  .as = options->as,
						  .allocation = options->allocation,
						  .has_base = options->has_object_base != 0,
						  .base = options->object_base,
						  .by_field = options->by_field != 0 };
	rs_handle_begin(r);
	r->shows_profile = false;
	error = rs_handle_open(r);
	if (!error)
		error = rs_session_import(r->session, &import, profile);
	return answer(r, error, profile);
}

enum restruct_status restruct_collect_profile(struct restruct *r, const char *const *exports, size_t n_exports,
					      const struct restruct_collect_options *options)
{
	struct rs_profile *profile = rs_arena_new(r->arena, struct rs_profile);
	const struct rs_session_collect collect = { .paths = exports,
						    .n_paths = n_exports,
						    .origin = options ? options->origin : NULL,
						    .by_field = options && options->by_field,
						    .version = restruct_version() };
	struct rs_error *error;

	rs_handle_begin(r);
	r->shows_profile = false;
	error = rs_handle_open(r);
	if (!error)
		error = rs_session_collect(r->session, &collect, profile);
	return answer(r, error, profile);
}

static struct rs_error *merge(struct restruct *r, const char *const *paths, const double *weights,
			      size_t n_paths, struct rs_profile *sum)
{
	rs_machine_init(&sum->machine);
	if (n_paths == 0)
		return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0, "no profile was named");
	for (size_t i = 0; i < n_paths; i++) {
		struct rs_profile next;

		if (weights && !(isfinite(weights[i]) && weights[i] > 0))
			return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0,
					       "%s: the weight is no number above 0", paths[i]);
		RS_TRY(rs_profile_read(r->arena, &paths[i], 1, &next));
		if (weights && (weights[i] < 1 || weights[i] > 1))
			rs_profile_scale(r->arena, &next, paths[i], weights[i]);
		RS_TRY(rs_profile_check_units(sum, &next));
		rs_profile_merge(r->arena, sum, &next);
	}
	return NULL;
}

enum restruct_status restruct_merge_profiles(struct restruct *r, const char *const *paths,
					     const double *weights, size_t n_paths)
{
	struct rs_profile *sum = rs_arena_new(r->arena, struct rs_profile);

	rs_handle_begin(r);
	r->shows_profile = false;
	return answer(r, merge(r, paths, weights, n_paths, sum), sum);
}

enum restruct_status restruct_show_profiles(struct restruct *r, const char *const *paths, size_t n_paths)
{
	struct rs_profile *sum = rs_arena_new(r->arena, struct rs_profile);

	rs_handle_begin(r);
	r->shows_profile = true;
	return answer(r, merge(r, paths, NULL, n_paths, sum), sum);
}

/* Without a target the profile's own structs are meant. */
static struct rs_error *add_targets(struct restruct *r)
{
	struct rs_profile profile;

	if (r->options.n_profiles == 0)
		return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0, "no profile was named");
	if (r->n_targets > 0)
		return NULL;
	RS_TRY(rs_profile_read(r->arena, r->profiles, r->options.n_profiles, &profile));
	for (size_t i = 0; i < profile.n_structs; i++)
		restruct_add_target_anywhere(r, r->contexts, r->options.parse.n_contexts,
					     profile.structs[i].name);
	return NULL;
}

enum restruct_status restruct_check_profile(struct restruct *r)
{
	const struct rs_result *result = NULL;
	struct rs_error *error;

	rs_handle_begin(r);
	error = add_targets(r);
	if (!error)
		error = rs_handle_open(r);
	if (!error)
		error = rs_session_check_profile(r->session, &result);
	enum restruct_status status = rs_handle_end(r, error);
	if (status != RESTRUCT_OK)
		return status;
	r->result = result;
	r->kind = RS_REPORT_CHECK;
	return rs_finding_fails(result->findings, result->n_findings) ? RESTRUCT_FINDINGS : RESTRUCT_OK;
}

enum restruct_status restruct_init_profile(struct restruct *r)
{
	struct rs_profile *profile = rs_arena_new(r->arena, struct rs_profile);
	struct rs_error *error;

	rs_handle_begin(r);
	r->shows_profile = false;
	error = rs_handle_open(r);
	if (!error)
		error = rs_session_init_profile(r->session, restruct_version(), profile);
	return answer(r, error, profile);
}

struct rs_error *rs_handle_print_profile(struct restruct *r, const char *format, struct rs_builder *out)
{
	if (strcmp(format, "text") != 0 && strcmp(format, "json") != 0)
		return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0, "there is no format '%s' for this", format);
	if (r->shows_profile && strcmp(format, "text") == 0)
		rs_report_profile(out, r->profile);
	else
		rs_profile_write(out, r->profile);
	return NULL;
}
