/*
 * Which files of a unit may assert something about layouts, by the words in their text.
 */
#ifndef RS_PARSE_ASSERTING_H
#define RS_PARSE_ASSERTING_H

#include "parse/tu.h"

/* Canonical paths, system headers left out; they belong to the arena. */
const char *const *rs_asserting_find(const struct rs_tu *tu, struct rs_arena *arena, size_t *ret_count);

#endif
