#include "text/patch.h"

#include "report/view.h"
#include "report/writers.h"

enum { CONTEXT_LINES = 3, REGULAR_FILE = 0100644 };

struct rs_error *rs_report_write_patch(struct rs_builder *out, const struct rs_result *result,
				       const struct rs_report_options *options)
{
	(void)options;
	for (size_t i = 0; i < result->n_files; i++) {
		const struct rs_file_result *file = &result->files[i];
		const struct rs_source *source = file->source;

		if (!file->new_text)
			continue;
		RS_TRY(rs_patch_print(out, rs_view_source_path(result, source),
				      file->mode ? file->mode : REGULAR_FILE, source->text, source->size,
				      file->new_text, file->new_size, CONTEXT_LINES));
	}
	return NULL;
}
