/*
 * Which bit-fields may come to stand side by side.
 *
 * Bit-fields that follow one another without a `:0` between them are one memory location (C11, 3.14): the
 * compiler may write all of them to write one. So a run that comes to follow another is joined to it, which
 * saves bytes and is right when one thread or one lock writes both. Runs that different paths of the profile
 * write are kept apart, unless the profile allows "join"; so are those that a macro makes or that #if holds, of
 * which nobody knows what stands beside them in another configuration. What stood side by side before may
 * always do so.
 *
 * An order is walked unit by unit with a state: which kind of location is open behind what is placed.
 */
#ifndef RS_PLAN_JOINS_H
#define RS_PLAN_JOINS_H

#include "profile/bind.h"

struct rs_joins;
typedef uint32_t rs_join_state; /* 0: no location is open */

/* binding may be NULL. */
const struct rs_joins *rs_joins_find(struct rs_arena *arena, const struct rs_record *record,
				     const struct rs_binding *binding);
/* Number of states, RS_JOINS_NEVER's not among them. 1: every order will do. */
size_t rs_joins_count(const struct rs_joins *joins);
/* The state behind the unit; RS_JOINS_NEVER when it may not come there. */
rs_join_state rs_joins_pass(const struct rs_joins *joins, size_t unit, rs_join_state state);
#define RS_JOINS_NEVER UINT32_MAX
/* Whether the whole order joins nothing that must not be. */
bool rs_joins_are_permitted(struct rs_arena *arena, const struct rs_record *record,
			    const struct rs_binding *binding, const size_t *order);

/* Bit-fields that are one memory location in the order, of which some were not side by side before: one remark
 * for each such location. Memory is arena's. */
void rs_joins_remark(struct rs_arena *arena, const struct rs_record *record, const size_t *order,
		     const struct rs_pin **ret_remarks, size_t *ret_count);
/* Whether a location that ends in one unit goes on in another that follows it. */
bool rs_joins_is_seam(const struct rs_record *record, size_t unit, size_t follower);

#endif
