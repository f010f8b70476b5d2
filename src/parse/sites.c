#include "parse/sites.h"

#include <stdlib.h>
#include <string.h>

#include "parse/identity.h"
#include "parse/uses_internal.h"

/* What is done with an expression's value; nothing (0): only what is inside it counts. */
enum { DOES_READ = 1, DOES_WRITE = 2, DOES_ADDRESS = 4 };

enum { MOST_DEPTH = 400 }; /* of expressions: generated code nests deeper than a stack is long */

struct site_walk {
	struct rs_use_walk uses;
	struct rs_site_list *list;
	const char *function;
	unsigned depth, nesting;
};

static void visit(struct site_walk *walk, CXCursor cursor, unsigned does);

static void visit_all(struct site_walk *walk, CXCursor cursor, unsigned does)
{
	struct rs_use_children children = rs_use_children_of(&walk->uses, cursor);

	for (size_t i = 0; i < children.n_items; i++)
		visit(walk, children.items[i], does);
}

static bool is_array(CXType type)
{
	return clang_getArrayElementType(clang_getCanonicalType(type)).kind != CXType_Invalid;
}

static bool is_pointer(CXCursor expression)
{
	return clang_getCanonicalType(clang_getCursorType(expression)).kind == CXType_Pointer;
}

/* The expression that a member is taken of with a dot, through elements of arrays; null: there is none. */
static CXCursor container_of(struct site_walk *walk, CXCursor member_ref)
{
	struct rs_use_children inside = rs_use_children_of(&walk->uses, member_ref);

	while (inside.n_items > 0) {
		CXCursor base = rs_use_strip(&walk->uses, inside.items[0]);
		enum CXCursorKind kind = clang_getCursorKind(base);

		if (kind == CXCursor_MemberRefExpr)
			return is_pointer(base) ? clang_getNullCursor() : base;
		if (kind != CXCursor_ArraySubscriptExpr)
			break;
		inside = rs_use_children_of(&walk->uses, base);
		if (inside.n_items == 0 ||
		    !is_array(clang_getCursorType(rs_use_strip(&walk->uses, inside.items[0]))))
			break;
	}
	return clang_getNullCursor();
}

/* The member of one of the records that an expression like p->a.b names; ret_record RS_NONE: of none. */
static size_t member_of(struct site_walk *walk, CXCursor member_ref, size_t *ret_record)
{
	struct rs_arena *arena = walk->uses.arena;
	char *path = NULL;

	*ret_record = RS_NONE;
	for (CXCursor at = member_ref; !clang_Cursor_isNull(at); at = container_of(walk, at)) {
		CXCursor field = clang_getCursorReferenced(at);

		if (clang_getCursorKind(field) != CXCursor_FieldDecl)
			return RS_NONE;
		if (!rs_use_is_unnamed(field)) {
			char *name = rs_tu_string(arena, clang_getCursorSpelling(field));
			path = path ? rs_arena_printf(arena, "%s.%s", name, path) : name;
		}
		*ret_record = rs_use_record_of_field(&walk->uses, field);
		if (*ret_record != RS_NONE)
			return path ? rs_use_find_member(walk->uses.records[*ret_record], path) : RS_NONE;
	}
	return RS_NONE;
}

static void add_site(struct site_walk *walk, CXCursor member_ref, unsigned does)
{
	size_t record, member = member_of(walk, member_ref, &record);
	struct rs_site_list *list = walk->list;
	unsigned line, byte;
	CXFile file;

	if (record == RS_NONE || member == RS_NONE)
		return;
	clang_getExpansionLocation(clang_getCursorLocation(member_ref), &file, &line, NULL, &byte);
	if (!file)
		return;
	*rs_array_push(list->arena, list->items, list->n_items, list->items_capacity) = (struct rs_site) {
		.file = rs_tu_file_path(walk->uses.tu, file, list->arena),
		.line = line,
		.byte = byte,
		.record = record,
		.member = member,
		.reads = (does & (DOES_READ | DOES_ADDRESS)) != 0,
		.writes = (does & (DOES_WRITE | DOES_ADDRESS)) != 0,
		.depth = walk->depth,
		.function = walk->function ? rs_arena_strdup(list->arena, walk->function) : NULL,
	};
}

static void visit_member(struct site_walk *walk, CXCursor cursor, unsigned does)
{
	struct rs_use_children inside = rs_use_children_of(&walk->uses, cursor);

	if (does)
		add_site(walk, cursor, does);
	for (size_t i = 0; i < inside.n_items; i++)
		visit(walk, inside.items[i], is_pointer(inside.items[i]) ? DOES_READ : 0);
}

