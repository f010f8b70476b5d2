/*
 * Reads and writes behind addresses: elements and bytes, and the ways on which addresses come there.
 */
#include <string.h>

#include "parse/uses_internal.h"

static bool is_null(CXCursor cursor)
{
	return clang_Cursor_isNull(cursor) != 0;
}

/* The copy of a byte, which says nothing about what it is: both sides of `to[i] = from[i]`. */
static bool is_plain_copy(struct rs_use_walk *walk, CXCursor access)
{
	for (size_t i = 0; i < RS_COUNT_OF(walk->copied); i++)
		if (clang_equalCursors(walk->copied[i], access))
			return true;
	return false;
}

void rs_use_pin_past(struct rs_use_walk *walk, const struct rs_use_origin *origin, CXCursor where)
{
	for (size_t record = 0; record < walk->n_records; record++)
		if (rs_use_unit_of_field(walk, record, origin->declaration) != RS_NONE)
			rs_use_pin(walk, record, where, "member-range", true,
				   "the access goes past '%s' into what follows it",
				   rs_tu_string(walk->arena, clang_getCursorSpelling(origin->declaration)));
}

/* `(&s->a)[i]`: any element but the first; of its bytes: one behind the last. */
static bool passes_member(const struct rs_use_origin *origin, CXType element, CXCursor index)
{
	long long own = clang_Type_getSizeOf(origin->type), size = clang_Type_getSizeOf(element), at = 0;
	bool is_known = !is_null(index) && rs_use_evaluate(index, &at);

	if (is_null(index) || own <= 0 || size <= 0)
		return false;
	return is_known ? at < 0 || (at + 1) * size > own : size >= own;
}

/* Something of the type element is accessed at base + index; index is null where there is none. */
static void check_element(struct rs_use_walk *walk, CXCursor access, CXCursor base, CXCursor index)
{
	CXType element = rs_use_element(clang_getCursorType(base));
	struct rs_use_origin origin = rs_use_origin_of(walk, base);
	long long at;

	if (!rs_use_is_number(element))
		return;
	bool bytes = rs_use_is_byte(element) && (is_null(index) || !rs_use_is_offset(index));
	bool bits = !is_null(index) && rs_use_is_bit_index(walk, index, element);
	if (origin.kind == RS_ORIGIN_MEMBER && !bits && passes_member(&origin, element, index))
		rs_use_pin_past(walk, &origin, access);
	if (origin.kind == RS_ORIGIN_OBJECT && bytes)
		rs_use_pin_held(walk, origin.type, access, "layout-escapes",
				"its bytes are looked at one by one: their order is a format");
	if (origin.kind == RS_ORIGIN_OBJECT && !is_null(index) && (!rs_use_evaluate(index, &at) || at != 0))
		rs_use_check_numbers(walk, origin.type, element, access);
	if (origin.kind != RS_ORIGIN_HOLDER)
		return;
	if (bytes && !is_plain_copy(walk, access))
		rs_use_flow_deed(walk, origin.declaration, RS_DEED_BYTES, element, NULL, access);
	if (!is_null(index) && !bits && (!rs_use_evaluate(index, &at) || at != 0))
		rs_use_flow_deed(walk, origin.declaration, RS_DEED_INDEX, element, NULL, access);
}

void rs_use_check_subscript(struct rs_use_walk *walk, CXCursor access)
{
	struct rs_use_children sides = rs_use_children_of(walk, access);

	if (sides.n_items != 2 || !rs_use_is_number(clang_getCanonicalType(clang_getCursorType(access))))
		return;
	check_element(walk, access, sides.items[0], sides.items[1]);
}

static bool is_step(CXCursor expression)
{
	return clang_getCursorKind(expression) == CXCursor_UnaryOperator &&
	       clang_equalTypes(clang_getCanonicalType(clang_getCursorType(expression)),
				clang_getCanonicalType(clang_getCursorType(rs_use_first_child(expression))));
}

