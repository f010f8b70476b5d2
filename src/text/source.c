#include "text/source.h"

#include <string.h>

#include "base/file.h"

static void find_lines(struct rs_arena *arena, struct rs_source *source)
{
	size_t *starts = NULL, count = 0, capacity = 0;

	*rs_array_push(arena, starts, count, capacity) = 0;
	for (const char *at = source->text, *end = source->text + source->size; at < end; at++) {
		at = (const char *)memchr(at, '\n', (size_t)(end - at));
		if (!at)
			break;
		*rs_array_push(arena, starts, count, capacity) = (size_t)(at - source->text) + 1;
	}
	source->line_starts = starts;
	source->n_lines = count;
}

struct rs_source *rs_source_create(struct rs_arena *arena, const char *path, const char *realpath,
				   const char *text, size_t size)
{
	struct rs_source *source = rs_arena_new(arena, struct rs_source);

	source->path = rs_arena_strdup(arena, path);
	source->realpath = rs_arena_strdup(arena, realpath);
	source->text = text;
	source->size = size;
	source->hash = rs_hash_bytes(text, size);
	find_lines(arena, source);
	return source;
}

struct rs_error *rs_source_read(struct rs_arena *arena, const char *path, struct rs_source **ret_source)
{
	char *text;
	size_t size;

	RS_TRY(rs_file_read(arena, path, &text, &size));
	*ret_source = rs_source_create(arena, path, rs_path_canonical(arena, path), text, size);
	return NULL;
}

struct rs_position rs_source_position(const struct rs_source *source, size_t byte)
{
	size_t low = 0, high = source->n_lines;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (source->line_starts[middle] <= byte)
			low = middle;
		else
			high = middle;
	}
	return (struct rs_position) { .line = (unsigned)low + 1,
				      .column = (unsigned)(byte - source->line_starts[low]) + 1 };
}
