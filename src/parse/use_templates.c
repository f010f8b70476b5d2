/*
 * Templates that get a record, or make one. libclang shows them as they are written, not what they become: what
 * one of another's does with a record is not known, and lists in it have no type.
 */
#include <string.h>

#include "parse/byte_functions.h"
#include "parse/uses_internal.h"

enum { DEEPEST = 16 };

/* --- templates that get a record --- */

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
	CXType canonical = rs_use_without_reference(type);

	if (canonical.kind == CXType_Record)
		rs_use_pin_held(walk, canonical, where, "cxx-template",
				"a C++ template gets it, and libclang does not show what becomes of it there");
}

/* The record in `pool<record>`, or in a template that the standard library's is made of. */
static void check_type(struct rs_use_walk *walk, CXType type, CXCursor where, unsigned depth)
{
	CXType canonical = rs_use_without_reference(type);
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
		"allocate_shared", "as_bytes",      "as_writable_bytes", "bit_cast",
		"construct",       "construct_at",  "emplace",           "emplace_after",
		"emplace_back",    "emplace_front", "emplace_hint",      "make_any",
		"make_optional",   "make_shared",   "make_unique",       "try_emplace",
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
	CXType canonical = rs_use_without_reference(type);

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
	/* A member of a class made of a template is written for whatever that is made of. */
	if (clang_getCursorKind(clang_getSpecializedCursorTemplate(function)) != CXCursor_FunctionTemplate)
		return;
	pin_template(walk, clang_getCursorType(call), call);
	for (int i = 0; i < count; i++)
		pin_template(walk, clang_getCursorType(clang_Cursor_getArgument(call, (unsigned)i)), call);
	n_types = clang_Cursor_getNumTemplateArguments(function);
	for (int i = 0; i < n_types; i++)
		if (clang_Cursor_getTemplateArgumentKind(function, (unsigned)i) == CXTemplateArgumentKind_Type)
			pin_template(walk, clang_Cursor_getTemplateArgumentType(function, (unsigned)i), call);
}

/* --- what is written in templates --- */

static void pin_values(struct rs_use_walk *walk, CXCursor list, size_t n_values)
{
	for (size_t record = 0; record < walk->n_records; record++) {
		size_t n_fields;

		if (!rs_use_is_known(walk, record))
			continue;
		rs_use_direct_fields(walk, clang_getCanonicalType(walk->types[record]), &n_fields);
		if (n_values > 1 && n_values <= n_fields)
			rs_use_pin(
				walk, record, list, "cxx-template", true,
				"a template makes an object of %zu values in the order of its members, and it "
				"may be one of these",
				n_values);
	}
}

/* Each list in it that has no type may be for the record. */
static void pin_unknown(struct rs_use_walk *walk, CXCursor list)
{
	struct rs_use_children values = rs_use_children_of(walk, list);

	pin_values(walk, list, values.n_items);
	for (size_t i = 0; i < values.n_items; i++)
		if (clang_getCursorKind(values.items[i]) == CXCursor_InitListExpr)
			pin_unknown(walk, values.items[i]);
}

static bool is_template_type(CXType type)
{
	switch (clang_getCanonicalType(type).kind) {
	case CXType_Invalid:
	case CXType_Void:
	case CXType_Unexposed:
	case CXType_Dependent:
	case CXType_Auto:
		return true;
	default:
		return false;
	}
}

/* What the list is for: what makes the object, or the member before the list in a constructor. */
static CXType made_type(struct rs_use_walk *walk, CXCursor list, CXCursor parent)
{
	CXType type = clang_getCursorType(parent);

	if (clang_getCursorKind(parent) != CXCursor_Constructor)
		return type;
	struct rs_use_children parts = rs_use_children_of(walk, parent);
	for (size_t i = 1; i < parts.n_items; i++)
		if (clang_equalCursors(parts.items[i], list))
			return clang_getCursorType(parts.items[i - 1]);
	return type;
}

