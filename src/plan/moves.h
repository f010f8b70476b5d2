/*
 * What a reviewer sees of a new order: the blocks of lines that `git diff --color-moved` would colour, and the
 * operations that carry them out.
 *
 * Kept units are an increasing subsequence of the order with the most source lines; among those, one that
 * leaves the fewest blocks. A block is a run of moved units that is contiguous in both orders. Where there are
 * several such subsequences git may keep another one: session/blocks.h goes by the diff itself.
 */
#ifndef RS_PLAN_MOVES_H
#define RS_PLAN_MOVES_H

#include "plan/plan.h"

struct rs_moves {
	size_t n_blocks;
	size_t changed_lines; /* lines removed plus lines added */
	size_t burden;        /* all that a reviewer has to swallow: the lines, a line for each block, and what
			       * rs_groups_weigh() says */
};

/* Room for rs_moves_compute() to work in, for orders of up to so many units. */
struct rs_moves_scratch;
struct rs_moves_scratch *rs_moves_scratch_create(struct rs_arena *arena, const struct rs_record *record);
struct rs_moves rs_moves_compute(struct rs_moves_scratch *scratch, const size_t *order);
/* The same, with an operation a block, in the order in which they stand in the new order. */
struct rs_moves rs_moves_list(struct rs_arena *arena, const struct rs_record *record, const size_t *order,
			      struct rs_operation **ret_operations);
/* The operations when it is known which units stay; kept: a flag a position of the order, rising units. Gives
 * their number. */
size_t rs_moves_list_kept(struct rs_arena *arena, size_t n_units, const size_t *order, const bool *kept,
			  struct rs_operation **ret_operations);
/* Carries the operations out, one after the other, on the order as it stands. ret_order: n_units entries. */
void rs_moves_apply(struct rs_arena *arena, size_t n_units, const struct rs_operation *operations,
		    size_t n_operations, size_t *ret_order);

/* Where a unit (or an atom) stands in the order; n when it does not. */
size_t rs_moves_find(const size_t *order, size_t n, size_t unit);

#endif
