/*
 * A growing byte string. The text is NUL-terminated at all times; it may hold any byte.
 */
#ifndef RS_BASE_BUILDER_H
#define RS_BASE_BUILDER_H

#include <stdarg.h>

#include "base/base.h"

struct rs_builder {
	char *data; /* never NULL after the first append */
	size_t length, capacity;
};

void rs_builder_init(struct rs_builder *builder);
void rs_builder_deinit(struct rs_builder *builder); /* also for RS_CLEANUP */
void rs_builder_append(struct rs_builder *builder, const char *text, size_t length);
void rs_builder_appends(struct rs_builder *builder, const char *text);
void rs_builder_appendc(struct rs_builder *builder, char c);
void rs_builder_pad(struct rs_builder *builder, char c, size_t count);
void rs_builder_printf(struct rs_builder *builder, const char *format, ...) RS_PRINTF(2, 3);
void rs_builder_vprintf(struct rs_builder *builder, const char *format, va_list arguments) RS_PRINTF(2, 0);

#endif
