/*
 * Groups of units as the source shows them: parted by blank lines, and sections parted by comments on lines of
 * their own. A comment such as "written by the rx thread only" stays true when its section stays together.
 */
#ifndef RS_PLAN_GROUPS_H
#define RS_PLAN_GROUPS_H

#include "record/record.h"

struct rs_groups {
	size_t n_units;
	const size_t *groups, *sections; /* number of each unit's */
	size_t original_weight;          /* of the pairs in the original order */
	bool has_heading;                /* a comment stands over the first section */
	const struct rs_record *record;
};

void rs_groups_find(struct rs_arena *arena, const struct rs_record *record, struct rs_groups *ret_groups);
/* What an order does to the groups, in lines that a reviewer would rather read: groups and sections that are
 * torn apart, units that come under a heading that is not theirs, another first unit. 0 for the original. */
size_t rs_groups_weigh(const struct rs_groups *groups, const size_t *order);
/* The parts of that: of one unit that follows another, and of the unit that comes first. They add up to the
 * weight and what the original order has. */
size_t rs_groups_weigh_pair(const struct rs_groups *groups, size_t unit, size_t follower);
size_t rs_groups_weigh_first(const struct rs_groups *groups, size_t unit);

#endif
