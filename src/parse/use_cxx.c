/*
 * What C++ adds to the ways in which code depends on the order of members. C++ units are read for their uses
 * alone: libclang shows templates as they are written, not what they become, so that a template which gets a
 * record is as unknown as code that nobody has.
 */
#include <string.h>

#include "parse/uses_internal.h"

enum { DEEPEST = 16 };

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

void rs_use_check_class(struct rs_use_walk *walk, CXCursor declaration)
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

void rs_use_check_base(struct rs_use_walk *walk, CXCursor base)
{
	rs_use_pin_held(walk, clang_getCursorType(base), base, "cxx-inheritance",
			"a C++ class inherits from it: its lists and its layout follow the order of the members");
}

/* --- names and addresses of members --- */

static enum CXChildVisitResult count_child(CXCursor cursor, CXCursor parent, CXClientData data)
{
	size_t *count = (size_t *)data;

	(void)parent;
	*count += clang_getCursorKind(cursor) == CXCursor_UnexposedDecl;
	return CXChildVisit_Continue;
}

static CXType without_reference(CXType type)
{
	CXType canonical = clang_getCanonicalType(type);

	if (canonical.kind == CXType_LValueReference || canonical.kind == CXType_RValueReference)
		return clang_getCanonicalType(clang_getPointeeType(canonical));
	return canonical;
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
void rs_use_check_binding(struct rs_use_walk *walk, CXCursor declaration)
{
	CXType type = without_reference(clang_getCursorType(declaration));
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

void rs_use_check_member_pointer(struct rs_use_walk *walk, CXCursor expression)
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
void rs_use_check_reinterpret(struct rs_use_walk *walk, CXCursor cast)
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

/* --- templates --- */

static const char *const own_namespaces[] = { "std", "__gnu_cxx", "__cxx11" };

/* The standard library makes no lists of what it is given, but for the functions below. */
static bool is_of_library(struct rs_use_walk *walk, CXCursor cursor)
{
	CXCursor parent = clang_getCursorSemanticParent(cursor);

	for (unsigned depth = 0; depth < DEEPEST && !clang_Cursor_isNull(parent); depth++) {
		const char *name = rs_tu_string(walk->arena, clang_getCursorSpelling(parent));

		for (size_t i = 0; i < RS_COUNT_OF(own_namespaces); i++)
			if (clang_getCursorKind(parent) == CXCursor_Namespace &&
			    strcmp(name, own_namespaces[i]) == 0)
				return true;
		parent = clang_getCursorSemanticParent(parent);
	}
	return false;
}

static bool is_template_of_another(struct rs_use_walk *walk, CXCursor made)
{
	CXCursor template = clang_getSpecializedCursorTemplate(made);

	return !clang_Cursor_isNull(template) && !is_of_library(walk, template);
}

static void pin_template(struct rs_use_walk *walk, CXType type, CXCursor where)
{
	CXType canonical = without_reference(type);

	if (canonical.kind == CXType_Record)
		rs_use_pin_held(walk, canonical, where, "cxx-template",
				"a C++ template gets it, and libclang does not show what becomes of it there");
}

/* The record in `pool<record>`, or in a template that the standard library's is made of. */
static void check_type(struct rs_use_walk *walk, CXType type, CXCursor where, unsigned depth)
{
	CXType canonical = without_reference(type);
	int count = clang_Type_getNumTemplateArguments(canonical);
	bool is_own = count > 0 && is_template_of_another(walk, clang_getTypeDeclaration(canonical));

	for (int i = 0; i < count && depth < DEEPEST; i++) {
		CXType argument = clang_Type_getTemplateArgumentAsType(canonical, (unsigned)i);

		if (is_own)
			pin_template(walk, argument, where);
		check_type(walk, argument, where, depth + 1);
	}
}

void rs_use_check_instance(struct rs_use_walk *walk, CXCursor declaration)
{
	check_type(walk, clang_getCursorType(declaration), declaration, 0);
}

/* Functions of the standard library that make an object of values, or look at its bytes. */
static bool makes_objects(const char *name)
{
	static const char *const names[] = {
		"allocate_shared", "as_bytes",      "as_writable_bytes", "bit_cast",    "construct",
		"construct_at",    "emplace",       "emplace_after",     "emplace_back", "emplace_front",
		"emplace_hint",    "make_any",      "make_optional",     "make_shared", "make_unique",
		"try_emplace",
	};

	for (size_t i = 0; i < RS_COUNT_OF(names); i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static bool gets_record(struct rs_use_walk *walk, CXCursor call, size_t record)
{
	int count = clang_Cursor_getNumArguments(call);

	for (int i = 0; i < count; i++)
		if (rs_use_record_of(walk, clang_getCursorType(clang_Cursor_getArgument(call, (unsigned)i))) ==
		    record)
			return true;
	return count == 0;
}

static bool is_about(struct rs_use_walk *walk, CXType type, size_t record, unsigned depth)
{
	CXType canonical = without_reference(type);

	if (rs_use_record_of(walk, canonical) == record)
		return true;
	for (int i = 0; i < clang_Type_getNumTemplateArguments(canonical) && depth < DEEPEST; i++)
		if (is_about(walk, clang_Type_getTemplateArgumentAsType(canonical, (unsigned)i), record,
			     depth + 1))
			return true;
	return false;
}

/* `v.emplace_back(1, 2)`, `std::bit_cast<bytes>(s)`. */
static void check_library_call(struct rs_use_walk *walk, CXCursor call, CXCursor function)
{
	const char *name = rs_tu_string(walk->arena, clang_getCursorSpelling(function));
	bool sees_bytes = strcmp(name, "bit_cast") == 0 || strncmp(name, "as_", 3) == 0;
	CXType object = clang_getCursorType(clang_getCursorSemanticParent(function));

	if (!makes_objects(name))
		return;
	for (size_t record = 0; record < walk->n_records; record++) {
		bool concerns = is_about(walk, object, record, 0) ||
				is_about(walk, clang_getCursorType(call), record, 0) ||
				(sees_bytes && gets_record(walk, call, record));

		if (rs_use_is_known(walk, record) && concerns &&
		    (sees_bytes || !gets_record(walk, call, record)))
			rs_use_pin(walk, record, call, "cxx-template", true,
				   "%s makes it of values in the order of its members, or looks at its bytes",
				   name);
	}
}

void rs_use_check_instance_call(struct rs_use_walk *walk, CXCursor call, CXCursor function)
{
	int count = clang_Cursor_getNumArguments(call), n_types;

	check_type(walk, clang_getCursorType(call), call, 0);
	if (is_of_library(walk, function)) {
		check_library_call(walk, call, function);
		return;
	}
	if (!is_template_of_another(walk, function))
		return;
	pin_template(walk, clang_getCursorType(call), call);
	for (int i = 0; i < count; i++)
		pin_template(walk, clang_getCursorType(clang_Cursor_getArgument(call, (unsigned)i)), call);
	n_types = clang_Cursor_getNumTemplateArguments(function);
	for (int i = 0; i < n_types; i++)
		if (clang_Cursor_getTemplateArgumentKind(function, (unsigned)i) == CXTemplateArgumentKind_Type)
			pin_template(walk, clang_Cursor_getTemplateArgumentType(function, (unsigned)i), call);
}

/* `T{ a, b }` in a template: of what, only who uses it knows. */
void rs_use_check_dependent(struct rs_use_walk *walk, CXCursor made)
{
	CXType type = clang_getCursorType(made);
	CXCursor first = rs_use_first_child(made), list = clang_getNullCursor();
	struct rs_use_children inside;

	if (type.kind != CXType_Unexposed || !clang_Cursor_isNull(clang_getCursorReferenced(made)))
		return;
	if (clang_getCursorKind(first) == CXCursor_TemplateRef ||
	    (clang_getCursorKind(first) == CXCursor_TypeRef &&
	     clang_getCursorKind(clang_getCursorReferenced(first)) != CXCursor_TemplateTypeParameter))
		return;
	inside = rs_use_children_of(walk, made);
	if (inside.n_items > 0)
		list = inside.items[inside.n_items - 1];
	if (clang_getCursorKind(list) != CXCursor_InitListExpr)
		return;
	size_t n_values = rs_use_children_of(walk, list).n_items, n_fields;
	for (size_t record = 0; record < walk->n_records; record++) {
		if (!rs_use_is_known(walk, record))
			continue;
		rs_use_direct_fields(walk, clang_getCanonicalType(walk->types[record]), &n_fields);
		if (n_values > 1 && n_values <= n_fields)
			rs_use_pin(walk, record, list, "cxx-template", true,
				   "a template makes an object of %zu values in the order of its members, and it "
				   "may be one of these",
				   n_values);
	}
}
