/*
 * Small linear programs: the most value of n_columns amounts, none negative, such that no row's sum exceeds its
 * limit. With limits that are not negative nothing at all is a solution to start from, and every step of the
 * simplex method is a better one, so that it may stop at any time.
 */
#ifndef RS_PLAN_SIMPLEX_H
#define RS_PLAN_SIMPLEX_H

#include "base/arena.h"

struct rs_simplex {
	size_t n_rows, n_columns;
	const double *matrix; /* n_rows × n_columns: what one of the column adds to the row */
	const double *limits; /* of rows, not negative */
	const double *values; /* of columns */
	uint64_t n_steps;     /* budget: cells changed */
};

/* ret_amounts: n_columns. ret_prices: n_rows, what one more of the limit would be worth. Rounding may leave
 * amounts that exceed a limit by a little: whoever needs them exact has to check. */
void rs_simplex_solve(struct rs_simplex *simplex, double *ret_amounts, double *ret_prices);

#endif
