/*
 * Numbers that are offsets of members, written by hand: for assembly, code generators, other languages.
 */
#ifndef RS_SESSION_MIRROR_OFFSETS_H
#define RS_SESSION_MIRROR_OFFSETS_H

#include "session/mirror_language.h"

/* Reads the bytes, not tokens: most files have nothing of the kind, and all are looked at. arena: for what is
 * not needed any more behind the call. */
void rs_mirror_offsets_check(struct rs_arena *arena, const struct rs_mirror_index *index, const char *path,
			     enum rs_mirror_kind kind, const char *text, size_t size);

#endif
