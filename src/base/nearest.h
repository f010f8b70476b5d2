/*
 * "Did you mean": the name out of a list that a misspelt one most likely stands for.
 */
#ifndef RS_BASE_NEAREST_H
#define RS_BASE_NEAREST_H

#include "base/base.h"

/* The candidate with the least edit distance (insert, delete, replace, swap neighbours), the first of equals;
 * NULL when none is near: more than a third of the longer name would have to change. Names that differ in case
 * alone, or of which one is the last part of the other's C path ("refcnt", "dst.refcnt"), are near. */
const char *rs_nearest_name(const char *name, const char *const *candidates, size_t count);

#endif
