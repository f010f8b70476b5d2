/*
 * A layout's cost taken apart by path: who pays for the lines.
 */
#ifndef RS_PLAN_PATH_COST_H
#define RS_PLAN_PATH_COST_H

#include "plan/cost_model.h"

/* ret_path_ns: an entry a path of the binding; they add up to rs_cost_layout(). */
void rs_path_cost_compute(const struct rs_cost *cost, const uint64_t *offset_bits, uint64_t size_bytes,
			  double *ret_path_ns);
/* Adds what each path pays for one line, times the weight. */
void rs_path_cost_add_line(const struct rs_cost *cost, const struct rs_line_touch *touch, double weight,
			   double *add_ns);

#endif
