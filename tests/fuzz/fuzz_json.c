/*
 * Any bytes through the JSON reader. What it refuses it must place inside the text; what it accepts it must
 * give back, through the writer and itself, unchanged.
 */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
	if (!holds)
		abort();
}

static void check_place(const struct rs_error *error, const char *text, size_t size)
{
	size_t line = 1, start = 0;

	for (size_t i = 0; i < size && line < error->line; i++) {
		if (text[i] == '\n') {
			line++;
			start = i + 1;
		}
	}
	check(error->code == RS_ERROR_SYNTAX);
	check(error->line == line);
	check(error->column >= 1 && start + error->column - 1 <= size);
}

static unsigned depth_of(const struct rs_json *value)
{
	unsigned deepest = 0;

	for (const struct rs_json *child = value->first; child; child = child->next) {
		unsigned depth = depth_of(child);

		deepest = depth > deepest ? depth : deepest;
	}
	return deepest + 1;
}

static void write_value(struct rs_json_writer *writer, const struct rs_json *value)
{
	switch (value->kind) {
	case RS_JSON_NULL:
		rs_json_write_null(writer, value->key);
		return;
	case RS_JSON_BOOL:
		rs_json_write_bool(writer, value->key, value->boolean);
		return;
	case RS_JSON_NUMBER:
		rs_json_write_double(writer, value->key, value->number);
		return;
	case RS_JSON_STRING:
		rs_json_write_string(writer, value->key, value->string);
		return;
	case RS_JSON_ARRAY:
		rs_json_begin_array(writer, value->key);
		break;
	case RS_JSON_OBJECT:
		rs_json_begin_object(writer, value->key);
		break;
	}
	for (const struct rs_json *child = value->first; child; child = child->next)
		write_value(writer, child);
	if (value->kind == RS_JSON_ARRAY)
		rs_json_end_array(writer);
	else
		rs_json_end_object(writer);
}

static bool same_string(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static void check_same(const struct rs_json *a, const struct rs_json *b)
{
	const struct rs_json *other = b->first;

	check(a->kind == b->kind && a->n_children == b->n_children && a->boolean == b->boolean);
	check(a->number == b->number && same_string(a->key, b->key) && same_string(a->string, b->string));
	for (const struct rs_json *child = a->first; child; child = child->next, other = other->next)
		check_same(child, other);
	check(!other);
}

static void check_round_trip(struct rs_arena *arena, const struct rs_json *root)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder out = { 0 };
	const struct rs_json *again = NULL;
	struct rs_json_writer writer;

	rs_json_writer_init(&writer, &out);
	write_value(&writer, root);
	check(!rs_json_parse(arena, "again", out.data, out.length, &again));
	check_same(root, again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	const char *text = (const char *)data;
	const struct rs_json *root = NULL;
	RS_CLEANUP(rs_error_destroyp) struct rs_error *error = rs_json_parse(arena, "fuzz", text, size, &root);

	check(!error == (root != NULL));
	if (error)
		check_place(error, text, size);
	else if (depth_of(root) < 60)
		check_round_trip(arena, root);
	return 0;
}
