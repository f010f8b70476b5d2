/*
 * A source file's bytes and the positions in them. Inside the program a place is a byte offset; line and
 * column (from 1, columns in bytes) are made at the edge.
 */
#ifndef RS_TEXT_SOURCE_H
#define RS_TEXT_SOURCE_H

#include "base/arena.h"
#include "base/error.h"

struct rs_span {
	size_t start, end; /* bytes from the file's start; end is exclusive */
};

struct rs_position {
	unsigned line, column; /* from 1 */
};

struct rs_source {
	const char *path;     /* as it shall be shown */
	const char *realpath; /* absolute, links resolved: what identifies the file */
	const char *text;     /* size bytes, then a NUL that does not count */
	size_t size;
	uint64_t hash; /* rs_hash_bytes() of the text */
	const size_t *line_starts;
	size_t n_lines;
};

/* text must live as long as the arena. Lines end in LF; a CR before it belongs to the line. */
struct rs_source *rs_source_create(struct rs_arena *arena, const char *path, const char *realpath,
				   const char *text, size_t size);
struct rs_error *rs_source_read(struct rs_arena *arena, const char *path,
				struct rs_source **ret_source) RS_MUST_USE;
struct rs_position rs_source_position(const struct rs_source *source, size_t byte);

#endif
