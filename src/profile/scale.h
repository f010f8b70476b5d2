/*
 * Bringing profiles to one scale before they are added up.
 */
#ifndef RS_PROFILE_SCALE_H
#define RS_PROFILE_SCALE_H

#include "profile/profile.h"

/* Whether the two may be added up: figures of one struct must count the same things. Those with a weight were
 * brought to the same scale by whoever gave it. */
struct rs_error *rs_profile_check_units(const struct rs_profile *sum,
					const struct rs_profile *next) RS_MUST_USE;
/* Multiplies all rates, and notes the weight in the sources (a struct without any gets one, for the file
 * `path`). */
void rs_profile_scale(struct rs_arena *arena, struct rs_profile *profile, const char *path, double weight);

#endif
