#include "report/report.h"

#include <string.h>

#include "report/writers.h"

enum {
	LAYOUTS = 1 << RS_REPORT_ANNOTATE | 1 << RS_REPORT_OPTIMIZE,
	PATCH = 1 << RS_REPORT_PATCH,
	FINDINGS = 1 << RS_REPORT_CHECK | 1 << RS_REPORT_REVIEW,
	GUARD = 1 << RS_REPORT_GUARD,
};

const struct rs_report_format rs_report_formats[] = {
	{ "text", LAYOUTS, rs_report_write_text },
	{ "text", PATCH, rs_report_write_patch },
	{ "text", FINDINGS, rs_report_write_findings },
	{ "text", GUARD, rs_report_write_guard },
	{ "json", LAYOUTS | PATCH | FINDINGS, rs_report_write_json },
	{ "markdown", FINDINGS, rs_report_write_findings_markdown },
	{ "sarif", FINDINGS, rs_report_write_sarif },
	{ "github", FINDINGS, rs_report_write_github },
	{ "rdjson", FINDINGS, rs_report_write_rdjson },
	{ "mbox", PATCH, rs_report_write_mbox },
	{ NULL, 0, NULL },
};

const struct rs_report_format *rs_report_find(const char *name, enum rs_report_kind kind)
{
	for (const struct rs_report_format *format = rs_report_formats; format->name; format++)
		if (strcmp(format->name, name) == 0 && format->kinds & 1u << kind)
			return format;
	return NULL;
}
