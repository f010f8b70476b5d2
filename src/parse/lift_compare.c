#include "parse/lift_internal.h"

#include "parse/identity.h"

/* A declaration at the top of a unit. */
struct said {
	uint64_t hash;
	const char *file; /* as it is shown; NULL */
	unsigned line, column;
	const char *name;
};

struct rs_lift_meaning {
	struct said *items;
	size_t n_items, items_capacity;
	const char *main_file;
};

struct reading {
	struct rs_tu *tu;
	struct rs_arena *arena;
	struct rs_lifting lifting;
	struct rs_lift_meaning *meaning;
	CXFile file; /* that was asked for last, and what it is called */
	const char *shown;
};

static const char *show_file(struct reading *reading, CXFile file)
{
	if (!file)
		return NULL;
	if (!reading->shown || !rs_identity_is_same(file, reading->file)) {
		reading->file = file;
		reading->shown = rs_tu_shown_path(reading->tu, file, reading->arena);
	}
	return reading->shown;
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *scratch = rs_arena_create();
	struct reading *reading = (struct reading *)data;
	struct rs_use_walk walk = { .tu = reading->tu, .arena = scratch, .lifting = reading->lifting };
	struct said said = { 0 };
	CXFile file;

	(void)parent;
	if (clang_isPreprocessing(clang_getCursorKind(cursor)) ||
	    clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)))
		return CXChildVisit_Continue;
	clang_getFileLocation(clang_getCursorLocation(cursor), &file, &said.line, &said.column, NULL);
	said.file = show_file(reading, file);
	said.name = rs_tu_string(reading->arena, clang_getCursorSpelling(cursor));
	said.hash = rs_use_hash(&walk, cursor);
	*rs_array_push(reading->arena, reading->meaning->items, reading->meaning->n_items,
		       reading->meaning->items_capacity) = said;
	return CXChildVisit_Continue;
}

const struct rs_lift_meaning *rs_lift_read(struct rs_tu *tu, struct rs_arena *arena, struct rs_lifting lifting)
{
	struct rs_lift_meaning *meaning = rs_arena_new(arena, struct rs_lift_meaning);
	struct reading reading = { .tu = tu, .arena = arena, .lifting = lifting, .meaning = meaning };

	meaning->main_file = rs_arena_strdup(arena, rs_tu_shown_main_file(tu));
	clang_visitChildren(clang_getTranslationUnitCursor(rs_tu_clang(tu)), visit, &reading);
	return meaning;
}

struct rs_error *rs_lift_compare(const struct rs_lift_meaning *before, struct rs_tu *after,
				 struct rs_lifting lifting)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	const struct rs_lift_meaning *now = rs_lift_read(after, arena, lifting);

	for (size_t i = 0; i < before->n_items && i < now->n_items; i++) {
		const struct said *said = &before->items[i];

		if (said->hash != now->items[i].hash)
			return rs_error_create(RS_ERROR_REJECTED, said->file, said->line, said->column,
					       "with the members lifted, '%s' says something else", said->name);
	}
	if (before->n_items == now->n_items)
		return NULL;
	return rs_error_create(RS_ERROR_REJECTED, before->main_file, 0, 0,
			       "with the members lifted, it has another number of declarations");
}
