/*
 * JSON out, streamed into a builder, so that integers stay exact and the order of keys is the caller's. The
 * caller sees to it that begins and ends match; nothing may be nested deeper than 63 levels.
 */
#ifndef RS_BASE_JSON_WRITER_H
#define RS_BASE_JSON_WRITER_H

#include "base/builder.h"

/* The writer indents by two spaces and ends with a newline after the outermost value. key is NULL inside
 * arrays and at the top. Bytes that are not UTF-8 are written as U+FFFD. */
struct rs_json_writer {
	struct rs_builder *out;
	unsigned depth;
	bool first;       /* nothing written yet at this level */
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

#endif
