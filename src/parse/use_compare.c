#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "parse/identity.h"
#include "parse/uses_internal.h"

/*
 * What lists give, as one number a list: each value with the path of the member that it is for, in the order of
 * the paths. Braces, designators and the order of values leave no trace in it.
 */

/* One value: what it is for, and what it is. */
struct given {
	uint64_t path, value;
	CXCursor cursor;
	size_t number; /* of several for the same thing the later one counts */
};

struct givens {
	struct rs_use_walk *walk;
	struct given *items;
	size_t n_items, items_capacity;
};

/* A value as it is told to another unit. */
struct told {
	uint64_t path, value;
	const char *file; /* as it is shown */
	unsigned line, column;
};

struct listed {
	uint64_t hash;
	struct told *values; /* by path */
	size_t n_values;
	struct told place; /* of the list */
};

struct rs_given_lists {
	struct listed *items;
	size_t n_items, items_capacity;
	const char *main_file;
};

struct reading {
	struct rs_use_walk walk; /* of no records; lifted members count by their new place */
	bool all;
	struct rs_arena *arena; /* of lists */
	struct rs_given_lists *lists;
	CXFile file; /* that was asked for last, and what it is called */
	const char *shown;
};

static enum CXChildVisitResult look_for_layout(CXCursor cursor, CXCursor parent, CXClientData data)
{
	enum CXCursorKind kind = clang_getCursorKind(cursor);

	(void)parent;
	*(bool *)data = *(bool *)data || kind == CXCursor_UnaryExpr || kind == CXCursor_MemberRef;
	if (kind == CXCursor_DeclRefExpr && !*(bool *)data) { /* an enumerator may be such a number */
		CXCursor named = clang_getCursorReferenced(cursor);

		if (clang_getCursorKind(named) == CXCursor_EnumConstantDecl)
			clang_visitChildren(named, look_for_layout, data);
	}
	return *(bool *)data ? CXChildVisit_Break : CXChildVisit_Recurse;
}

/* sizeof, offsetof */
static bool may_follow_layout(CXCursor value)
{
	bool found = false;

	if (look_for_layout(value, value, &found) == CXChildVisit_Recurse)
		clang_visitChildren(value, look_for_layout, &found);
	return found;
}

/* --- lists --- */

static void add_node(struct givens *givens, const struct rs_use_object *node, uint64_t path);

static bool is_scalar(CXType type)
{
	return type.kind != CXType_Record && clang_getArrayElementType(type).kind == CXType_Invalid;
}

static void add_given(struct givens *givens, uint64_t path, CXCursor value)
{
	bool of_layout = may_follow_layout(value);

	if (!of_layout && rs_use_is_zero(givens->walk, value))
		return;
	uint64_t hash = rs_use_hash(givens->walk, value);
	struct given *given =
		rs_array_push(givens->walk->arena, givens->items, givens->n_items, givens->items_capacity);
	/* a constant counts by its number, unless that may follow the layout */
	*given = (struct given) { path, of_layout ? hash : rs_use_hash_constant(hash, value), value,
				  givens->n_items };
}

/* A list that is not understood counts as it is written. */
static void add_list(struct givens *givens, CXCursor list, CXType type, uint64_t path)
{
	CXType canonical = clang_getCanonicalType(type);
	struct rs_use_tree tree = rs_use_tree_of(givens->walk, list, canonical);

	if (!tree.problem) {
		add_node(givens, tree.root, path);
		return;
	}
	for (size_t i = 0; i < tree.values.n_items; i++)
		add_given(givens, is_scalar(canonical) && i == 0 ? path : rs_use_hash_mix(path, i),
			  tree.values.items[i]);
}

static uint64_t part_path(struct givens *givens, const struct rs_use_object *part, uint64_t path)
{
	if (clang_Cursor_isNull(part->field))
		return rs_use_hash_mix(rs_use_hash_mix(path, (uint64_t)part->at), (uint64_t)part->last);
	if (rs_use_is_unnamed(part->field))
		return path;
	const struct rs_lifted *lifted = rs_use_lifted(givens->walk, part->field);
	if (lifted)
		return rs_use_hash_mix(rs_use_hash_mix(path, rs_use_hash_text(lifted->through)),
				       rs_use_hash_text(lifted->name));
	return rs_use_hash_string(givens->walk, path, clang_getCursorSpelling(part->field));
}

static void add_node(struct givens *givens, const struct rs_use_object *node, uint64_t path)
{
	struct rs_use_walk *walk = givens->walk;

	if (node->is_leaf) {
		CXCursor inner = rs_use_strip(walk, node->value);

		if (clang_getCursorKind(inner) == CXCursor_InitListExpr)
			add_list(givens, inner, node->type, path);
		else
			add_given(givens, path, node->value);
		return;
	}
	for (size_t i = 0; i < node->n_parts; i++)
		add_node(givens, node->parts[i], part_path(givens, node->parts[i], path));
}

