#include "profile/groups.h"

#include <string.h>

#include "profile/names.h"

enum { MOST_LINES = 1 << 20 };
#define LARGEST_OFFSET ((double)((uint64_t)1 << 40))

#define IN_GROUP(field) offsetof(struct rs_profile_group, field)
static const struct rs_key group_keys[] = {
	{ "fields", rs_reader_names, IN_GROUP(fields), true, 1 },
	{ "lines", rs_reader_unsigned, IN_GROUP(max_lines), false, 1, MOST_LINES },
	{ "apart", rs_reader_names, IN_GROUP(apart), false, 1 },
};
#undef IN_GROUP

struct rs_error *rs_groups_read(const struct rs_reader *reader, const struct rs_key *key,
				const struct rs_json *value, void *target)
{
	struct rs_profile_struct *type = (struct rs_profile_struct *)target;
	struct rs_profile_group *groups;
	size_t count = 0;

	(void)key;
	RS_TRY(rs_reader_kind(reader, value, RS_JSON_OBJECT));
	groups = rs_arena_array(reader->arena, struct rs_profile_group, value->n_children);
	for (const struct rs_json *child = value->first; child; child = child->next) {
		groups[count].name = child->key;
		RS_TRY(rs_reader_object(reader, child, "a group", group_keys, RS_COUNT_OF(group_keys),
					&groups[count++]));
	}
	type->groups = groups;
	type->n_groups = count;
	return NULL;
}

struct rs_error *rs_groups_read_offsets(const struct rs_reader *reader, const struct rs_key *key,
					const struct rs_json *value, void *target)
{
	static const struct rs_key bytes = { .name = "offset", .most = LARGEST_OFFSET };
	struct rs_profile_struct *type = (struct rs_profile_struct *)target;
	struct rs_profile_offset *offsets;
	size_t count = 0;

	(void)key;
	RS_TRY(rs_reader_kind(reader, value, RS_JSON_OBJECT));
	offsets = rs_arena_array(reader->arena, struct rs_profile_offset, value->n_children);
	for (const struct rs_json *child = value->first; child; child = child->next) {
		struct rs_profile_offset *offset = &offsets[count++];

		*offset = (struct rs_profile_offset) { .field = child->key,
						       .file = reader->path,
						       .line = child->key_line,
						       .column = child->key_column };
		RS_TRY(rs_reader_uint64(reader, &bytes, child, &offset->bytes));
	}
	type->offsets = offsets;
	type->n_offsets = count;
	return NULL;
}

/* --- binding --- */

static struct rs_error *find_group(struct rs_arena *arena, const struct rs_profile_struct *type,
				   const struct rs_profile_names *list, const char *name, size_t *ret_index)
{
	const char **names = rs_arena_array(arena, const char *, type->n_groups);

	for (size_t i = 0; i < type->n_groups; i++) {
		names[i] = type->groups[i].name;
		if (strcmp(names[i], name) == 0) {
			*ret_index = i;
			return NULL;
		}
	}
	return rs_error_create(RS_ERROR_PARSE, list->file, list->line, list->column,
			       "%s: there is no group \"%s\"%s", type->name, name,
			       rs_reader_suggest(arena, name, names, type->n_groups));
}

static struct rs_error *bind_group(struct rs_arena *arena, const struct rs_profile_struct *type,
				   const struct rs_record *record, const struct rs_profile_group *group,
				   struct rs_bound_group *bound)
{
	const struct rs_name_place place = { group->fields.file, group->fields.line, group->fields.column };
	size_t *members = rs_arena_array(arena, size_t, group->fields.n_names);
	size_t *apart = rs_arena_array(arena, size_t, group->apart.n_names);
	size_t n_members = 0;

	/* Without those that only another configuration has. */
	for (size_t i = 0; i < group->fields.n_names; i++) {
		RS_TRY(rs_names_find(arena, record, group->fields.names[i], place, &members[n_members]));
		n_members += members[n_members] != RS_NONE;
	}
	for (size_t i = 0; i < group->apart.n_names; i++)
		RS_TRY(find_group(arena, type, &group->apart, group->apart.names[i], &apart[i]));
	*bound = (struct rs_bound_group) { .name = group->name,
					   .members = members,
					   .n_members = n_members,
					   .max_lines = group->max_lines,
					   .apart = apart,
					   .n_apart = group->apart.n_names };
	return NULL;
}

struct rs_error *rs_groups_bind(struct rs_arena *arena, const struct rs_profile_struct *type,
				const struct rs_record *record, struct rs_binding *binding)
{
	struct rs_bound_group *groups = rs_arena_array(arena, struct rs_bound_group, type->n_groups);
	struct rs_bound_offset *offsets = rs_arena_array(arena, struct rs_bound_offset, type->n_offsets);
	size_t n_offsets = 0;

	for (size_t i = 0; i < type->n_groups; i++)
		RS_TRY(bind_group(arena, type, record, &type->groups[i], &groups[i]));
	for (size_t i = 0; i < type->n_offsets; i++) {
		const struct rs_profile_offset *offset = &type->offsets[i];
		const struct rs_name_place place = { offset->file, offset->line, offset->column };

		offsets[n_offsets].bytes = offset->bytes;
		RS_TRY(rs_names_find(arena, record, offset->field, place, &offsets[n_offsets].member));
		n_offsets += offsets[n_offsets].member != RS_NONE;
	}
	binding->groups = groups;
	binding->n_groups = type->n_groups;
	binding->offsets = offsets;
	binding->n_offsets = n_offsets;
	return NULL;
}
