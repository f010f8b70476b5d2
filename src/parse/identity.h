/*
 * Which files are the same. libclang tells by device and inode, which files that are only in memory do not
 * have: to it they are all one.
 */
#ifndef RS_PARSE_IDENTITY_H
#define RS_PARSE_IDENTITY_H

#include <clang-c/Index.h>
#include <stdbool.h>

/* Two links to one file are the same. NULL is no file, and not the same as anything. */
bool rs_identity_is_same(CXFile a, CXFile b);

#endif
