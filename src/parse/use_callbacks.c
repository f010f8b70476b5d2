/*
 * Functions among the arguments of a call: what their parameters are given.
 */
#include "parse/uses_internal.h"

enum { MAX_DEPTH = 200 };

CXCursor rs_use_named_function(struct rs_use_walk *walk, CXCursor value)
{
	CXCursor core = rs_use_strip_casts(walk, value);

	if (clang_getCursorKind(core) == CXCursor_UnaryOperator)
		core = rs_use_strip(walk, rs_use_first_child(core));
	if (clang_getCursorKind(core) != CXCursor_DeclRefExpr)
		return clang_getNullCursor();
	core = clang_getCursorReferenced(core);
	return clang_getCursorKind(core) == CXCursor_FunctionDecl ? clang_getCursorDefinition(core)
								  : clang_getNullCursor();
}

static CXType argument_element(struct rs_use_walk *walk, CXCursor call, int index)
{
	return rs_use_element(
		clang_getCursorType(rs_use_strip(walk, clang_Cursor_getArgument(call, (unsigned)index))));
}

/* Const or not. */
static bool is_same_element(CXType a, CXType b)
{
	if (a.kind == CXType_Record && b.kind == CXType_Record)
		return clang_equalCursors(clang_getTypeDeclaration(a), clang_getTypeDeclaration(b)) != 0;
	return a.kind == b.kind && rs_use_is_number(a);
}

static bool takes(CXCursor function, CXType element)
{
	for (int i = 0; i < clang_Cursor_getNumArguments(function); i++)
		if (is_same_element(rs_use_element(clang_getCursorType(
					    clang_Cursor_getArgument(function, (unsigned)i))),
				    element))
			return true;
	return false;
}

static bool gives(struct rs_use_walk *walk, CXCursor call, CXType element)
{
	for (int i = 0; i < clang_Cursor_getNumArguments(call); i++)
		if (is_same_element(argument_element(walk, call, i), element))
			return true;
	return false;
}

/* `save(s, text, handler)` with a handler that takes a struct s and a text: each gets its own, not the other.
 */
static bool have_their_own(struct rs_use_walk *walk, CXCursor call, CXCursor function, CXType taken,
			   CXType given)
{
	return !is_same_element(taken, given) && takes(function, given) && gives(walk, call, taken);
}

/* What the called function takes in this place, of the kinds of a handler's parameters; invalid: unknown. */
static CXType declared_element(CXCursor call, int index)
{
	CXCursor parameter = clang_Cursor_getArgument(clang_getCursorReferenced(call), (unsigned)index);

	return clang_Cursor_isNull(parameter) ? (CXType) { .kind = CXType_Invalid }
					      : rs_use_element(clang_getCursorType(parameter));
}

static bool takes_anything(CXCursor function)
{
	for (int i = 0; i < clang_Cursor_getNumArguments(function); i++)
		if (rs_use_element(clang_getCursorType(clang_Cursor_getArgument(function, (unsigned)i))).kind ==
		    CXType_Void)
			return true;
	return false;
}

/* `prompt(client, "text", handler, data)`: what is handed on as a pointer to a struct does not become one to
 * characters without a cast; where only one argument is a `void *`, that is what a handler gets as one. */
static bool goes_elsewhere(CXCursor call, int index, CXCursor function, CXType taken, bool is_object)
{
	CXType declared = declared_element(call, index);
	unsigned n_anything = 0;

	if (declared.kind == CXType_Record)
		return rs_use_is_number(taken);
	for (int i = 0; i < clang_Cursor_getNumArguments(call); i++)
		n_anything += declared_element(call, i).kind == CXType_Void;
	if (n_anything != 1 || !takes_anything(function))
		return false;
	return declared.kind == CXType_Void
		       ? rs_use_is_number(taken)
		       : taken.kind == CXType_Void && rs_use_is_number(declared) && !is_object;
}

static void flow_to_callback(struct rs_use_walk *walk, CXCursor call, int index, CXCursor function)
{
	struct rs_use_origin origin = rs_use_origin_of(walk, clang_Cursor_getArgument(call, (unsigned)index));
	CXType given = argument_element(walk, call, index);

	for (int i = 0; i < clang_Cursor_getNumArguments(function); i++) {
		CXCursor parameter = clang_Cursor_getArgument(function, (unsigned)i);
		CXType taken = rs_use_element(clang_getCursorType(parameter));

		if (!have_their_own(walk, call, function, taken, given) &&
		    !goes_elsewhere(call, index, function, taken, origin.kind == RS_ORIGIN_OBJECT))
			rs_use_flow_back(walk, parameter, &origin);
	}
}

/* --- what the called function does with the one it is given --- */

