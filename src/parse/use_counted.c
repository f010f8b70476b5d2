/*
 * Parameters of a function that belong together: an address, and how much is used from there on.
 */
#include <string.h>

#include "parse/byte_functions.h"
#include "parse/uses_internal.h"

enum { MAX_CALLS = 3 };

struct counted {
	struct rs_use_walk *walk;
	CXCursor pointers[8]; /* the parameter, and variables that start from it */
	size_t n_pointers;
	CXCursor count;
	unsigned depth; /* of calls */
	long long unit; /* what is found: the bytes of one that is counted */
};

static const CXCursor *named_pointer(struct counted *counted, CXCursor expression)
{
	for (size_t i = 0; i < counted->n_pointers; i++)
		if (rs_use_names(counted->walk, expression, counted->pointers[i]))
			return &counted->pointers[i];
	return NULL;
}

static long long unit_of(CXCursor pointer)
{
	long long size = clang_Type_getSizeOf(rs_use_element(clang_getCursorType(pointer)));

	return size > 0 ? size : 1; /* void */
}

/* `n`, `n--`, `i < n`, `p < start + n`: what is multiplied or divided counts something else. */
static enum CXChildVisitResult look_for_count(CXCursor cursor, CXCursor parent, CXClientData data)
{
	void **context = (void **)data;
	struct counted *counted = (struct counted *)context[0];

	(void)parent;
	if (clang_getCursorKind(cursor) == CXCursor_CallExpr ||
	    clang_getCursorKind(cursor) == CXCursor_ArraySubscriptExpr)
		return CXChildVisit_Continue;
	if (rs_use_names(counted->walk, cursor, counted->count))
		*(bool *)context[1] = true;
	return CXChildVisit_Recurse;
}

static bool counts_rounds(struct counted *counted, CXCursor condition)
{
	bool found = false;
	void *context[] = { counted, &found };

	look_for_count(condition, condition, context);
	clang_visitChildren(condition, look_for_count, context);
	return found;
}

static enum CXChildVisitResult look_for_pointer(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct counted *counted = (struct counted *)data;
	const CXCursor *pointer = NULL;

	(void)parent;
	if (clang_getCursorKind(cursor) == CXCursor_DeclRefExpr)
		pointer = named_pointer(counted, cursor);
	/* of `void *` that something else is made of, that one is counted */
	if (pointer && (counted->unit == 0 || unit_of(*pointer) > counted->unit))
		counted->unit = unit_of(*pointer);
	return CXChildVisit_Recurse;
}

static void check_loop(struct counted *counted, CXCursor loop)
{
	struct rs_use_children parts = rs_use_children_of(counted->walk, loop);
	size_t body = clang_getCursorKind(loop) == CXCursor_DoStmt ? 0 : parts.n_items - 1;
	bool is_counted = false;

	for (size_t i = 0; i < parts.n_items && !is_counted; i++)
		if (i != body && clang_isExpression(clang_getCursorKind(parts.items[i])))
			is_counted = counts_rounds(counted, parts.items[i]);
	if (is_counted)
		clang_visitChildren(loop, look_for_pointer, counted);
}

static void check_call(struct counted *counted, CXCursor call)
{
	struct rs_use_walk *walk = counted->walk;
	const struct rs_byte_function *row = rs_use_known_function(walk, call);
	CXCursor function = clang_getCursorDefinition(clang_getCursorReferenced(call));
	int count = clang_Cursor_getNumArguments(call), at = -1, length = -1;

	for (int i = 0; i < count; i++) {
		if (named_pointer(counted, clang_Cursor_getArgument(call, (unsigned)i)))
			at = i;
		else if (rs_use_names(counted->walk, clang_Cursor_getArgument(call, (unsigned)i),
				      counted->count))
			length = i;
	}
	if (at < 0 || length < 0)
		return;
	if (row && row->length == length && row->times == 0 && (row->addresses == 0 || at < row->addresses))
		counted->unit = 1;
	else if (!row && counted->depth < MAX_CALLS && !clang_Cursor_isNull(function))
		counted->unit =
			rs_use_counted(walk, function, (unsigned)at, (unsigned)length, counted->depth + 1);
}

static enum CXChildVisitResult look_for_use(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct counted *counted = (struct counted *)data;

	(void)parent;
	switch (clang_getCursorKind(cursor)) {
	case CXCursor_VarDecl: {
		CXCursor value = clang_Cursor_getVarDeclInitializer(cursor);

		if (!clang_Cursor_isNull(value) && named_pointer(counted, value) &&
		    counted->n_pointers < RS_COUNT_OF(counted->pointers))
			counted->pointers[counted->n_pointers++] = cursor;
		break;
	}
	case CXCursor_ForStmt:
	case CXCursor_WhileStmt:
	case CXCursor_DoStmt:
		check_loop(counted, cursor);
		break;
	case CXCursor_CallExpr:
		check_call(counted, cursor);
		break;
	default:
		break;
	}
	return counted->unit ? CXChildVisit_Break : CXChildVisit_Recurse;
}

long long rs_use_counted(struct rs_use_walk *walk, CXCursor function, unsigned pointer, unsigned count,
			 unsigned depth)
{
	struct counted counted = { .walk = walk, .n_pointers = 1, .depth = depth };

	if ((int)pointer >= clang_Cursor_getNumArguments(function) ||
	    (int)count >= clang_Cursor_getNumArguments(function))
		return 0;
	counted.pointers[0] = clang_Cursor_getArgument(function, pointer);
	counted.count = clang_Cursor_getArgument(function, count);
	if (!rs_use_is_pointer(clang_getCursorType(counted.pointers[0])) ||
	    !rs_use_is_number(clang_getCanonicalType(clang_getCursorType(counted.count))))
		return 0;
	clang_visitChildren(function, look_for_use, &counted);
	return counted.unit;
}
