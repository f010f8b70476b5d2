/*
 * The `structs` of the profile file.
 */
#ifndef RS_PROFILE_STRUCTS_H
#define RS_PROFILE_STRUCTS_H

#include "profile/reader.h"

/* target: struct rs_profile. */
struct rs_error *rs_structs_read(const struct rs_reader *reader, const struct rs_key *key,
				 const struct rs_json *value, void *target) RS_MUST_USE;

#endif
