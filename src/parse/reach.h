/*
 * Which units may read certain files, told without parsing: by the names that texts include, whatever #if says,
 * looked for in all folders that a unit's flags or the system search, whatever comes first. So a unit may be said
 * to read a file that it does not read, but not the other way round.
 *
 * What cannot be told counts as reading: an #include of a macro, a flag by which headers come from elsewhere, an
 * unreadable file. A header that is nowhere leaves it to the source's own text: it counts when it spells one of
 * the words.
 */
#ifndef RS_PARSE_REACH_H
#define RS_PARSE_REACH_H

#include "parse/scan_unit.h"

struct rs_reach;
/* files: real paths. parser: its buffers stand for files. All must outlive it. */
struct rs_reach *rs_reach_create(const struct rs_parser *parser, const char *const *files, size_t n_files,
				 const char *const *words, size_t n_words);
void rs_reach_destroy(struct rs_reach *reach);
void rs_reach_destroyp(struct rs_reach **reach);
/* Whether the unit may read one of the files. */
bool rs_reach_may_read(struct rs_reach *reach, const struct rs_scan_unit *unit);

#endif
