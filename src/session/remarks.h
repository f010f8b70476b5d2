/*
 * What a plan does that somebody should look at: what the plan itself says, comments that name members which it
 * moves, and, where no profile speaks for it, members that come to a line which another begins on purpose.
 */
#ifndef RS_SESSION_REMARKS_H
#define RS_SESSION_REMARKS_H

#include "plan/plan.h"
#include "record/mentions.h"

/* Memory is arena's. */
void rs_remarks_list(struct rs_arena *arena, const struct rs_record *record, const struct rs_plan *plan,
		     const struct rs_mention *mentions, size_t n_mentions, const struct rs_pin **ret_remarks,
		     size_t *ret_count);

#endif
