#include "profile/structs.h"

#include <stddef.h>

#include "profile/groups.h"
#include "profile/paths.h"
#include "profile/trust.h"

#define MOST_INSTANCES 1e18
#define LARGEST_SIZE   0x1p40
#define LARGEST_ALIGN  0x1p16
#define LARGEST_BASE   0x1p20

/* An object of `placement`; which keys are there says which kind it is. */
struct placement_draft {
	unsigned align_bytes;
	const char *container, *member;
	uint64_t *bases;
	size_t n_bases;
};

static struct rs_error *read_array(const struct rs_reader *reader, const struct rs_key *key,
				   const struct rs_json *value, void *target)
{
	(void)key;
	(void)target;
	RS_TRY(rs_reader_kind(reader, value, RS_JSON_BOOL));
	return value->boolean ? NULL : rs_json_error(reader->path, value, false, "\"array\" can only be true");
}

/* A number, or a list of them. */
static struct rs_error *read_base(const struct rs_reader *reader, const struct rs_key *key,
				  const struct rs_json *value, void *target)
{
	struct placement_draft *draft = (struct placement_draft *)target;
	bool is_list = value->kind == RS_JSON_ARRAY;
	size_t count = is_list ? value->n_children : 1;

	if (!count)
		return rs_json_error(reader->path, value, false, "the list has no base offset");
	draft->bases = rs_arena_array(reader->arena, uint64_t, count);
	for (const struct rs_json *item = is_list ? value->first : value; item;
	     item = is_list ? item->next : NULL)
		RS_TRY(rs_reader_uint64(reader, key, item, &draft->bases[draft->n_bases++]));
	return NULL;
}

#define IN_PLACEMENT(field) offsetof(struct placement_draft, field)
static const struct rs_key aligned_keys[] = {
	{ "align", rs_reader_power_of_two, IN_PLACEMENT(align_bytes), true, 1, LARGEST_ALIGN },
};
static const struct rs_key array_keys[] = { { "array", read_array, 0, true } };
static const struct rs_key embedded_keys[] = {
	{ "embedded_in", rs_reader_string, IN_PLACEMENT(container), true },
	{ "member", rs_reader_string, IN_PLACEMENT(member), true },
	{ "base", read_base, 0, false, 0, LARGEST_BASE },
};
#undef IN_PLACEMENT

/* The bases of a record in several containers: those of each, one after the other. */
struct base_list {
	struct rs_placement_base *bases;
	size_t n_bases, capacity;
};

static struct rs_error *read_embedded(const struct rs_reader *reader, const struct rs_json *value,
				      struct base_list *list)
{
	uint64_t zero = 0;
	struct placement_draft draft = { 0 };

	RS_TRY(rs_reader_object(reader, value, "a placement", embedded_keys, RS_COUNT_OF(embedded_keys),
				&draft));
	if (!draft.n_bases) {
		draft.bases = &zero;
		draft.n_bases = 1;
	}
	for (size_t i = 0; i < draft.n_bases; i++)
		*rs_array_push(reader->arena, list->bases, list->n_bases, list->capacity) =
			(struct rs_placement_base) { draft.container, draft.member, draft.bases[i] };
	return NULL;
}

static struct rs_error *read_containers(const struct rs_reader *reader, const struct rs_json *value,
					struct rs_placement *placement)
{
	struct base_list list = { 0 };

	if (value->kind == RS_JSON_OBJECT) {
		RS_TRY(read_embedded(reader, value, &list));
	} else {
		if (!value->n_children)
			return rs_json_error(reader->path, value, false, "the list names no container");
		for (const struct rs_json *child = value->first; child; child = child->next)
			RS_TRY(read_embedded(reader, child, &list));
	}
	*placement = (struct rs_placement) { .kind = RS_PLACE_EMBEDDED,
					     .bases = list.bases,
					     .n_bases = list.n_bases };
	return NULL;
}

static struct rs_error *read_placement_object(const struct rs_reader *reader, const struct rs_json *value,
					      struct rs_placement *placement)
{
	static const char *const words[] = { "align", "array", "embedded_in" };
	struct placement_draft draft = { 0 };

