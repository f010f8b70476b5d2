/*
 * A layout's cost taken apart by who pays it.
 */
#ifndef RS_PLAN_COST_PATHS_H
#define RS_PLAN_COST_PATHS_H

#include "plan/cost_model.h"

/* Adds to add_ns (n_paths of the binding) what each path pays for one line as it is touched; the sum is
 * rs_cost_touch(). */
void rs_cost_paths_touch(const struct rs_cost *cost, const struct rs_line_touch *touch, double *add_ns);
/* What each path pays for a layout: n_paths entries, whose sum is rs_cost_layout(). */
void rs_cost_paths_layout(const struct rs_cost *cost, const uint64_t *offset_bits, uint64_t size_bytes,
			  double *ret_ns);

#endif
