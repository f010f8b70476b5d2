/*
 * UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing above U+10FFFF.
 */
#ifndef RS_BASE_UTF8_H
#define RS_BASE_UTF8_H

#include "base/base.h"

/* Bytes of the character that text begins with, 1 to 4; 0 when it begins with none (or size is 0). */
size_t rs_utf8_length(const char *text, size_t size);

#endif
