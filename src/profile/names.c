#include "profile/names.h"

#include <ctype.h>
#include <string.h>

#include "base/nearest.h"

static struct rs_error *no_member(struct rs_arena *arena, const struct rs_record *record, const char *name,
				  struct rs_name_place place)
{
	const char **paths = rs_arena_array(arena, const char *, record->n_members);
	const char *nearest;
	size_t count = 0;

	if (rs_record_find_alias(record, name))
		return NULL;

	for (size_t m = 0; m < record->n_members; m++)
		if (*record->members[m].path)
			paths[count++] = record->members[m].path;
	nearest = rs_nearest_name(name, paths, count);
	return rs_error_create(RS_ERROR_SYNTAX, place.file, place.line, place.column,
			       "%s has no member '%s'%s%s%s", record->name, name,
			       nearest ? " (did you mean '" : "", nearest ? nearest : "", nearest ? "'?)" : "");
}

/* The number in brackets at text; gives what follows it, NULL when this is no index. */
static const char *skip_index(const char *text, uint64_t *ret_index)
{
	uint64_t index = 0;

	if (*text++ != '[' || !isdigit((unsigned char)*text))
		return NULL;
	for (; isdigit((unsigned char)*text); text++)
		index = index > UINT32_MAX ? index : index * 10 + (uint64_t)(*text - '0');
	*ret_index = index;
	return *text == ']' ? text + 1 : NULL;
}

/* The name without its indices; NULL when a bracket holds anything but a number. */
static char *without_indices(struct rs_arena *arena, const char *name)
{
	char *bare = rs_arena_strdup(arena, name), *end = bare;
	uint64_t ignored;

	while (name && *name) {
		if (*name == '[')
			name = skip_index(name, &ignored);
		else
			*end++ = *name++;
	}
	*end = '\0';
	return name ? bare : NULL;
}

static struct rs_error *find_element(struct rs_arena *arena, const struct rs_record *record, const char *name,
				     struct rs_name_place place, size_t *ret_member)
{
	const char *bracket = strchr(name, '['), *bare = without_indices(arena, name), *rest;
	char *array_path = rs_arena_strndup(arena, name, (size_t)(bracket - name));
	size_t array = rs_record_find_member(record, array_path), inside;
	uint64_t index = 0, count;

	rest = skip_index(bracket, &index);
	*ret_member = RS_NONE;
	if (array == RS_NONE && rest && rs_record_find_alias(record, array_path))
		return NULL;
	if (array == RS_NONE || !bare || !rest)
		return no_member(arena, record, bare ? bare : name, place);
	if (!record->members[array].is_array)
		return rs_error_create(RS_ERROR_SYNTAX, place.file, place.line, place.column,
				       "'%s' of %s is no array", array_path, record->name);
	count = record->members[array].array_count;
	if (count && index >= count)
		return rs_error_create(RS_ERROR_SYNTAX, place.file, place.line, place.column,
				       "'%s' of %s has no element %llu, only %llu", array_path, record->name,
				       (unsigned long long)index, (unsigned long long)count);
	inside = rs_record_find_member(record, bare);
	*ret_member = inside == RS_NONE ? array : inside;
	return NULL;
}

struct rs_error *rs_names_find(struct rs_arena *arena, const struct rs_record *record, const char *name,
			       struct rs_name_place place, size_t *ret_member)
{
	size_t member = rs_record_find_member(record, name);

	if (member == RS_NONE && strchr(name, '['))
		return find_element(arena, record, name, place, ret_member);
	*ret_member = RS_NONE;
	if (member == RS_NONE)
		return no_member(arena, record, name, place);
	*ret_member = member;
	return NULL;
}
