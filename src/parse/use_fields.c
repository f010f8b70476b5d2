#include <string.h>

#include "parse/uses_internal.h"

/* The spelling of a field without a name is empty in some versions of libclang and a description in others. */
bool rs_use_is_unnamed(CXCursor field)
{
	CXString name = clang_getCursorSpelling(field);
	const char *text = clang_getCString(name);
	bool unnamed = !text || text[0] == '\0' || strpbrk(text, " (:");

	clang_disposeString(name);
	return unnamed;
}

struct fields {
	struct rs_arena *arena;
	CXCursor *items;
	size_t n_items, items_capacity;
};

static enum CXVisitorResult add_field(CXCursor field, CXClientData data)
{
	struct fields *fields = (struct fields *)data;

	if (!rs_use_is_unnamed(field) || !clang_Cursor_isBitField(field))
		*rs_array_push(fields->arena, fields->items, fields->n_items, fields->items_capacity) = field;
	return CXVisit_Continue;
}

CXCursor *rs_use_direct_fields(struct rs_use_walk *walk, CXType type, size_t *ret_count)
{
	struct fields fields = { .arena = walk->arena };

	if (walk->n_fields > 0 && clang_equalTypes(walk->fields_type, type)) {
		*ret_count = walk->n_fields;
		return walk->fields;
	}
	clang_Type_visitFields(type, add_field, &fields);
	walk->fields_type = type;
	walk->fields = fields.items;
	walk->n_fields = *ret_count = fields.n_items;
	return fields.items;
}

bool rs_use_has_field(struct rs_use_walk *walk, CXCursor anonymous, CXCursor field)
{
	CXType type = clang_getCanonicalType(clang_getCursorType(anonymous));
	size_t count;

	if (type.kind != CXType_Record)
		return false;
	CXCursor *fields = rs_use_direct_fields(walk, type, &count);
	for (size_t i = 0; i < count; i++)
		if (clang_equalCursors(fields[i], field) ||
		    (rs_use_is_unnamed(fields[i]) && rs_use_has_field(walk, fields[i], field)))
			return true;
	return false;
}

static bool is_array(CXType type)
{
	return type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray ||
	       type.kind == CXType_VariableArray;
}

/* The elements of strings are integers; of what width, the compiler has checked. */
static bool takes_string(CXType array)
{
	switch (clang_getCanonicalType(clang_getElementType(array)).kind) {
	case CXType_Char_U:
	case CXType_UChar:
	case CXType_Char_S:
	case CXType_SChar:
	case CXType_WChar:
	case CXType_Char16:
	case CXType_Char32:
	case CXType_UShort:
	case CXType_UInt:
	case CXType_Int:
		return true;
	default:
		return false;
	}
}

static bool is_same_record(CXType a, CXType b)
{
	return a.kind == CXType_Record && b.kind == CXType_Record &&
	       clang_equalCursors(clang_getTypeDeclaration(a), clang_getTypeDeclaration(b));
}

static bool takes_whole(struct rs_use_walk *walk, CXType type, CXCursor value)
{
	enum CXCursorKind kind = clang_getCursorKind(rs_use_strip(walk, value));
	CXType given = clang_getCanonicalType(clang_getCursorType(value));

	if (kind == CXCursor_InitListExpr)
		return true;
	if (is_array(type))
		return (kind == CXCursor_StringLiteral && takes_string(type)) ||
		       (kind == CXCursor_CompoundLiteralExpr && is_array(given));
	if (type.kind == CXType_Record)
		return is_same_record(type, given);
	if (type.kind == CXType_Vector || type.kind == CXType_ExtVector)
		return given.kind == type.kind;
	return true;
}

enum rs_use_taking rs_use_taking_of(struct rs_use_walk *walk, CXType type, CXCursor value)
{
	CXType given = clang_getCanonicalType(clang_getCursorType(value));
	enum rs_use_class class;

	if (takes_whole(walk, type, value))
		return RS_TAKES_WHOLE;
	if (!rs_tu_is_cxx(walk->tu) || type.kind != CXType_Record)
		return RS_TAKES_FIRST;
	class = rs_use_class_of(type);
	if (class == RS_CLASS_MADE || (given.kind == CXType_Record && rs_use_converts_to(given, type)))
		return RS_TAKES_WHOLE;
	return class == RS_CLASS_UNSURE || given.kind == CXType_Record ? RS_TAKES_UNSURE : RS_TAKES_FIRST;
}

bool rs_use_is_designated(struct rs_use_walk *walk, CXCursor child)
{
	if (clang_getCursorKind(child) != CXCursor_UnexposedExpr ||
	    clang_getCursorType(child).kind != CXType_Void)
		return false;
	struct rs_use_children inside = rs_use_children_of(walk, child);
	return inside.n_items > 0 && clang_getCursorKind(inside.items[0]) == CXCursor_MemberRef;
}

bool rs_use_is_index_designated(struct rs_use_walk *walk, CXCursor child)
{
	return clang_getCursorKind(child) == CXCursor_UnexposedExpr &&
	       clang_getCursorType(child).kind == CXType_Void && !rs_use_is_designated(walk, child);
}
