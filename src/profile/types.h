/*
 * The `types` of a profile: sizes of types that the given sources do not define, and the C that declares them.
 * The C itself is made by rs_profile_prelude(), declared in profile/profile.h.
 */
#ifndef RS_PROFILE_TYPES_H
#define RS_PROFILE_TYPES_H

#include "profile/reader.h"

/* target: struct rs_profile. */
struct rs_error *rs_types_read(const struct rs_reader *reader, const struct rs_key *key,
			       const struct rs_json *value, void *target) RS_MUST_USE;

#endif
