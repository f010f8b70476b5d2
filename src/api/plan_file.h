/*
 * A plan out of a JSON result: which record of which file shall take which order.
 */
#ifndef RS_API_PLAN_FILE_H
#define RS_API_PLAN_FILE_H

#include "session/session.h"

/* The targets of the result at path, with orders, offsets and hashes. root: the folder that paths in it may
 * start from, besides the usual ones; may be NULL. plan 0: the pick of each record; records without one are
 * left out. Everything lives in arena. */
struct rs_error *rs_plan_file_read(struct rs_arena *arena, const char *path, const char *root, unsigned plan,
				   struct rs_target **ret_targets, size_t *ret_count) RS_MUST_USE;

#endif
