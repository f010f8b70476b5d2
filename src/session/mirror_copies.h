/*
 * Other definitions of a record in C and C++: copies that are kept in step by hand.
 */
#ifndef RS_SESSION_MIRROR_COPIES_H
#define RS_SESSION_MIRROR_COPIES_H

#include "session/mirror_scan.h"

void rs_mirror_copies_check(struct rs_arena *arena, const struct rs_mirror_index *index, const char *path,
			    const struct rs_mirror_scan *scan);

#endif
