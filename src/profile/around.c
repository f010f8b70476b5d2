#include "profile/around.h"

#include <string.h>

/* A path's access to a field of a container, or its mention of one that is not known. */
struct rs_around_use {
	const char *container;
	struct rs_outside_access access; /* member RS_NONE: not known */
	bool is_lowered;                 /* the profile names it as the record's */
};

void rs_around_init(struct rs_around_list *list, struct rs_arena *arena, const struct rs_record *record,
		    const struct rs_placement *placement)
{
	*list = (struct rs_around_list) { .arena = arena, .record = record, .placement = placement };
}

static bool has_prefix(const char *name, const char *container)
{
	size_t length = strlen(container);

	return strncmp(name, container, length) == 0 && name[length] == '.' && name[length + 1];
}

/* A member of the record that is called like a container goes first: that is what the name said before. */
static bool is_own(const struct rs_record *record, const char *container)
{
	return rs_record_find_member(record, container) != RS_NONE;
}

size_t rs_around_find(const struct rs_around_list *list, const char *name)
{
	const struct rs_placement *placement = list->placement;

	for (size_t b = 0; placement->kind == RS_PLACE_EMBEDDED && b < placement->n_bases; b++) {
		const char *container = placement->bases[b].container;

		if (container && has_prefix(name, container) && !is_own(list->record, container))
			return b;
	}
	return RS_NONE;
}

static struct rs_error *find_field(const struct rs_around_list *list, const struct rs_placement_base *base,
				   const char *name, struct rs_name_place place, size_t *ret_member)
{
	const char *field = name + strlen(base->container) + 1;

	RS_TRY(rs_names_find(list->arena, base->record, field, place, ret_member));
	if (*ret_member == RS_NONE || *ret_member < base->at ||
	    *ret_member > base->at + base->record->members[base->at].n_inside)
		return NULL;
	return rs_error_create(RS_ERROR_SYNTAX, place.file, place.line, place.column,
			       "'%s' is a part of %s itself, whose fields are named without a container", name,
			       list->record->name);
}

/* Fields that one path reads in one list and writes in another are one access. */
static struct rs_around_use *find_use(const struct rs_around_list *list, const char *container, size_t path,
				      size_t member, bool is_lowered)
{
	for (size_t i = 0; i < list->n_items; i++) {
		struct rs_around_use *use = &list->items[i];

		if (use->access.path == path && use->access.member == member && use->is_lowered == is_lowered &&
		    strcmp(use->container, container) == 0)
			return use;
	}
	return NULL;
}

/* What stands behind the member in the name of it, or of a part of it; NULL: it is another one's. */
static const char *find_rest(const char *name, const char *member)
{
	const char *rest = name + strlen(member);

	if (strncmp(name, member, strlen(member)) != 0)
		return NULL;
	return !*rest || *rest == '.' || *rest == '[' ? rest : NULL;
}

const char *rs_around_lifted(const struct rs_around_list *list, const char *name)
{
	const struct rs_lifting *lifting = &list->placement->lifting;

	for (size_t i = 0; i < lifting->n_items; i++) {
		const struct rs_lifted *lifted = &lifting->items[i];
		const char *rest;

		if (lifted->lowers || !has_prefix(name, lifted->container))
			continue;
		rest = find_rest(name + strlen(lifted->container) + 1, lifted->member);
		if (rest)
			return rs_arena_printf(list->arena, "%s%s", lifted->name, rest);
	}
	return NULL;
}

bool rs_around_is_lowered(const struct rs_around_list *list, const char *name)
{
	const struct rs_lifting *lifting = &list->placement->lifting;

	for (size_t i = 0; i < lifting->n_items; i++)
		if (lifting->items[i].lowers && find_rest(name, lifting->items[i].name))
			return true;
	return false;
}

void rs_around_mention(struct rs_around_list *list, size_t index, size_t path)
{
	const char *container = list->placement->bases[index].container;

	if (!find_use(list, container, path, RS_NONE, false))
		*rs_array_push(list->arena, list->items, list->n_items, list->capacity) =
			(struct rs_around_use) { container, { .path = path, .member = RS_NONE }, false };
}

