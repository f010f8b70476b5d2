#include "plan/visited.h"

#include <stdlib.h>

enum { FEWEST_BUCKETS = 1 << 10, MOST_BUCKETS = 1 << 21 };
static const double ROUNDING = 1e-12;

void rs_visited_init(struct rs_visited *visited, uint64_t n_nodes)
{
	visited->n_buckets = FEWEST_BUCKETS;
	visited->n_entries = 0;
	while (visited->n_buckets < MOST_BUCKETS && visited->n_buckets < 2 * n_nodes)
		visited->n_buckets *= 2;
	visited->entries = (struct rs_visited_entry *)rs_alloc(visited->n_buckets * sizeof *visited->entries);
}

void rs_visited_deinit(struct rs_visited *visited)
{
	free(visited->entries);
	visited->entries = NULL;
}

void rs_visited_hash(uint64_t key[2], uint64_t value)
{
	key[0] = (key[0] ^ value) * UINT64_C(0xbf58476d1ce4e5b9);
	key[0] ^= key[0] >> 31;
	key[1] = (key[1] + value + UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0x94d049bb133111eb);
	key[1] ^= key[1] >> 29;
}

bool rs_visited_check(struct rs_visited *visited, const uint64_t key[2], double cost_ns)
{
	size_t bucket = key[0] & (visited->n_buckets - 1);
	struct rs_visited_entry *entry;

	for (;; bucket = (bucket + 1) & (visited->n_buckets - 1)) {
		entry = &visited->entries[bucket];
		if (!(entry->key[0] | entry->key[1]))
			break;
		if (entry->key[0] != key[0] || entry->key[1] != key[1])
			continue;
		if (entry->cost_ns <= cost_ns * (1 + ROUNDING))
			return true;
		entry->cost_ns = cost_ns;
		return false;
	}
	if (visited->n_entries * 4 < visited->n_buckets * 3) {
		*entry = (struct rs_visited_entry) { { key[0], key[1] }, cost_ns };
		visited->n_entries++;
	}
	return false;
}
