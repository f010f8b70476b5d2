/*
 * Where the memory that an expression points to comes from, as far as its own text tells.
 */
#include <string.h>

#include "parse/uses_internal.h"

enum { MAX_DEPTH = 24 };

static enum CXChildVisitResult take_last(CXCursor cursor, CXCursor parent, CXClientData data)
{
	(void)parent;
	*(CXCursor *)data = cursor;
	return CXChildVisit_Continue;
}

static enum CXChildVisitResult take_first(CXCursor cursor, CXCursor parent, CXClientData data)
{
	(void)parent;
	*(CXCursor *)data = cursor;
	return CXChildVisit_Break;
}

CXCursor rs_use_first_child(CXCursor cursor)
{
	CXCursor child = clang_getNullCursor();

	clang_visitChildren(cursor, take_first, &child);
	return child;
}

CXType rs_use_element(CXType type)
{
	CXType canonical = clang_getCanonicalType(type);

	if (canonical.kind == CXType_Pointer)
		return clang_getCanonicalType(clang_getPointeeType(canonical));
	if (canonical.kind == CXType_ConstantArray || canonical.kind == CXType_IncompleteArray ||
	    canonical.kind == CXType_VariableArray)
		return clang_getCanonicalType(clang_getArrayElementType(canonical));
	return (CXType) { .kind = CXType_Invalid };
}

bool rs_use_is_byte(CXType type)
{
	return type.kind == CXType_Char_S || type.kind == CXType_Char_U || type.kind == CXType_UChar ||
	       type.kind == CXType_SChar;
}

bool rs_use_is_number(CXType type)
{
	return type.kind >= CXType_Bool && type.kind <= CXType_LongDouble;
}

static bool is_raw(CXType element)
{
	return element.kind == CXType_Void || rs_use_is_number(element);
}

static bool is_declared(CXCursor declaration)
{
	enum CXCursorKind kind = clang_getCursorKind(declaration);

	return kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl || kind == CXCursor_FieldDecl;
}

/* A variable, parameter or member that may hold an address of anything, or is such memory itself. */
static bool is_holder(CXCursor declaration)
{
	return is_declared(declaration) && is_raw(rs_use_element(clang_getCursorType(declaration)));
}

CXCursor rs_use_row_of(struct rs_use_walk *walk, CXCursor element)
{
	CXCursor row = rs_use_strip_casts(walk, element);

	while (clang_getCursorKind(row) == CXCursor_ArraySubscriptExpr)
		row = rs_use_strip_casts(walk, rs_use_first_child(row));
	if (clang_getCursorKind(row) == CXCursor_DeclRefExpr || clang_getCursorKind(row) == CXCursor_MemberRefExpr)
		row = clang_getCursorReferenced(row);
	return is_declared(row) ? row : clang_getNullCursor();
}

/* `all[i]`, a pointer to anything. */
static struct rs_use_origin origin_of_element(struct rs_use_walk *walk, CXCursor element)
{
	CXType type = clang_getCursorType(element);
	struct rs_use_origin origin = { .kind = RS_ORIGIN_UNKNOWN, .where = element };

	if (!rs_use_is_pointer(type) || rs_use_element(type).kind != CXType_Void)
		return origin;
	origin.declaration = rs_use_row_of(walk, element);
	if (!clang_Cursor_isNull(origin.declaration))
		origin.kind = RS_ORIGIN_HOLDER;
	return origin;
}

static bool mentions_offset(CXCursor cursor)
{
	CXString spelling = clang_getCursorSpelling(cursor);
	const char *name = clang_getCString(spelling);
	bool is_offset = name && (strstr(name, "off") || strstr(name, "Off") || strstr(name, "OFF"));

	clang_disposeString(spelling);
	return is_offset;
}

static CXCursor last_child(CXCursor cursor)
{
	CXCursor child = clang_getNullCursor();

	clang_visitChildren(cursor, take_last, &child);
	return child;
}