static void visit_element(struct site_walk *walk, CXCursor cursor, unsigned does)
{
	struct rs_use_children inside = rs_use_children_of(&walk->uses, cursor);

	for (size_t i = 0; i < inside.n_items; i++) {
		bool array =
			i == 0 && is_array(clang_getCursorType(rs_use_strip(&walk->uses, inside.items[i])));

		visit(walk, inside.items[i], array ? does : DOES_READ);
	}
}

struct source_text {
	const char *text;
	size_t start, end;
};

/* The text between two places of one file, as it was written; empty where macros make it. */
static struct source_text text_between(struct site_walk *walk, CXSourceLocation from, CXSourceLocation to)
{
	struct rs_clang_place start = rs_clang_place_of(from, true), end = rs_clang_place_of(to, true);
	struct source_text found = { .text = "" };
	size_t size;

	if (!start.file || !end.file || start.is_macro || end.is_macro ||
	    !rs_identity_is_same(start.file, end.file))
		return found;
	const char *text = clang_getFileContents(rs_tu_clang(walk->uses.tu), start.file, &size);
	if (text && start.byte <= end.byte && end.byte <= size)
		found = (struct source_text) { text, start.byte, end.byte };
	return found;
}

/* libclang 14 does not tell operators: '=' alone between the operands is an assignment. */
static bool is_assignment(struct site_walk *walk, const struct rs_use_children *operands)
{
	if (operands->n_items != 2)
		return false;
	CXSourceRange left = clang_getCursorExtent(operands->items[0]);
	CXSourceRange right = clang_getCursorExtent(operands->items[1]);
	struct source_text gap = text_between(walk, clang_getRangeEnd(left), clang_getRangeStart(right));
	while (gap.start < gap.end && strchr(" \t\r\n\\)", gap.text[gap.start]))
		gap.start++;
	return gap.start < gap.end && gap.text[gap.start] == '=' && gap.text[gap.start + 1] != '=';
}

static void visit_binary(struct site_walk *walk, CXCursor cursor)
{
	struct rs_use_children operands = rs_use_children_of(&walk->uses, cursor);
	bool assigns = is_assignment(walk, &operands);

	for (size_t i = 0; i < operands.n_items; i++)
		visit(walk, operands.items[i], i == 0 && assigns ? DOES_WRITE : DOES_READ);
}

static void visit_compound(struct site_walk *walk, CXCursor cursor)
{
	struct rs_use_children operands = rs_use_children_of(&walk->uses, cursor);

	for (size_t i = 0; i < operands.n_items; i++)
		visit(walk, operands.items[i], i == 0 ? DOES_READ | DOES_WRITE : DOES_READ);
}

/* &x gives a pointer to what x is; ++ and -- stand at one of its ends. */
static void visit_unary(struct site_walk *walk, CXCursor cursor)
{
	struct rs_use_children inside = rs_use_children_of(&walk->uses, cursor);
	CXType type = clang_getCanonicalType(clang_getCursorType(cursor));
	CXSourceRange extent = clang_getCursorExtent(cursor);
	struct source_text text = text_between(walk, clang_getRangeStart(extent), clang_getRangeEnd(extent));
	unsigned does = DOES_READ;

	if (inside.n_items == 1 && type.kind == CXType_Pointer &&
	    clang_equalTypes(clang_getCanonicalType(clang_getPointeeType(type)),
			     clang_getCanonicalType(clang_getCursorType(inside.items[0]))))
		does = DOES_ADDRESS;
	for (const char *const *sign = (const char *const[]) { "++", "--", NULL }; *sign; sign++)
		if (text.end - text.start > 2 && (memcmp(text.text + text.start, *sign, 2) == 0 ||
						  memcmp(text.text + text.end - 2, *sign, 2) == 0))
			does = DOES_READ | DOES_WRITE;
	visit_all(walk, cursor, does);
}

static bool takes_const(CXCursor argument)
{
	CXType type = clang_getCanonicalType(clang_getCursorType(argument));

	return type.kind == CXType_Pointer && clang_isConstQualifiedType(clang_getPointeeType(type));
}

/* An argument has the parameter's type already: the conversion to const stands around the address. */
static void visit_call(struct site_walk *walk, CXCursor cursor)
{
	struct rs_use_children inside = rs_use_children_of(&walk->uses, cursor);

	for (size_t i = 0; i < inside.n_items; i++) {
		CXCursor stripped = rs_use_strip(&walk->uses, inside.items[i]);

		if (takes_const(inside.items[i]) && clang_getCursorKind(stripped) == CXCursor_UnaryOperator)
			visit_all(walk, stripped, DOES_READ);
		else
			visit(walk, inside.items[i], DOES_READ);
	}
}