/* `*p`, `*(p + n)`. */
static void check_dereference(struct rs_use_walk *walk, CXCursor access, CXCursor operand)
{
	CXCursor inner = rs_use_strip(walk, operand);
	struct rs_use_children sides = { 0 };

	if (clang_getCursorKind(inner) == CXCursor_BinaryOperator)
		sides = rs_use_children_of(walk, inner);
	if (sides.n_items == 2 && rs_use_is_pointer(clang_getCursorType(sides.items[0])))
		check_element(walk, access, sides.items[0], sides.items[1]);
	else if (sides.n_items == 2)
		check_element(walk, access, sides.items[1], sides.items[0]);
	else
		check_element(walk, access, operand, clang_getNullCursor());
}

/* A function that takes any number of arguments uses what they point to: `scanf("%d", &s->a + 1)`. */
void rs_use_check_variadic(struct rs_use_walk *walk, CXCursor call, CXCursor function)
{
	CXType type = clang_getCursorType(function);
	int count = clang_Cursor_getNumArguments(call);

	for (int i = clang_getNumArgTypes(type); clang_isFunctionTypeVariadic(type) && i >= 0 && i < count;
	     i++) {
		CXCursor argument = rs_use_strip(walk, clang_Cursor_getArgument(call, (unsigned)i));

		if (clang_getCursorKind(argument) == CXCursor_BinaryOperator &&
		    rs_use_is_pointer(clang_getCursorType(argument)))
			check_dereference(walk, argument, argument);
	}
}

void rs_use_check_unary(struct rs_use_walk *walk, CXCursor expression)
{
	CXCursor operand = rs_use_first_child(expression);
	CXType own = clang_getCanonicalType(clang_getCursorType(expression));
	CXType element = rs_use_element(clang_getCursorType(operand));

	if (!rs_use_is_number(element))
		return;
	if (rs_use_is_number(own) && clang_equalTypes(own, element)) {
		check_dereference(walk, expression, operand);
	} else if (is_step(expression)) {
		struct rs_use_origin origin = rs_use_origin_of(walk, operand);

		if (origin.kind == RS_ORIGIN_HOLDER)
			rs_use_flow_deed(walk, origin.declaration, RS_DEED_INDEX, element, NULL, expression);
	}
}

static bool is_holder_type(CXType type)
{
	CXType element = rs_use_element(type);

	return element.kind == CXType_Void || rs_use_is_number(element);
}

static void flow_from(struct rs_use_walk *walk, CXCursor declaration, CXCursor value)
{
	struct rs_use_origin origin = rs_use_origin_of(walk, value);

	rs_use_flow_into(walk, declaration, &origin);
}

/* Bytes that the program's text gives. */
static bool is_written_out(struct rs_use_walk *walk, CXCursor value)
{
	CXCursor inner = rs_use_strip(walk, value);
	enum CXCursorKind kind = clang_getCursorKind(inner);

	return kind == CXCursor_StringLiteral ||
	       (kind == CXCursor_InitListExpr && rs_use_children_of(walk, inner).n_items > 1);
}

/* The elements of an array of pointers to anything, or of arrays of such. */
static void flow_from_list(struct rs_use_walk *walk, CXCursor variable, CXCursor list)
{
	struct rs_use_children values = rs_use_children_of(walk, rs_use_strip(walk, list));

	for (size_t i = 0; i < values.n_items; i++) {
		CXCursor value = rs_use_strip(walk, values.items[i]);

		if (clang_getCursorKind(value) == CXCursor_InitListExpr)
			flow_from_list(walk, variable, value);
		else if (rs_use_is_pointer(clang_getCursorType(value)))
			flow_from(walk, variable, value);
	}
}

static bool is_row_of_pointers(CXType type)
{
	CXType element = rs_use_element(type);

	while (element.kind == CXType_ConstantArray)
		element = rs_use_element(element);
	return type.kind != CXType_Pointer && element.kind == CXType_Pointer &&
	       rs_use_element(element).kind == CXType_Void;
}

void rs_use_check_variable(struct rs_use_walk *walk, CXCursor variable)
{
	CXType type = clang_getCanonicalType(clang_getCursorType(variable));
	CXCursor value = clang_Cursor_getVarDeclInitializer(variable);

	if (is_null(value))
		return;
	rs_use_store(walk, variable, value);
	if (is_row_of_pointers(type))
		flow_from_list(walk, variable, value);
	if (!is_holder_type(type))
		return;
	if (rs_use_is_pointer(type))
		flow_from(walk, variable, value);
	else if (is_written_out(walk, value))
		rs_use_flow_deed(walk, variable, RS_DEED_BYTES, rs_use_element(type), NULL, variable);
}

