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
	if (!folder)
		folder = rs_git_top_level(r->arena, ".");
	if (!folder)
		folder = ".";
	return review(r, rs_git_read_patch(r->arena, rs_path_canonical(r->arena, folder), name, text, size,
					   &r->changes));
}

enum restruct_status restruct_review_range(struct restruct *r, const char *path, const char *range)
{
	return review(r, rs_git_read_range(r->arena, path, range, &r->changes));
}

enum restruct_status restruct_review_staged(struct restruct *r, const char *path)
{
	return review(r, rs_git_read_staged(r->arena, path, &r->changes));
}
