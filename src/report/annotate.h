/*
 * The record as C with a comment behind each member: what pahole prints, with more columns behind it.
 */
#ifndef RS_REPORT_ANNOTATE_H
#define RS_REPORT_ANNOTATE_H

#include "report/report.h"
#include "report/view.h"

/* A second comment tells the member's line and, with a profile, its rates, its use and the paths that use it.
 */
void rs_annotate_print(struct rs_builder *out, struct rs_arena *arena, const struct rs_result *result,
		       const struct rs_view *view, const struct rs_report_options *options);

#endif
