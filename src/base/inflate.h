/*
 * Compressed input. inflate.c is the only user of zlib.
 */
#ifndef RS_BASE_INFLATE_H
#define RS_BASE_INFLATE_H

#include "base/arena.h"
#include "base/error.h"

enum { RS_INFLATE_MAX_BYTES = 1 << 30 };

/* When the bytes are a gzip file, replaces them by what it holds (all its members, NUL-terminated in arena);
 * other bytes are left as they are. A file that is cut short, damaged or inflates beyond RS_INFLATE_MAX_BYTES
 * is an error. path is for messages. */
struct rs_error *rs_inflate(struct rs_arena *arena, const char *path, char **text, size_t *size) RS_MUST_USE;

#endif
