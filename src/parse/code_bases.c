#include <string.h>

#include "base/builder.h"
#include "parse/code_internal.h"
#include "parse/identity.h"

bool rs_code_is_pointer(CXCursor expression)
{
	return clang_getCanonicalType(clang_getCursorType(expression)).kind == CXType_Pointer;
}

struct rs_code_place rs_code_place_of(struct rs_code_walk *walk, CXCursor cursor)
{
	struct rs_code_place place = { .file = "" };
	CXFile file;

	/* Of a macro's argument this is where it is written, of its body where the macro is used. */
	clang_getFileLocation(clang_getCursorLocation(cursor), &file, &place.line, &place.column, NULL);
	if (file && (!walk->uses.shown_file || !rs_identity_is_same(file, walk->uses.shown_file))) {
		walk->uses.shown_file = file;
		walk->uses.shown_path = rs_tu_file_path(walk->uses.tu, file, walk->code->arena);
	}
	if (file)
		place.file = walk->uses.shown_path;
	return place;
}

/* --- objects --- */

struct base_text {
	struct rs_code_walk *walk;
	struct rs_builder *out;
	struct rs_code_object *object;
	size_t parameter;
};

static void write_text(struct base_text *text, CXCursor expression, unsigned depth);

static void add_variable(struct rs_code_walk *walk, struct rs_code_variables *variables, CXCursor declaration)
{
	*rs_array_push(walk->uses.arena, variables->items, variables->n_items, variables->items_capacity) =
		clang_hashCursor(clang_getCanonicalCursor(declaration));
}

static size_t parameter_of(const struct rs_code_walk *walk, CXCursor declaration)
{
	int count = clang_Cursor_getNumArguments(walk->declaration);

	for (int i = 0; i < count; i++)
		if (clang_equalCursors(clang_Cursor_getArgument(walk->declaration, (unsigned)i), declaration))
			return (size_t)i;
	return RS_NONE;
}

static void write_reference(struct base_text *text, CXCursor expression, unsigned depth)
{
	CXCursor declaration = clang_getCursorReferenced(expression);

	if (clang_getCursorKind(declaration) == CXCursor_FunctionDecl)
		text->object->is_unsteady = true;
	add_variable(text->walk, &text->object->variables, declaration);
	if (depth == 0)
		text->parameter = parameter_of(text->walk, declaration);
	rs_builder_appends(text->out,
			   rs_tu_string(text->walk->uses.arena, clang_getCursorSpelling(expression)));
}

static void write_member(struct base_text *text, CXCursor expression, unsigned depth)
{
	struct rs_use_children inside = rs_use_children_of(&text->walk->uses, expression);
	char *name = rs_tu_string(text->walk->uses.arena, clang_getCursorSpelling(expression));

	if (inside.n_items > 0)
		write_text(text, inside.items[0], depth + 1);
	if (*name)
		rs_builder_printf(text->out, "%s%s",
				  inside.n_items > 0 && rs_code_is_pointer(inside.items[0]) ? "->" : ".", name);
}

static void write_element(struct base_text *text, CXCursor expression, unsigned depth)
{
	struct rs_use_children inside = rs_use_children_of(&text->walk->uses, expression);

	if (inside.n_items != 2)
		return;
	write_text(text, inside.items[0], depth + 1);
	rs_builder_appendc(text->out, '[');
	write_text(text, inside.items[1], depth + 1);
	rs_builder_appendc(text->out, ']');
}

/* Whatever it is: the same place of the code gives an object of its own each time. */
static void write_other(struct base_text *text, CXCursor expression, unsigned depth)
{
	struct rs_use_children inside = rs_use_children_of(&text->walk->uses, expression);
	struct rs_code_place place = rs_code_place_of(text->walk, expression);
	char *name = rs_tu_string(text->walk->uses.arena, clang_getCursorSpelling(expression));
	bool is_call = clang_getCursorKind(expression) == CXCursor_CallExpr;

	if (is_call)
		text->object->is_unsteady = true;
	rs_builder_printf(text->out, "%s(", is_call ? name : "");
	for (size_t i = is_call; i < inside.n_items; i++) {
		rs_builder_appends(text->out, i > (size_t)is_call ? ", " : "");
		write_text(text, inside.items[i], depth + 1);
	}
	rs_builder_appends(text->out, ")");
	if (is_call || inside.n_items == 0)
		rs_builder_printf(text->out, "@%u:%u", place.line, place.column);
}

static void write_literal(struct base_text *text, CXCursor expression)
{
	long long value = 0;

	(void)rs_use_evaluate(expression, &value);
	rs_builder_printf(text->out, "%lld", value);
}