static bool is_loop_start(struct site_walk *walk, CXCursor child)
{
	struct rs_use_children inside = rs_use_children_of(&walk->uses, child);

	return clang_getCursorKind(child) == CXCursor_DeclStmt ||
	       (clang_getCursorKind(child) == CXCursor_BinaryOperator && is_assignment(walk, &inside));
}

static void visit_loop(struct site_walk *walk, CXCursor cursor)
{
	struct rs_use_children inside = rs_use_children_of(&walk->uses, cursor);
	bool is_for = clang_getCursorKind(cursor) == CXCursor_ForStmt;

	for (size_t i = 0; i < inside.n_items; i++) {
		bool once = is_for && i == 0 && inside.n_items > 1 && is_loop_start(walk, inside.items[i]);

		walk->depth += !once;
		visit(walk, inside.items[i], DOES_READ);
		walk->depth -= !once;
	}
}

static void visit_function(struct site_walk *walk, CXCursor cursor)
{
	const char *outer = walk->function;

	walk->function = rs_tu_string(walk->uses.arena, clang_getCursorSpelling(cursor));
	visit_all(walk, cursor, DOES_READ);
	walk->function = outer;
}

static void visit_kind(struct site_walk *walk, CXCursor cursor, unsigned does)
{
	switch (clang_getCursorKind(cursor)) {
	case CXCursor_MemberRefExpr:
		visit_member(walk, cursor, does);
		return;
	case CXCursor_ArraySubscriptExpr:
		visit_element(walk, cursor, does);
		return;
	case CXCursor_UnexposedExpr:
	case CXCursor_ParenExpr:
		visit_all(walk, cursor, does);
		return;
	case CXCursor_BinaryOperator:
		visit_binary(walk, cursor);
		return;
	case CXCursor_CompoundAssignOperator:
		visit_compound(walk, cursor);
		return;
	case CXCursor_UnaryOperator:
		visit_unary(walk, cursor);
		return;
	case CXCursor_CallExpr:
		visit_call(walk, cursor);
		return;
	case CXCursor_ForStmt:
	case CXCursor_WhileStmt:
	case CXCursor_DoStmt:
		visit_loop(walk, cursor);
		return;
	case CXCursor_FunctionDecl:
		visit_function(walk, cursor);
		return;
	case CXCursor_UnaryExpr: /* sizeof and its like */
	case CXCursor_StaticAssert:
	case CXCursor_StructDecl:
	case CXCursor_UnionDecl:
	case CXCursor_EnumDecl:
		return;
	default:
		visit_all(walk, cursor, DOES_READ);
	}
}

static void visit(struct site_walk *walk, CXCursor cursor, unsigned does)
{
	if (walk->nesting == MOST_DEPTH)
		return;
	walk->nesting++;
	visit_kind(walk, cursor, does);
	walk->nesting--;
}

void rs_sites_find(struct rs_tu *tu, const struct rs_record *const *records, size_t n_records,
		   struct rs_site_list *list)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	struct site_walk walk = { .uses = { .tu = tu,
					    .arena = arena,
					    .records = records,
					    .types = rs_arena_array(arena, CXType, n_records),
					    .n_records = n_records },
				  .list = list };
	CXCursor root = clang_getTranslationUnitCursor(rs_tu_clang(tu));
	struct rs_use_children top = rs_use_children_of(&walk.uses, root);

	for (size_t i = 0; i < top.n_items; i++)
		if (!clang_Location_isInSystemHeader(clang_getCursorLocation(top.items[i])))
			visit(&walk, top.items[i], DOES_READ);
	rs_use_walk_forget(&walk.uses);
}

static int compare_sites(const void *a, const void *b)
{
	const struct rs_site *x = (const struct rs_site *)a, *y = (const struct rs_site *)b;
	int order = strcmp(x->file, y->file);

	if (order)
		return order;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if (x->byte != y->byte)
		return x->byte < y->byte ? -1 : 1;
	if (x->record != y->record)
		return x->record < y->record ? -1 : 1;
	if (x->member != y->member)
		return x->member < y->member ? -1 : 1;
	return (x->reads + 2 * x->writes) - (y->reads + 2 * y->writes);
}

void rs_sites_settle(struct rs_site_list *list)
{
	size_t count = 0;

	if (list->n_items == 0)
		return;
	qsort(list->items, list->n_items, sizeof *list->items, compare_sites);
	for (size_t i = 0; i < list->n_items; i++)
		if (i == 0 || compare_sites(&list->items[i], &list->items[count - 1]) != 0)
			list->items[count++] = list->items[i];
	list->n_items = count;
}
