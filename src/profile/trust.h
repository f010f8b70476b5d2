/*
 * How far figures are to be trusted, and which of them may be compared.
 */
#ifndef RS_PROFILE_TRUST_H
#define RS_PROFILE_TRUST_H

#include "profile/profile.h"

/* How far figures are to be trusted, best first: measured, counted, sampled, upper bound, stated, static. */
enum { RS_TRUST_WORDS = 6 };
extern const char *const rs_trust_words[RS_TRUST_WORDS];

/* The word of the source that is trusted least; NULL when none says. */
const char *rs_profile_trust(const struct rs_profile_source *sources, size_t n_sources);
/* Whether reads and writes of the sources count the same things, as far as is said: then, and only then, may
 * they be compared. */
bool rs_profile_has_one_unit(const struct rs_profile_source *sources, size_t n_sources);

#endif
