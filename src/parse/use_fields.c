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

static void add_fields(struct rs_use_fields *fields, CXType type);

static enum CXVisitorResult add_field(CXCursor field, CXClientData data)
{
	struct rs_use_fields *fields = (struct rs_use_fields *)data;
	CXType type = clang_getCanonicalType(clang_getCursorType(field));
	size_t before = fields->n_items;
	bool unnamed = rs_use_is_unnamed(field);

	if (unnamed && clang_Cursor_isBitField(field))
		return CXVisit_Continue;
	if (unnamed && type.kind == CXType_Record) {
		add_fields(fields, type);
		if (fields->n_items > before)
			fields->items[before].opens_anonymous = true;
	} else {
		*rs_array_push(fields->arena, fields->items, fields->n_items, fields->items_capacity) =
			(struct rs_use_field) { .cursor = field, .type = type };
	}
	return fields->first_only && fields->n_items > before ? CXVisit_Break : CXVisit_Continue;
}

static void add_fields(struct rs_use_fields *fields, CXType type)
{
	bool first_only = fields->first_only;

	fields->first_only = clang_getCursorKind(clang_getTypeDeclaration(type)) == CXCursor_UnionDecl;
	clang_Type_visitFields(type, add_field, fields);
	fields->first_only = first_only;
}

struct rs_use_fields rs_use_fields_of(struct rs_use_walk *walk, CXType type)
{
	struct rs_use_fields fields = { .arena = walk->arena };

	add_fields(&fields, clang_getCanonicalType(type));
	return fields;
}

static bool is_array(CXType type)
{
	return type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray ||
	       type.kind == CXType_VariableArray;
}

/* The elements of strings are integers; of what width, the compiler has checked. */
static bool takes_string(CXType array)
{
	switch (clang_getCanonicalType(clang_getArrayElementType(array)).kind) {
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

const char *rs_use_field_misfit(struct rs_use_walk *walk, const struct rs_use_field *field, CXCursor value)
{
	enum CXCursorKind kind = clang_getCursorKind(rs_use_strip(walk, value));
	CXType given = clang_getCanonicalType(clang_getCursorType(value));
	bool fits;

	if (kind == CXCursor_InitListExpr)
		return field->opens_anonymous ? "braces stand for an anonymous struct or union, which no "
						"designator can name"
					      : NULL;
	if (is_array(field->type))
		fits = (kind == CXCursor_StringLiteral && takes_string(field->type)) ||
		       (kind == CXCursor_CompoundLiteralExpr && is_array(given));
	else if (field->type.kind == CXType_Record)
		fits = is_same_record(field->type, given);
	else if (field->type.kind == CXType_Vector || field->type.kind == CXType_ExtVector)
		fits = given.kind == field->type.kind;
	else
		fits = true;
	return fits ? NULL : "braces were left out around a member's own values";
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

CXCursor rs_use_named_member(struct rs_use_walk *walk, CXCursor child)
{
	struct rs_use_children inside = rs_use_children_of(walk, child);

	for (size_t i = 0; i < inside.n_items; i++)
		if (clang_getCursorKind(inside.items[i]) == CXCursor_MemberRef &&
		    !rs_use_is_unnamed(clang_getCursorReferenced(inside.items[i])))
			return inside.items[i];
	return clang_getNullCursor();
}

size_t rs_use_designated_field(struct rs_use_walk *walk, const struct rs_use_fields *fields, CXCursor child,
			       CXCursor *ret_value)
{
	struct rs_use_children inside = rs_use_children_of(walk, child);
	CXCursor member = clang_getNullCursor(), value = member;
	size_t n_names = 0, n_others = 0; /* of the others one is the value, the rest are indices */

	for (size_t i = 0; i < inside.n_items; i++) {
		if (clang_getCursorKind(inside.items[i]) != CXCursor_MemberRef) {
			value = inside.items[i];
			n_others++;
			continue;
		}
		CXCursor named = clang_getCursorReferenced(inside.items[i]);
		if (rs_use_is_unnamed(named))
			continue;
		member = named;
		n_names++;
	}
	for (size_t i = 0; n_names == 1 && n_others == 1 && i < fields->n_items; i++)
		if (clang_equalCursors(fields->items[i].cursor, member)) {
			*ret_value = value;
			return i;
		}
	return RS_NONE;
}