/* `a = b`, not `a + b`: what is assigned to has not been read. */
static bool is_assignment(const struct rs_use_children *sides)
{
	enum CXCursorKind kind;

	if (sides->n_items != 2)
		return false;
	kind = clang_getCursorKind(sides->items[0]);
	if (kind == CXCursor_DeclRefExpr && /* an enumerator is a value */
	    clang_getCursorKind(clang_getCursorReferenced(sides->items[0])) == CXCursor_EnumConstantDecl)
		return false;
	return kind == CXCursor_DeclRefExpr || kind == CXCursor_MemberRefExpr ||
	       kind == CXCursor_ArraySubscriptExpr || kind == CXCursor_UnaryOperator;
}

static bool is_byte_access(CXCursor expression)
{
	enum CXCursorKind kind = clang_getCursorKind(expression);

	return (kind == CXCursor_ArraySubscriptExpr || kind == CXCursor_UnaryOperator) &&
	       rs_use_is_byte(clang_getCanonicalType(clang_getCursorType(expression)));
}

/* A byte that is set to another one, to a constant or to a variable is only passed on. */
static void note_copy(struct rs_use_walk *walk, const struct rs_use_children *sides)
{
	CXCursor value = rs_use_strip_casts(walk, sides->items[1]);
	enum CXCursorKind kind = clang_getCursorKind(value);

	if (!is_byte_access(sides->items[0]) ||
	    (!is_byte_access(value) && kind != CXCursor_DeclRefExpr && kind != CXCursor_IntegerLiteral &&
	     kind != CXCursor_CharacterLiteral))
		return;
	walk->copied[0] = sides->items[0];
	walk->copied[1] = value;
}

static void check_vector(struct rs_use_walk *walk, CXCursor member, CXCursor value)
{
	const char *name = rs_tu_string(walk->arena, clang_getCursorSpelling(member));
	struct rs_use_origin origin;

	if (strcmp(name, "iov_base") != 0 && strcmp(name, "msg_control") != 0)
		return;
	origin = rs_use_origin_of(walk, value);
	if (origin.kind == RS_ORIGIN_OBJECT)
		rs_use_pin_held(walk, origin.type, member, "layout-escapes",
				"%s points to it: the order of its bytes is a format", name);
	else if (origin.kind == RS_ORIGIN_HOLDER)
		rs_use_flow_deed(walk, origin.declaration, RS_DEED_ESCAPE, origin.type, name, member);
}

static void check_assignment(struct rs_use_walk *walk, const struct rs_use_children *sides)
{
	CXCursor target = sides->items[0];
	CXType type = clang_getCanonicalType(clang_getCursorType(target));
	enum CXCursorKind kind = clang_getCursorKind(target);

	note_copy(walk, sides);
	if (type.kind == CXType_Pointer && (kind == CXCursor_DeclRefExpr || kind == CXCursor_MemberRefExpr))
		rs_use_store(walk, clang_getCursorReferenced(target), sides->items[1]);
	if (type.kind != CXType_Pointer || !is_holder_type(type))
		return;
	if (kind == CXCursor_DeclRefExpr || kind == CXCursor_MemberRefExpr)
		flow_from(walk, clang_getCursorReferenced(target), sides->items[1]);
	if (kind == CXCursor_ArraySubscriptExpr && !is_null(rs_use_row_of(walk, target)))
		flow_from(walk, rs_use_row_of(walk, target), sides->items[1]);
	if (kind == CXCursor_MemberRefExpr)
		check_vector(walk, target, sides->items[1]);
}

void rs_use_check_binary(struct rs_use_walk *walk, CXCursor expression)
{
	CXType type = clang_getCanonicalType(clang_getCursorType(expression));

	if (type.kind != CXType_Pointer && !rs_use_is_number(type))
		return;
	struct rs_use_children sides = rs_use_children_of(walk, expression);
	if (is_assignment(&sides))
		check_assignment(walk, &sides);
	else
		rs_use_check_offsets(walk, expression, &sides);
	if (type.kind == CXType_Pointer)
		rs_use_check_literal(walk, expression, &sides);
}

