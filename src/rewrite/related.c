#include "rewrite/related.h"

#include <string.h>

struct relation {
	struct rs_arena *arena;
	const struct rs_record *old, *now;
	struct rs_alterations steps;
	bool *used; /* members of the old record that were met in the new one */
	const char *reason;
};

static bool is_step_of(struct rs_alterations steps, enum rs_operation_kind kind, const char *path)
{
	for (size_t i = 0; i < steps.n_items; i++) {
		const struct rs_alteration *step = &steps.items[i];

		for (size_t f = 0; step->kind == kind && f < step->n_fields; f++)
			if (strcmp(step->fields[f], path) == 0)
				return true;
	}
	return false;
}

static bool is_pad(const struct rs_alteration *step, const struct rs_member *member)
{
	return step->kind == RS_OPERATION_PAD && strcmp(step->name, member->path) == 0 &&
	       member->size_bits == (uint64_t)step->bytes * 8 && member->align_bytes == 1;
}

static bool is_marker(const struct rs_alteration *step, const struct rs_member *member)
{
	return step->kind == RS_OPERATION_ALIGN && member->is_aggregate && member->size_bits == 0 &&
	       member->n_inside == 0 && !member->path[0];
}

static bool is_lifted(const struct rs_alteration *step, const struct rs_member *member)
{
	return step->kind == RS_OPERATION_LIFT && strcmp(step->name, member->path) == 0;
}

static bool is_added(struct rs_alterations steps, const struct rs_member *member)
{
	for (size_t i = 0; i < steps.n_items; i++)
		if (steps.items[i].adds_member && member->parent == RS_NONE &&
		    (is_pad(&steps.items[i], member) || is_marker(&steps.items[i], member) ||
		     is_lifted(&steps.items[i], member)))
			return true;
	return false;
}

/* What lies inside a member that was added. */
static bool is_inside_added(const struct relation *relation, size_t member)
{
	const struct rs_member *members = relation->now->members;
	size_t top = member;

	while (members[top].parent != RS_NONE)
		top = members[top].parent;
	return top != member && is_added(relation->steps, &members[top]);
}

size_t rs_related_find(const struct rs_record *old, const struct rs_record *now, size_t member)
{
	const struct rs_member *own = &now->members[member];
	size_t found = RS_NONE, named = member;

	if (own->path[0])
		return rs_record_find_member(old, own->path);
	for (size_t i = 1; i <= own->n_inside && found == RS_NONE; i++) {
		named = member + i;
		if (now->members[named].path[0])
			found = rs_record_find_member(old, now->members[named].path);
	}
	for (size_t p = named; found != RS_NONE && p != member; p = now->members[p].parent)
		found = old->members[found].parent;
	return found != RS_NONE && old->members[found].path[0] ? RS_NONE : found;
}

static bool differs(struct relation *relation, const struct rs_member *member, const char *what)
{
	relation->reason = rs_arena_printf(relation->arena, "'%s' %s",
					   member->path[0] ? member->path : member->declaration, what);
	return false;
}

/* Whether the member, or what it lies in, goes to the record's containers. */
static bool is_lowered(const struct relation *relation, size_t member)
{
	const struct rs_member *members = relation->old->members;

	while (members[member].parent != RS_NONE)
		member = members[member].parent;
	for (size_t i = 0; i < relation->steps.n_items; i++)
		if (relation->steps.items[i].kind == RS_OPERATION_LOWER &&
		    strcmp(relation->steps.items[i].name, members[member].path) == 0)
			return true;
	return false;
}

/* Whether some member inside leaves: then what is left may be smaller. */
static bool is_left(const struct relation *relation, size_t member)
{
	const struct rs_member *own = &relation->old->members[member];

	for (size_t i = 1; i <= own->n_inside; i++)
		if (is_step_of(relation->steps, RS_OPERATION_HOIST, relation->old->members[member + i].path))
			return true;
	return false;
}

