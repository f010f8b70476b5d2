/*
 * From the parts of lines that the fluid bound's linear program takes (plan/fluid.h) to whole ones.
 */
#ifndef RS_PLAN_FLUID_ROUND_H
#define RS_PLAN_FLUID_ROUND_H

#include "plan/fluid_model.h"

/* The rows of the program: lines with a set, and how many members of each kind. */
struct rs_fluid_rows {
	const struct rs_fluid_model *model;
	const size_t *sets;
	const double *counts; /* n_kinds a row */
	size_t n_rows;
	double *amounts; /* how many of the line are wanted; used up */
};

/* The row that is wanted most, taken whole, again and again; what is left goes where it fits, or beside the
 * lines. ret_lines: of each atom, RS_NONE where it does not matter. Gives their number. */
size_t rs_fluid_round_lines(struct rs_fluid_rows *rows, const struct rs_problem *problem, size_t *ret_lines);

#endif
