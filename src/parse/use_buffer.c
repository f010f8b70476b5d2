/*
 * Local arrays of bytes in which whole objects are kept for a while, as when two are swapped: nobody looks at the bytes.
 */
#include "parse/byte_functions.h"
#include "parse/uses_internal.h"

struct look {
	struct rs_use_walk *walk;
	CXCursor buffer;
	size_t record;
	size_t n_named, n_copied; /* times it is named; those of them as what copies go to or come from */
};

static bool is_buffer(struct look *look, CXCursor expression)
{
	return rs_use_names(look->walk, rs_use_strip_casts(look->walk, expression), look->buffer);
}

/* A copy of a whole object between the buffer and something of the record's type. */
static bool copies_object(struct look *look, CXCursor call)
{
	const struct rs_byte_function *row = rs_use_known_function(look->walk, call);
	CXCursor to, from;
	long long bytes;

	if (!row || row->kind != RS_BYTES_COPY || clang_Cursor_getNumArguments(call) < 3)
		return false;
	to = rs_use_strip_casts(look->walk, clang_Cursor_getArgument(call, 0));
	from = rs_use_strip_casts(look->walk, clang_Cursor_getArgument(call, 1));
	if (!rs_use_evaluate(clang_Cursor_getArgument(call, 2), &bytes) ||
	    bytes != clang_Type_getSizeOf(look->walk->types[look->record]))
		return false;
	return (is_buffer(look, to) &&
		rs_use_pointee_record(look->walk, clang_getCursorType(from)) == look->record) ||
	       (is_buffer(look, from) &&
		rs_use_pointee_record(look->walk, clang_getCursorType(to)) == look->record);
}

static enum CXChildVisitResult count(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct look *look = (struct look *)data;
	enum CXCursorKind kind = clang_getCursorKind(cursor);

	(void)parent;
	if (kind == CXCursor_UnaryExpr) /* sizeof */
		return CXChildVisit_Continue;
	look->n_named += kind == CXCursor_DeclRefExpr &&
			 clang_equalCursors(clang_getCursorReferenced(cursor), look->buffer);
	look->n_copied += kind == CXCursor_CallExpr && copies_object(look, cursor);
	return CXChildVisit_Recurse;
}

bool rs_use_is_own_buffer(struct rs_use_walk *walk, CXCursor bytes, size_t record)
{
	struct look look = { .walk = walk, .record = record };
	CXCursor core = rs_use_strip_casts(walk, bytes);
	CXType type = clang_getCanonicalType(clang_getCursorType(core));

	if (clang_Cursor_isNull(walk->function) || clang_getCursorKind(core) != CXCursor_DeclRefExpr ||
	    type.kind != CXType_ConstantArray || !rs_use_is_byte(rs_use_element(type)) ||
	    clang_Type_getSizeOf(type) != clang_Type_getSizeOf(walk->types[record]))
		return false;
	look.buffer = clang_getCursorReferenced(core);
	if (!clang_equalCursors(clang_getCursorSemanticParent(look.buffer), walk->function) ||
	    !clang_Cursor_isNull(clang_Cursor_getVarDeclInitializer(look.buffer)))
		return false;
	clang_visitChildren(walk->function, count, &look);
	return look.n_named == look.n_copied;
}