	if (rs_json_find(value, "align")) {
		RS_TRY(rs_reader_object(reader, value, "a placement by alignment", aligned_keys,
					RS_COUNT_OF(aligned_keys), &draft));
		*placement =
			(struct rs_placement) { .kind = RS_PLACE_ALIGNED, .align_bytes = draft.align_bytes };
		return NULL;
	}
	if (rs_json_find(value, "array")) {
		RS_TRY(rs_reader_object(reader, value, "an array placement", array_keys,
					RS_COUNT_OF(array_keys), &draft));
		*placement = (struct rs_placement) { .kind = RS_PLACE_ARRAY };
		return NULL;
	}
	if (rs_json_find(value, "embedded_in"))
		return read_containers(reader, value, placement);
	return rs_json_error(
		reader->path, value->first ? value->first : value, value->first != NULL,
		"a placement has \"align\", \"array\" or \"embedded_in\"%s",
		value->first ? rs_reader_suggest(reader->arena, value->first->key, words, RS_COUNT_OF(words))
			     : "");
}

static struct rs_error *read_placement(const struct rs_reader *reader, const struct rs_key *key,
				       const struct rs_json *value, void *target)
{
	static const char *const words[] = { "line-aligned" };
	struct rs_profile_struct *type = (struct rs_profile_struct *)target;
	size_t index = 0;

	(void)key;
	type->has_placement = true;
	switch (value->kind) {
	case RS_JSON_STRING:
		return rs_reader_word(reader, value, words, RS_COUNT_OF(words), &index);
	case RS_JSON_OBJECT:
		return read_placement_object(reader, value, &type->placement);
	case RS_JSON_ARRAY:
		return read_containers(reader, value, &type->placement);
	default:
		return rs_json_error(reader->path, value, false,
				     "expected \"line-aligned\" or an object, found %s",
				     rs_json_kind_name(value->kind));
	}
}

static struct rs_error *read_allow(const struct rs_reader *reader, const struct rs_key *key,
				   const struct rs_json *value, void *target)
{
	/* In the order of the bits of enum rs_allow. */
	static const char *const words[] = {
		"align", "pad", "hoist", "lift", "split", "join", "grow", "comment"
	};
	struct rs_profile_struct *type = (struct rs_profile_struct *)target;
	struct rs_profile_names names;
	size_t index = 0;

	RS_TRY(rs_reader_names(reader, key, value, &names));
	for (const struct rs_json *child = value->first; child; child = child->next) {
		RS_TRY(rs_reader_word(reader, child, words, RS_COUNT_OF(words), &index));
		type->allow |= 1u << index;
	}
	return NULL;
}

/* A list of lists of at least two names. */
static struct rs_error *read_groups(const struct rs_reader *reader, const struct rs_json *value,
				    const struct rs_profile_names **ret_groups, size_t *ret_count)
{
	static const struct rs_key at_least_two = { .least = 2 };
	struct rs_profile_names *groups;
	size_t count = 0;

	RS_TRY(rs_reader_kind(reader, value, RS_JSON_ARRAY));
	groups = rs_arena_array(reader->arena, struct rs_profile_names, value->n_children);
	for (const struct rs_json *child = value->first; child; child = child->next)
		RS_TRY(rs_reader_names(reader, &at_least_two, child, &groups[count++]));
	*ret_groups = groups;
	*ret_count = count;
	return NULL;
}

static struct rs_error *read_together(const struct rs_reader *reader, const struct rs_key *key,
				      const struct rs_json *value, void *target)
{
	struct rs_profile_struct *type = (struct rs_profile_struct *)target;

	(void)key;
	return read_groups(reader, value, &type->together, &type->n_together);
}

static struct rs_error *read_before(const struct rs_reader *reader, const struct rs_key *key,
				    const struct rs_json *value, void *target)
{
	struct rs_profile_struct *type = (struct rs_profile_struct *)target;

	(void)key;
	return read_groups(reader, value, &type->before, &type->n_before);
}

#define IN_STRUCT(field) offsetof(struct rs_profile_struct, field)
static const struct rs_key pin_keys[] = {
	{ "first", rs_reader_names, IN_STRUCT(first), false, 1 },
	{ "together", read_together },
	{ "before", read_before },
};

static struct rs_error *read_pins(const struct rs_reader *reader, const struct rs_key *key,
				  const struct rs_json *value, void *target)
{
	(void)key;
	return rs_reader_object(reader, value, "pins", pin_keys, RS_COUNT_OF(pin_keys), target);
}

