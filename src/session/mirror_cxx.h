/*
 * C++ that depends on the order of a record's fields: brace lists, bases, members, structured bindings.
 */
#ifndef RS_SESSION_MIRROR_CXX_H
#define RS_SESSION_MIRROR_CXX_H

#include "session/mirror_scan.h"

/* is_cxx: all of the text is C++; else only what #if leaves to it (__cplusplus) is looked at. */
void rs_mirror_cxx_check(struct rs_arena *arena, const struct rs_mirror_index *index, const char *path,
			 bool is_cxx, const struct rs_mirror_scan *scan);
/* Whether a header cannot be C, branches for C++ aside. */
bool rs_mirror_cxx_is_cxx(const struct rs_mirror_scan *scan);

#endif
