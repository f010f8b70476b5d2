#include "record/record.h"

#include <stdlib.h>
#include <string.h>

size_t rs_record_find_member(const struct rs_record *record, const char *path)
{
	if (!*path)
		return RS_NONE;
	for (size_t i = 0; i < record->n_members; i++)
		if (strcmp(record->members[i].path, path) == 0)
			return i;
	return RS_NONE;
}

const struct rs_alias *rs_record_find_alias(const struct rs_record *record, const char *path)
{
	for (size_t i = 0; i < record->n_aliases; i++)
		if (strcmp(record->aliases[i].path, path) == 0)
			return &record->aliases[i];
	return NULL;
}

size_t rs_record_next_sibling(const struct rs_record *record, size_t member)
{
	return member + 1 + record->members[member].n_inside;
}

bool rs_record_is_refused(const struct rs_record *record)
{
	for (size_t i = 0; i < record->n_pins; i++)
		if (record->pins[i].refuses)
			return true;
	return false;
}

/* What must stay the same of a member. name is what members are paired by. */
struct identity {
	const char *name;
	const char *attributes;
};

static const char *enclosing_path(const struct rs_record *record, const struct rs_member *member)
{
	while (!*member->path && member->parent != RS_NONE)
		member = &record->members[member->parent];
	return member->path;
}

static struct identity identify(struct rs_arena *arena, const struct rs_record *record,
				const struct rs_member *member)
{
	struct identity identity = { .name = member->path };
	const char *what = member->is_aggregate ? member->declaration : member->type;

	if (!*member->path)
		identity.name = rs_arena_printf(arena, "%s in '%s'", member->declaration,
						enclosing_path(record, member));
	identity.attributes = rs_arena_printf(
		arena, "'%s', %s, %llu bits in %u bytes, aligned to %u (%u asked for)", what,
		member->is_bitfield ? "a bit-field" : "no bit-field", (unsigned long long)member->size_bits,
		member->type_size_bytes, member->align_bytes, member->requested_align_bytes);
	return identity;
}

static int identity_compare(const void *a, const void *b)
{
	const struct identity *x = (const struct identity *)a, *y = (const struct identity *)b;
	int by_name = strcmp(x->name, y->name);

	return by_name ? by_name : strcmp(x->attributes, y->attributes);
}

static struct identity *identify_all(struct rs_arena *arena, const struct rs_record *record)
{
	struct identity *all = rs_arena_array(arena, struct identity, record->n_members);

	for (size_t i = 0; i < record->n_members; i++)
		all[i] = identify(arena, record, &record->members[i]);
	if (record->n_members > 1)
		qsort(all, record->n_members, sizeof(*all), identity_compare);
	return all;
}

static const char *describe_difference(struct rs_arena *arena, const struct identity *a,
				       const struct identity *b)
{
	int order = !a ? 1 : !b ? -1 : strcmp(a->name, b->name);

	if (order < 0)
		return rs_arena_printf(arena, "member %s is missing", a->name);
	if (order > 0)
		return rs_arena_printf(arena, "member %s is new", b->name);
	return rs_arena_printf(arena, "member %s was %s and is %s", a->name, a->attributes, b->attributes);
}

bool rs_record_same_members(struct rs_arena *arena, const struct rs_record *a, const struct rs_record *b,
			    const char **ret_difference)
{
	const struct identity *all_a = identify_all(arena, a), *all_b = identify_all(arena, b);
	size_t common = a->n_members < b->n_members ? a->n_members : b->n_members, i = 0;

	while (i < common && identity_compare(&all_a[i], &all_b[i]) == 0)
		i++;
	if (i < a->n_members || i < b->n_members) {
		*ret_difference = describe_difference(arena, i < a->n_members ? &all_a[i] : NULL,
						      i < b->n_members ? &all_b[i] : NULL);
		return false;
	}
	if (a->align_bytes != b->align_bytes) {
		*ret_difference = rs_arena_printf(arena, "the struct was aligned to %u bytes and is to %u",
						  a->align_bytes, b->align_bytes);
		return false;
	}
	return true;
}
