#include "base/builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

void rs_builder_init(struct rs_builder *builder)
{
	*builder = (struct rs_builder) { 0 };
}

void rs_builder_deinit(struct rs_builder *builder)
{
	free(builder->data);
	*builder = (struct rs_builder) { 0 };
}

static void reserve(struct rs_builder *builder, size_t extra)
{
	size_t need = builder->length + extra + 1;

	if (need <= builder->capacity)
		return;
	size_t capacity = builder->capacity ? builder->capacity : 128;
	while (capacity < need)
		capacity *= 2;
	builder->data = (char *)rs_realloc(builder->data, capacity);
	builder->capacity = capacity;
}

void rs_builder_append(struct rs_builder *builder, const char *text, size_t length)
{
	reserve(builder, length);
	if (length)
		memcpy(builder->data + builder->length, text, length);
	builder->length += length;
	builder->data[builder->length] = '\0';
}

void rs_builder_appends(struct rs_builder *builder, const char *text)
{
	rs_builder_append(builder, text, strlen(text));
}

void rs_builder_appendc(struct rs_builder *builder, char c)
{
	rs_builder_append(builder, &c, 1);
}

void rs_builder_pad(struct rs_builder *builder, char c, size_t count)
{
	reserve(builder, count);
	memset(builder->data + builder->length, c, count);
	builder->length += count;
	builder->data[builder->length] = '\0';
}

void rs_builder_vprintf(struct rs_builder *builder, const char *format, va_list arguments)
{
	va_list measured;

	va_copy(measured, arguments);
	int length = vsnprintf(NULL, 0, format, measured);
	va_end(measured);
	reserve(builder, (size_t)length);
	vsnprintf(builder->data + builder->length, (size_t)length + 1, format, arguments);
	builder->length += (size_t)length;
}

void rs_builder_printf(struct rs_builder *builder, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	rs_builder_vprintf(builder, format, arguments);
	va_end(arguments);
}
