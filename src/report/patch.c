#include "text/patch.h"

#include <string.h>

#include "report/profile.h"
#include "report/view.h"
#include "report/writers.h"

enum { CONTEXT_LINES = 3, REGULAR_FILE = 0100644 };

/* In front of the diff, where tools that read diffs pass over text: how far the figures behind it are to be
 * trusted. The mark keeps whatever names say from being taken for a part of the diff. */
static void print_trust(struct rs_builder *out, const struct rs_record_result *record)
{
	const struct rs_binding *binding = record->binding;
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };

	if (!binding || binding->n_sources == 0 || record->pick == RS_NONE)
		return;
	rs_report_sources(&text, binding->sources, binding->n_sources, 0);
	rs_builder_printf(out, "# struct %s\n", record->record->name);
	for (const char *line = text.data, *end; *line; line = end + 1) {
		end = strchr(line, '\n');
		rs_builder_printf(out, "#   %.*s\n", (int)(end - line), line);
	}
}

static bool has_change(const struct rs_result *result)
{
	for (size_t i = 0; i < result->n_files; i++)
		if (result->files[i].new_text)
			return true;
	return false;
}

struct rs_error *rs_report_write_patch(struct rs_builder *out, const struct rs_result *result,
				       const struct rs_report_options *options)
{
	(void)options;
	for (size_t i = 0; i < result->n_records && has_change(result); i++)
		print_trust(out, &result->records[i]);
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
