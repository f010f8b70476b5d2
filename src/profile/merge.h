/*
 * Adding one profile to another: several runs, or a machine file and a profile of the program.
 */
#ifndef RS_PROFILE_MERGE_H
#define RS_PROFILE_MERGE_H

#include "profile/profile.h"

/*
 * sum += next. Paths and fields of one struct add up: paths that differ in nothing but their rate become one
 * with the sum of the rates; others that share a name are kept apart, the later one under a name of its own.
 * Lists of pins and permissions are joined. Of anything that has one value, next's counts where it gives one.
 */
void rs_profile_merge(struct rs_arena *arena, struct rs_profile *sum, const struct rs_profile *next);

#endif
