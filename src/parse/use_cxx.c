/*
 * What C++ adds to the ways in which code depends on the order of members. C++ units are read for their uses
 * alone: how a record is laid out, C says.
 */
#include <string.h>

#include "parse/uses_internal.h"

CXType rs_use_without_reference(CXType type)
{
	CXType canonical = clang_getCanonicalType(type);

	if (canonical.kind == CXType_LValueReference || canonical.kind == CXType_RValueReference)
		return clang_getCanonicalType(clang_getPointeeType(canonical));
	return canonical;
}

/* --- the record's own definition --- */

static bool makes_a_class(enum CXCursorKind kind)
{
	switch (kind) {
	case CXCursor_CXXBaseSpecifier:
	case CXCursor_Constructor:
	case CXCursor_Destructor:
	case CXCursor_CXXMethod:
	case CXCursor_ConversionFunction:
	case CXCursor_FunctionTemplate:
	case CXCursor_CXXAccessSpecifier:
	case CXCursor_FriendDecl:
		return true;
	default:
		return false;
	}
}

static enum CXChildVisitResult look_for_class(CXCursor cursor, CXCursor parent, CXClientData data)
{
	CXCursor *found = (CXCursor *)data;

	(void)parent;
	if (!makes_a_class(clang_getCursorKind(cursor)))
		return CXChildVisit_Continue;
	*found = cursor;
	return CXChildVisit_Break;
}

static void check_class(struct rs_use_walk *walk, CXCursor declaration)
{
	CXCursor found = clang_getNullCursor();
	size_t record;

	if (!clang_isCursorDefinition(declaration))
		return;
	record = rs_use_record_of(walk, clang_getCursorType(declaration));
	if (record == RS_NONE)
		return;
	clang_visitChildren(declaration, look_for_class, &found);
	if (!clang_Cursor_isNull(found))
		rs_use_pin(walk, record, found, "cxx-class", true,
			   "to C++ it is a class: its constructors, and what it is made from, follow the order "
			   "of the members");
}

static void check_base(struct rs_use_walk *walk, CXCursor base)
{
	rs_use_pin_held(
		walk, clang_getCursorType(base), base, "cxx-inheritance",
		"a C++ class inherits from it: its lists and its layout follow the order of the members");
}

/* --- other classes --- */

static bool is_hidden(CXCursor field)
{
	enum CX_CXXAccessSpecifier access = clang_getCXXAccessSpecifier(field);

	return access == CX_CXXPrivate || access == CX_CXXProtected;
}

static enum CXChildVisitResult judge_part(CXCursor cursor, CXCursor parent, CXClientData data)
{
	enum rs_use_class *class = (enum rs_use_class *)data;
	CXString name = clang_getCursorSpelling(cursor), own = clang_getCursorSpelling(parent);
	bool is_own = strcmp(clang_getCString(name), clang_getCString(own)) == 0;

	clang_disposeString(name);
	clang_disposeString(own);
	switch (clang_getCursorKind(cursor)) {
	case CXCursor_Constructor:
		*class = clang_CXXMethod_isDefaulted(cursor) ? RS_CLASS_UNSURE : RS_CLASS_MADE;
		break;
	case CXCursor_FunctionTemplate:
		*class = is_own ? RS_CLASS_MADE : *class;
		break;
	case CXCursor_CXXBaseSpecifier:
		*class = RS_CLASS_UNSURE;
		break;
	case CXCursor_CXXMethod:
		*class = clang_CXXMethod_isVirtual(cursor) ? RS_CLASS_MADE : *class;
		break;
	case CXCursor_FieldDecl:
		*class = is_hidden(cursor) ? RS_CLASS_MADE : *class;
		break;
	default:
		break;
	}
	return *class == RS_CLASS_MADE ? CXChildVisit_Break : CXChildVisit_Continue;
}

/* Of what a template became libclang shows no parts. */
static CXCursor written_class(CXType type)
{
	CXCursor declaration = clang_getTypeDeclaration(type);
	CXCursor template = clang_getSpecializedCursorTemplate(declaration);

	if (clang_Cursor_isNull(template))
		return clang_getCursorDefinition(declaration);
	CXCursor definition = clang_getCursorDefinition(template);
	return clang_Cursor_isNull(definition) ? template : definition;
}