void rs_use_check_untyped(struct rs_use_walk *walk, CXCursor list, CXCursor parent)
{
	enum CXCursorKind kind = clang_getCursorKind(parent);
	CXType type = made_type(walk, list, parent);
	bool tells = kind == CXCursor_VarDecl || kind == CXCursor_FieldDecl || kind == CXCursor_ParmDecl ||
		     kind == CXCursor_CallExpr || kind == CXCursor_Constructor;

	if (clang_getCursorType(list).kind != CXType_Void || kind == CXCursor_InitListExpr ||
	    rs_use_children_of(walk, list).n_items == 0)
		return;
	if (tells && clang_Type_getNumTemplateArguments(type) > 0)
		return; /* `pool<T>{ … }` is no record */
	if (tells && !is_template_type(type)) {
		rs_use_pin_held(walk, type, list, "cxx-template",
				"a list in a template gives its members values by position");
		return;
	}
	pin_unknown(walk, list);
}

static bool is_dependent(CXType type)
{
	return type.kind == CXType_Dependent || clang_getCanonicalType(type).kind == CXType_Unexposed;
}

static const char *callee(struct rs_use_walk *walk, CXCursor call)
{
	CXCursor named = clang_getCursorReferenced(rs_use_first_child(call));

	return clang_Cursor_isNull(named) ? "" : rs_tu_string(walk->arena, clang_getCursorSpelling(named));
}

struct byte_search {
	struct rs_use_walk *walk;
	CXCursor found;
};

static enum CXChildVisitResult look_for_bytes(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct byte_search *search = (struct byte_search *)data;
	enum CXCursorKind kind = clang_getCursorKind(cursor);
	bool is_cast = kind == CXCursor_CXXReinterpretCastExpr || kind == CXCursor_CStyleCastExpr;
	struct rs_use_children inside = rs_use_children_of(search->walk, cursor);
	bool sees = false;

	(void)parent;
	if (is_cast && inside.n_items > 0 && rs_use_is_pointer(clang_getCursorType(cursor)))
		sees = is_dependent(clang_getCursorType(inside.items[inside.n_items - 1]));
	if (kind == CXCursor_CallExpr && is_dependent(clang_getCursorType(cursor)))
		sees = rs_byte_functions_find(callee(search->walk, cursor)) != NULL;
	if (!sees)
		return CXChildVisit_Recurse;
	search->found = cursor;
	return CXChildVisit_Break;
}

static bool takes_anything(struct rs_use_walk *walk, CXCursor function)
{
	struct rs_use_children parts = rs_use_children_of(walk, function);

	for (size_t i = 0; i < parts.n_items; i++) {
		CXType type = clang_getCanonicalType(clang_getCursorType(parts.items[i]));

		if (type.kind == CXType_LValueReference || type.kind == CXType_RValueReference)
			type = clang_getPointeeType(type);
		if (clang_getCursorKind(parts.items[i]) == CXCursor_ParmDecl && is_dependent(type))
			return true;
	}
	return false;
}

/* A function object that others call with whatever they have: no call of it shows a record. */
void rs_use_check_generic(struct rs_use_walk *walk, CXCursor function)
{
	struct byte_search search = { .walk = walk, .found = clang_getNullCursor() };
	bool is_lambda = clang_getCursorKind(function) == CXCursor_LambdaExpr;
	const char *name = rs_tu_string(walk->arena, clang_getCursorSpelling(function));

	if ((!is_lambda && strcmp(name, "operator()") != 0) || !takes_anything(walk, function))
		return;
	clang_visitChildren(function, look_for_bytes, &search);
	for (size_t record = 0; record < walk->n_records && !clang_Cursor_isNull(search.found); record++)
		if (rs_use_is_known(walk, record))
			rs_use_pin(walk, record, search.found, "cxx-template", true,
				   "a function for objects of any type looks at their bytes, and it may get "
				   "one of "
				   "these");
}
