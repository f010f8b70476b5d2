#include "api/handle.h"
#include "base/file.h"
#include "text/patch.h"

static enum restruct_status review(struct restruct *r, struct rs_error *error)
{
	rs_handle_set_error(r, NULL);
	r->refusals.n_items = 0;
	r->result = NULL;
	rs_handle_set_options(r);
	rs_review_destroy(r->review);
	r->review = NULL;
	if (!error)
		error = rs_review_create(&r->options, &r->changes, &r->review);
	if (!error)
		r->result = rs_review_result(r->review);
	return rs_handle_answer(r, error, RS_REPORT_REVIEW);
}

enum restruct_status restruct_review_patch(struct restruct *r, const char *folder, const char *name,
					   const char *text, size_t size)
{
	const char *here = rs_path_canonical(r->arena, folder ? folder : ".");
	const char *top = folder ? NULL : rs_git_top_level(r->arena, ".");
	struct rs_error *error = rs_git_read_patch(r->arena, top ? rs_path_canonical(r->arena, top) : here,
						   name, text, size, &r->changes);

	/* `git diff --relative`, and patches from elsewhere. */
	if (error && error->code == RS_ERROR_IO && top) {
		struct rs_error *again = rs_git_read_patch(r->arena, here, name, text, size, &r->changes);

		rs_error_destroy(again ? again : error);
		error = again ? error : NULL;
	}
	return review(r, error);
}

enum restruct_status restruct_review_range(struct restruct *r, const char *path, const char *range)
{
	return review(r, rs_git_read_range(r->arena, path, range, &r->changes));
}

enum restruct_status restruct_review_staged(struct restruct *r, const char *path)
{
	return review(r, rs_git_read_staged(r->arena, path, &r->changes));
}
