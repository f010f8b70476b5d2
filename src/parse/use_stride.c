/*
 * Places in an object that a variable goes through: `memcpy(out, (char *)s + at, size[i]); at += size[i];`
 * takes the members in the order in which they stand. An offset of a member that was given to a variable does
 * not.
 */
#include <string.h>

#include "parse/use_ranges.h"
#include "parse/uses_internal.h"

enum { WIDEST_STEP = 16 }; /* of a member; what is more goes from one struct of an array to the next */

struct steps {
	struct rs_use_walk *walk;
	CXCursor variable;
	bool goes_on;  /* from where it was to what comes next */
	bool is_given; /* a place from elsewhere */
};

struct naming {
	CXCursor variable;
	bool found;
};

static enum CXChildVisitResult look_for_variable(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct naming *naming = (struct naming *)data;

	(void)parent;
	naming->found =
		naming->found || (clang_getCursorKind(cursor) == CXCursor_DeclRefExpr &&
				  clang_equalCursors(clang_getCursorReferenced(cursor), naming->variable));
	return naming->found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

static bool names_it(const struct steps *steps, CXCursor value)
{
	struct naming naming = { .variable = steps->variable };

	look_for_variable(value, value, &naming);
	if (!naming.found)
		clang_visitChildren(value, look_for_variable, &naming);
	return naming.found;
}

/* `at += by`. */
static void note_step(struct steps *steps, CXCursor by)
{
	long long bytes;

	if (rs_use_mentions_member(steps->walk, by) || (rs_use_evaluate(by, &bytes) && bytes > WIDEST_STEP))
		steps->is_given = true;
	else
		steps->goes_on = true;
}

/* `at = value`, or what it is made with. */
static void note_value(struct steps *steps, CXCursor value)
{
	long long bytes;

	if (names_it(steps, value))
		note_step(steps, value);
	else if (!rs_use_evaluate(value, &bytes) || rs_use_mentions_member(steps->walk, value))
		steps->is_given = true;
}

static void note_operator(struct steps *steps, CXCursor cursor)
{
	struct rs_use_children sides = rs_use_children_of(steps->walk, cursor);

	if (sides.n_items == 1 && rs_use_names(steps->walk, sides.items[0], steps->variable))
		steps->is_given = steps->is_given || rs_use_is_pointer(clang_getCursorType(cursor));
	if (sides.n_items != 2 || !rs_use_names(steps->walk, sides.items[0], steps->variable))
		return;
	if (clang_getCursorKind(cursor) == CXCursor_CompoundAssignOperator)
		note_step(steps, sides.items[1]);
	else if (strcmp(rs_use_ranges_operator(steps->walk, &sides), "=") == 0)
		note_value(steps, sides.items[1]);
}

static enum CXChildVisitResult look_at_steps(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct steps *steps = (struct steps *)data;
	enum CXCursorKind kind = clang_getCursorKind(cursor);
	CXCursor value = clang_getNullCursor();

	(void)parent;
	if (kind == CXCursor_VarDecl && clang_equalCursors(cursor, steps->variable))
		value = clang_Cursor_getVarDeclInitializer(cursor);
	if (!clang_Cursor_isNull(value))
		note_value(steps, value);
	if (kind == CXCursor_CompoundAssignOperator || kind == CXCursor_BinaryOperator ||
	    kind == CXCursor_UnaryOperator)
		note_operator(steps, cursor);
	return steps->is_given ? CXChildVisit_Break : CXChildVisit_Recurse;
}

bool rs_use_is_stride(struct rs_use_walk *walk, CXCursor number)
{
	CXCursor core = rs_use_strip_casts(walk, number);
	struct steps steps = { .walk = walk };

	if (clang_Cursor_isNull(walk->function) || clang_getCursorKind(core) != CXCursor_DeclRefExpr)
		return false;
	steps.variable = clang_getCursorReferenced(core);
	if (clang_getCursorKind(steps.variable) != CXCursor_VarDecl ||
	    !clang_equalCursors(clang_getCursorSemanticParent(steps.variable), walk->function))
		return false;
	clang_visitChildren(walk->function, look_at_steps, &steps);
	return steps.goes_on && !steps.is_given;
}

/* `pointer + number` with such a number. */
struct stride {
	CXCursor pointer; /* null: it is none */
	CXCursor number;  /* its declaration */
};

static struct stride stride_of(struct rs_use_walk *walk, CXCursor sum)
{
	struct rs_use_children sides = { 0 };

	if (clang_getCursorKind(sum) == CXCursor_BinaryOperator && rs_use_is_pointer(clang_getCursorType(sum)))
		sides = rs_use_children_of(walk, sum);
	for (size_t i = 0; sides.n_items == 2 && i < 2; i++)
		if (rs_use_is_pointer(clang_getCursorType(sides.items[i])) &&
		    rs_use_is_stride(walk, sides.items[1 - i]))
			return (struct stride) { sides.items[i], clang_getCursorReferenced(rs_use_strip_casts(
									 walk, sides.items[1 - i])) };
	return (struct stride) { clang_getNullCursor(), clang_getNullCursor() };
}

void rs_use_check_stride(struct rs_use_walk *walk, CXCursor call, const char *name, CXCursor to, CXCursor from)
{
	struct stride strides[] = { stride_of(walk, to), stride_of(walk, from) };

	/* to the same place of another object: the order is nobody's business */
	if (!clang_Cursor_isNull(strides[0].pointer) &&
	    clang_equalCursors(strides[0].number, strides[1].number))
		return;
	for (size_t i = 0; i < 2; i++) {
		struct rs_use_origin origin = { 0 };

		if (!clang_Cursor_isNull(strides[i].pointer))
			origin = rs_use_origin_of(walk, strides[i].pointer);
		if (origin.kind == RS_ORIGIN_OBJECT)
			rs_use_pin_held(
				walk, origin.type, call, "layout-escapes",
				"%s goes through its bytes from one to the next: their order is a format",
				name);
		else if (origin.kind == RS_ORIGIN_HOLDER &&
			 clang_getCursorKind(origin.declaration) == CXCursor_VarDecl)
			rs_use_flow_deed(walk, origin.declaration, RS_DEED_ESCAPE, origin.type, name, call);
	}
}