static struct rs_error *read_trust(const struct rs_reader *reader, const struct rs_key *key,
				   const struct rs_json *value, void *target)
{
	size_t index = 0;

	(void)key;
	RS_TRY(rs_reader_word(reader, value, rs_trust_words, RS_TRUST_WORDS, &index));
	*(const char **)target = rs_trust_words[index];
	return NULL;
}

static struct rs_error *read_flag(const struct rs_reader *reader, const struct rs_key *key,
				  const struct rs_json *value, void *target)
{
	(void)key;
	RS_TRY(rs_reader_kind(reader, value, RS_JSON_BOOL));
	*(bool *)target = value->boolean;
	return NULL;
}

#define IN_SOURCE(field) offsetof(struct rs_profile_source, field)
static const struct rs_key source_keys[] = {
	{ "tool", rs_reader_string, IN_SOURCE(tool), true },
	{ "version", rs_reader_string, IN_SOURCE(version) },
	{ "file", rs_reader_string, IN_SOURCE(file) },
	{ "date", rs_reader_string, IN_SOURCE(date) },
	{ "trust", read_trust, IN_SOURCE(trust) },
	{ "reads_unit", rs_reader_string, IN_SOURCE(reads_unit) },
	{ "writes_unit", rs_reader_string, IN_SOURCE(writes_unit) },
	{ "rows", rs_reader_double, IN_SOURCE(rows), false, 0, RS_PROFILE_MOST_RATE },
	{ "resolved", rs_reader_double, IN_SOURCE(resolved), false, 0, RS_PROFILE_MOST_RATE },
	{ "weight", rs_reader_double, IN_SOURCE(weight), false, 0, RS_PROFILE_MOST_RATE },
};
#undef IN_SOURCE

static struct rs_error *read_sources(const struct rs_reader *reader, const struct rs_key *key,
				     const struct rs_json *value, void *target)
{
	struct rs_profile_struct *type = (struct rs_profile_struct *)target;
	struct rs_profile_source *sources;
	size_t count = 0;

	(void)key;
	RS_TRY(rs_reader_kind(reader, value, RS_JSON_ARRAY));
	sources = rs_arena_array(reader->arena, struct rs_profile_source, value->n_children);
	for (const struct rs_json *child = value->first; child; child = child->next)
		RS_TRY(rs_reader_object(reader, child, "a source", source_keys, RS_COUNT_OF(source_keys),
					&sources[count++]));
	type->sources = sources;
	type->n_sources = count;
	return NULL;
}

static const struct rs_key struct_keys[] = {
	{ "placement", read_placement },
	{ "instances", rs_reader_double, IN_STRUCT(instances), false, 0, MOST_INSTANCES },
	{ "max_size", rs_reader_uint64, IN_STRUCT(max_size), false, 1, LARGEST_SIZE },
	{ "paths", rs_paths_read },
	{ "fields", rs_paths_read_fields },
	{ "allow", read_allow },
	{ "hoist", rs_reader_names, IN_STRUCT(hoist) },
	{ "lift", rs_reader_names, IN_STRUCT(lift) },
	{ "pins", read_pins },
	{ "groups", rs_groups_read },
	{ "offsets", rs_groups_read_offsets },
	{ "sources", read_sources },
	{ "complete", read_flag, IN_STRUCT(is_complete) },
};
#undef IN_STRUCT

struct rs_error *rs_structs_read(const struct rs_reader *reader, const struct rs_key *key,
				 const struct rs_json *value, void *target)
{
	struct rs_profile *profile = (struct rs_profile *)target;
	struct rs_profile_struct *structs;
	size_t count = 0;

	(void)key;
	RS_TRY(rs_reader_kind(reader, value, RS_JSON_OBJECT));
	structs = rs_arena_array(reader->arena, struct rs_profile_struct, value->n_children);
	for (const struct rs_json *child = value->first; child; child = child->next) {
		struct rs_profile_struct *type = &structs[count++];

		*type = (struct rs_profile_struct) { .name = child->key,
						     .path = reader->path,
						     .line = child->key_line,
						     .column = child->key_column };
		RS_TRY(rs_reader_object(reader, child, "a struct", struct_keys, RS_COUNT_OF(struct_keys),
					type));
	}
	profile->structs = structs;
	profile->n_structs = count;
	return NULL;
}
