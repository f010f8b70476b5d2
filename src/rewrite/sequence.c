#include "rewrite/sequence.h"

#include <stdlib.h>

#define NOTHING SIZE_MAX

/* A Fenwick tree of prefix maxima over ranks: the best subsequence that ends in a key of a rank or below. */
struct maxima {
	size_t *best; /* element that ends it; NOTHING */
	size_t n_ranks;
	const uint64_t *sums; /* by element */
};

static size_t better(const struct maxima *maxima, size_t a, size_t b)
{
	if (a == NOTHING || b == NOTHING)
		return a == NOTHING ? b : a;
	return maxima->sums[b] > maxima->sums[a] ? b : a;
}

/* The best that ends in a rank below this one. */
static size_t maxima_find(const struct maxima *maxima, size_t rank)
{
	size_t found = NOTHING;

	for (size_t i = rank; i > 0; i -= i & -i)
		found = better(maxima, found, maxima->best[i]);
	return found;
}

static void maxima_add(const struct maxima *maxima, size_t rank, size_t element)
{
	for (size_t i = rank + 1; i <= maxima->n_ranks; i += i & -i)
		maxima->best[i] = better(maxima, maxima->best[i], element);
}

static int key_compare(const void *left, const void *right)
{
	const size_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

static size_t rank_of(const size_t *sorted, size_t count, size_t key)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (sorted[middle] < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void rs_sequence_choose(struct rs_arena *arena, const size_t *keys, const uint64_t *weights, size_t count,
			bool *ret_chosen)
{
	size_t *sorted = rs_arena_array(arena, size_t, count);
	size_t *before = rs_arena_array(arena, size_t, count);
	uint64_t *sums = rs_arena_array(arena, uint64_t, count);
	struct maxima maxima = { rs_arena_array(arena, size_t, count + 1), count, sums };

	for (size_t i = 0; i < count; i++) {
		sorted[i] = keys[i];
		ret_chosen[i] = false;
	}
	for (size_t i = 0; i <= count; i++)
		maxima.best[i] = NOTHING;
	if (count > 0)
		qsort(sorted, count, sizeof *sorted, key_compare);
	for (size_t i = 0; i < count; i++) {
		size_t rank = rank_of(sorted, count, keys[i]);

		if (weights[i] == 0)
			continue;
		before[i] = maxima_find(&maxima, rank);
		sums[i] = weights[i] + (before[i] == NOTHING ? 0 : sums[before[i]]);
		maxima_add(&maxima, rank, i);
	}
	for (size_t i = maxima_find(&maxima, count); i != NOTHING; i = before[i])
		ret_chosen[i] = true;
}