static void write_text(struct base_text *text, CXCursor expression, unsigned depth)
{
	enum { MOST = 12 };
	struct rs_use_children inside;

	if (depth > MOST) {
		text->object->is_unsteady = true;
		return;
	}
	expression = rs_use_strip_casts(&text->walk->uses, expression);
	switch (clang_getCursorKind(expression)) {
	case CXCursor_DeclRefExpr:
		write_reference(text, expression, depth);
		return;
	case CXCursor_MemberRefExpr:
		write_member(text, expression, depth);
		return;
	case CXCursor_ArraySubscriptExpr:
		write_element(text, expression, depth);
		return;
	case CXCursor_IntegerLiteral:
	case CXCursor_CharacterLiteral:
		write_literal(text, expression);
		return;
	case CXCursor_UnaryOperator:
		inside = rs_use_children_of(&text->walk->uses, expression);
		if (inside.n_items != 1)
			return;
		/* *p and &s are the object that p points to, and that s is. */
		write_text(text, inside.items[0], depth);
		return;
	default:
		write_other(text, expression, depth);
	}
}

static size_t find_base(const struct rs_code_walk *walk, const char *text, size_t record)
{
	for (size_t i = 0; i < walk->function->n_bases; i++)
		if (walk->function->bases[i].record == record &&
		    strcmp(walk->function->bases[i].text, text) == 0)
			return i;
	return RS_NONE;
}

size_t rs_code_base_of(struct rs_code_walk *walk, CXCursor expression, size_t record)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder out = { 0 };
	struct rs_code_object object = { 0 };
	struct base_text text = { walk, &out, &object, RS_NONE };
	struct rs_code_function *function = walk->function;

	rs_builder_appends(&out, "");
	write_text(&text, expression, 0);
	size_t found = find_base(walk, out.data, record);
	if (found != RS_NONE)
		return found;
	*rs_array_push(walk->code->arena, function->bases, function->n_bases, function->bases_capacity) =
		(struct rs_code_base) { .text = rs_arena_strdup(walk->code->arena, out.data),
					.record = record,
					.parameter = text.parameter };
	*rs_array_push(walk->uses.arena, walk->objects, walk->n_objects, walk->objects_capacity) = object;
	return function->n_bases - 1;
}

/* --- loops --- */

struct assignments {
	struct rs_code_walk *walk;
	struct rs_code_variables *found;
};

/* A variable without a conversion around it is not read: it is assigned, stepped, or its address is taken. */
static enum CXChildVisitResult find_assigned(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct assignments *assignments = (struct assignments *)data;
	enum CXCursorKind kind = clang_getCursorKind(cursor), around = clang_getCursorKind(parent);

	if (kind == CXCursor_VarDecl)
		add_variable(assignments->walk, assignments->found, cursor);
	if (kind == CXCursor_DeclRefExpr &&
	    (around == CXCursor_BinaryOperator || around == CXCursor_CompoundAssignOperator ||
	     around == CXCursor_UnaryOperator))
		add_variable(assignments->walk, assignments->found, clang_getCursorReferenced(cursor));
	return CXChildVisit_Recurse;
}

size_t rs_code_enter(struct rs_code_walk *walk, CXCursor start, size_t choice, CXCursor loop)
{
	struct rs_code_function *function = walk->function;
	bool is_loop = !clang_Cursor_isNull(loop);
	size_t parent = function->n_blocks > 0 ? walk->block : RS_NONE;
	struct rs_code_variables *assigned =
		rs_array_push(walk->uses.arena, walk->assigned, walk->n_assigned, walk->assigned_capacity);
	struct assignments assignments = { walk, assigned };

	if (is_loop)
		clang_visitChildren(loop, find_assigned, &assignments);
	*rs_array_push(walk->code->arena, function->blocks, function->n_blocks, function->blocks_capacity) =
		(struct rs_code_block) { .parent = parent,
					 .choice = choice,
					 .is_loop = is_loop,
					 .line = is_loop ? rs_code_place_of(walk, loop).line : 0,
					 .place = rs_code_place_of(walk, start) };
	walk->block = function->n_blocks - 1;
	return walk->block;
}

static bool share_one(const struct rs_code_variables *a, const struct rs_code_variables *b)
{
	for (size_t i = 0; i < a->n_items; i++)
		for (size_t j = 0; j < b->n_items; j++)
			if (a->items[i] == b->items[j])
				return true;
	return false;
}

size_t rs_code_instance_of(const struct rs_code_walk *walk, size_t base)
{
	const struct rs_code_object *object = &walk->objects[base];

	for (size_t b = walk->block; b != RS_NONE; b = walk->function->blocks[b].parent)
		if (walk->function->blocks[b].is_loop &&
		    (object->is_unsteady || share_one(&object->variables, &walk->assigned[b])))
			return b;
	return 0;
}
