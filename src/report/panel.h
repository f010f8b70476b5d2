/*
 * What stands below a layout: who shares a line with whom, what it costs, what was assumed, and what may not
 * move.
 */
#ifndef RS_REPORT_PANEL_H
#define RS_REPORT_PANEL_H

#include "report/report.h"
#include "report/view.h"

/* Nothing is printed without a profile. */
void rs_panel_print_sharing(struct rs_builder *out, const struct rs_view *view,
			    const struct rs_report_options *options);
void rs_panel_print_cost(struct rs_builder *out, const struct rs_view *view,
			 const struct rs_report_options *options);
/* Line size, object placement, CPUs, times, residence time. */
void rs_panel_print_assumptions(struct rs_builder *out, const struct rs_view *view);
/* What a plan does that somebody should look at: "mind: message (code, strength) file:line". */
void rs_panel_print_remarks(struct rs_builder *out, const struct rs_result *result,
			    const struct rs_record_result *record, const struct rs_plan_result *plan);
/* What holds one field: "  held: message (code, strength) file:line". */
void rs_panel_print_held(struct rs_builder *out, const struct rs_result *result,
			 const struct rs_record_result *record, const struct rs_pin *pins, size_t count);
/* Pins and hazards, one line each: "pinned: message (code, strength) file:line". */
void rs_panel_print_pins(struct rs_builder *out, const struct rs_result *result,
			 const struct rs_record_result *record);

#endif
