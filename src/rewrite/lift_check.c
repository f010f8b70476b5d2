#include "rewrite/lift_check.h"

#include <string.h>

#include "record/layout.h"

static bool is_own(const struct rs_lifted *lifted, const struct rs_record *record, bool in_record,
		   const char *path)
{
	return strcmp(in_record ? lifted->record : lifted->container, record->name) == 0 &&
	       strcmp(in_record ? lifted->name : lifted->member, path) == 0;
}

bool rs_lift_leaves(struct rs_lifting lifting, const struct rs_record *record, size_t member)
{
	for (size_t i = 0; i < lifting.n_items; i++)
		if (is_own(&lifting.items[i], record, lifting.items[i].lowers, record->members[member].path))
			return true;
	return false;
}

static bool arrives(struct rs_lifting lifting, const struct rs_record *record, size_t member)
{
	for (size_t i = 0; i < lifting.n_items; i++)
		if (is_own(&lifting.items[i], record, !lifting.items[i].lowers, record->members[member].path))
			return true;
	return false;
}

bool rs_lift_is_container(struct rs_lifting lifting, const struct rs_record *record)
{
	for (size_t i = 0; i < lifting.n_items; i++)
		if (strcmp(lifting.items[i].container, record->name) == 0)
			return true;
	return false;
}

static bool is_through(struct rs_lifting lifting, const struct rs_record *record, size_t member)
{
	for (size_t i = 0; i < lifting.n_items; i++)
		if (strcmp(lifting.items[i].container, record->name) == 0 &&
		    strcmp(lifting.items[i].through, record->members[member].path) == 0)
			return true;
	return false;
}

/* The member from there on that does not arrive. */
static size_t skip_arrived(struct rs_lifting lifting, const struct rs_record *now, size_t at, size_t *n_arrived)
{
	while (at < now->n_members && arrives(lifting, now, at)) {
		at = rs_record_next_sibling(now, at);
		++*n_arrived;
	}
	return at;
}

static size_t count_expected(struct rs_lifting lifting, const struct rs_record *record)
{
	size_t count = 0;

	for (size_t i = 0; i < lifting.n_items; i++) {
		const struct rs_lifted *lifted = &lifting.items[i];
		bool is_first = true;

		if (strcmp(lifted->lowers ? lifted->container : lifted->record, record->name) != 0)
			continue;
		/* members of several containers may become one */
		for (size_t k = 0; k < i && !lifted->lowers; k++)
			is_first &= strcmp(lifting.items[k].name, lifted->name) != 0;
		count += is_first;
	}
	return count;
}

const char *rs_lift_check_others(struct rs_arena *arena, struct rs_lifting lifting, const struct rs_record *old,
				 const struct rs_record *now)
{
	size_t n_arrived = 0, misplaced, at = skip_arrived(lifting, now, 0, &n_arrived);

	for (size_t m = 0; m < old->n_members; m = rs_record_next_sibling(old, m)) {
		const struct rs_member *a = &old->members[m], *b = &now->members[at];

		if (rs_lift_leaves(lifting, old, m))
			continue;
		if (at >= now->n_members || strcmp(a->path, b->path) != 0 ||
		    strcmp(a->declaration, b->declaration) != 0 || a->align_bytes != b->align_bytes ||
		    (a->size_bits != b->size_bits && !is_through(lifting, old, m)))
			return rs_arena_printf(arena, "'%s' is not as it was", a->declaration);
		at = skip_arrived(lifting, now, rs_record_next_sibling(now, at), &n_arrived);
	}
	if (at != now->n_members || n_arrived != count_expected(lifting, old))
		return "it has not just the members that it should";
	return rs_layout_agrees(now, &misplaced) ? NULL : "its layout is not the one that the arithmetic gives";
}

static const struct rs_record *find_container(const struct rs_lift_request *request, const char *name)
{
	for (size_t i = 0; i < request->n_containers; i++)
		if (strcmp(request->containers[i]->name, name) == 0)
			return request->containers[i];
	return NULL;
}

static bool is_same(const struct rs_record *old, const char *old_name, const struct rs_record *now,
		    const char *name)
{
	size_t a = rs_record_find_member(old, old_name), b = rs_record_find_member(now, name);

	return a != RS_NONE && b != RS_NONE && strcmp(old->members[a].type, now->members[b].type) == 0 &&
	       old->members[a].size_bits == now->members[b].size_bits &&
	       old->members[a].align_bytes == now->members[b].align_bytes;
}

const char *rs_lift_check_arrived(struct rs_arena *arena, const struct rs_lift_request *request,
				  const struct rs_record *now)
{
	for (size_t i = 0; i < request->lifting.n_items; i++) {
		const struct rs_lifted *lifted = &request->lifting.items[i];
		const struct rs_record *container = find_container(request, lifted->container);

		if (strcmp(lifted->lowers ? lifted->container : lifted->record, now->name) != 0)
			continue;
		if (lifted->lowers ? !is_same(request->record, lifted->name, now, lifted->member)
				   : !is_same(container, lifted->member, now, lifted->name))
			return rs_arena_printf(arena, "'%s' is not what '%s' was",
					       lifted->lowers ? lifted->member : lifted->name,
					       rs_lifted_old_name(lifted));
	}
	return NULL;
}
