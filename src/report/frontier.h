/*
 * The plans of a record side by side, and what the picked one moves.
 */
#ifndef RS_REPORT_FRONTIER_H
#define RS_REPORT_FRONTIER_H

#include "report/report.h"
#include "report/view.h"

/* The table, the bound, and for each path how many lines it touches under each plan. views: that of the layout
 * as it stands, then one for each plan. */
void rs_frontier_print(struct rs_builder *out, const struct rs_record_result *record,
		       const struct rs_view *views, const struct rs_report_options *options);
/* Files whose initialisers each plan changes. */
void rs_frontier_print_initializers(struct rs_builder *out, const struct rs_result *result,
				    const struct rs_plan_result *plan, const struct rs_report_options *options);
/* Members of the moved units with old and new offset and line, then the others that change lines. */
void rs_frontier_print_moves(struct rs_builder *out, const struct rs_view *before, const struct rs_view *after,
			     const struct rs_report_options *options);

/* Share of what the best plan gains, in nanoseconds with a profile, in bytes without, in percent; NaN when
 * nothing gains. */
double rs_frontier_gain(const struct rs_record_result *record, const struct rs_plan *plan);

#endif
