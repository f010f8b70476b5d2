/* Cases and numbers out of the oracles in tests/data. */
#ifndef RS_TESTS_ORACLE_JSON_H
#define RS_TESTS_ORACLE_JSON_H

#include <stdlib.h>

#include "base/file.h"
#include "base/json.h"

/* The first of the cases; the others are its siblings. */
static inline const struct rs_json *read_oracle(struct rs_arena *arena, const char *name, size_t n_cases)
{
	const char *root = getenv("RS_SOURCE_ROOT");
	char *path = rs_arena_printf(arena, "%s/tests/data/%s", root ? root : ".", name), *text;
	const struct rs_json *json;
	size_t size;

	assert_null(rs_file_read(arena, path, &text, &size));
	assert_null(rs_json_parse(arena, path, text, size, &json));
	assert_int_equal(json->n_children, n_cases);
	return json->first;
}

static inline double number_of(const struct rs_json *object, const char *key)
{
	const struct rs_json *value = rs_json_find(object, key);

	assert_non_null(value);
	return value->number;
}

static inline double item(const struct rs_json *array, size_t index)
{
	const struct rs_json *value = array->first;

	while (index--)
		value = value->next;
	return value->number;
}

#endif
