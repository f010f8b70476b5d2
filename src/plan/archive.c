#include "plan/archive.h"

#include <float.h>
#include <string.h>

void rs_archive_init(struct rs_archive *archive, struct rs_arena *arena, size_t n_atoms, size_t width,
		     size_t most_burden)
{
	*archive = (struct rs_archive) {
		.arena = arena, .n_atoms = n_atoms, .width = width, .n_limits = most_burden + 1
	};
	archive->limits = rs_arena_array(arena, struct rs_score, archive->n_limits);
	archive->best = rs_arena_array(arena, struct rs_score, width);
	for (size_t i = 0; i < archive->n_limits; i++)
		archive->limits[i] = (struct rs_score) { DBL_MAX, UINT64_MAX };
}

bool rs_archive_wants(const struct rs_archive *archive, struct rs_score score, size_t burden)
{
	return burden < archive->n_limits && rs_score_compare(score, archive->limits[burden]) < 0;
}

static bool is_before(struct rs_score score, size_t burden, const struct rs_archive_item *item)
{
	if (burden != item->moves.burden)
		return burden < item->moves.burden;
	return rs_score_compare(score, item->score) < 0;
}

/* Keeps the scores, best first, of the `width` best met so far; false when the score is none of them. */
static bool rank(const struct rs_archive *archive, size_t *n_best, struct rs_score score)
{
	struct rs_score *best = archive->best;
	size_t at = *n_best;

	if (*n_best == archive->width && rs_score_compare(score, best[at - 1]) >= 0)
		return false;
	*n_best += *n_best < archive->width;
	at = *n_best - 1;
	for (; at > 0 && rs_score_compare(score, best[at - 1]) < 0; at--)
		best[at] = best[at - 1];
	best[at] = score;
	return true;
}

/* Drops what is no longer wanted and states the limits anew. */
static void tidy(struct rs_archive *archive)
{
	size_t n_best = 0, n_kept = 0, burden = 0;

	for (size_t i = 0; i <= archive->n_items; i++) {
		size_t upto = i < archive->n_items ? archive->items[i].moves.burden : archive->n_limits;

		for (; burden < upto; burden++)
			if (n_best == archive->width)
				archive->limits[burden] = archive->best[n_best - 1];
		if (i < archive->n_items && rank(archive, &n_best, archive->items[i].score))
			archive->items[n_kept++] = archive->items[i];
	}
	archive->n_items = n_kept;
}

bool rs_archive_add(struct rs_archive *archive, const size_t *order, struct rs_score score,
		    struct rs_moves moves)
{
	size_t at = archive->n_items, size = archive->n_atoms * sizeof *order, *copy;

	if (!rs_archive_wants(archive, score, moves.burden))
		return false;
	while (at > 0 && is_before(score, moves.burden, &archive->items[at - 1]))
		at--;
	for (size_t i = at; i > 0 && archive->items[i - 1].moves.burden == moves.burden &&
			    rs_score_compare(archive->items[i - 1].score, score) == 0;
	     i--)
		if (memcmp(archive->items[i - 1].order, order, size) == 0)
			return false;
	copy = rs_arena_array(archive->arena, size_t, archive->n_atoms);
	memcpy(copy, order, size);
	*rs_array_push(archive->arena, archive->items, archive->n_items, archive->capacity) =
		(struct rs_archive_item) { 0 };
	memmove(archive->items + at + 1, archive->items + at,
		(archive->n_items - 1 - at) * sizeof *archive->items);
	archive->items[at] = (struct rs_archive_item) { copy, score, moves, false };
	tidy(archive);
	return true;
}

const struct rs_archive_item *rs_archive_next(struct rs_archive *archive, bool by_score)
{
	struct rs_archive_item *next = NULL;

	for (size_t i = 0; i < archive->n_items; i++) {
		struct rs_archive_item *item = &archive->items[i];

		if (!item->is_expanded &&
		    (!next || (by_score && rs_score_compare(item->score, next->score) < 0)))
			next = item;
	}
	if (next)
		next->is_expanded = true;
	return next;
}
