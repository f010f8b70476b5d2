/*
 * A profile as the file that it would be read from: version 1, valid by docs/profile.schema.json.
 */
#ifndef RS_PROFILE_WRITE_H
#define RS_PROFILE_WRITE_H

#include "base/builder.h"
#include "profile/profile.h"

/* What was not given is left out; reading what is written gives the same profile. */
void rs_profile_write(struct rs_builder *out, const struct rs_profile *profile);

#endif
