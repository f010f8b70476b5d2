/*
 * A function that has to do with members that are arrays, read once more, statement by statement, with what is
 * known of its variables (use_ranges.h) where something lies past a member (use_bounds.c).
 */
#include <string.h>

#include "parse/use_ranges.h"
#include "parse/uses_internal.h"

struct bounds {
	struct rs_use_ranges ranges;
	bool is_address; /* of what is looked at only the address is taken */
};

static void read_statement(struct bounds *bounds, CXCursor statement);

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
	rs_use_bounds_operator(&bounds->ranges, cursor, &sides);
	read_children(bounds, cursor);
	rs_use_ranges_change(&bounds->ranges, cursor);
}

static void read_unary(struct bounds *bounds, CXCursor cursor)
{
	struct bounds inside = *bounds;

	/* `&a[8]` names an end; `*&a[8]` is written by nobody */
	inside.is_address = rs_use_bounds_is_address(cursor);
	if (!inside.is_address)
		rs_use_bounds_target(&bounds->ranges, rs_use_first_child(cursor), cursor);
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
		rs_use_bounds_element(&bounds->ranges, statement, was_address);
		break;
	case CXCursor_MemberRefExpr:
		rs_use_bounds_target(&bounds->ranges, rs_use_first_child(statement), statement);
		break;
	case CXCursor_CallExpr:
		rs_use_bounds_call(&bounds->ranges, statement);
		break;
	default:
		break;
	}
	read_children(bounds, statement);
}

void rs_use_check_bounds(struct rs_use_walk *walk, CXCursor function)
{
	struct bounds bounds = { .ranges = { .walk = walk } };

	read_children(&bounds, function);
}
