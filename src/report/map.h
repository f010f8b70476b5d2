/*
 * The cache-line map, drawn from a view; rs_map_print() of report.h is the same for those who have none.
 */
#ifndef RS_REPORT_MAP_H
#define RS_REPORT_MAP_H

#include "report/view.h"

/* Title, scale and rows. */
void rs_map_print_view(struct rs_builder *out, struct rs_arena *arena, const struct rs_view *view, bool color);
/* What the glyphs mean. */
void rs_map_print_legend(struct rs_builder *out, bool has_profile, bool color);

#endif
