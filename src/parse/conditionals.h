/*
 * Whether what a unit reads depends on macros that another unit may set differently.
 */
#ifndef RS_PARSE_CONDITIONALS_H
#define RS_PARSE_CONDITIONALS_H

#include "parse/tu_internal.h"

/* True when the text has an #if other than an include guard around it or a test for C++. */
bool rs_conditionals_in_text(const char *text, size_t size);
/* The same for all files of the unit that are not system headers. */
bool rs_conditionals_in_unit(const struct rs_tu *tu);

#endif
