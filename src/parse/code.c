#include "parse/code.h"

#include <string.h>

#include "parse/code_internal.h"
#include "parse/identity.h"

enum { MOST_DEPTH = 400 }; /* of expressions: generated code nests deeper than a stack is long */

static void visit_all(struct rs_code_walk *walk, CXCursor cursor, unsigned does)
{
	struct rs_use_children children = rs_use_children_of(&walk->uses, cursor);

	for (size_t i = 0; i < children.n_items; i++)
		rs_code_visit(walk, children.items[i], does);
}

static bool is_array(CXCursor expression)
{
	CXType type = clang_getCanonicalType(clang_getCursorType(expression));

	return clang_getArrayElementType(type).kind != CXType_Invalid;
}

/* --- which member of which record --- */

/* What a member is taken of, with the elements of arrays between them passed over. */
static CXCursor inside_of(struct rs_code_walk *walk, CXCursor member_ref)
{
	struct rs_use_children inside = rs_use_children_of(&walk->uses, member_ref);

	if (inside.n_items == 0)
		return clang_getNullCursor();
	CXCursor base = inside.items[0];
	for (;;) {
		CXCursor core = rs_use_strip(&walk->uses, base);

		if (clang_getCursorKind(core) != CXCursor_ArraySubscriptExpr || rs_code_is_pointer(core))
			return base;
		inside = rs_use_children_of(&walk->uses, core);
		if (inside.n_items == 0 || !is_array(rs_use_strip(&walk->uses, inside.items[0])))
			return base;
		CXCursor array = rs_use_strip(&walk->uses, inside.items[0]);
		if (clang_getCursorKind(array) != CXCursor_MemberRefExpr)
			return base;
		base = array;
	}
}

struct meant {
	size_t record, member;
	CXCursor object; /* the expression that the member is taken of */
};

static bool find_meant(struct rs_code_walk *walk, CXCursor member_ref, struct meant *ret_meant)
{
	char *path = NULL;

	for (CXCursor at = member_ref; clang_getCursorKind(at) == CXCursor_MemberRefExpr;) {
		CXCursor field = clang_getCursorReferenced(at), base = inside_of(walk, at);

		if (clang_getCursorKind(field) != CXCursor_FieldDecl || clang_Cursor_isNull(base))
			return false;
		if (!rs_use_is_unnamed(field)) {
			char *name = rs_tu_string(walk->uses.arena, clang_getCursorSpelling(field));

			path = path ? rs_arena_printf(walk->uses.arena, "%s.%s", name, path) : name;
		}
		size_t record = rs_use_record_of_field(&walk->uses, field);
		if (record != RS_NONE) {
			*ret_meant = (struct meant) { record, RS_NONE, base };
			if (path)
				ret_meant->member = rs_use_find_member(walk->uses.records[record], path);
			return ret_meant->member != RS_NONE;
		}
		if (rs_code_is_pointer(base))
			return false;
		at = rs_use_strip(&walk->uses, base);
	}
	return false;
}

/* --- sites --- */

