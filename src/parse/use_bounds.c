/*
 * Elements behind the end of a member that is an array: indices, sums, lengths, with what is known of the
 * variables in them.
 */
#include <limits.h>
#include <string.h>

#include "parse/byte_functions.h"
#include "parse/use_ranges.h"
#include "parse/uses_internal.h"

static bool is_array(CXType type)
{
	enum CXTypeKind kind = clang_getCanonicalType(type).kind;

	return kind == CXType_ConstantArray || kind == CXType_IncompleteArray;
}

/* `&x` by its shape: a pointer to what its operand is. */
bool rs_use_bounds_is_address(CXCursor expression)
{
	CXType type = clang_getCanonicalType(clang_getCursorType(expression));

	return clang_getCursorKind(expression) == CXCursor_UnaryOperator && type.kind == CXType_Pointer &&
	       clang_equalTypes(clang_getCanonicalType(clang_getPointeeType(type)),
				clang_getCanonicalType(clang_getCursorType(rs_use_first_child(expression))));
}

/* `char data[1]`: what lies behind it is allocated with it, and trailing-array keeps it there. */
static bool is_trailing(struct rs_use_walk *walk, size_t record, CXCursor field)
{
	CXType type = clang_getCanonicalType(clang_getCursorType(field));

	return (type.kind == CXType_IncompleteArray ||
		(type.kind == CXType_ConstantArray && clang_getArraySize(type) < 2)) &&
	       rs_use_unit_of_field(walk, record, field) + 1 == walk->records[record]->n_units;
}

static void pin_member(struct rs_use_walk *walk, CXCursor field, CXCursor where)
{
	for (size_t record = 0; record < walk->n_records; record++)
		if (rs_use_unit_of_field(walk, record, field) != RS_NONE && !is_trailing(walk, record, field))
			rs_use_pin(walk, record, where, "member-range", true,
				   "the access goes past '%s' into what stands beside it",
				   rs_tu_string(walk->arena, clang_getCursorSpelling(field)));
}

/* Bytes from the start of the member on, first to end, are used: it and the members that it lies in may be too
 * short for that. */
static void check_extent(struct rs_use_walk *walk, CXCursor member, long long first, long long end,
			 CXCursor where)
{
	for (unsigned depth = 0; depth < 16 && clang_getCursorKind(member) == CXCursor_MemberRefExpr; depth++) {
		CXCursor field = clang_getCursorReferenced(member);
		long long size = clang_Type_getSizeOf(clang_getCursorType(field));
		long long bits = clang_Cursor_getOffsetOfField(field);

		if (size <= 0 || bits < 0 || (first >= 0 && end <= size))
			return;
		pin_member(walk, field, where);
		first += bits / 8;
		end += bits / 8;
		member = rs_use_strip(walk, rs_use_first_child(member));
	}
}

/* The range in bytes, of elements that long. */
static bool bytes_of(struct rs_use_range range, long long size, long long *ret_first, long long *ret_end)
{
	bool is_low = range.low != LLONG_MIN, is_high = range.high != LLONG_MAX;

	if (size <= 0 || range.is_doubtful || (!is_low && !is_high))
		return false;
	*ret_first = is_low ? range.low : 0;
	*ret_end = is_high ? range.high : 0;
	return !__builtin_mul_overflow(*ret_first, size, ret_first) &&
	       !__builtin_mul_overflow(*ret_end, size, ret_end) && *ret_end < LLONG_MAX - size;
}

/* What an address is of: a member, or a pointer that one may have come to; offset: from there on. */
struct base {
	CXCursor member, holder;
	struct rs_use_range bytes;
};

static struct rs_use_range plus(struct rs_use_range bytes, struct rs_use_range index, long long size)
{
	long long first, end;

	if (!bytes_of(index, size, &first, &end) || bytes.is_doubtful || bytes.low == LLONG_MIN ||
	    bytes.high == LLONG_MAX)
		return (struct rs_use_range) { LLONG_MIN, LLONG_MAX, true };
	bytes.low = index.low == LLONG_MIN ? LLONG_MIN : bytes.low + first;
	bytes.high = index.high == LLONG_MAX ? LLONG_MAX : bytes.high + end;
	return bytes;
}

static struct base base_of(const struct rs_use_ranges *ranges, CXCursor expression);