/* The body of a function that takes another one as a parameter. */
struct rs_use_body {
	struct rs_use_walk *walk;
	struct rs_arena *arena; /* of the calls */
	CXCursor parameter;
	CXCursor *calls; /* of the parameter */
	size_t n_calls, calls_capacity;
	struct rs_use_body *next; /* of another parameter */
	bool escapes; /* the parameter is kept, passed on, or used in a way that is not understood */
};

static bool is_parameter(const struct rs_use_body *body, CXCursor expression)
{
	CXCursor core = rs_use_strip(body->walk, expression);

	if (clang_getCursorKind(core) == CXCursor_UnaryOperator)
		core = rs_use_strip(body->walk, rs_use_first_child(core));
	return clang_getCursorKind(core) == CXCursor_DeclRefExpr &&
	       clang_equalCursors(clang_getCursorReferenced(core), body->parameter);
}

/* Whether the child, an expression, only says yes or no, or is dropped. */
static bool is_test(CXCursor cursor, size_t child, bool is_tested)
{
	switch (clang_getCursorKind(cursor)) {
	case CXCursor_IfStmt:
	case CXCursor_WhileStmt:
		return true;
	case CXCursor_ConditionalOperator:
		return child == 0;
	case CXCursor_UnexposedExpr:
	case CXCursor_ParenExpr:
		return is_tested;
	case CXCursor_UnaryOperator:
	case CXCursor_BinaryOperator:
		return rs_use_is_number(clang_getCanonicalType(clang_getCursorType(cursor)));
	default:
		return false;
	}
}

static void look_at(struct rs_use_body *body, CXCursor cursor, bool is_tested, unsigned depth)
{
	struct rs_use_children inside = rs_use_children_of(body->walk, cursor);
	bool is_call = clang_getCursorKind(cursor) == CXCursor_CallExpr && inside.n_items > 0 &&
		       is_parameter(body, inside.items[0]);

	if (depth > MAX_DEPTH || (clang_getCursorKind(cursor) == CXCursor_DeclRefExpr && !is_tested &&
				  clang_equalCursors(clang_getCursorReferenced(cursor), body->parameter)))
		body->escapes = true;
	if (is_call)
		*rs_array_push(body->arena, body->calls, body->n_calls, body->calls_capacity) = cursor;
	for (size_t i = is_call ? 1 : 0; i < inside.n_items && !body->escapes; i++)
		look_at(body, inside.items[i], is_test(cursor, i, is_tested), depth + 1);
}

/* Each body is read once, on memory that goes at once: it is all of the function. */
static const struct rs_use_body *body_of(struct rs_use_walk *walk, CXCursor definition, CXCursor parameter)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *scratch = NULL;
	struct rs_arena *arena = walk->arena;

	for (struct rs_use_body *known = walk->bodies; known; known = known->next)
		if (clang_equalCursors(known->parameter, parameter))
			return known;
	struct rs_use_body *body = rs_arena_new(arena, struct rs_use_body);
	*body = (struct rs_use_body) {
		.walk = walk, .arena = arena, .parameter = parameter, .next = walk->bodies
	};
	walk->bodies = body;
	walk->arena = scratch = rs_arena_create();
	look_at(body, definition, false, 0);
	walk->arena = arena;
	return body;
}

/* A function that does nothing with the one it is given but call it shows what it gives it. */
static bool flow_as_called(struct rs_use_walk *walk, CXCursor called, int index, CXCursor function)
{
	CXCursor definition = clang_getCursorDefinition(called);

	if (clang_Cursor_isNull(definition) || index >= clang_Cursor_getNumArguments(definition))
		return false;
	const struct rs_use_body *body =
		body_of(walk, definition, clang_Cursor_getArgument(definition, (unsigned)index));
	if (body->escapes || body->n_calls == 0)
		return false;
	for (size_t i = 0; i < body->n_calls; i++)
		for (int j = 0; j < clang_Cursor_getNumArguments(function); j++) {
			struct rs_use_origin origin =
				rs_use_origin_of(walk, clang_Cursor_getArgument(body->calls[i], (unsigned)j));

			rs_use_flow_back(walk, clang_Cursor_getArgument(function, (unsigned)j), &origin);
		}
	return true;
}

/* `qsort(table, n, size, compare)`, `start(thread, run, job)`: what stands beside a function is what it will be
 * given, in one parameter or another. */
void rs_use_check_callbacks(struct rs_use_walk *walk, CXCursor call, CXCursor called)
{
	int count = clang_Cursor_getNumArguments(call);

	for (int i = 0; i < count; i++) {
		CXCursor function = rs_use_named_function(walk, clang_Cursor_getArgument(call, (unsigned)i));

		if (clang_Cursor_isNull(function) || flow_as_called(walk, called, i, function))
			continue;
		for (int j = 0; j < count; j++)
			flow_to_callback(walk, call, j, function);
	}
}
