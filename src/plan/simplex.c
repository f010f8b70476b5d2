#include "plan/simplex.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double NOTHING = 1e-9;
/* After so many steps without gain the lowest columns go first, which cannot run in circles. */
enum { MOST_IDLE = 50 };

/* Rows are the basic variables; numbers below n_columns are amounts, those above slacks of rows. The last row
 * holds what one more of each column gains, the last column the values of the basic variables. */
struct tableau {
	size_t n_rows, n_columns, width;
	double *cells;
	size_t *basic, *free; /* variable of each row, of each column */
	size_t n_idle;
};

static double *row_of(const struct tableau *tableau, size_t row)
{
	return tableau->cells + row * tableau->width;
}

static void fill(struct tableau *tableau, const struct rs_simplex *simplex)
{
	for (size_t i = 0; i < tableau->n_rows; i++) {
		for (size_t j = 0; j < tableau->n_columns; j++)
			row_of(tableau, i)[j] = simplex->matrix[i * tableau->n_columns + j];
		row_of(tableau, i)[tableau->n_columns] = simplex->limits[i];
		tableau->basic[i] = tableau->n_columns + i;
	}
	for (size_t j = 0; j < tableau->n_columns; j++) {
		row_of(tableau, tableau->n_rows)[j] = simplex->values[j];
		tableau->free[j] = j;
	}
}

/* The column that gains most each; n_columns when none gains. */
static size_t choose_column(const struct tableau *tableau)
{
	const double *gains = row_of(tableau, tableau->n_rows);
	bool is_idle = tableau->n_idle > MOST_IDLE;
	size_t best = tableau->n_columns;

	for (size_t j = 0; j < tableau->n_columns; j++) {
		if (gains[j] <= NOTHING)
			continue;
		if (best == tableau->n_columns ||
		    (is_idle ? tableau->free[j] < tableau->free[best] : gains[j] > gains[best]))
			best = j;
	}
	return best;
}

/* The row that limits the column first; n_rows when none does. */
static size_t choose_row(const struct tableau *tableau, size_t column)
{
	size_t best = tableau->n_rows;
	double least = INFINITY;

	for (size_t i = 0; i < tableau->n_rows; i++) {
		const double *row = row_of(tableau, i);
		double ratio;

		if (row[column] <= NOTHING)
			continue;
		ratio = row[tableau->n_columns] / row[column];
		if (ratio < least || (ratio <= least && tableau->basic[i] < tableau->basic[best])) {
			least = ratio;
			best = i;
		}
	}
	return best;
}

static void subtract_row(const struct tableau *tableau, size_t row, const double *pivot, size_t column)
{
	double *cells = row_of(tableau, row), factor = cells[column];

	if (factor == 0)
		return;
	cells[column] = 0;
	for (size_t j = 0; j <= tableau->n_columns; j++)
		cells[j] -= factor * pivot[j];
}

static void exchange(struct tableau *tableau, size_t row, size_t column)
{
	double *pivot = row_of(tableau, row), by = pivot[column];
	size_t variable = tableau->basic[row];

	pivot[column] = 1;
	for (size_t j = 0; j <= tableau->n_columns; j++)
		pivot[j] /= by;
	for (size_t i = 0; i <= tableau->n_rows; i++)
		if (i != row)
			subtract_row(tableau, i, pivot, column);
	tableau->basic[row] = tableau->free[column];
	tableau->free[column] = variable;
	tableau->n_idle = pivot[tableau->n_columns] > NOTHING ? 0 : tableau->n_idle + 1;
}

static void read_out(const struct tableau *tableau, double *amounts, double *prices)
{
	memset(amounts, 0, tableau->n_columns * sizeof *amounts);
	memset(prices, 0, tableau->n_rows * sizeof *prices);
	for (size_t i = 0; i < tableau->n_rows; i++)
		if (tableau->basic[i] < tableau->n_columns)
			amounts[tableau->basic[i]] = fmax(0, row_of(tableau, i)[tableau->n_columns]);
	for (size_t j = 0; j < tableau->n_columns; j++)
		if (tableau->free[j] >= tableau->n_columns)
			prices[tableau->free[j] - tableau->n_columns] =
				fmax(0, -row_of(tableau, tableau->n_rows)[j]);
}

void rs_simplex_solve(struct rs_simplex *simplex, double *ret_amounts, double *ret_prices)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	struct tableau tableau = { .n_rows = simplex->n_rows,
				   .n_columns = simplex->n_columns,
				   .width = simplex->n_columns + 1 };
	uint64_t each = (tableau.n_rows + 1) * tableau.width;
	size_t column, row;

	tableau.cells = rs_arena_array(arena, double, each);
	tableau.basic = rs_arena_array(arena, size_t, tableau.n_rows + 1);
	tableau.free = rs_arena_array(arena, size_t, tableau.n_columns + 1);
	fill(&tableau, simplex);
	while (simplex->n_steps >= each && (column = choose_column(&tableau)) < tableau.n_columns) {
		row = choose_row(&tableau, column);
		if (row == tableau.n_rows)
			break;
		exchange(&tableau, row, column);
		simplex->n_steps -= each;
	}
	read_out(&tableau, ret_amounts, ret_prices);
}
