#include "plan/fluid_fill.h"

#include <math.h>
#include <string.h>

enum { HALVINGS = 30 };
static const double EXCESS = 1e-9;

void rs_fluid_fill_init(struct rs_fluid_fill *fill, struct rs_arena *arena, const struct rs_fluid_model *model)
{
	*fill = (struct rs_fluid_fill) { .model = model };
	fill->counts = rs_arena_array(arena, double, model->n_kinds);
	fill->more = rs_arena_array(arena, double, model->n_kinds);
	fill->gains = rs_arena_array(arena, double, model->n_kinds);
	fill->order = rs_arena_array(arena, size_t, model->n_kinds);
}

static double ratio_of(const struct rs_fluid_fill *fill, size_t kind)
{
	uint64_t bits = fill->model->kinds[kind].bits;

	return fill->gains[kind] / (bits ? (double)bits : 0.5);
}

/* The members that gain, those first that gain most for their size. */
static size_t order_kinds(struct rs_fluid_fill *fill, const struct rs_fluid_set *set)
{
	size_t count = 0;

	for (size_t k = 0; k < fill->model->n_kinds; k++) {
		size_t at = count;

		if (fill->gains[k] <= 0 || !(set->members >> fill->model->kinds[k].item & 1))
			continue;
		for (; at > 0 && ratio_of(fill, fill->order[at - 1]) < ratio_of(fill, k); at--)
			fill->order[at] = fill->order[at - 1];
		fill->order[at] = k;
		count++;
	}
	return count;
}

/* The best filling where each use by the path costs so much besides; gives what it comes to then. */
static double fill_up(struct rs_fluid_fill *fill, const struct rs_fluid_set *set, const double *prices, size_t path,
		      double extra, double *counts)
{
	const struct rs_fluid_model *model = fill->model;
	double room = (double)model->line_bits, sum = 0;
	size_t n;

	for (size_t k = 0; k < model->n_kinds; k++)
		fill->gains[k] = prices[k] - set->use_ns[model->kinds[k].item] -
				 (extra > 0 && model->kinds[k].levels[path] ? extra : 0);
	memset(counts, 0, model->n_kinds * sizeof *counts);
	n = order_kinds(fill, set);
	for (size_t i = 0; i < n; i++) {
		const struct rs_fluid_kind *kind = &model->kinds[fill->order[i]];
		size_t most = kind->count < set->room[kind->item] ? kind->count : set->room[kind->item];
		double bits = (double)(kind->bits * most), taken = (double)most;

		if (bits > room)
			taken = room / (double)kind->bits;
		counts[fill->order[i]] = taken;
		room -= taken * (double)kind->bits;
		sum += taken * fill->gains[fill->order[i]];
	}
	return sum;
}

/* By how much the uses of a path exceed what there are on a line of the set. */
static double excess_of(const struct rs_fluid_fill *fill, const struct rs_fluid_set *set, const double *counts,
			size_t path)
{
	return rs_fluid_model_count_uses(fill->model, counts, path) - set->most[path];
}

static bool find_exceeding(const struct rs_fluid_fill *fill, const struct rs_fluid_set *set, size_t *ret_path)
{
	double worst = EXCESS;
	bool found = false;

	for (size_t p = 0; p < fill->model->n_paths; p++) {
		double excess = excess_of(fill, set, fill->counts, p);

		if (excess <= worst)
			continue;
		worst = excess;
		*ret_path = p;
		found = true;
	}
	return found;
}

static double dearest_gain(const struct rs_fluid_fill *fill, const struct rs_fluid_set *set, const double *prices)
{
	double most = 0;

	for (size_t k = 0; k < fill->model->n_kinds; k++)
		most = fmax(most, prices[k] - set->use_ns[fill->model->kinds[k].item]);
	return most;
}

/* `more` with as much of `counts` as there are uses for. */
static void mix(struct rs_fluid_fill *fill, const struct rs_fluid_set *set, size_t path)
{
	double over = excess_of(fill, set, fill->more, path), under = -excess_of(fill, set, fill->counts, path);
	double share = over + under > 0 ? under / (over + under) : 0;

	for (size_t k = 0; k < fill->model->n_kinds; k++)
		fill->counts[k] += share * (fill->more[k] - fill->counts[k]);
}

/* Lagrange's relaxation: at any price for a use no line comes to more than what it says; the least of that is looked
 * for. */
static double hold_uses(struct rs_fluid_fill *fill, const struct rs_fluid_set *set, const double *prices, size_t path)
{
	double low = 0, high = dearest_gain(fill, set, prices), most = set->most[path];
	double least = high * most + fill_up(fill, set, prices, path, high, fill->counts);

	fill_up(fill, set, prices, path, low, fill->more);
	for (unsigned i = 0; i < HALVINGS; i++) {
		double middle = (low + high) / 2;
		double sum = middle * most + fill_up(fill, set, prices, path, middle, fill->counts);

		least = fmin(least, sum);
		if (excess_of(fill, set, fill->counts, path) > 0) {
			low = middle;
			memcpy(fill->more, fill->counts, fill->model->n_kinds * sizeof *fill->counts);
		} else {
			high = middle;
		}
	}
	fill_up(fill, set, prices, path, high, fill->counts);
	mix(fill, set, path);
	return least;
}

double rs_fluid_fill_run(struct rs_fluid_fill *fill, const struct rs_fluid_set *set, const double *prices,
			 double enough)
{
	double sum = fill_up(fill, set, prices, 0, 0, fill->counts);
	size_t path;

	if (sum <= enough)
		return sum;
	return find_exceeding(fill, set, &path) ? fmin(sum, hold_uses(fill, set, prices, path)) : sum;
}