/* By its own step, or, of something anonymous, by that of its first member. */
static bool is_aligned(const struct relation *relation, size_t member)
{
	const struct rs_member *own = &relation->old->members[member];

	if (own->path[0])
		return is_step_of(relation->steps, RS_OPERATION_ALIGN, own->path) && own->parent == RS_NONE;
	for (size_t i = 1; i <= own->n_inside && own->parent == RS_NONE; i++)
		if (is_step_of(relation->steps, RS_OPERATION_ALIGN, relation->old->members[member + i].path))
			return true;
	return false;
}

static bool compare_member(struct relation *relation, size_t old_member, size_t now_member)
{
	const struct rs_member *a = &relation->old->members[old_member];
	const struct rs_member *b = &relation->now->members[now_member];
	bool aligned = is_aligned(relation, old_member);

	if (relation->used[old_member])
		return differs(relation, b, "is there twice");
	relation->used[old_member] = true;
	if (a->is_union != b->is_union || a->is_aggregate != b->is_aggregate ||
	    a->is_anonymous != b->is_anonymous || a->is_bitfield != b->is_bitfield ||
	    strcmp(a->type, b->type) != 0)
		return differs(relation, b, "is declared otherwise");
	if (is_left(relation, old_member))
		return true;
	if (a->size_bits != b->size_bits)
		return differs(relation, b, "has another size");
	if (!aligned && (a->align_bytes != b->align_bytes || strcmp(a->declaration, b->declaration) != 0))
		return differs(relation, b, "is declared otherwise");
	return true;
}

/* In the same place of the nesting, but for those that leave. */
static bool compare_parents(struct relation *relation, size_t old_member, size_t now_member)
{
	size_t old_parent = relation->old->members[old_member].parent;
	size_t now_parent = relation->now->members[now_member].parent;
	const struct rs_member *own = &relation->now->members[now_member];

	if (is_step_of(relation->steps, RS_OPERATION_HOIST, own->path))
		return now_parent == RS_NONE ? true : differs(relation, own, "did not leave");
	if ((old_parent == RS_NONE) != (now_parent == RS_NONE))
		return differs(relation, own, "stands at another level");
	if (now_parent == RS_NONE || rs_related_find(relation->old, relation->now, now_parent) == old_parent)
		return true;
	return differs(relation, own, "stands in another struct or union");
}

static size_t count_added(struct rs_alterations steps)
{
	size_t count = 0;

	for (size_t i = 0; i < steps.n_items; i++)
		count += steps.items[i].adds_member;
	return count;
}

static bool compare(struct relation *relation)
{
	const struct rs_record *old = relation->old, *now = relation->now;
	size_t n_added = 0;

	for (size_t m = 0; m < now->n_members; m++) {
		size_t found = rs_related_find(old, now, m);

		if (found == RS_NONE && is_added(relation->steps, &now->members[m])) {
			n_added++;
			continue;
		}
		if (found == RS_NONE && is_inside_added(relation, m))
			continue;
		if (found == RS_NONE)
			return differs(relation, &now->members[m], "was not there");
		if (!compare_parents(relation, found, m) || !compare_member(relation, found, m))
			return false;
	}
	for (size_t m = 0; m < old->n_members; m++)
		if (relation->used[m] == is_lowered(relation, m))
			return differs(relation, &old->members[m],
				       relation->used[m] ? "is still there" : "is gone");
	if (n_added == count_added(relation->steps))
		return true;
	relation->reason = "a member was not added";
	return false;
}

/* Members without any name, such as `int : 3;`, cannot be told apart, and are compared by nobody here. */
static const char *find_nameless(struct rs_arena *arena, const struct rs_record *record)
{
	for (size_t m = 0; m < record->n_members; m++)
		if (!record->members[m].path[0] && !record->members[m].is_aggregate)
			return rs_arena_printf(arena, "a member without a name ('%s') cannot be followed",
					       record->members[m].declaration);
	return NULL;
}

const char *rs_related_check(struct rs_arena *arena, const struct rs_record *old, const struct rs_record *now,
			     struct rs_alterations steps)
{
	struct relation relation = { .arena = arena, .old = old, .now = now, .steps = steps };
	const char *nameless = find_nameless(arena, old);

	if (nameless)
		return nameless;
	relation.used = rs_arena_array(arena, bool, old->n_members);
	return compare(&relation) ? NULL : relation.reason;
}
