#include "base/error.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

static char *copy(const char *text)
{
	size_t size = strlen(text) + 1;

	return (char *)memcpy(rs_alloc(size), text, size);
}

struct rs_error *rs_error_create(enum rs_error_code code, const char *path, unsigned line, unsigned column,
				 const char *format, ...)
{
	struct rs_error *error = (struct rs_error *)rs_alloc(sizeof *error);
	struct rs_builder message = { 0 };
	va_list arguments;

	va_start(arguments, format);
	rs_builder_vprintf(&message, format, arguments);
	va_end(arguments);
	error->code = code;
	error->path = path ? copy(path) : NULL;
	error->line = line;
	error->column = column;
	error->message = message.data;
	return error;
}

struct rs_error *rs_error_prefix(struct rs_error *error, const char *format, ...)
{
	struct rs_builder message = { 0 };
	va_list arguments;

	if (!error)
		return NULL;
	va_start(arguments, format);
	rs_builder_vprintf(&message, format, arguments);
	va_end(arguments);
	rs_builder_printf(&message, ": %s", error->message);
	free(error->message);
	error->message = message.data;
	return error;
}

void rs_error_destroy(struct rs_error *error)
{
	if (!error)
		return;
	free(error->path);
	free(error->message);
	free(error);
}

void rs_error_destroyp(struct rs_error **error)
{
	rs_error_destroy(*error);
}

void rs_error_print(const struct rs_error *error, struct rs_builder *out)
{
	rs_builder_appends(out, "restruct: ");
	if (error->path)
		rs_builder_printf(out, "%s:", error->path);
	if (error->path && error->line)
		rs_builder_printf(out, "%u:", error->line);
	if (error->path && error->line && error->column)
		rs_builder_printf(out, "%u:", error->column);
	rs_builder_printf(out, "%serror: %s\n", error->path ? " " : "", error->message);
}