/* `.iov_base = &s` in an initialiser, or `{ &s, sizeof s }` of a struct iovec. */
void rs_use_check_vector_list(struct rs_use_walk *walk, CXCursor list)
{
	CXType type = clang_getCanonicalType(clang_getCursorType(list));
	struct rs_use_children values;

	if (type.kind != CXType_Record)
		return;
	const char *name = rs_tu_string(walk->arena, clang_getCursorSpelling(clang_getTypeDeclaration(type)));
	if (strcmp(name, "iovec") != 0 && strcmp(name, "msghdr") != 0)
		return;
	values = rs_use_children_of(walk, list);
	for (size_t i = 0; i < values.n_items; i++) {
		struct rs_use_children inside = rs_use_children_of(walk, values.items[i]);
		bool is_named =
			inside.n_items == 2 && clang_getCursorKind(inside.items[0]) == CXCursor_MemberRef;

		if (is_named)
			check_vector(walk, inside.items[0], inside.items[1]);
		else if (i == 0) {
			struct rs_use_origin origin = rs_use_origin_of(walk, values.items[i]);

			if (origin.kind == RS_ORIGIN_OBJECT)
				rs_use_pin_held(walk, origin.type, values.items[i], "layout-escapes",
						"an iovec points to it: the order of its bytes is a format");
		}
	}
}

/* A size of one element tells that the function looks at no more. */
static bool is_told_one(CXCursor call, int count, CXType member)
{
	long long value, own = clang_Type_getSizeOf(member);

	for (int i = 0; i < count; i++)
		if (rs_use_evaluate(clang_Cursor_getArgument(call, (unsigned)i), &value) &&
		    (value == 1 || value == own))
			return true;
	return false;
}

void rs_use_check_arguments(struct rs_use_walk *walk, CXCursor call, CXCursor function)
{
	CXCursor definition = clang_getCursorDefinition(function);
	int count = clang_Cursor_getNumArguments(call), taken;

	if (is_null(definition))
		return;
	taken = clang_Cursor_getNumArguments(definition);
	for (int i = 0; i < count && i < taken; i++) {
		CXCursor parameter = clang_Cursor_getArgument(definition, (unsigned)i);
		struct rs_use_origin origin;

		if (!is_holder_type(clang_getCursorType(parameter)))
			continue;
		origin = rs_use_origin_of(walk, clang_Cursor_getArgument(call, (unsigned)i));
		if (origin.kind != RS_ORIGIN_MEMBER || !is_told_one(call, count, origin.type))
			rs_use_flow_into(walk, parameter, &origin);
	}
}

/* `return p;` of a function that gives an address of anything. */
void rs_use_check_return(struct rs_use_walk *walk, CXCursor statement)
{
	CXCursor value = rs_use_first_child(statement);

	if (!is_null(value) && !is_null(walk->function) && rs_use_is_pointer(clang_getCursorType(value)) &&
	    is_holder_type(clang_getCursorResultType(walk->function)))
		flow_from(walk, walk->function, value);
}

/* A conversion to a pointer, written or implied. */
void rs_use_check_conversion(struct rs_use_walk *walk, CXCursor conversion)
{
	CXType target = rs_use_element(clang_getCursorType(conversion));
	struct rs_use_origin origin;
	size_t record;

	if (target.kind != CXType_Record && target.kind != CXType_Pointer && target.kind != CXType_Enum &&
	    (!rs_use_is_number(target) || rs_use_is_byte(target)))
		return;
	if (target.kind == CXType_Record && !rs_use_holds_record(walk, target) &&
	    clang_Type_getSizeOf(target) <= 0)
		return;
	rs_use_check_allocated(walk, conversion, target);
	origin = rs_use_origin_of(walk, conversion);
	record = origin.kind == RS_ORIGIN_OBJECT ? rs_use_record_of(walk, origin.type) : RS_NONE;
	if (origin.kind == RS_ORIGIN_HOLDER)
		rs_use_flow_deed(walk, origin.declaration, RS_DEED_VIEW, target, NULL, conversion);
	else if (origin.kind == RS_ORIGIN_MAPPING)
		rs_use_pin_held(walk, target, conversion, "layout-escapes",
				"it lies in a mapped file or in shared memory: its layout is a format");
	if (record != RS_NONE)
		rs_use_check_view(walk, record, target, conversion, false);
}
