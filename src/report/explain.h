/*
 * Why fields lie where they do, as text: what was asked for with --explain.
 */
#ifndef RS_REPORT_EXPLAIN_H
#define RS_REPORT_EXPLAIN_H

#include "report/report.h"
#include "report/view.h"

/* For each field that was asked about: where it lies and who pays what there, as it stands and in the picked
 * plan, what each other line would cost, and what holds it. */
void rs_explain_print(struct rs_builder *out, const struct rs_result *result,
		      const struct rs_record_result *record, const struct rs_report_options *options);

#endif
