/*
 * The `paths` and `fields` of a struct in the profile file.
 */
#ifndef RS_PROFILE_PATHS_H
#define RS_PROFILE_PATHS_H

#include "profile/reader.h"

/* target: struct rs_profile_struct. */
struct rs_error *rs_paths_read(const struct rs_reader *reader, const struct rs_key *key,
			       const struct rs_json *value, void *target) RS_MUST_USE;
struct rs_error *rs_paths_read_fields(const struct rs_reader *reader, const struct rs_key *key,
				      const struct rs_json *value, void *target) RS_MUST_USE;

/* Bounds that keep sums and products of figures finite. */
#define RS_PROFILE_MOST_RATE 1e18
#define RS_PROFILE_MOST_CPUS 4096

#endif