enum rs_use_class rs_use_class_of(CXType type)
{
	enum rs_use_class class = RS_CLASS_AGGREGATE;

	if (type.kind == CXType_Record)
		clang_visitChildren(written_class(type), judge_part, &class);
	return class;
}

struct conversion {
	CXType type;
	bool found;
};

static enum CXChildVisitResult look_for_conversion(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct conversion *conversion = (struct conversion *)data;

	(void)parent;
	if (clang_getCursorKind(cursor) != CXCursor_ConversionFunction)
		return CXChildVisit_Continue;
	CXType result = rs_use_without_reference(clang_getCursorResultType(cursor));
	conversion->found = conversion->found || clang_equalCursors(clang_getTypeDeclaration(result),
								    clang_getTypeDeclaration(conversion->type));
	return CXChildVisit_Continue;
}

bool rs_use_converts_to(CXType from, CXType type)
{
	struct conversion conversion = { .type = type };

	clang_visitChildren(written_class(from), look_for_conversion, &conversion);
	return conversion.found;
}

/* --- names and addresses of members --- */

static enum CXChildVisitResult count_child(CXCursor cursor, CXCursor parent, CXClientData data)
{
	size_t *count = (size_t *)data;

	(void)parent;
	*count += clang_getCursorKind(cursor) == CXCursor_UnexposedDecl;
	return CXChildVisit_Continue;
}

/* Whether a binding of so many names may be for the record: in a template its type is not known. */
static bool may_bind(struct rs_use_walk *walk, size_t record, CXType type, size_t n_names)
{
	size_t n_fields;

	if (type.kind == CXType_Record)
		return rs_use_record_of(walk, type) == record;
	if (type.kind != CXType_Auto && type.kind != CXType_Dependent && type.kind != CXType_Unexposed)
		return false;
	rs_use_direct_fields(walk, clang_getCanonicalType(walk->types[record]), &n_fields);
	return n_fields == n_names;
}

/* `auto [a, b] = s;` has no cursor kind of its own. */
static void check_binding(struct rs_use_walk *walk, CXCursor declaration)
{
	CXType type = rs_use_without_reference(clang_getCursorType(declaration));
	const char *name = rs_tu_string(walk->arena, clang_getCursorSpelling(declaration));
	size_t n_names = 0;

	if (name[0] != '[')
		return;
	clang_visitChildren(declaration, count_child, &n_names);
	for (size_t record = 0; record < walk->n_records; record++)
		if (rs_use_is_known(walk, record) && may_bind(walk, record, type, n_names))
			rs_use_pin(walk, record, declaration, "cxx-binding", true,
				   "a structured binding takes the members in their order");
}

static void check_member_pointer(struct rs_use_walk *walk, CXCursor expression)
{
	if (clang_getCanonicalType(clang_getCursorType(expression)).kind != CXType_MemberPointer)
		return;
	CXCursor member = rs_use_strip(walk, rs_use_first_child(expression));
	CXCursor field = clang_getCursorReferenced(member);
	if (clang_getCursorKind(field) != CXCursor_FieldDecl)
		return;
	size_t record = rs_use_record_of_field(walk, field);
	if (record != RS_NONE)
		rs_use_pin(walk, record, expression, "cxx-member-pointer", true,
			   "a pointer to its member '%s' holds where that lies",
			   rs_tu_string(walk->arena, clang_getCursorSpelling(field)));
}

/* --- casts --- */

bool rs_use_is_cast(enum CXCursorKind kind)
{
	return kind == CXCursor_CStyleCastExpr || kind == CXCursor_CXXStaticCastExpr ||
	       kind == CXCursor_CXXReinterpretCastExpr || kind == CXCursor_CXXConstCastExpr ||
	       kind == CXCursor_CXXFunctionalCastExpr;
}

static void pin_cast(struct rs_use_walk *walk, CXType type, CXCursor cast)
{
	CXType canonical = clang_getCanonicalType(type);

	if (canonical.kind == CXType_Record)
		rs_use_pin_held(walk, canonical, cast, "cxx-reinterpret-cast",
				"its bytes are seen as something else, or something else as its bytes");
}

