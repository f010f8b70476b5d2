/*
 * A part of the cost that never falls when an access is added to a line: without upgrades and evictions.
 * Touches that find a line written by others, a W / (a + W) (1 - e^-(a + W) T), rise in both rates.
 */
#ifndef RS_PLAN_RISING_H
#define RS_PLAN_RISING_H

#include "plan/cost.h"

/* binding must outlive the result; memory is arena's. */
const struct rs_cost *rs_rising_cost(struct rs_arena *arena, const struct rs_binding *binding);

#endif
