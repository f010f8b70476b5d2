/*
 * A profile as a table for people.
 */
#ifndef RS_REPORT_PROFILE_H
#define RS_REPORT_PROFILE_H

#include "base/builder.h"
#include "profile/profile.h"

/* A table for each struct: field, reads, writes, kind, paths; below it sources, trust, and the share of rows
 * resolved. */
void rs_report_profile(struct rs_builder *out, const struct rs_profile *profile);
/* "sampled by perf c2c 6.8 (c2c.txt)", one for each source, then what must be known of the units. Each line
 * begins with indent blanks. Nothing without sources. */
void rs_report_sources(struct rs_builder *out, const struct rs_profile_source *sources, size_t n_sources,
		       size_t indent);

/* The last of these: that reads and writes count different things. Nothing where they count the same. */
void rs_report_units(struct rs_builder *out, const struct rs_profile_source *sources, size_t n_sources,
		     size_t indent);

#endif
