/*
 * Numbers out of the oracles in tests/data.
 */
#ifndef RS_TESTS_ORACLE_JSON_H
#define RS_TESTS_ORACLE_JSON_H

#include "base/json.h"

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
