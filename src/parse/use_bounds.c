/*
 * Elements behind the end of a member that is an array: loops that count on, sums, lengths.
 *
 * A function that has to do with such members is read once more, statement by statement, with what is known of
 * its variables (use_ranges.h).
 */
#include <limits.h>
#include <string.h>

#include "parse/byte_functions.h"
#include "parse/use_ranges.h"

struct bounds {
	struct rs_use_ranges ranges;
	bool is_address; /* of what is looked at only the address is taken */
};

static void read_statement(struct bounds *bounds, CXCursor statement);

/* --- what is looked at --- */

static bool is_array(CXType type)
{
	enum CXTypeKind kind = clang_getCanonicalType(type).kind;

	return kind == CXType_ConstantArray || kind == CXType_IncompleteArray;
}

/* `&x` by its shape: a pointer to what its operand is. */
static bool is_address(CXCursor expression)
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

static struct base base_of(const struct bounds *bounds, CXCursor expression);

static struct base base_of_element(const struct bounds *bounds, CXCursor array, CXCursor index)
{
	struct base base = base_of(bounds, array);
	long long size = clang_Type_getSizeOf(rs_use_element(clang_getCursorType(array)));

	base.bytes = plus(base.bytes, rs_use_ranges_of(&bounds->ranges, index), size);
	return base;
}

/* `array`, `array[i]`, `array + i`, `&array[i]`, `&member`. */
static struct base base_of(const struct bounds *bounds, CXCursor expression)
{
	struct rs_use_walk *walk = bounds->ranges.walk;
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
		if (is_pointer)
			base.holder = clang_getCursorReferenced(core);
		return base;
	case CXCursor_ArraySubscriptExpr:
		return sides.n_items == 2 ? base_of_element(bounds, sides.items[0], sides.items[1]) : base;
	case CXCursor_BinaryOperator:
		if (!is_pointer || sides.n_items != 2 || strcmp(rs_use_ranges_operator(walk, &sides), "+") != 0)
			return base;
		return rs_use_is_pointer(clang_getCursorType(sides.items[0]))
			       ? base_of_element(bounds, sides.items[0], sides.items[1])
			       : base_of_element(bounds, sides.items[1], sides.items[0]);
	case CXCursor_UnaryOperator:
		if (!is_address(core))
			return base;
		core = rs_use_strip(walk, sides.items[0]);
		if (clang_getCursorKind(core) != CXCursor_MemberRefExpr)
			return base_of(bounds, core);
		base.member = core;
		return base;
	default:
		return base;
	}
}

/* size bytes behind the address are used, or none of them: it is where something ends. */
static void check_address(struct bounds *bounds, CXCursor address, struct rs_use_range length, CXCursor where)
{
	struct rs_use_walk *walk = bounds->ranges.walk;
	struct base base = base_of(bounds, address);
	struct rs_use_range bytes = base.bytes;

	if (bytes.is_doubtful || length.is_doubtful || (bytes.high == LLONG_MAX && bytes.low == LLONG_MIN))
		return;
	long long first = bytes.low == LLONG_MIN ? 0 : bytes.low;
	long long end = bytes.high == LLONG_MAX || length.high >= LLONG_MAX / 2 ? 0 : bytes.high + length.high;
	if (!clang_Cursor_isNull(base.member))
		check_extent(walk, base.member, first, end, where);
	else if (!clang_Cursor_isNull(base.holder) && end > 0)
		rs_use_flow_reach(walk, base.holder, end, where);
}

static void check_subscript(struct bounds *bounds, CXCursor access)
{
	long long size = bounds->is_address ? 0 : clang_Type_getSizeOf(clang_getCursorType(access));

	check_address(bounds, access, (struct rs_use_range) { size, size, size < 0 }, access);
}

