#include <string.h>

#include "report/columns.h"
#include "report/view.h"
#include "report/writers.h"

static const char *const level_words[] = { "note", "warning", "error" };

/* --- text: what compilers print, which every editor reads --- */

static void print_place(struct rs_builder *out, const struct rs_result *result,
			const struct rs_finding *finding)
{
	if (!finding->path)
		return;
	rs_columns_append(out, rs_view_path(result, finding->path));
	rs_builder_appendc(out, ':');
	if (finding->line)
		rs_builder_printf(out, "%u:", finding->line);
	if (finding->line && finding->column)
		rs_builder_printf(out, "%u:", finding->column);
	rs_builder_appendc(out, ' ');
}

static void print_summary(struct rs_builder *out, const struct rs_result *result)
{
	size_t counts[RS_COUNT_OF(level_words)] = { 0 };

	for (size_t i = 0; i < result->n_findings; i++)
		counts[result->findings[i].level]++;
	rs_builder_printf(out, "%zu struct%s: %zu error%s, %zu warning%s, %zu note%s\n", result->n_records,
			  result->n_records == 1 ? "" : "s", counts[RS_FINDING_ERROR],
			  counts[RS_FINDING_ERROR] == 1 ? "" : "s", counts[RS_FINDING_WARNING],
			  counts[RS_FINDING_WARNING] == 1 ? "" : "s", counts[RS_FINDING_NOTE],
			  counts[RS_FINDING_NOTE] == 1 ? "" : "s");
}

struct rs_error *rs_report_write_findings(struct rs_builder *out, const struct rs_result *result,
					  const struct rs_report_options *options)
{
	(void)options;
	for (size_t i = 0; i < result->n_findings; i++) {
		const struct rs_finding *finding = &result->findings[i];

		print_place(out, result, finding);
		rs_builder_printf(out, "%s: ", level_words[finding->level]);
		rs_columns_append(out, finding->message);
		rs_builder_printf(out, " [%s]\n", finding->code);
	}
	print_summary(out, result);
	return NULL;
}

/* --- markdown: a table for a pull request --- */

static void print_cell(struct rs_builder *out, const char *text)
{
	for (; *text; text++) {
		if (strchr("|\\`*_<>[]", *text))
			rs_builder_appendc(out, '\\');
		rs_builder_appendc(out, *text == '\n' || *text == '\r' ? ' ' : *text);
	}
}

struct rs_error *rs_report_write_findings_markdown(struct rs_builder *out, const struct rs_result *result,
						   const struct rs_report_options *options)
{
	(void)options;
	if (result->n_findings > 0)
		rs_builder_appends(out, "| | where | what | code |\n| --- | --- | --- | --- |\n");
	for (size_t i = 0; i < result->n_findings; i++) {
		const struct rs_finding *finding = &result->findings[i];

		rs_builder_printf(out, "| %s | ", level_words[finding->level]);
		print_cell(out, finding->path ? rs_view_path(result, finding->path) : "");
		if (finding->path && finding->line)
			rs_builder_printf(out, ":%u", finding->line);
		rs_builder_appends(out, " | ");
		print_cell(out, finding->message);
		rs_builder_printf(out, " | %s |\n", finding->code);
	}
	rs_builder_appends(out, result->n_findings > 0 ? "\n" : "");
	print_summary(out, result);
	return NULL;
}

/* --- GitHub's workflow commands --- */

static void print_escaped(struct rs_builder *out, const char *text, bool is_property)
{
	for (; *text; text++) {
		if (*text == '%' || *text == '\r' || *text == '\n' ||
		    (is_property && (*text == ':' || *text == ',')))
			rs_builder_printf(out, "%%%02X", (unsigned char)*text);
		else
			rs_builder_appendc(out, *text);
	}
}

struct rs_error *rs_report_write_github(struct rs_builder *out, const struct rs_result *result,
					const struct rs_report_options *options)
{
	static const char *const words[] = { "notice", "warning", "error" };

	(void)options;
	for (size_t i = 0; i < result->n_findings; i++) {
		const struct rs_finding *finding = &result->findings[i];

		rs_builder_printf(out, "::%s ", words[finding->level]);
		if (finding->path) {
			rs_builder_appends(out, "file=");
			print_escaped(out, rs_view_path(result, finding->path), true);
			rs_builder_appendc(out, ',');
		}
		if (finding->path && finding->line)
			rs_builder_printf(out, "line=%u,", finding->line);
		rs_builder_appends(out, "title=restruct ");
		print_escaped(out, finding->code, true);
		rs_builder_appends(out, "::");
		print_escaped(out, finding->message, false);
		rs_builder_appendc(out, '\n');
	}
	return NULL;
}
