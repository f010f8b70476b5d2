/*
 * The heaviest increasing subsequence: what stays in place while the rest moves around it.
 */
#ifndef RS_REWRITE_SEQUENCE_H
#define RS_REWRITE_SEQUENCE_H

#include "base/arena.h"

/* Marks a subsequence of keys that strictly increases and has the greatest sum of weights; weight 0 is never
 * chosen. ret_chosen has room for count flags. Takes O(count log count) steps. */
void rs_sequence_choose(struct rs_arena *arena, const size_t *keys, const uint64_t *weights, size_t count,
			bool *ret_chosen);

#endif
