/*
 * The libclang that is loaded: its version, and the folder of its own headers.
 */
#ifndef RS_PARSE_CLANG_H
#define RS_PARSE_CLANG_H

#include "base/arena.h"
#include "base/error.h"

const char *rs_clang_name(void);    /* "clang version 14.0.6" */
const char *rs_clang_version(void); /* "14.0.6" */
unsigned rs_clang_major(void);
/* See rs_compile_resource_directory(). */
struct rs_error *rs_clang_resource_directory(struct rs_arena *arena, const char *requested,
					     const char **ret_directory) RS_MUST_USE;

#endif
