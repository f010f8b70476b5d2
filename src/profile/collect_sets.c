#include <string.h>

#include "profile/collect_internal.h"

enum { MOST_SETS = 16 }; /* of one function and object: what is rarest joins its neighbour */

void rs_touch_sets_add(struct rs_touch_sets *sets, const unsigned char *does, double rate, double burst)
{
	struct rs_touch_set *set;

	if (rate <= 0)
		return;
	set = rs_array_push(sets->arena, sets->items, sets->n_items, sets->items_capacity);
	set->rate = rate;
	set->burst = burst;
	if (!does)
		return;
	set->does = rs_arena_array(sets->arena, unsigned char, sets->n_members);
	memcpy(set->does, does, sets->n_members);
}

static void unite(const struct rs_touch_sets *sets, unsigned char *into, const unsigned char *does)
{
	for (size_t m = 0; does && m < sets->n_members; m++)
		into[m] |= does[m];
}

/* Fewer sets, the same sum of rates. */
static void trim(struct rs_touch_sets *sets)
{
	while (sets->n_items > MOST_SETS) {
		size_t rarest = 1;

		for (size_t i = 1; i < sets->n_items; i++)
			if (sets->items[i].rate < sets->items[rarest].rate)
				rarest = i;
		struct rs_touch_set *set = &sets->items[rarest], *neighbour = set - 1;
		neighbour->rate += set->rate;
		if (!neighbour->does)
			neighbour->does = set->does;
		else
			unite(sets, neighbour->does, set->does);
		for (size_t i = rarest; i + 1 < sets->n_items; i++)
			sets->items[i] = sets->items[i + 1];
		sets->n_items--;
	}
}

void rs_touch_sets_append(struct rs_touch_sets *sets, const struct rs_touch_sets *other)
{
	for (size_t i = 0; i < other->n_items; i++)
		rs_touch_sets_add(sets, other->items[i].does, other->items[i].rate, other->items[i].burst);
	trim(sets);
}

void rs_touch_sets_join(struct rs_touch_sets *sets, const struct rs_touch_sets *other, double scale)
{
	struct rs_touch_sets joined = { .arena = sets->arena, .n_members = sets->n_members };
	unsigned char *does = rs_arena_array(sets->arena, unsigned char, sets->n_members);
	size_t a = 0, b = 0;
	double left_a = sets->n_items ? sets->items[0].rate : 0;
	double left_b = other->n_items ? other->items[0].rate * scale : 0;

	while (a < sets->n_items || b < other->n_items) {
		bool has_a = a < sets->n_items, has_b = b < other->n_items;
		double rate = !has_b || (has_a && left_a < left_b) ? left_a : left_b;
		double burst = 1;

		memset(does, 0, sets->n_members);
		if (has_a) {
			unite(sets, does, sets->items[a].does);
			burst = sets->items[a].burst;
		}
		if (has_b) {
			unite(sets, does, other->items[b].does);
			burst = other->items[b].burst > burst ? other->items[b].burst : burst;
		}
		rs_touch_sets_add(&joined, does, rate, burst);
		left_a -= has_a ? rate : 0;
		left_b -= has_b ? rate : 0;
		if (has_a && left_a <= 0)
			left_a = ++a < sets->n_items ? sets->items[a].rate : 0;
		if (has_b && left_b <= 0)
			left_b = ++b < other->n_items ? other->items[b].rate * scale : 0;
	}
	trim(&joined);
	*sets = joined;
}

static bool touches(const struct rs_touch_sets *sets, const struct rs_touch_set *set)
{
	for (size_t m = 0; set->does && m < sets->n_members; m++)
		if (set->does[m])
			return true;
	return false;
}

double rs_touch_sets_rate(const struct rs_touch_sets *sets)
{
	double sum = 0;

	for (size_t i = 0; i < sets->n_items; i++)
		sum += touches(sets, &sets->items[i]) ? sets->items[i].rate : 0;
	return sum;
}