static void check_sum(struct bounds *bounds, CXCursor sum)
{
	if (rs_use_is_pointer(clang_getCursorType(sum)))
		check_address(bounds, sum, (struct rs_use_range) { 0, 0, false }, sum);
}

static bool is_address_argument(CXCursor argument)
{
	CXType type = clang_getCursorType(argument);

	return rs_use_is_pointer(type) || is_array(type);
}

static struct rs_use_range argument_range(const struct bounds *bounds, CXCursor call, int index)
{
	return rs_use_ranges_of(&bounds->ranges, clang_Cursor_getArgument(call, (unsigned)index));
}

/* A function that is given an address and how many bytes it may use from there on. */
static void check_call(struct bounds *bounds, CXCursor call)
{
	struct rs_use_walk *walk = bounds->ranges.walk;
	const struct rs_byte_function *row = rs_use_known_function(walk, call);
	int count = clang_Cursor_getNumArguments(call);

	if (!row || row->length == 0 || row->length >= count || row->times >= count)
		return;
	struct rs_use_range length = argument_range(bounds, call, row->length);
	if (row->times > 0 && (length.low != length.high || length.high <= 0))
		return;
	if (row->times > 0)
		length = plus((struct rs_use_range) { 0, 0, false }, argument_range(bounds, call, row->times),
			      length.high);
	if (length.high == LLONG_MAX || length.high <= 0)
		return;
	for (int i = 0; i < count && (row->addresses == 0 || i < row->addresses); i++)
		if (is_address_argument(clang_Cursor_getArgument(call, (unsigned)i)))
			check_address(bounds, clang_Cursor_getArgument(call, (unsigned)i), length, call);
}

/* A function that is seen, and is told how much to use. */
static void check_counted(struct bounds *bounds, CXCursor call)
{
	struct rs_use_walk *walk = bounds->ranges.walk;
	CXCursor function = clang_getCursorDefinition(clang_getCursorReferenced(call));
	int count = clang_Cursor_getNumArguments(call);

	for (int i = 0; i < count && !clang_Cursor_isNull(function); i++) {
		CXCursor address = clang_Cursor_getArgument(call, (unsigned)i);

		if (!is_address_argument(address) || clang_Cursor_isNull(base_of(bounds, address).member))
			continue;
		for (int j = 0; j < count; j++) {
			struct rs_use_range range = argument_range(bounds, call, j);
			long long unit;

			if (j == i || range.high <= 1 || range.high >= INT_MAX)
				continue;
			unit = rs_use_counted(walk, function, (unsigned)i, (unsigned)j, 0);
			if (unit > 0)
				check_address(bounds, address,
					      plus((struct rs_use_range) { 0, 0, false }, range, unit), call);
		}
	}
}

static CXCursor compared(const struct bounds *bounds, CXCursor expression)
{
	struct base base = base_of(bounds, expression);

	return clang_Cursor_isNull(base.member) ? base.holder : clang_getCursorReferenced(base.member);
}

/* `p < s->end`: what p came from, and what it is held to. */
static void check_comparison(struct bounds *bounds, CXCursor expression, const struct rs_use_children *sides)
{
	CXCursor a, b;

	if (sides->n_items != 2 || !rs_use_is_number(clang_getCanonicalType(clang_getCursorType(expression))) ||
	    !rs_use_is_pointer(clang_getCursorType(sides->items[0])) ||
	    !rs_use_is_pointer(clang_getCursorType(sides->items[1])))
		return;
	a = compared(bounds, sides->items[0]);
	b = compared(bounds, sides->items[1]);
	if (!clang_Cursor_isNull(a) && !clang_Cursor_isNull(b))
		rs_use_flow_compare(bounds->ranges.walk, a, b, expression);
}

/* --- statements --- */

static void read_children(struct bounds *bounds, CXCursor cursor)
{
	struct rs_use_children children = rs_use_children_of(bounds->ranges.walk, cursor);

	for (size_t i = 0; i < children.n_items; i++)
		read_statement(bounds, children.items[i]);
}