static struct rs_error *add(struct rs_around_list *list, size_t index, const char *name,
			    struct rs_name_place place, struct rs_outside_access access, bool is_lowered)
{
	const struct rs_placement_base *base = &list->placement->bases[index];
	struct rs_around_use *use;

	access.member = RS_NONE;
	if (base->record)
		RS_TRY(find_field(list, base, name, place, &access.member));
	use = find_use(list, base->container, access.path, access.member, is_lowered);
	if (!use) {
		use = rs_array_push(list->arena, list->items, list->n_items, list->capacity);
		*use = (struct rs_around_use) { base->container, access, is_lowered };
	}
	use->access.reads |= access.reads;
	use->access.writes |= access.writes;
	return NULL;
}

static struct rs_outside_access make_access(size_t path, unsigned kinds)
{
	return (struct rs_outside_access) { .path = path,
					    .reads = (kinds & RS_ACCESS_READ) != 0,
					    .writes = (kinds & (RS_ACCESS_WRITE | RS_ACCESS_ATOMIC)) != 0 };
}

struct rs_error *rs_around_add(struct rs_around_list *list, size_t index, const char *name,
			       struct rs_name_place place, size_t path, unsigned kinds)
{
	return add(list, index, name, place, make_access(path, kinds), false);
}

struct rs_error *rs_around_add_lowered(struct rs_around_list *list, const char *name,
				       struct rs_name_place place, size_t path, unsigned kinds)
{
	const struct rs_placement *placement = list->placement;

	for (size_t i = 0; i < placement->lifting.n_items; i++) {
		const struct rs_lifted *lifted = &placement->lifting.items[i];
		const char *rest = lifted->lowers ? find_rest(name, lifted->name) : NULL;

		for (size_t b = 0; rest && b < placement->n_bases; b++) {
			const char *container = placement->bases[b].container;

			if (!container || strcmp(container, lifted->container) != 0)
				continue;
			RS_TRY(add(list, b,
				   rs_arena_printf(list->arena, "%s.%s%s", container, lifted->member, rest),
				   place, make_access(path, kinds), true));
			break;
		}
	}
	return NULL;
}

static bool is_in(const struct rs_around_use *use, const struct rs_placement_base *base)
{
	return base->container && strcmp(use->container, base->container) == 0;
}

static const struct rs_around *make_around(const struct rs_around_list *list, size_t n_paths,
					   const struct rs_placement_base *base)
{
	struct rs_around *around = rs_arena_new(list->arena, struct rs_around);
	struct rs_outside_access *accesses =
		rs_arena_array(list->arena, struct rs_outside_access, list->n_items);
	bool *runs = rs_arena_array(list->arena, bool, n_paths);
	bool *elsewhere = rs_arena_array(list->arena, bool, n_paths);

	*around = (struct rs_around) { base->record, base->at, accesses, 0, runs };
	for (size_t i = 0; i < list->n_items; i++) {
		const struct rs_around_use *use = &list->items[i];
		bool here = is_in(use, base);

		runs[use->access.path] |= here && !use->is_lowered;
		elsewhere[use->access.path] |= !here && !use->is_lowered;
	}
	for (size_t p = 0; p < n_paths; p++)
		runs[p] |= !elsewhere[p];
	for (size_t i = 0; i < list->n_items; i++) {
		const struct rs_around_use *use = &list->items[i];

		if (use->access.member != RS_NONE && runs[use->access.path] && is_in(use, base))
			accesses[around->n_accesses++] = use->access;
	}
	return around;
}

void rs_around_finish(const struct rs_around_list *list, size_t n_paths, struct rs_placement *ret_placement)
{
	struct rs_placement_base *bases;

	if (list->n_items == 0)
		return;
	bases = rs_arena_array(list->arena, struct rs_placement_base, ret_placement->n_bases);
	for (size_t b = 0; b < ret_placement->n_bases; b++) {
		bases[b] = ret_placement->bases[b];
		bases[b].around = make_around(list, n_paths, &bases[b]);
	}
	ret_placement->bases = bases;
}
