/*
 * Assembly that speaks of a record, and C that computes offsets for assembly.
 */
#ifndef RS_SESSION_MIRROR_ASSEMBLY_H
#define RS_SESSION_MIRROR_ASSEMBLY_H

#include "session/mirror_scan.h"

/* Assembly, comments read like code, that names a record and uses a displacement that is a member's offset. */
void rs_mirror_assembly_check(struct rs_arena *arena, const struct rs_mirror_index *index, const char *path,
			      const struct rs_mirror_scan *scan);
/* DEFINE(NAME, offsetof(struct tag, member)): safe but for the width of immediates, so advice. */
void rs_mirror_assembly_check_generator(struct rs_arena *arena, const struct rs_mirror_index *index,
					const char *path, const struct rs_mirror_scan *scan);

#endif
