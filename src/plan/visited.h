/*
 * Nodes that a search has met, with the least cost at which it met them. A node is known by two independent
 * 64-bit hashes.
 */
#ifndef RS_PLAN_VISITED_H
#define RS_PLAN_VISITED_H

#include "base/arena.h"

struct rs_visited_entry {
	uint64_t key[2]; /* both 0: free */
	double cost_ns;
};
struct rs_visited {
	struct rs_visited_entry *entries;
	size_t n_buckets, n_entries;
};

/* Room for so many nodes; when it is used up further nodes are not remembered. */
void rs_visited_init(struct rs_visited *visited, uint64_t n_nodes);
void rs_visited_deinit(struct rs_visited *visited);
void rs_visited_hash(uint64_t key[2], uint64_t value);
/* Whether the node was met at no more than cost_ns before; remembers it otherwise. */
bool rs_visited_check(struct rs_visited *visited, const uint64_t key[2], double cost_ns);

#endif