static bool does_not_return(struct rs_use_walk *walk, CXCursor call)
{
	static const char *const parts[] = { "abort", "exit",  "assert", "panic",       "fatal",
					     "die",   "throw", "BUG",    "unreachable", "longjmp" };
	const char *name = rs_tu_string(walk->arena, clang_getCursorSpelling(call));

	for (size_t i = 0; i < RS_COUNT_OF(parts); i++)
		if (strstr(name, parts[i]))
			return true;
	return false;
}

struct jumping {
	struct rs_use_walk *walk;
	bool found;
};

static enum CXChildVisitResult look_for_jump(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct jumping *jumping = (struct jumping *)data;

	(void)parent;
	switch (clang_getCursorKind(cursor)) {
	case CXCursor_BreakStmt:
	case CXCursor_ContinueStmt:
	case CXCursor_GotoStmt:
	case CXCursor_IndirectGotoStmt:
	case CXCursor_ReturnStmt:
		jumping->found = true;
		break;
	case CXCursor_CallExpr:
		jumping->found = does_not_return(jumping->walk, cursor);
		break;
	default:
		break;
	}
	return jumping->found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

static bool has_jump(struct rs_use_walk *walk, CXCursor statement)
{
	struct jumping jumping = { walk, false };

	if (look_for_jump(statement, statement, &jumping) == CXChildVisit_Recurse)
		clang_visitChildren(statement, look_for_jump, &jumping);
	return jumping.found;
}

/* The last thing that it does is to go elsewhere. */
static bool ends_in_jump(struct rs_use_walk *walk, CXCursor statement)
{
	struct rs_use_children inside;

	if (clang_getCursorKind(statement) != CXCursor_CompoundStmt)
		return clang_getCursorKind(statement) != CXCursor_IfStmt && has_jump(walk, statement);
	inside = rs_use_children_of(walk, statement);
	return inside.n_items > 0 && ends_in_jump(walk, inside.items[inside.n_items - 1]);
}

/* One of two ways from a condition on. */
static struct rs_use_ranges take_way(struct bounds *bounds, CXCursor condition, bool is_true, CXCursor way)
{
	struct bounds taken = { .ranges = rs_use_ranges_copy(&bounds->ranges) };

	rs_use_ranges_narrow(&taken.ranges, condition, is_true, false);
	if (!clang_Cursor_isNull(way))
		read_statement(&taken, way);
	return taken.ranges;
}

/* Behind both: what a condition put in doubt is in doubt no longer when all come by. */
static void clear_doubts(struct rs_use_ranges *ranges, const struct rs_use_ranges *before)
{
	for (size_t i = 0; i < ranges->n_variables; i++) {
		struct rs_use_range range = rs_use_ranges_get(before, ranges->variables[i].declaration);

		if (!range.is_doubtful)
			ranges->variables[i].range.is_doubtful = false;
	}
}

/* if, ?: */
static void read_choice(struct bounds *bounds, CXCursor cursor)
{
	struct rs_use_walk *walk = bounds->ranges.walk;
	struct rs_use_children parts = rs_use_children_of(walk, cursor);

	if (parts.n_items < 2) /* a ?: b */
		return;
	CXCursor condition = parts.items[0], then = parts.items[1];
	CXCursor otherwise = parts.n_items > 2 ? parts.items[2] : clang_getNullCursor();
	bool has_otherwise = parts.n_items > 2;
	read_statement(bounds, condition);
	struct rs_use_ranges before = rs_use_ranges_copy(&bounds->ranges);
	struct rs_use_ranges first = take_way(bounds, condition, true, then);
	struct rs_use_ranges second = take_way(bounds, condition, false, otherwise);
	if (ends_in_jump(walk, then)) {
		bounds->ranges = second;
	} else if (has_otherwise && ends_in_jump(walk, otherwise)) {
		bounds->ranges = first;
	} else {
		bounds->ranges = first;
		rs_use_ranges_join(&bounds->ranges, &second);
		if (!has_jump(walk, cursor))
			clear_doubts(&bounds->ranges, &before);
	}
}

/* `a && b`, `a || b`. */
static void read_logic(struct bounds *bounds, const struct rs_use_children *sides, bool is_and)
{
	struct bounds taken;

	read_statement(bounds, sides->items[0]);
	taken = (struct bounds) { .ranges = rs_use_ranges_copy(&bounds->ranges) };
	rs_use_ranges_narrow(&taken.ranges, sides->items[0], is_and, false);
	read_statement(&taken, sides->items[1]);
	rs_use_ranges_widen(&bounds->ranges, sides->items[1]);
}

static void read_operator(struct bounds *bounds, CXCursor cursor)
{
	struct rs_use_walk *walk = bounds->ranges.walk;
	struct rs_use_children sides = rs_use_children_of(walk, cursor);
	const char *spelling = sides.n_items == 2 ? rs_use_ranges_operator(walk, &sides) : "";

	if (strcmp(spelling, "&&") == 0 || strcmp(spelling, "||") == 0) {
		read_logic(bounds, &sides, spelling[0] == '&');
		return;
	}
	check_sum(bounds, cursor);
	check_comparison(bounds, cursor, &sides);
	read_children(bounds, cursor);
	rs_use_ranges_change(&bounds->ranges, cursor);
}

static void read_unary(struct bounds *bounds, CXCursor cursor)
{
	struct bounds inside = *bounds;

	/* `&a[8]` names an end; `*&a[8]` is written by nobody */
	inside.is_address = is_address(cursor);
	read_children(&inside, cursor);
	bounds->ranges = inside.ranges;
	rs_use_ranges_change(&bounds->ranges, cursor);
}

static void read_variable(struct bounds *bounds, CXCursor variable)
{
	CXCursor value = clang_Cursor_getVarDeclInitializer(variable);
	CXType type = clang_getCanonicalType(clang_getCursorType(variable));

	read_children(bounds, variable);
	if (!clang_Cursor_isNull(value) && type.kind >= CXType_Bool && type.kind <= CXType_Int128 &&
	    !clang_Cursor_hasVarDeclGlobalStorage(variable))
		rs_use_ranges_set(&bounds->ranges, variable, rs_use_ranges_of(&bounds->ranges, value));
}

/* Where in a loop's parts, of which some may be missing, the condition stands; the first is the start, if there
 * is one. */
struct loop {
	CXCursor start, condition, step, body;
};

static bool is_change(CXCursor expression)
{
	enum CXCursorKind kind = clang_getCursorKind(expression);
	enum CXCursorKind target = clang_getCursorKind(rs_use_first_child(expression));

	return kind == CXCursor_DeclStmt || kind == CXCursor_CompoundAssignOperator ||
	       kind == CXCursor_CallExpr ||
	       ((kind == CXCursor_BinaryOperator || kind == CXCursor_UnaryOperator) &&
		(target == CXCursor_DeclRefExpr || target == CXCursor_MemberRefExpr));
}

static struct loop parts_of(struct rs_use_walk *walk, CXCursor statement)
{
	struct rs_use_children parts = rs_use_children_of(walk, statement);
	const CXCursor none = clang_getNullCursor();
	struct loop loop = { none, none, none, none };
	size_t n = parts.n_items, at = 0;

	if (n == 0)
		return loop;
	if (clang_getCursorKind(statement) == CXCursor_DoStmt) {
		loop.body = parts.items[0];
		loop.condition = parts.items[n - 1];
		return loop;
	}
	loop.body = parts.items[n - 1];
	if (clang_getCursorKind(statement) == CXCursor_WhileStmt) {
		loop.condition = parts.items[0];
		return loop;
	}
	if (n == 4 || (n > 1 && is_change(parts.items[0])))
		loop.start = parts.items[at++];
	if (at + 1 < n && (n == 4 || !is_change(parts.items[at])))
		loop.condition = parts.items[at++];
	if (at + 1 < n)
		loop.step = parts.items[at];
	return loop;
}

static void read_loop(struct bounds *bounds, CXCursor statement)
{
	struct rs_use_walk *walk = bounds->ranges.walk;
	struct loop loop = parts_of(walk, statement);
	bool is_do = clang_getCursorKind(statement) == CXCursor_DoStmt;

	if (!clang_Cursor_isNull(loop.start))
		read_statement(bounds, loop.start);
	rs_use_ranges_widen(&bounds->ranges, loop.body);
	rs_use_ranges_widen(&bounds->ranges, loop.condition);
	rs_use_ranges_widen(&bounds->ranges, loop.step);
	struct bounds inside = { .ranges = rs_use_ranges_copy(&bounds->ranges) };
	if (!is_do && !clang_Cursor_isNull(loop.condition)) {
		read_statement(&inside, loop.condition);
		rs_use_ranges_narrow(&inside.ranges, loop.condition, true, true);
	} else if (is_do) {
		rs_use_ranges_narrow(&inside.ranges, loop.condition, true, true);
	}
	if (!clang_Cursor_isNull(loop.body))
		read_statement(&inside, loop.body);
	if (!clang_Cursor_isNull(loop.step))
		read_statement(&inside, loop.step);
}

static void read_switch(struct bounds *bounds, CXCursor statement)
{
	struct rs_use_walk *walk = bounds->ranges.walk;
	struct rs_use_children parts = rs_use_children_of(walk, statement);
	struct bounds inside;

	if (parts.n_items == 0)
		return;
	read_statement(bounds, parts.items[0]);
	inside = (struct bounds) { .ranges = rs_use_ranges_copy(&bounds->ranges) };
	rs_use_ranges_doubt(&inside.ranges, parts.items[0]);
	for (size_t i = 1; i < parts.n_items; i++)
		read_statement(&inside, parts.items[i]);
	rs_use_ranges_widen(&bounds->ranges, statement);
}

static void read_statement(struct bounds *bounds, CXCursor statement)
{
	bool was_address = bounds->is_address;

	bounds->is_address = false;
	switch (clang_getCursorKind(statement)) {
	case CXCursor_UnaryExpr: /* sizeof */
		return;
	case CXCursor_IfStmt:
	case CXCursor_ConditionalOperator:
		read_choice(bounds, statement);
		return;
	case CXCursor_ForStmt:
	case CXCursor_WhileStmt:
	case CXCursor_DoStmt:
		read_loop(bounds, statement);
		return;
	case CXCursor_SwitchStmt:
		read_switch(bounds, statement);
		return;
	case CXCursor_LabelStmt: /* whoever jumps here knows other values */
		bounds->ranges.n_variables = 0;
		break;
	case CXCursor_BinaryOperator:
	case CXCursor_CompoundAssignOperator:
		read_operator(bounds, statement);
		return;
	case CXCursor_UnaryOperator:
		read_unary(bounds, statement);
		return;
	case CXCursor_VarDecl:
		read_variable(bounds, statement);
		return;
	case CXCursor_ParenExpr:
		bounds->is_address = was_address;
		break;
	case CXCursor_ArraySubscriptExpr:
		bounds->is_address = was_address;
		check_subscript(bounds, statement);
		bounds->is_address = false;
		break;
	case CXCursor_CallExpr:
		check_call(bounds, statement);
		check_counted(bounds, statement);
		break;
	default:
		break;
	}
	read_children(bounds, statement);
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

void rs_use_check_bounds(struct rs_use_walk *walk, CXCursor function)
{
	struct bounds bounds = { .ranges = { .walk = walk } };

	read_children(&bounds, function);
}
