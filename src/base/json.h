/*
 * JSON in and out. Reading is strict: what cJSON lets pass (duplicate keys, trailing text, 01, 1e400, NaN,
 * invalid UTF-8, unescaped control characters) is an error with its line and column, and every value knows
 * where it stands. Writing streams into a builder, so that integers stay exact and key order is stable.
 * json.c is the only user of cJSON.
 */
#ifndef RS_BASE_JSON_H
#define RS_BASE_JSON_H

#include "base/arena.h"
#include "base/error.h"

enum rs_json_kind { RS_JSON_NULL, RS_JSON_BOOL, RS_JSON_NUMBER, RS_JSON_STRING, RS_JSON_ARRAY, RS_JSON_OBJECT };

struct rs_json {
	enum rs_json_kind kind;
	const char *key;              /* in an object, else NULL; no NUL inside */
	unsigned line, column;        /* of the value, from 1; column in bytes */
	unsigned key_line, key_column;
	double number;                /* finite */
	bool boolean;
	const char *string;           /* UTF-8, no NUL inside (an escaped NUL is an error) */
	const struct rs_json *first;  /* children, in source order */
	const struct rs_json *next;   /* sibling */
	size_t n_children;
};

/* path is for messages only. The tree lives in arena. */
struct rs_error *rs_json_parse(struct rs_arena *arena, const char *path, const char *text, size_t size,
			       const struct rs_json **ret_root) RS_MUST_USE;
const struct rs_json *rs_json_find(const struct rs_json *object, const char *key); /* NULL when absent */
const char *rs_json_kind_name(enum rs_json_kind kind);                             /* "a number", … */
/* An error at the value (or, with at_key, at its key). */
struct rs_error *rs_json_error(const char *path, const struct rs_json *value, bool at_key, const char *format,
			       ...) RS_PRINTF(4, 5) RS_MUST_USE;

/* The writer indents by two spaces and ends with a newline after the outermost value. key is NULL inside
 * arrays and at the top. Bytes that are not UTF-8 are written as U+FFFD. */
struct rs_json_writer {
	struct rs_builder *out;
	unsigned depth;
	bool first;      /* nothing written yet at this level */
	bool compact[64]; /* level is kept on one line */
};
void rs_json_writer_init(struct rs_json_writer *writer, struct rs_builder *out);
void rs_json_begin_object(struct rs_json_writer *writer, const char *key);
/* The whole object or array stays on one line. */
void rs_json_begin_object_compact(struct rs_json_writer *writer, const char *key);
void rs_json_end_object(struct rs_json_writer *writer);
void rs_json_begin_array(struct rs_json_writer *writer, const char *key);
void rs_json_begin_array_compact(struct rs_json_writer *writer, const char *key);
void rs_json_end_array(struct rs_json_writer *writer);
void rs_json_write_string(struct rs_json_writer *writer, const char *key, const char *text); /* NULL: null */
void rs_json_write_bytes(struct rs_json_writer *writer, const char *key, const char *text, size_t length);
void rs_json_write_uint(struct rs_json_writer *writer, const char *key, uint64_t number);
/* Shortest form that reads back as the same double; non-finite numbers are written as null. */
void rs_json_write_double(struct rs_json_writer *writer, const char *key, double number);
void rs_json_write_bool(struct rs_json_writer *writer, const char *key, bool value);
void rs_json_write_null(struct rs_json_writer *writer, const char *key);

/* A nearest-name suggestion: the candidate with the least edit distance, NULL when none is near. */
const char *rs_nearest_name(const char *name, const char *const *candidates, size_t count);

#endif
