/*
 * Findings of the mirror search as pins.
 */
#ifndef RS_SESSION_MIRROR_REPORT_H
#define RS_SESSION_MIRROR_REPORT_H

#include "session/mirror_index.h"

enum { RS_MIRROR_MAX_PLACES = 32 }; /* of one code for one record: the rest is counted as "more" */

/* A contract that refuses the record, or advice. The same code for the same line is kept once. path must live
 * as long as the record's pin list. */
void rs_mirror_report(const struct rs_mirror_record *at, const char *code, bool refuses, const char *path,
		      unsigned line, const char *format, ...) RS_PRINTF(6, 7);
/* "struct tag", or the typedef's name. */
const char *rs_mirror_record_title(struct rs_arena *arena, const struct rs_mirror_record *at);

#endif