/* The macro whose use the place is: its name stands there instead of the member's. */
static const char *macro_at(struct rs_code_walk *walk, CXCursor cursor, const char *name)
{
	CXFile file;
	unsigned byte;
	size_t size, length = 0;

	clang_getFileLocation(clang_getCursorLocation(cursor), &file, NULL, NULL, &byte);
	const char *text = file ? clang_getFileContents(rs_tu_clang(walk->uses.tu), file, &size) : NULL;
	if (!text || byte >= size)
		return NULL;
	while (byte + length < size &&
	       strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", text[byte + length]))
		length++;
	if (length == 0 || (length == strlen(name) && memcmp(text + byte, name, length) == 0))
		return NULL;
	return rs_arena_strndup(walk->code->arena, text + byte, length);
}

/* The macro's use, where the site is written in an argument of it. */
static void find_use(CXCursor where, struct rs_code_site *site)
{
	CXSourceLocation location = clang_getCursorLocation(where);
	unsigned line, column, byte, use_byte;
	CXFile file, use_file;

	clang_getFileLocation(location, &file, NULL, NULL, &byte);
	clang_getExpansionLocation(location, &use_file, &line, &column, &use_byte);
	if (file && use_file && rs_identity_is_same(file, use_file) && use_byte < byte) {
		site->use_line = line;
		site->use_column = column;
	}
}

static void add_site(struct rs_code_walk *walk, CXCursor where, const struct meant *meant, unsigned does)
{
	struct rs_code_function *function = walk->function;
	struct rs_arena *arena = walk->code->arena;
	const char *name =
		meant->member == RS_NONE ? NULL : rs_tu_string(arena, clang_getCursorSpelling(where));
	size_t base = rs_code_base_of(walk, meant->object, meant->record);

	if (meant->member != RS_NONE && does == (RS_CODE_READ | RS_CODE_WRITE) &&
	    walk->uses.records[meant->record]->members[meant->member].is_atomic)
		does = RS_CODE_ATOMIC;
	struct rs_code_site *site =
		rs_array_push(arena, function->sites, function->n_sites, function->sites_capacity);

	*site = (struct rs_code_site) { .place = rs_code_place_of(walk, where),
					.name = name,
					.macro = name ? macro_at(walk, where, name) : NULL,
					.member = meant->member,
					.base = base,
					.block = walk->block,
					.instance = rs_code_instance_of(walk, base),
					.does = does };
	if (name && !site->macro)
		find_use(where, site);
}

void rs_code_add_member(struct rs_code_walk *walk, CXCursor member_ref, unsigned does)
{
	struct meant meant;

	if (find_meant(walk, member_ref, &meant))
		add_site(walk, member_ref, &meant, does);
}

/* A variable of a function holds what is about to be copied into an object. */
static bool is_temporary(CXCursor expression)
{
	CXCursor declaration = clang_getCursorReferenced(expression);

	return clang_getCursorKind(expression) == CXCursor_CompoundLiteralExpr ||
	       (clang_getCursorKind(expression) == CXCursor_DeclRefExpr &&
		clang_getCursorKind(declaration) == CXCursor_VarDecl &&
		clang_getCursorLinkage(declaration) == CXLinkage_NoLinkage &&
		clang_Cursor_getStorageClass(declaration) != CX_SC_Static);
}

void rs_code_add_whole(struct rs_code_walk *walk, CXCursor lvalue, unsigned does)
{
	CXCursor core = rs_use_strip(&walk->uses, lvalue);
	const struct meant meant = { rs_use_record_of(&walk->uses, clang_getCursorType(core)), RS_NONE, core };

	if (meant.record != RS_NONE && !is_temporary(core))
		add_site(walk, lvalue, &meant, does);
}

void rs_code_add_pointee(struct rs_code_walk *walk, CXCursor pointer, unsigned does)
{
	const struct meant meant = { rs_use_pointee_record(&walk->uses, clang_getCursorType(pointer)), RS_NONE,
				     pointer };

	if (meant.record != RS_NONE)
		add_site(walk, pointer, &meant, does);
}

/* --- expressions --- */

static void visit_member(struct rs_code_walk *walk, CXCursor cursor, unsigned does)
{
	visit_all(walk, cursor, RS_CODE_VALUE);
	if (does & 15)
		rs_code_add_member(walk, cursor, does & 15);
}

static void visit_element(struct rs_code_walk *walk, CXCursor cursor, unsigned does)
{
	struct rs_use_children inside = rs_use_children_of(&walk->uses, cursor);

	for (size_t i = 0; i < inside.n_items; i++)
		rs_code_visit(walk, inside.items[i], i == 0 ? does | RS_CODE_ELEMENT : RS_CODE_VALUE);
}

/* A conversion that the compiler adds: of what is named to its value, or of an array to its address. */
static void visit_conversion(struct rs_code_walk *walk, CXCursor cursor, unsigned does)
{
	struct rs_use_children inside = rs_use_children_of(&walk->uses, cursor);
	unsigned passed = does & ~(unsigned)RS_CODE_ELEMENT;

	if (inside.n_items != 1) {
		if (!rs_code_visit_atomic(walk, cursor))
			visit_all(walk, cursor, RS_CODE_VALUE);
		return;
	}
	CXCursor child = inside.items[0];
	if (clang_getCanonicalType(clang_getCursorType(child)).kind == CXType_FunctionProto)
		return;
	if (is_array(child))
		rs_code_visit(walk, child, does & RS_CODE_ELEMENT ? passed : RS_CODE_ADDRESS);
	else
		rs_code_visit(walk, child, RS_CODE_READ);
}

static void visit_assignment(struct rs_code_walk *walk, CXCursor cursor, unsigned does)
{
	struct rs_use_children operands = rs_use_children_of(&walk->uses, cursor);

	for (size_t i = 0; i < operands.n_items; i++)
		rs_code_visit(walk, operands.items[i], i == 0 ? does : RS_CODE_VALUE);
}

/* What is dereferenced by `*(volatile T *)&x` is x; null: something else. */
static CXCursor undone_address(struct rs_code_walk *walk, CXCursor operand)
{
	CXCursor core = rs_use_strip_casts(&walk->uses, operand);

	if (clang_getCursorKind(core) != CXCursor_UnaryOperator || !rs_code_is_pointer(core))
		return clang_getNullCursor();
	struct rs_use_children inside = rs_use_children_of(&walk->uses, core);
	if (inside.n_items != 1)
		return clang_getNullCursor();
	CXType pointee = clang_getPointeeType(clang_getCanonicalType(clang_getCursorType(core)));
	bool is_address = clang_equalTypes(clang_getCanonicalType(pointee),
					   clang_getCanonicalType(clang_getCursorType(inside.items[0])));
	return is_address ? inside.items[0] : clang_getNullCursor();
}

/* !, ~, - and * have a conversion below them; without one it is the address, or a step. */
static void visit_unary(struct rs_code_walk *walk, CXCursor cursor, unsigned does)
{
	struct rs_use_children inside = rs_use_children_of(&walk->uses, cursor);

	if (inside.n_items != 1)
		return;
	CXCursor operand = inside.items[0];
	if (!clang_Cursor_isNull(undone_address(walk, cursor))) {
		rs_code_visit(walk, operand, RS_CODE_ADDRESS);
		return;
	}
	CXCursor undone = undone_address(walk, operand);
	if (!clang_Cursor_isNull(undone))
		rs_code_visit(walk, undone, does);
	else if (is_array(rs_use_strip(&walk->uses, operand)))
		rs_code_visit(walk, operand, does | RS_CODE_ELEMENT);
	else
		rs_code_visit(walk, operand, RS_CODE_READ | RS_CODE_WRITE);
}

/* The operand of a cast, an initialiser: the last child; the others belong to the type. */
static void visit_last(struct rs_code_walk *walk, CXCursor cursor, unsigned does)
{
	struct rs_use_children inside = rs_use_children_of(&walk->uses, cursor);

	if (inside.n_items > 0)
		rs_code_visit(walk, inside.items[inside.n_items - 1], does);
}

static void visit_variable(struct rs_code_walk *walk, CXCursor cursor)
{
	CXCursor value = clang_Cursor_getVarDeclInitializer(cursor);

	if (!clang_Cursor_isNull(value))
		rs_code_visit(walk, value, RS_CODE_VALUE);
}

/* --- statements --- */

static void visit_in_block(struct rs_code_walk *walk, CXCursor statement, size_t choice, CXCursor loop)
{
	size_t outer = walk->block;

	rs_code_enter(walk, statement, choice, loop);
	rs_code_visit(walk, statement, RS_CODE_VALUE);
	walk->block = outer;
}

static void visit_branches(struct rs_code_walk *walk, CXCursor cursor)
{
	struct rs_use_children inside = rs_use_children_of(&walk->uses, cursor);
	size_t choice = walk->n_choices++;

	for (size_t i = 0; i < inside.n_items; i++)
		if (i == 0)
			rs_code_visit(walk, inside.items[i], RS_CODE_VALUE);
		else
			visit_in_block(walk, inside.items[i], choice, clang_getNullCursor());
}

static bool is_loop_start(struct rs_code_walk *walk, CXCursor cursor, CXCursor child)
{
	CXSourceRange all = clang_getCursorExtent(cursor), part = clang_getCursorExtent(child);
	struct rs_clang_place start = rs_clang_place_of(clang_getRangeStart(all), true);
	struct rs_clang_place end = rs_clang_place_of(clang_getRangeStart(part), true);
	size_t size;
	const char *text =
		start.file ? clang_getFileContents(rs_tu_clang(walk->uses.tu), start.file, &size) : NULL;

	if (clang_getCursorKind(child) == CXCursor_DeclStmt)
		return true;
	if (!text || start.is_macro || end.byte > size || end.byte < start.byte)
		return false;
	return !memchr(text + start.byte, ';', end.byte - start.byte);
}

/* do { … } while (0), by which macros make one statement of several, runs once. */
static bool runs_once(const struct rs_use_children *inside, CXCursor loop)
{
	long long again = 1;

	return clang_getCursorKind(loop) == CXCursor_DoStmt && inside->n_items > 0 &&
	       rs_use_evaluate(inside->items[inside->n_items - 1], &again) && again == 0;
}

/* All but the start of a `for` runs once a round. */
static void visit_loop(struct rs_code_walk *walk, CXCursor cursor)
{
	struct rs_use_children inside = rs_use_children_of(&walk->uses, cursor);
	bool is_for = clang_getCursorKind(cursor) == CXCursor_ForStmt;
	size_t outer = walk->block, first = 0;

	if (is_for && inside.n_items > 1 && is_loop_start(walk, cursor, inside.items[0]))
		rs_code_visit(walk, inside.items[first++], RS_CODE_VALUE);
	if (inside.n_items == 0)
		return;
	if (runs_once(&inside, cursor)) {
		visit_all(walk, cursor, RS_CODE_VALUE);
		return;
	}
	size_t body = clang_getCursorKind(cursor) == CXCursor_DoStmt ? first : inside.n_items - 1;
	rs_code_enter(walk, inside.items[body], RS_NONE, cursor);
	for (size_t i = first; i < inside.n_items; i++)
		rs_code_visit(walk, inside.items[i], RS_CODE_VALUE);
	walk->block = outer;
}

static bool is_label(CXCursor statement)
{
	enum CXCursorKind kind = clang_getCursorKind(statement);

	return kind == CXCursor_CaseStmt || kind == CXCursor_DefaultStmt;
}

/* What follows a label belongs to its case, up to the next label. */
static void visit_switch(struct rs_code_walk *walk, CXCursor cursor)
{
	struct rs_use_children inside = rs_use_children_of(&walk->uses, cursor);
	size_t choice = walk->n_choices++, outer = walk->block;

	if (inside.n_items < 2)
		return;
	rs_code_visit(walk, inside.items[0], RS_CODE_VALUE);
	struct rs_use_children body = rs_use_children_of(&walk->uses, inside.items[inside.n_items - 1]);
	for (size_t i = 0; i < body.n_items; i++) {
		if (is_label(body.items[i])) {
			walk->block = outer;
			rs_code_enter(walk, body.items[i], choice, clang_getNullCursor());
		}
		rs_code_visit(walk, body.items[i], RS_CODE_VALUE);
	}
	walk->block = outer;
}

static void visit_function(struct rs_code_walk *walk, CXCursor cursor)
{
	struct rs_use_children inside = rs_use_children_of(&walk->uses, cursor);
	struct rs_arena *arena = walk->code->arena;
	struct rs_code_function function = { .place = rs_code_place_of(walk, cursor) };
	enum CXLinkageKind linkage = clang_getCursorLinkage(cursor);

	if (!clang_isCursorDefinition(cursor) || inside.n_items == 0)
		return;
	function.name = rs_tu_string(arena, clang_getCursorSpelling(cursor));
	function.key = rs_tu_string(arena, clang_getCursorUSR(cursor));
	function.is_shared = linkage == CXLinkage_External || linkage == CXLinkage_UniqueExternal;
	walk->function = &function;
	walk->declaration = cursor;
	walk->n_assigned = walk->n_objects = walk->n_choices = 0;
	CXCursor body = inside.items[inside.n_items - 1];
	rs_code_enter(walk, body, RS_NONE, clang_getNullCursor());
	rs_code_visit(walk, body, RS_CODE_VALUE);
	walk->function = NULL;
	if (function.n_sites > 0 || function.n_calls > 0)
		*rs_array_push(arena, walk->code->functions, walk->code->n_functions,
			       walk->code->functions_capacity) = function;
}

static void visit_statement(struct rs_code_walk *walk, CXCursor cursor, unsigned does)
{
	switch (clang_getCursorKind(cursor)) {
	case CXCursor_IfStmt:
	case CXCursor_ConditionalOperator:
		visit_branches(walk, cursor);
		return;
	case CXCursor_SwitchStmt:
		visit_switch(walk, cursor);
		return;
	case CXCursor_ForStmt:
	case CXCursor_WhileStmt:
	case CXCursor_DoStmt:
		visit_loop(walk, cursor);
		return;
	case CXCursor_VarDecl:
		visit_variable(walk, cursor);
		return;
	case CXCursor_UnaryExpr: /* sizeof and its like */
	case CXCursor_StaticAssert:
	case CXCursor_StructDecl:
	case CXCursor_UnionDecl:
	case CXCursor_EnumDecl:
	case CXCursor_TypedefDecl:
	case CXCursor_GenericSelectionExpr:
		return;
	default:
		visit_all(walk, cursor, does & RS_CODE_VALUE);
	}
}

static void visit_kind(struct rs_code_walk *walk, CXCursor cursor, unsigned does)
{
	switch (clang_getCursorKind(cursor)) {
	case CXCursor_MemberRefExpr:
		visit_member(walk, cursor, does);
		return;
	case CXCursor_ArraySubscriptExpr:
		visit_element(walk, cursor, does);
		return;
	case CXCursor_UnexposedExpr:
		visit_conversion(walk, cursor, does);
		return;
	case CXCursor_ParenExpr:
		visit_all(walk, cursor, does);
		return;
	case CXCursor_BinaryOperator:
		visit_assignment(walk, cursor, RS_CODE_WRITE);
		return;
	case CXCursor_CompoundAssignOperator:
		visit_assignment(walk, cursor, RS_CODE_READ | RS_CODE_WRITE);
		return;
	case CXCursor_UnaryOperator:
		visit_unary(walk, cursor, does);
		return;
	case CXCursor_CallExpr:
		rs_code_visit_call(walk, cursor);
		return;
	case CXCursor_CStyleCastExpr:
	case CXCursor_CompoundLiteralExpr:
		visit_last(walk, cursor, does & RS_CODE_VALUE);
		return;
	default:
		visit_statement(walk, cursor, does);
	}
}

/* An object that is copied or assigned as a whole. */
static void note_whole(struct rs_code_walk *walk, CXCursor cursor, unsigned does)
{
	enum CXCursorKind kind = clang_getCursorKind(cursor);

	if ((does == RS_CODE_READ || does == RS_CODE_WRITE) &&
	    (kind == CXCursor_MemberRefExpr || kind == CXCursor_ArraySubscriptExpr ||
	     kind == CXCursor_DeclRefExpr || kind == CXCursor_UnaryOperator))
		rs_code_add_whole(walk, cursor, does);
}

void rs_code_visit(struct rs_code_walk *walk, CXCursor cursor, unsigned does)
{
	if (walk->nesting == MOST_DEPTH)
		return;
	walk->nesting++;
	note_whole(walk, cursor, does);
	visit_kind(walk, cursor, does);
	walk->nesting--;
}

void rs_code_read(struct rs_tu *tu, const struct rs_record *const *records, size_t n_records,
		  struct rs_code *code)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	struct rs_code_walk walk = { .uses = { .tu = tu,
					       .arena = arena,
					       .records = records,
					       .types = rs_arena_array(arena, CXType, n_records),
					       .n_records = n_records },
				     .code = code };
	CXCursor root = clang_getTranslationUnitCursor(rs_tu_clang(tu));
	struct rs_use_children top = rs_use_children_of(&walk.uses, root);

	for (size_t i = 0; i < top.n_items; i++)
		if (clang_getCursorKind(top.items[i]) == CXCursor_FunctionDecl &&
		    !clang_Location_isInSystemHeader(clang_getCursorLocation(top.items[i])))
			visit_function(&walk, top.items[i]);
	rs_use_walk_forget(&walk.uses);
}