/* Of pointers, or of an object that is referred to as another; numbers become addresses as in C. */
static void check_reinterpret(struct rs_use_walk *walk, CXCursor cast)
{
	struct rs_use_children inside = rs_use_children_of(walk, cast);

	if (inside.n_items == 0)
		return;
	CXType target = clang_getCanonicalType(clang_getCursorType(cast));
	CXType source = clang_getCursorType(rs_use_strip(walk, inside.items[inside.n_items - 1]));
	if (rs_use_is_pointer(target)) {
		target = rs_use_element(target);
		source = rs_use_element(source);
	} else if (rs_use_is_pointer(source) && target.kind != CXType_Record) {
		return;
	}
	if (source.kind == CXType_Invalid) {
		rs_use_check_cast(walk, cast);
		return;
	}
	size_t to = rs_use_record_of(walk, target), from = rs_use_record_of(walk, source);
	if (to != RS_NONE && to == from)
		return;
	pin_cast(walk, target, cast);
	pin_cast(walk, source, cast);
}

/* `(char &)s` is one, too. */
static void check_reference_cast(struct rs_use_walk *walk, CXCursor cast)
{
	struct rs_use_children inside = rs_use_children_of(walk, cast);
	CXType target = clang_getCanonicalType(clang_getCursorType(cast)), source;

	if (inside.n_items == 0 || rs_use_is_pointer(target) || target.kind == CXType_Void)
		return;
	source = clang_getCanonicalType(
		clang_getCursorType(rs_use_strip(walk, inside.items[inside.n_items - 1])));
	size_t to = rs_use_record_of(walk, target), from = rs_use_record_of(walk, source);
	if (to == from || rs_use_is_pointer(source))
		return;
	pin_cast(walk, target, cast);
	pin_cast(walk, source, cast);
}

/* --- what is asked of each cursor --- */

static void check_static_cast(struct rs_use_walk *walk, CXCursor cast)
{
	/* A cast to a reference, or between objects, is no conversion of a pointer. */
	if (!rs_use_is_pointer(clang_getCursorType(cast)))
		return;
	rs_use_check_cast(walk, cast);
	rs_use_check_conversion(walk, cast);
}

static void enter_function(struct rs_use_walk *walk, CXCursor function)
{
	walk->function = function;
}

struct row {
	enum CXCursorKind kind;
	void (*check)(struct rs_use_walk *walk, CXCursor cursor);
};

static const struct row rows[] = {
	{ CXCursor_StructDecl, check_class },
	{ CXCursor_ClassDecl, check_class },
	{ CXCursor_CXXBaseSpecifier, check_base },
	{ CXCursor_UnexposedDecl, check_binding },
	{ CXCursor_UnaryOperator, check_member_pointer },
	{ CXCursor_CXXReinterpretCastExpr, check_reinterpret },
	{ CXCursor_CStyleCastExpr, check_reference_cast },
	{ CXCursor_CXXStaticCastExpr, check_static_cast },
	{ CXCursor_CXXConstCastExpr, check_static_cast },
	{ CXCursor_CXXFunctionalCastExpr, check_static_cast },
	{ CXCursor_VarDecl, rs_use_check_instance },
	{ CXCursor_FieldDecl, rs_use_check_instance },
	{ CXCursor_ParmDecl, rs_use_check_instance },
	{ CXCursor_TypedefDecl, rs_use_check_instance },
	{ CXCursor_TypeAliasDecl, rs_use_check_instance },
	{ CXCursor_LambdaExpr, rs_use_check_generic },
	{ CXCursor_FunctionTemplate, rs_use_check_generic },
	{ CXCursor_CXXMethod, enter_function },
	{ CXCursor_Constructor, enter_function },
	{ CXCursor_Destructor, enter_function },
	{ CXCursor_ConversionFunction, enter_function },
	{ CXCursor_FunctionTemplate, enter_function },
};

void rs_use_check_cxx(struct rs_use_walk *walk, CXCursor cursor, CXCursor parent)
{
	enum CXCursorKind kind = clang_getCursorKind(cursor);

	if (kind == CXCursor_InitListExpr)
		rs_use_check_untyped(walk, cursor, parent);
	for (size_t i = 0; i < RS_COUNT_OF(rows); i++)
		if (rows[i].kind == kind)
			rows[i].check(walk, cursor);
}