/* `&((T *)0)->m`, an offsetof of one's own. */
bool rs_use_is_null_member(CXCursor expression)
{
	long long value = 1;

	if (clang_getCursorKind(expression) != CXCursor_UnaryOperator ||
	    !rs_use_is_pointer(clang_getCursorType(expression)))
		return false;
	CXCursor inner = last_child(expression);
	bool has_member = false;
	for (unsigned depth = 0; depth < MAX_DEPTH && !clang_Cursor_isNull(inner); depth++) {
		enum CXCursorKind kind = clang_getCursorKind(inner);

		has_member = has_member || kind == CXCursor_MemberRefExpr;
		if (kind == CXCursor_IntegerLiteral)
			return has_member && rs_use_evaluate(inner, &value) && value == 0;
		if (kind != CXCursor_MemberRefExpr && kind != CXCursor_ParenExpr &&
		    kind != CXCursor_UnexposedExpr && kind != CXCursor_CStyleCastExpr)
			return false;
		inner = kind == CXCursor_MemberRefExpr ? rs_use_first_child(inner) : last_child(inner);
	}
	return false;
}

static enum CXChildVisitResult look_for_offset(CXCursor cursor, CXCursor parent, CXClientData data)
{
	enum CXCursorKind kind = clang_getCursorKind(cursor);
	bool *found = (bool *)data;

