#include "parse/identity.h"
#include "parse/records.h"

#include <string.h>

#include "base/file.h"
#include "parse/records_internal.h"
#include "parse/tu_state.h"

enum { DEEPEST = 32 };

struct print {
	const struct rs_record *record;
	CXFile file;
	CXCursor found;
	uint64_t hash;
	unsigned depth;
};

static void add(struct print *print, long long number)
{
	const uint64_t both[] = { print->hash, (uint64_t)number };

	print->hash = rs_hash_bytes(both, sizeof both);
}

static enum CXVisitorResult add_field(CXCursor field, CXClientData data);

static void add_type(struct print *print, CXType type)
{
	CXType canonical = clang_getCanonicalType(type);

	add(print, clang_Type_getSizeOf(canonical));
	add(print, clang_Type_getAlignOf(canonical));
	if (canonical.kind != CXType_Record || print->depth >= DEEPEST)
		return;
	print->depth++;
	clang_Type_visitFields(canonical, add_field, print);
	print->depth--;
}

static enum CXVisitorResult add_field(CXCursor field, CXClientData data)
{
	struct print *print = (struct print *)data;
	struct rs_clang_place place = rs_clang_place_of(clang_getCursorLocation(field), true);
	bool is_here = place.file && rs_identity_is_same(place.file, print->file);

	add(print, is_here ? (long long)place.byte : -1);
	add(print, clang_Cursor_getOffsetOfField(field));
	add(print, clang_Cursor_isBitField(field) ? clang_getFieldDeclBitWidth(field) : -1);
	add_type(print, clang_getCursorType(field));
	return CXVisit_Continue;
}

static enum CXChildVisitResult find_definition(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct print *print = (struct print *)data;
	CXSourceRange extent = clang_getCursorExtent(cursor);
	struct rs_clang_place start = rs_clang_place_of(clang_getRangeStart(extent), true);

	(void)parent;
	if (!start.file || !rs_identity_is_same(start.file, print->file) ||
	    start.byte > print->record->span.start ||
	    rs_clang_place_of(clang_getRangeEnd(extent), true).byte < print->record->span.end)
		return CXChildVisit_Continue;
	if (start.byte == print->record->span.start && clang_getCursorKind(cursor) == CXCursor_StructDecl &&
	    clang_isCursorDefinition(cursor)) {
		print->found = cursor;
		return CXChildVisit_Break;
	}
	return CXChildVisit_Recurse;
}

/* --- where to look ---
 * Many records are asked for in a unit of thousands of declarations: where these stand is found out once. */

static size_t number_of(struct rs_tu *tu, CXFile file)
{
	struct rs_tu_tops *tops = tu->tops;

	for (size_t i = tops->n_files; i-- > 0;)
		if (tops->files[i] == file || rs_identity_is_same(tops->files[i], file))
			return i;
	*rs_array_push(tu->awake, tops->files, tops->n_files, tops->files_capacity) = file;
	return tops->n_files - 1;
}

static enum CXChildVisitResult list_top(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct rs_tu *tu = (struct rs_tu *)data;
	struct rs_tu_tops *tops = tu->tops;

	(void)parent;
	if (clang_isPreprocessing(clang_getCursorKind(cursor)))
		return CXChildVisit_Continue;
	CXSourceRange extent = clang_getCursorExtent(cursor);
	struct rs_clang_place start = rs_clang_place_of(clang_getRangeStart(extent), true);
	if (!start.file)
		return CXChildVisit_Continue;
	*rs_array_push(tu->awake, tops->items, tops->n_items, tops->items_capacity) =
		(struct rs_tu_top) { .cursor = cursor,
				     .file = number_of(tu, start.file),
				     .start = start.byte,
				     .end = rs_clang_place_of(clang_getRangeEnd(extent), true).byte };
	return CXChildVisit_Continue;
}

static const struct rs_tu_tops *tops_of(struct rs_tu *tu)
{
	if (tu->tops)
		return tu->tops;
	tu->tops = rs_arena_new(tu->awake, struct rs_tu_tops);
	*tu->tops = (struct rs_tu_tops) { 0 };
	clang_visitChildren(clang_getTranslationUnitCursor(tu->unit), list_top, tu);
	return tu->tops;
}

/* In the declarations around the place of the record, in their order. */
static void search(struct rs_tu *tu, struct print *print)
{
	const struct rs_tu_tops *tops = tops_of(tu);
	size_t file = number_of(tu, print->file);

	for (size_t i = 0; i < tops->n_items && clang_Cursor_isNull(print->found); i++) {
		const struct rs_tu_top *top = &tops->items[i];

		if (top->file != file || top->start > print->record->span.start ||
		    top->end < print->record->span.end)
			continue;
		if (find_definition(top->cursor, clang_getNullCursor(), print) == CXChildVisit_Recurse)
			clang_visitChildren(top->cursor, find_definition, print);
	}
}

uint64_t rs_records_fingerprint(struct rs_tu *tu, const struct rs_record *record)
{
	struct print print = { .record = record,
			       .file = rs_tu_file(tu, record->source->realpath),
			       .found = clang_getNullCursor() };

	if (!print.file)
		return 0;
	search(tu, &print);
	if (clang_Cursor_isNull(print.found))
		return 0;
	add_type(&print, clang_getCursorType(print.found));
	return print.hash ? print.hash : 1;
}
