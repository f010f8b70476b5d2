#include <stdlib.h>
#include <string.h>

#include "parse/uses_internal.h"

/* What the visit of a new text has found wrong. */
struct check {
	struct rs_use_walk walk;            /* of no records */
	const struct rs_designated **lists; /* by their bytes */
	size_t n_lists;
	CXFile file; /* that was asked for last */
	const char *path;
	struct rs_error *error;
};

/* Finding the name takes a look at every folder on the way. */
static const char *path_of(struct check *check, CXFile file)
{
	if (!check->path || !clang_File_isEqual(check->file, file)) {
		check->file = file;
		check->path = rs_tu_file_path(check->walk.tu, file, check->walk.arena);
	}
	return check->path;
}

static bool is_at(struct check *check, struct rs_clang_place place, const char *path, size_t byte)
{
	return place.file && place.byte == byte && strcmp(path_of(check, place.file), path) == 0;
}

static struct rs_clang_place start_of(CXCursor cursor)
{
	return rs_clang_place_of(clang_getRangeStart(clang_getCursorExtent(cursor)), true);
}

static const struct rs_designated *find_list(struct check *check, CXCursor list)
{
	struct rs_clang_place start = start_of(list);

	size_t low = 0, high = check->n_lists;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (check->lists[middle]->byte < start.byte)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < check->n_lists && check->lists[low]->byte == start.byte; low++)
		if (is_at(check, start, check->lists[low]->path, start.byte))
			return check->lists[low];
	return NULL;
}

static void fail(struct check *check, CXCursor where, const char *what)
{
	struct rs_clang_place place = rs_clang_place_of(clang_getCursorLocation(where), true);
	unsigned line = 0, column = 0;
	const char *path = NULL;

	if (check->error)
		return;
	clang_getExpansionLocation(clang_getCursorLocation(where), NULL, &line, &column, NULL);
	if (place.file)
		path = rs_tu_shown_path(check->walk.tu, place.file, check->walk.arena);
	check->error = rs_error_create(RS_ERROR_REJECTED, path, line, column,
				       "with designators in it, this initialiser %s", what);
}

/* The insertion that wrote this member's name, one byte behind its dot; it must have written just that. */
static const struct rs_insertion *find_insertion(struct check *check, const struct rs_designated *list,
						 CXCursor member)
{
	const char *name = rs_tu_string(check->walk.arena, clang_getCursorSpelling(member));
	const char *wanted = rs_arena_printf(check->walk.arena, ".%s = ", name);

	struct rs_clang_place place = rs_clang_place_of(clang_getCursorLocation(member), true);

	for (size_t i = 0; i < list->n_insertions; i++)
		if (is_at(check, place, list->path, list->insertions[i].byte + 1))
			return strcmp(list->insertions[i].text, wanted) == 0 ? &list->insertions[i] : NULL;
	return NULL;
}

static void check_values(struct check *check, const struct rs_designated *list, CXCursor cursor)
{
	struct rs_use_children values = rs_use_children_of(&check->walk, cursor);
	size_t n_named = 0;

	for (size_t i = 0; i < values.n_items; i++) {
		CXCursor member = rs_use_named_member(&check->walk, values.items[i]);

		if (!rs_use_is_designated(&check->walk, values.items[i]) || clang_Cursor_isNull(member))
			fail(check, cursor, "still has values without one");
		else if (find_insertion(check, list, member))
			n_named++;
	}
	if (n_named != list->n_insertions)
		fail(check, cursor, "does not name the members that are meant");
}

static void check_list(struct check *check, CXCursor cursor)
{
	const struct rs_designated *list = find_list(check, cursor);
	CXType type = clang_getCanonicalType(clang_getCursorType(cursor));

	if (!list)
		return;
	if (type.kind != CXType_Record ||
	    !is_at(check, start_of(clang_getTypeDeclaration(type)), list->record_path, list->record_byte))
		fail(check, cursor, "is also one of another type");
	else
		check_values(check, list, cursor);
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct check *check = (struct check *)data;

	(void)parent;
	if (clang_getCursorKind(cursor) == CXCursor_InitListExpr)
		check_list(check, cursor);
	return check->error ? CXChildVisit_Break : CXChildVisit_Recurse;
}

static int by_byte(const void *a, const void *b)
{
	const struct rs_designated *left = *(const struct rs_designated *const *)a;
	const struct rs_designated *right = *(const struct rs_designated *const *)b;

	return (left->byte > right->byte) - (left->byte < right->byte);
}

struct rs_error *rs_uses_check(struct rs_tu *tu, const struct rs_designated *lists, size_t n_lists)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	struct check check = { .walk = { .tu = tu, .arena = arena }, .n_lists = n_lists };

	if (n_lists == 0)
		return NULL;
	check.lists = rs_arena_array(arena, const struct rs_designated *, n_lists);
	for (size_t i = 0; i < n_lists; i++)
		check.lists[i] = &lists[i];
	qsort(check.lists, n_lists, sizeof(const struct rs_designated *), by_byte);
	clang_visitChildren(clang_getTranslationUnitCursor(rs_tu_clang(tu)), visit, &check);
	return check.error;
}