static struct base base_of_element(const struct rs_use_ranges *ranges, CXCursor array, CXCursor index)
{
	struct base base = base_of(ranges, array);
	long long size = clang_Type_getSizeOf(rs_use_element(clang_getCursorType(array)));

	base.bytes = plus(base.bytes, rs_use_ranges_of(ranges, index), size);
	return base;
}

struct setting {
	struct rs_use_walk *walk;
	CXCursor variable;
	bool found;
};

static enum CXChildVisitResult look_for_setting(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct setting *setting = (struct setting *)data;
	enum CXCursorKind kind = clang_getCursorKind(cursor);
	CXCursor target = clang_getNullCursor();

	(void)parent;
	if (kind == CXCursor_BinaryOperator || kind == CXCursor_CompoundAssignOperator ||
	    kind == CXCursor_UnaryOperator)
		target = rs_use_first_child(cursor); /* unconverted: it is not only read */
	if (clang_getCursorKind(target) == CXCursor_DeclRefExpr &&
	    clang_equalCursors(clang_getCursorReferenced(target), setting->variable))
		setting->found = true;
	return setting->found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

/* `struct vec *v = &s->position;`: the member, if the variable never comes to anything else. Numbers go by
 * use_flow.c. */
static CXCursor pointed_member(struct rs_use_walk *walk, CXCursor variable)
{
	struct setting setting = { .walk = walk, .variable = variable };
	CXCursor value = clang_getNullCursor(), member;
	CXType element = rs_use_element(clang_getCursorType(variable));

	if (clang_getCursorKind(variable) == CXCursor_VarDecl &&
	    (element.kind == CXType_Record || element.kind == CXType_Pointer))
		value = clang_Cursor_getVarDeclInitializer(variable);
	if (clang_Cursor_isNull(value))
		return value;
	value = rs_use_strip(walk, value);
	if (!rs_use_bounds_is_address(value))
		return clang_getNullCursor();
	member = rs_use_strip(walk, rs_use_first_child(value));
	if (clang_getCursorKind(member) != CXCursor_MemberRefExpr ||
	    rs_use_record_of_field(walk, clang_getCursorReferenced(member)) == RS_NONE)
		return clang_getNullCursor();
	clang_visitChildren(clang_getCursorSemanticParent(variable), look_for_setting, &setting);
	return setting.found ? clang_getNullCursor() : member;
}

/* `array`, `array[i]`, `array + i`, `&array[i]`, `&member`. */
static struct base base_of(const struct rs_use_ranges *ranges, CXCursor expression)
{
	struct rs_use_walk *walk = ranges->walk;
	CXCursor core = rs_use_strip_casts(walk, expression);
	struct base base = { clang_getNullCursor(), clang_getNullCursor(), { 0, 0, false } };
	struct rs_use_children sides = rs_use_children_of(walk, core);
	bool is_pointer = rs_use_is_pointer(clang_getCursorType(core));

	switch (clang_getCursorKind(core)) {
	case CXCursor_MemberRefExpr:
		if (is_array(clang_getCursorType(core)))
			base.member = core;
		return base;
	case CXCursor_DeclRefExpr:
		if (!is_pointer)
			return base;
		base.holder = clang_getCursorReferenced(core);
		base.member = pointed_member(walk, base.holder);
		return base;
	case CXCursor_ArraySubscriptExpr:
		return sides.n_items == 2 ? base_of_element(ranges, sides.items[0], sides.items[1]) : base;
	case CXCursor_BinaryOperator:
		if (!is_pointer || sides.n_items != 2 || strcmp(rs_use_ranges_operator(walk, &sides), "+") != 0)
			return base;
		return rs_use_is_pointer(clang_getCursorType(sides.items[0]))
			       ? base_of_element(ranges, sides.items[0], sides.items[1])
			       : base_of_element(ranges, sides.items[1], sides.items[0]);
	case CXCursor_UnaryOperator:
		if (!rs_use_bounds_is_address(core))
			return base;
		core = rs_use_strip(walk, sides.items[0]);
		if (clang_getCursorKind(core) != CXCursor_MemberRefExpr)
			return base_of(ranges, core);
		base.member = core;
		return base;
	default:
		return base;
	}
}

/* size bytes behind the address are used, or none of them: it is where something ends. */
static void check_address(const struct rs_use_ranges *ranges, CXCursor address, struct rs_use_range length,
			  CXCursor where)
{
	struct rs_use_walk *walk = ranges->walk;
	struct base base = base_of(ranges, address);
	struct rs_use_range bytes = base.bytes;

	if (bytes.is_doubtful || length.is_doubtful || (bytes.high == LLONG_MAX && bytes.low == LLONG_MIN))
		return;
	long long first = bytes.low == LLONG_MIN ? 0 : bytes.low;
	long long end = bytes.high == LLONG_MAX || length.high >= LLONG_MAX / 2 ? 0 : bytes.high + length.high;
	if (!clang_Cursor_isNull(base.member))
		check_extent(walk, base.member, first, end, where);
	else if (!clang_Cursor_isNull(base.holder) && end > 0)
		rs_use_flow_bytes(walk, base.holder, RS_DEED_REACH, end, where);
}

void rs_use_bounds_element(const struct rs_use_ranges *ranges, CXCursor access, bool is_named)
{
	long long size = is_named ? 0 : clang_Type_getSizeOf(clang_getCursorType(access));
	struct base base = base_of(ranges, access);

	check_address(ranges, access, (struct rs_use_range) { size, size, size < 0 }, access);
	/* a single one is not indexed for nothing */
	if (!is_named && base.bytes.is_doubtful && !clang_Cursor_isNull(base.member) &&
	    !is_array(clang_getCursorType(base.member)))
		pin_member(ranges->walk, clang_getCursorReferenced(base.member), access);
}

void rs_use_bounds_target(const struct rs_use_ranges *ranges, CXCursor pointer, CXCursor where)
{
	long long size = clang_Type_getSizeOf(rs_use_element(clang_getCursorType(pointer)));
	CXCursor core = rs_use_strip(ranges->walk, pointer);

	if (size > 0 && clang_getCursorKind(core) == CXCursor_BinaryOperator)
		check_address(ranges, core, (struct rs_use_range) { size, size, false }, where);
}

static void check_sum(const struct rs_use_ranges *ranges, CXCursor sum)
{
	if (rs_use_is_pointer(clang_getCursorType(sum)))
		check_address(ranges, sum, (struct rs_use_range) { 0, 0, false }, sum);
}

static bool is_address_argument(CXCursor argument)
{
	CXType type = clang_getCursorType(argument);

	return rs_use_is_pointer(type) || is_array(type);
}

static struct rs_use_range argument_range(const struct rs_use_ranges *ranges, CXCursor call, int index)
{
	return rs_use_ranges_of(ranges, clang_Cursor_getArgument(call, (unsigned)index));
}

/* `strcpy(s->name, "text")`: what is copied is written out. */
static void check_text(const struct rs_use_ranges *ranges, CXCursor call, const struct rs_byte_function *row)
{
	CXEvalResult text;

	if ((strcmp(row->name, "strcpy") != 0 && strcmp(row->name, "stpcpy") != 0 &&
	     strcmp(row->name, "strcat") != 0) ||
	    clang_Cursor_getNumArguments(call) < 2)
		return;
	text = clang_Cursor_Evaluate(clang_Cursor_getArgument(call, 1));
	if (text && clang_EvalResult_getKind(text) == CXEval_StrLiteral) {
		long long bytes = (long long)strlen(clang_EvalResult_getAsStr(text)) + 1;

		check_address(ranges, clang_Cursor_getArgument(call, 0),
			      (struct rs_use_range) { bytes, bytes, false }, call);
	}
	if (text)
		clang_EvalResult_dispose(text);
}

/* A function that is given an address and how many bytes it may use from there on. */
static void check_call(const struct rs_use_ranges *ranges, CXCursor call)
{
	struct rs_use_walk *walk = ranges->walk;
	const struct rs_byte_function *row = rs_use_known_function(walk, call);
	int count = clang_Cursor_getNumArguments(call);

	if (row && row->length == 0)
		check_text(ranges, call, row);
	if (!row || row->length <= 0 || row->length >= count || row->times >= count)
		return;
	struct rs_use_range length = argument_range(ranges, call, row->length);
	if (row->times > 0 && (length.low != length.high || length.high <= 0))
		return;
	if (row->times > 0)
		length = plus((struct rs_use_range) { 0, 0, false }, argument_range(ranges, call, row->times),
			      length.high);
	if (length.high == LLONG_MAX || length.high <= 0)
		return;
	for (int i = 0; i < count && (row->addresses == 0 || i < row->addresses); i++)
		if (is_address_argument(clang_Cursor_getArgument(call, (unsigned)i)))
			check_address(ranges, clang_Cursor_getArgument(call, (unsigned)i), length, call);
}

/* A function that is seen, and is told how much to use. */
static void check_counted(const struct rs_use_ranges *ranges, CXCursor call)
{
	struct rs_use_walk *walk = ranges->walk;
	CXCursor function = clang_getCursorDefinition(clang_getCursorReferenced(call));
	int count = clang_Cursor_getNumArguments(call);

	for (int i = 0; i < count && !clang_Cursor_isNull(function); i++) {
		CXCursor address = clang_Cursor_getArgument(call, (unsigned)i);

		if (!is_address_argument(address) || clang_Cursor_isNull(base_of(ranges, address).member))
			continue;
		for (int j = 0; j < count; j++) {
			struct rs_use_range range = argument_range(ranges, call, j);
			long long unit;

			if (j == i || range.high <= 1 || range.high >= INT_MAX)
				continue;
			unit = rs_use_counted(walk, function, (unsigned)i, (unsigned)j, 0);
			if (unit > 0)
				check_address(ranges, address,
					      plus((struct rs_use_range) { 0, 0, false }, range, unit), call);
		}
	}
}

static CXCursor compared(const struct rs_use_ranges *ranges, CXCursor expression)
{
	struct base base = base_of(ranges, expression);

	return clang_Cursor_isNull(base.member) ? base.holder : clang_getCursorReferenced(base.member);
}

/* `p < s->end`: what p came from, and what it is held to. */
static void check_comparison(const struct rs_use_ranges *ranges, CXCursor expression,
			     const struct rs_use_children *sides)
{
	CXCursor a, b;

	if (sides->n_items != 2 || !rs_use_is_number(clang_getCanonicalType(clang_getCursorType(expression))) ||
	    !rs_use_is_pointer(clang_getCursorType(sides->items[0])) ||
	    !rs_use_is_pointer(clang_getCursorType(sides->items[1])))
		return;
	a = compared(ranges, sides->items[0]);
	b = compared(ranges, sides->items[1]);
	if (!clang_Cursor_isNull(a) && !clang_Cursor_isNull(b))
		rs_use_flow_compare(ranges->walk, a, b, expression);
}

void rs_use_bounds_operator(const struct rs_use_ranges *ranges, CXCursor expression,
			    const struct rs_use_children *sides)
{
	check_sum(ranges, expression);
	check_comparison(ranges, expression, sides);
}

void rs_use_bounds_call(const struct rs_use_ranges *ranges, CXCursor call)
{
	check_call(ranges, call);
	check_counted(ranges, call);
}

void rs_use_note_bounds(struct rs_use_walk *walk, CXCursor function)
{
	if (clang_Cursor_isNull(function) || clang_getCursorKind(function) != CXCursor_FunctionDecl)
		return;
	for (size_t i = walk->n_bounded; i-- > 0;)
		if (clang_equalCursors(walk->bounded[i], function))
			return;
	*rs_array_push(walk->arena, walk->bounded, walk->n_bounded, walk->bounded_capacity) = function;
}

void rs_use_note_address(struct rs_use_walk *walk, CXCursor expression)
{
	CXCursor member = rs_use_strip(walk, rs_use_first_child(expression));
	CXType type = clang_getCanonicalType(clang_getCursorType(member));

	if (clang_getCursorKind(member) == CXCursor_MemberRefExpr &&
	    (type.kind == CXType_Record || type.kind == CXType_Pointer) &&
	    rs_use_bounds_is_address(expression) &&
	    rs_use_record_of_field(walk, clang_getCursorReferenced(member)) != RS_NONE)
		rs_use_note_bounds(walk, walk->function);
}

void rs_use_note_array(struct rs_use_walk *walk, CXCursor member_ref)
{
	for (CXCursor part = member_ref; is_array(clang_getCursorType(member_ref));
	     part = rs_use_strip(walk, rs_use_first_child(part))) {
		if (clang_getCursorKind(part) != CXCursor_MemberRefExpr)
			return;
		if (rs_use_record_of_field(walk, clang_getCursorReferenced(part)) == RS_NONE)
			continue;
		rs_use_note_bounds(walk, walk->function);
		return;
	}
}
