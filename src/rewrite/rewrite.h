/*
 * From a plan to text edits: units change places, everything else stays byte for byte.
 */
#ifndef RS_REWRITE_REWRITE_H
#define RS_REWRITE_REWRITE_H

#include "plan/plan.h"
#include "text/edit.h"

/* The fewest, smallest edits that put the record's units in the plan's order. Section comments stay with their
 * group, blank lines with their place. The entries of a comment above the struct that lists its members follow
 * them. *ret_count is 0 when nothing moves. Where parts of a divided declaration (rewrite/split.h) come apart,
 * whole lines are exchanged. */
void rs_rewrite_order(struct rs_arena *arena, const struct rs_record *record, const size_t *order,
		      struct rs_edit **ret_edits, size_t *ret_count);

/* The same with comments above units. */
void rs_rewrite_with_headlines(struct rs_arena *arena, const struct rs_record *record, const size_t *order,
			       struct rs_headlines headlines, struct rs_edit **ret_edits, size_t *ret_count);
/* The edits that turn the source into the target, whole lines each. */
void rs_rewrite_lines(struct rs_arena *arena, const struct rs_source *source, const struct rs_source *target,
		      struct rs_edit **ret_edits, size_t *ret_count);

#endif
