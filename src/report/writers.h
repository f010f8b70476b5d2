/*
 * The writers that report.c's table names. Each has the type rs_report_fn.
 */
#ifndef RS_REPORT_WRITERS_H
#define RS_REPORT_WRITERS_H

#include "report/report.h"

/* For annotate and optimize. */
struct rs_error *rs_report_write_text(struct rs_builder *out, const struct rs_result *result,
				      const struct rs_report_options *options) RS_MUST_USE;
/* The unified diff of all files that change, and nothing else. */
struct rs_error *rs_report_write_patch(struct rs_builder *out, const struct rs_result *result,
				       const struct rs_report_options *options) RS_MUST_USE;
/* What check and review found, for people, for pull requests, for SARIF 2.1.0, for GitHub's log, for reviewdog.
 */
struct rs_error *rs_report_write_findings(struct rs_builder *out, const struct rs_result *result,
					  const struct rs_report_options *options) RS_MUST_USE;
struct rs_error *rs_report_write_findings_markdown(struct rs_builder *out, const struct rs_result *result,
						   const struct rs_report_options *options) RS_MUST_USE;
struct rs_error *rs_report_write_sarif(struct rs_builder *out, const struct rs_result *result,
				       const struct rs_report_options *options) RS_MUST_USE;
struct rs_error *rs_report_write_github(struct rs_builder *out, const struct rs_result *result,
					const struct rs_report_options *options) RS_MUST_USE;
struct rs_error *rs_report_write_rdjson(struct rs_builder *out, const struct rs_result *result,
					const struct rs_report_options *options) RS_MUST_USE;
/* Assertions that hold the layouts as they stand, or rows of a table, by options->dialect. */
struct rs_error *rs_report_write_guard(struct rs_builder *out, const struct rs_result *result,
				       const struct rs_report_options *options) RS_MUST_USE;
/* The patch as a mail for git am, or a series of mails behind a cover letter. Nothing when nothing is emitted.
 */
struct rs_error *rs_report_write_mbox(struct rs_builder *out, const struct rs_result *result,
				      const struct rs_report_options *options) RS_MUST_USE;
/* docs/result.schema.json, the same for every command. */
struct rs_error *rs_report_write_json(struct rs_builder *out, const struct rs_result *result,
				      const struct rs_report_options *options) RS_MUST_USE;

#endif
