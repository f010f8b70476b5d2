#include "profile/reader.h"

#include <stdlib.h>
#include <string.h>

const char *rs_reader_suggest(struct rs_arena *arena, const char *name, const char *const *candidates,
			      size_t count)
{
	const char *nearest = rs_nearest_name(name, candidates, count);

	return nearest ? rs_arena_printf(arena, " (did you mean \"%s\"?)", nearest) : "";
}

struct rs_error *rs_reader_kind(const struct rs_reader *reader, const struct rs_json *value,
				enum rs_json_kind kind)
{
	if (value->kind == kind)
		return NULL;
	return rs_json_error(reader->path, value, false, "expected %s%s%s%s, found %s", rs_json_kind_name(kind),
			     value->key ? " for \"" : "", value->key ? value->key : "", value->key ? "\"" : "",
			     rs_json_kind_name(value->kind));
}

static const struct rs_key *find_key(const struct rs_key *keys, size_t n_keys, const char *name)
{
	for (size_t i = 0; i < n_keys; i++)
		if (strcmp(keys[i].name, name) == 0)
			return &keys[i];
	return NULL;
}

static struct rs_error *unknown_key(const struct rs_reader *reader, const struct rs_json *child,
				    const char *what, const struct rs_key *keys, size_t n_keys)
{
	const char **names = rs_arena_array(reader->arena, const char *, n_keys);

	for (size_t i = 0; i < n_keys; i++)
		names[i] = keys[i].name;
	return rs_json_error(reader->path, child, true, "unknown key \"%s\" in %s%s", child->key, what,
			     rs_reader_suggest(reader->arena, child->key, names, n_keys));
}

struct rs_error *rs_reader_object(const struct rs_reader *reader, const struct rs_json *value, const char *what,
				  const struct rs_key *keys, size_t n_keys, void *object)
{
	RS_TRY(rs_reader_kind(reader, value, RS_JSON_OBJECT));
	for (const struct rs_json *child = value->first; child; child = child->next) {
		const struct rs_key *key = find_key(keys, n_keys, child->key);

		if (!key)
			return unknown_key(reader, child, what, keys, n_keys);
		RS_TRY(key->read(reader, key, child, (char *)object + key->offset));
	}
	for (size_t i = 0; i < n_keys; i++)
		if (keys[i].required && !rs_json_find(value, keys[i].name))
			return rs_json_error(reader->path, value, false, "%s needs the key \"%s\"", what,
					     keys[i].name);
	return NULL;
}

struct rs_error *rs_reader_double(const struct rs_reader *reader, const struct rs_key *key,
				  const struct rs_json *value, void *target)
{
	RS_TRY(rs_reader_kind(reader, value, RS_JSON_NUMBER));
	if (!(value->number >= key->least && value->number <= key->most))
		return rs_json_error(reader->path, value, false, "%s%s%.15g is not from %.15g to %.15g",
				     value->key ? value->key : "", value->key ? ": " : "", value->number,
				     key->least, key->most);
	*(double *)target = value->number;
	return NULL;
}

struct rs_error *rs_reader_uint64(const struct rs_reader *reader, const struct rs_key *key,
				  const struct rs_json *value, void *target)
{
	double number = 0;

	RS_TRY(rs_reader_double(reader, key, value, &number));
	if ((double)(uint64_t)number < number)
		return rs_json_error(reader->path, value, false, "%s%s%.15g is not a whole number",
				     value->key ? value->key : "", value->key ? ": " : "", number);
	*(uint64_t *)target = (uint64_t)number;
	return NULL;
}

struct rs_error *rs_reader_unsigned(const struct rs_reader *reader, const struct rs_key *key,
				    const struct rs_json *value, void *target)
{
	uint64_t number = 0;

	RS_TRY(rs_reader_uint64(reader, key, value, &number));
	*(unsigned *)target = (unsigned)number;
	return NULL;
}

struct rs_error *rs_reader_power_of_two(const struct rs_reader *reader, const struct rs_key *key,
					const struct rs_json *value, void *target)
{
	unsigned number = 0;

	RS_TRY(rs_reader_unsigned(reader, key, value, &number));
	if (!number || number & (number - 1))
		return rs_json_error(reader->path, value, false, "%s%s%u is not a power of two",
				     value->key ? value->key : "", value->key ? ": " : "", number);
	*(unsigned *)target = number;
	return NULL;
}

struct rs_error *rs_reader_string(const struct rs_reader *reader, const struct rs_key *key,
				  const struct rs_json *value, void *target)
{
	(void)key;
	RS_TRY(rs_reader_kind(reader, value, RS_JSON_STRING));
	if (!*value->string)
		return rs_json_error(reader->path, value, false, "the string is empty");
	*(const char **)target = value->string;
	return NULL;
}

struct rs_error *rs_reader_word(const struct rs_reader *reader, const struct rs_json *value,
				const char *const *words, size_t n_words, size_t *ret_index)
{
	const char *word = "";

	RS_TRY(rs_reader_string(reader, NULL, value, &word));
	for (size_t i = 0; i < n_words; i++)
		if (strcmp(words[i], word) == 0) {
			*ret_index = i;
			return NULL;
		}
	return rs_json_error(reader->path, value, false, "\"%s\" is not known here%s", word,
			     rs_reader_suggest(reader->arena, word, words, n_words));
}

/* Equal names in the order they stand in. */
static int compare_names(const void *a, const void *b)
{
	const char *const *x = *(const char *const *const *)a, *const *y = *(const char *const *const *)b;
	int order = strcmp(*x, *y);

	return order ? order : (x > y) - (x < y);
}

size_t rs_reader_find_repeated(struct rs_arena *arena, const char *const *names, size_t count)
{
	const char *const **sorted = rs_arena_array(arena, const char *const *, count);

	for (size_t i = 0; i < count; i++)
		sorted[i] = &names[i];
	qsort(sorted, count, sizeof *sorted, compare_names);
	for (size_t i = 1; i < count; i++)
		if (strcmp(*sorted[i - 1], *sorted[i]) == 0)
			return (size_t)(sorted[i] - names);
	return SIZE_MAX;
}

static struct rs_error *repeated_name(const struct rs_reader *reader, const struct rs_json *list, size_t index)
{
	const struct rs_json *child = list->first;

	while (index--)
		child = child->next;
	return rs_json_error(reader->path, child, false, "\"%s\" stands twice in the list", child->string);
}

struct rs_error *rs_reader_names(const struct rs_reader *reader, const struct rs_key *key,
				 const struct rs_json *value, void *target)
{
	const char **names;
	size_t count = 0, repeated;

	RS_TRY(rs_reader_kind(reader, value, RS_JSON_ARRAY));
	if ((double)value->n_children < key->least)
		return rs_json_error(reader->path, value, false, "the list needs at least %g name%s",
				     key->least, key->least > 1 ? "s" : "");
	names = rs_arena_array(reader->arena, const char *, value->n_children);
	for (const struct rs_json *child = value->first; child; child = child->next)
		RS_TRY(rs_reader_string(reader, NULL, child, &names[count++]));
	repeated = rs_reader_find_repeated(reader->arena, names, count);
	if (repeated != SIZE_MAX)
		return repeated_name(reader, value, repeated);
	*(struct rs_profile_names *)target = (struct rs_profile_names) { .names = names,
									 .n_names = count,
									 .file = reader->path,
									 .line = value->line,
									 .column = value->column };
	return NULL;
}
