/*
 * Definitions in other languages, and in assembly, that repeat a record's fields in their order.
 */
#ifndef RS_SESSION_MIRROR_FOREIGN_H
#define RS_SESSION_MIRROR_FOREIGN_H

#include "session/mirror_language.h"

struct rs_mirror_foreign; /* what is kept from file to file */

struct rs_mirror_foreign *rs_mirror_foreign_create(struct rs_arena *arena, const struct rs_mirror_index *index);
void rs_mirror_foreign_check(struct rs_mirror_foreign *foreign, const char *path,
			     const struct rs_mirror_language *language, const struct rs_mirror_scan *scan);

#endif
