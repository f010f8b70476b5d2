/*
 * JSON in, and (json_writer.h) out. Reading is strict: what cJSON lets pass (duplicate keys, trailing text, 01,
 * 1e400, NaN, invalid UTF-8, unescaped control characters) is an error with its line and column, and every
 * value knows where it stands. A byte order mark at the start is skipped and not counted. Limits: 200 levels,
 * 63 characters a number (what cJSON reads), a double's range and precision. json.c is the only user of cJSON.
 */
#ifndef RS_BASE_JSON_H
#define RS_BASE_JSON_H

#include "base/arena.h"
#include "base/error.h"
#include "base/json_writer.h"
#include "base/nearest.h" /* unknown keys are answered with a suggestion */

enum rs_json_kind { RS_JSON_NULL, RS_JSON_BOOL, RS_JSON_NUMBER, RS_JSON_STRING, RS_JSON_ARRAY, RS_JSON_OBJECT };

struct rs_json {
	enum rs_json_kind kind;
	const char *key;       /* in an object, else NULL; no NUL inside */
	unsigned line, column; /* of the value, from 1; column in bytes */
	unsigned key_line, key_column;
	double number; /* finite */
	bool boolean;
	const char *string;          /* UTF-8, no NUL inside (an escaped NUL is an error) */
	const struct rs_json *first; /* children, in source order */
	const struct rs_json *next;  /* sibling */
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

#endif