static int by_path(const void *a, const void *b)
{
	const struct given *left = (const struct given *)a, *right = (const struct given *)b;

	if (left->path != right->path)
		return left->path < right->path ? -1 : 1;
	return (left->number > right->number) - (left->number < right->number);
}

static struct givens givens_of(struct rs_use_walk *walk, CXCursor list, CXType type)
{
	struct givens givens = { .walk = walk };

	add_list(&givens, list, type, 0);
	if (givens.n_items > 0)
		qsort(givens.items, givens.n_items, sizeof *givens.items, by_path);
	return givens;
}

static uint64_t hash_givens(const struct givens *givens)
{
	uint64_t hash = 1;

	for (size_t i = 0; i < givens->n_items; i++)
		hash = rs_use_hash_mix(rs_use_hash_mix(hash, givens->items[i].path), givens->items[i].value);
	return hash;
}

uint64_t rs_use_hash_list(struct rs_use_walk *walk, CXCursor list, CXType type)
{
	struct givens givens = givens_of(walk, list, type);

	return hash_givens(&givens);
}

/* --- units --- */

static bool is_for_structs(CXType type)
{
	CXType canonical = clang_getCanonicalType(type);

	for (CXType element; (element = clang_getArrayElementType(canonical)).kind != CXType_Invalid;)
		canonical = clang_getCanonicalType(element);
	return canonical.kind == CXType_Record;
}

static struct told tell(struct reading *reading, CXCursor cursor)
{
	struct told told = { 0 };
	CXFile file;

	clang_getFileLocation(clang_getCursorLocation(cursor), &file, &told.line, &told.column, NULL);
	if (file && (!reading->shown || !rs_identity_is_same(file, reading->file))) {
		reading->file = file;
		reading->shown = rs_tu_shown_path(reading->walk.tu, file, reading->arena);
	}
	told.file = file ? reading->shown : NULL;
	return told;
}

static void read_list(struct reading *reading, CXCursor list, CXType type)
{
	struct givens givens = givens_of(&reading->walk, list, type);
	struct rs_given_lists *lists = reading->lists;
	struct listed *listed =
		rs_array_push(reading->arena, lists->items, lists->n_items, lists->items_capacity);

	*listed = (struct listed) { .hash = hash_givens(&givens),
				    .place = tell(reading, list),
				    .n_values = givens.n_items };
	listed->values = rs_arena_array(reading->arena, struct told, givens.n_items);
	for (size_t i = 0; i < givens.n_items; i++) {
		listed->values[i] = tell(reading, givens.items[i].cursor);
		listed->values[i].path = givens.items[i].path;
		listed->values[i].value = givens.items[i].value;
	}
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct reading *reading = (struct reading *)data;
	CXType type = clang_getCursorType(cursor);

	if (clang_getCursorKind(parent) == CXCursor_TranslationUnit &&
	    clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)))
		return CXChildVisit_Continue;
	if (clang_getCursorKind(cursor) != CXCursor_InitListExpr || (!reading->all && !is_for_structs(type)))
		return CXChildVisit_Recurse;
	read_list(reading, cursor, type);
	return CXChildVisit_Continue;
}

const struct rs_given_lists *rs_uses_read_lists(struct rs_tu *tu, struct rs_arena *arena, bool all,
						struct rs_lifting lifting)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *scratch = rs_arena_create();
	struct rs_given_lists *lists = rs_arena_new(arena, struct rs_given_lists);
	struct reading reading = { .walk = { .tu = tu, .arena = scratch, .lifting = lifting },
				   .all = all,
				   .arena = arena,
				   .lists = lists };

	lists->main_file = rs_arena_strdup(arena, rs_tu_shown_main_file(tu));
	clang_visitChildren(clang_getTranslationUnitCursor(rs_tu_clang(tu)), visit, &reading);
	return lists;
}

/* The first value of the old list that the new one does not give to the same member. */
static const struct told *first_difference(const struct listed *old, const struct listed *now)
{
	for (size_t i = 0; i < old->n_values; i++)
		if (i >= now->n_values || old->values[i].path != now->values[i].path ||
		    old->values[i].value != now->values[i].value)
			return &old->values[i];
	return &old->place;
}

struct rs_error *rs_uses_compare(const struct rs_given_lists *before, struct rs_tu *after, bool all,
				 struct rs_lifting lifting)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	const struct rs_given_lists *now = rs_uses_read_lists(after, arena, all, lifting);

	for (size_t i = 0; i < before->n_items && i < now->n_items; i++) {
		if (before->items[i].hash == now->items[i].hash)
			continue;
		const struct told *place = first_difference(&before->items[i], &now->items[i]);

		return rs_error_create(RS_ERROR_REJECTED, place->file, place->line, place->column,
				       "with the new order, this initialiser gives members other values");
	}
	if (before->n_items == now->n_items)
		return NULL;
	return rs_error_create(RS_ERROR_REJECTED, before->main_file, 0, 0,
			       "with the new order, it has another number of initialisers");
}