	(void)parent;
	*found = *found || kind == CXCursor_MemberRef || kind == CXCursor_UnaryExpr ||
		 rs_use_is_null_member(cursor) ||
		 ((kind == CXCursor_MemberRefExpr || kind == CXCursor_DeclRefExpr) && mentions_offset(cursor));
	return *found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

bool rs_use_is_offset(CXCursor expression)
{
	bool found = false;

	look_for_offset(expression, clang_getNullCursor(), &found);
	if (!found)
		clang_visitChildren(expression, look_for_offset, &found);
	return found;
}

bool rs_use_is_pointer(CXType type)
{
	return clang_getCanonicalType(type).kind == CXType_Pointer;
}

/* `p + n` on bytes: p, unless n says where a member or the end is. */
static CXCursor base_of_sum(struct rs_use_walk *walk, CXCursor sum)
{
	struct rs_use_children sides = rs_use_children_of(walk, sum);
	CXType element = rs_use_element(clang_getCursorType(sum));

	if (sides.n_items != 2 || !rs_use_is_pointer(clang_getCursorType(sum)) ||
	    (element.kind != CXType_Void && !rs_use_is_number(element)))
		return clang_getNullCursor();
	bool first = rs_use_is_pointer(clang_getCursorType(sides.items[0]));
	bool second = rs_use_is_pointer(clang_getCursorType(sides.items[1]));
	CXCursor number = sides.items[first ? 1 : 0];
	if (first == second || (rs_use_is_offset(number) && !rs_use_is_stride(walk, number)))
		return clang_getNullCursor();
	return sides.items[first ? 0 : 1];
}

/* Maps of files and of memory that other processes see. */
static bool is_mapping(struct rs_use_walk *walk, CXCursor call)
{
	static const char *const names[] = { "mmap",          "mmap64",       "shmat",    "ioremap",
					     "MapViewOfFile", "phys_to_virt", "memremap", "skb_put",
					     "skb_push",      "nlmsg_data",   "nla_data", "BPF_MAP_LOOKUP" };
	const char *name = rs_tu_string(walk->arena, clang_getCursorSpelling(call));
	long long descriptor;

	if (strncmp(name, "mmap", 4) == 0 && clang_Cursor_getNumArguments(call) == 6 &&
	    rs_use_evaluate(clang_Cursor_getArgument(call, 4), &descriptor) && (int)descriptor < 0)
		return false;
	for (size_t i = 0; i < RS_COUNT_OF(names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static struct rs_use_origin origin_of_reference(CXCursor expression)
{
	CXCursor declaration = clang_getCursorReferenced(expression);
	struct rs_use_origin origin = { .kind = RS_ORIGIN_UNKNOWN, .where = expression };

	if (is_holder(declaration)) {
		origin.kind = RS_ORIGIN_HOLDER;
		origin.declaration = declaration;
	}
	return origin;
}

/* A mapping, or what a function of this unit that gives an address of anything returns. */
static struct rs_use_origin origin_of_call(struct rs_use_walk *walk, CXCursor call)
{
	CXCursor function = clang_getCursorReferenced(call);
	struct rs_use_origin origin = { .kind = RS_ORIGIN_UNKNOWN, .where = call };

	if (is_mapping(walk, call)) {
		origin.kind = RS_ORIGIN_MAPPING;
	} else if (clang_getCursorKind(function) == CXCursor_FunctionDecl &&
		   !clang_Cursor_isNull(clang_getCursorDefinition(function)) &&
		   is_raw(rs_use_element(clang_getCursorResultType(function)))) {
		origin.kind = RS_ORIGIN_HOLDER;
		origin.declaration = function;
	}
	return origin;
}

static struct rs_use_origin origin_of_address(struct rs_use_walk *walk, CXCursor operand)
{
	CXType type = clang_getCanonicalType(clang_getCursorType(operand));
	struct rs_use_origin origin = { .kind = RS_ORIGIN_UNKNOWN, .type = type, .where = operand };

	operand = rs_use_strip(walk, operand);
	if (type.kind == CXType_Record) {
		long long index = 0;
		struct rs_use_children inside = rs_use_children_of(walk, operand);

		/* `&s[1]` lies behind what `s` points to */
		if (clang_getCursorKind(operand) != CXCursor_ArraySubscriptExpr ||
		    (inside.n_items == 2 && (!rs_use_evaluate(inside.items[1], &index) || index == 0)))
			origin.kind = RS_ORIGIN_OBJECT;
	} else if (clang_getCursorKind(operand) == CXCursor_MemberRefExpr && rs_use_is_number(type)) {
		origin.kind = RS_ORIGIN_MEMBER;
		origin.declaration = clang_getCursorReferenced(operand);
	} else if (clang_getCursorKind(operand) == CXCursor_ArraySubscriptExpr) {
		return rs_use_origin_of(walk, rs_use_first_child(operand));
	}
	return origin;
}

/* `&x`, `p++`, `--p`. */
static struct rs_use_origin origin_of_unary(struct rs_use_walk *walk, CXCursor expression)
{
	CXCursor operand = rs_use_first_child(expression);
	CXType type = clang_getCanonicalType(clang_getCursorType(expression));

	if (clang_equalTypes(type, clang_getCanonicalType(clang_getCursorType(operand))))
		return rs_use_origin_of(walk, operand);
	if (type.kind == CXType_Pointer &&
	    clang_equalTypes(clang_getCanonicalType(clang_getPointeeType(type)),
			     clang_getCanonicalType(clang_getCursorType(operand))))
		return origin_of_address(walk, operand);
	return (struct rs_use_origin) { .kind = RS_ORIGIN_UNKNOWN, .where = expression };
}

CXCursor rs_use_strip_casts(struct rs_use_walk *walk, CXCursor expression)
{
	for (unsigned depth = 0; depth < MAX_DEPTH; depth++) {
		expression = rs_use_strip(walk, expression);
		if (!rs_use_is_cast(clang_getCursorKind(expression)))
			break;
		struct rs_use_children inside = rs_use_children_of(walk, expression);
		if (inside.n_items == 0)
			break;
		expression = inside.items[inside.n_items - 1];
	}
	return expression;
}

struct rs_use_origin rs_use_origin_of(struct rs_use_walk *walk, CXCursor expression)
{
	CXCursor core = rs_use_strip_casts(walk, expression);
	struct rs_use_origin origin = { .kind = RS_ORIGIN_UNKNOWN, .where = core };
	CXType element;

	switch (clang_getCursorKind(core)) {
	case CXCursor_UnaryOperator:
		return origin_of_unary(walk, core);
	case CXCursor_BinaryOperator:
		core = base_of_sum(walk, core);
		return clang_Cursor_isNull(core) ? origin : rs_use_origin_of(walk, core);
	case CXCursor_CallExpr:
		return origin_of_call(walk, core);
	case CXCursor_ArraySubscriptExpr:
		return origin_of_element(walk, core);
	case CXCursor_DeclRefExpr:
	case CXCursor_MemberRefExpr:
		element = rs_use_element(clang_getCursorType(core));
		if (element.kind != CXType_Record)
			return origin_of_reference(core);
		origin.kind = RS_ORIGIN_OBJECT;
		origin.type = element;
		return origin;
	default:
		return origin;
	}
}
