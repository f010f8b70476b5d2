#include "parse/uses.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "base/builder.h"
#include "parse/identity.h"
#include "parse/lexer.h"
#include "parse/uses_internal.h"

/* A declaration that was met: the record it defines, or RS_NONE. */
struct rs_use_slot {
	unsigned hash;
	CXCursor declaration;
	size_t record;
	enum { HOLDS_UNKNOWN, HOLDS_NOT, HOLDS } holds; /* a record, at whatever depth */
	struct rs_use_slot *next;                       /* of the same hash */
	UT_hash_handle hh;
};

static enum CXChildVisitResult collect_child(CXCursor cursor, CXCursor parent, CXClientData data)
{
	void **context = (void **)data;
	struct rs_use_children *children = (struct rs_use_children *)context[0];
	struct rs_arena *arena = (struct rs_arena *)context[1];

	(void)parent;
	*rs_array_push(arena, children->items, children->n_items, children->items_capacity) = cursor;
	return CXChildVisit_Continue;
}

struct rs_use_children rs_use_children_of(struct rs_use_walk *walk, CXCursor cursor)
{
	struct rs_use_children children = { 0 };
	void *context[] = { &children, walk->arena };

	clang_visitChildren(cursor, collect_child, context);
	return children;
}

/* The record whose definition this declaration is: same file, same byte. */
static size_t match_definition(struct rs_use_walk *walk, CXCursor declaration)
{
	CXSourceLocation start = clang_getRangeStart(clang_getCursorExtent(declaration));
	struct rs_clang_place place = rs_clang_place_of(start, true);

	if (!place.file || !clang_isCursorDefinition(declaration))
		return RS_NONE;
	for (size_t i = 0; i < walk->n_records; i++) {
		const struct rs_record *record = walk->records[i];

		if (place.byte != record->span.start)
			continue;
		const char *path = rs_tu_file_path(walk->tu, place.file, walk->arena);
		if (strcmp(path, record->source->realpath) == 0)
			return i;
	}
	return RS_NONE;
}

static struct rs_use_slot *find_slot(struct rs_use_walk *walk, CXCursor declaration)
{
	unsigned hash = clang_hashCursor(declaration);
	struct rs_use_slot *head, *slot;

	HASH_FIND(hh, walk->slots, &hash, sizeof hash, head);
	for (slot = head; slot; slot = slot->next)
		if (clang_equalCursors(slot->declaration, declaration))
			return slot;
	slot = rs_arena_new(walk->arena, struct rs_use_slot);
	slot->hash = hash;
	slot->declaration = declaration;
	slot->record = match_definition(walk, declaration);
	if (slot->record != RS_NONE)
		walk->types[slot->record] = clang_getCursorType(declaration);
	if (head) {
		slot->next = head->next;
		head->next = slot;
	} else {
		HASH_ADD(hh, walk->slots, hash, sizeof hash, slot);
	}
	return slot;
}

static size_t find_record(struct rs_use_walk *walk, CXCursor declaration)
{
	return find_slot(walk, declaration)->record;
}

size_t rs_use_record_of(struct rs_use_walk *walk, CXType type)
{
	CXType canonical = clang_getCanonicalType(type);

	if (canonical.kind != CXType_Record)
		return RS_NONE;
	return find_record(walk, clang_getTypeDeclaration(canonical));
}

struct holding {
	struct rs_use_walk *walk;
	bool found;
};

static enum CXVisitorResult look_into_field(CXCursor field, CXClientData data)
{
	struct holding *holding = (struct holding *)data;

	holding->found = rs_use_holds_record(holding->walk, clang_getCursorType(field));
	return holding->found ? CXVisit_Break : CXVisit_Continue;
}

bool rs_use_holds_record(struct rs_use_walk *walk, CXType type)
{
	CXType canonical = clang_getCanonicalType(type);

	while (canonical.kind == CXType_ConstantArray || canonical.kind == CXType_IncompleteArray ||
	       canonical.kind == CXType_VariableArray)
		canonical = clang_getCanonicalType(clang_getArrayElementType(canonical));
	if (canonical.kind != CXType_Record)
		return false;
	struct rs_use_slot *slot = find_slot(walk, clang_getTypeDeclaration(canonical));
	if (slot->holds == HOLDS_UNKNOWN) {
		struct holding holding = { .walk = walk, .found = slot->record != RS_NONE };

		if (!holding.found)
			clang_Type_visitFields(canonical, look_into_field, &holding);
		slot->holds = holding.found ? HOLDS : HOLDS_NOT;
	}
	return slot->holds == HOLDS;
}

size_t rs_use_pointee_record(struct rs_use_walk *walk, CXType type)
{
	CXType canonical = clang_getCanonicalType(type);

	if (canonical.kind == CXType_Pointer)
		return rs_use_record_of(walk, clang_getPointeeType(canonical));
	if (canonical.kind == CXType_ConstantArray || canonical.kind == CXType_IncompleteArray)
		return rs_use_record_of(walk, clang_getArrayElementType(canonical));
	return RS_NONE;
}

static enum CXVisitorResult take_first(CXCursor field, CXClientData data)
{
	*(CXCursor *)data = field;
	return CXVisit_Break;
}

CXType rs_use_first_member(CXType record)
{
	CXCursor field = clang_getNullCursor();
	CXType none = { .kind = CXType_Invalid };

	clang_Type_visitFields(clang_getCanonicalType(record), take_first, &field);
	return clang_Cursor_isNull(field) ? none : clang_getCursorType(field);
}

CXCursor rs_use_strip(struct rs_use_walk *walk, CXCursor expression)
{
	for (;;) {
		enum CXCursorKind kind = clang_getCursorKind(expression);

		if (kind != CXCursor_UnexposedExpr && kind != CXCursor_ParenExpr)
			return expression;
		struct rs_use_children children = rs_use_children_of(walk, expression);
		if (children.n_items != 1)
			return expression;
		expression = children.items[0];
	}
}

bool rs_use_evaluate(CXCursor expression, long long *ret_value)
{
	CXEvalResult result = clang_Cursor_Evaluate(expression);
	bool is_integer = result && clang_EvalResult_getKind(result) == CXEval_Int;

	if (is_integer)
		*ret_value = clang_EvalResult_getAsLongLong(result);
	if (result)
		clang_EvalResult_dispose(result);
	return is_integer;
}

struct mention {
	struct rs_use_walk *walk;
	size_t record;
	bool offsetof_only, found;
	unsigned depth; /* of constants made from constants */
};

size_t rs_use_record_of_field(struct rs_use_walk *walk, CXCursor field)
{
	CXCursor parent = clang_getCursorSemanticParent(field);

	while (clang_Cursor_isAnonymousRecordDecl(parent))
		parent = clang_getCursorSemanticParent(parent);
	return find_record(walk, parent);
}

size_t rs_use_find_member(const struct rs_record *record, char *path)
{
	size_t member = rs_record_find_member(record, path);

	for (char *dot = strrchr(path, '.'); member == RS_NONE && dot; dot = strrchr(path, '.')) {
		*dot = '\0';
		member = rs_record_find_member(record, path);
	}
	return member;
}

static bool belongs_to(struct rs_use_walk *walk, CXCursor field, size_t record)
{
	return rs_use_record_of_field(walk, field) == record;
}

/* `&x` by its shape: a unary operator that gives a pointer to what its operand is. */
static bool is_address(struct rs_use_walk *walk, CXCursor expression)
{
	struct rs_use_children inside = rs_use_children_of(walk, expression);
	CXType type = clang_getCanonicalType(clang_getCursorType(expression));

	return clang_getCursorKind(expression) == CXCursor_UnaryOperator && inside.n_items == 1 &&
	       type.kind == CXType_Pointer &&
	       clang_equalTypes(clang_getCanonicalType(clang_getPointeeType(type)),
				clang_getCanonicalType(clang_getCursorType(inside.items[0])));
}

bool rs_use_names(struct rs_use_walk *walk, CXCursor expression, CXCursor declaration)
{
	CXCursor core = rs_use_strip_casts(walk, expression);

	return clang_getCursorKind(core) == CXCursor_DeclRefExpr &&
	       clang_equalCursors(clang_getCursorReferenced(core), declaration);
}

CXCursor rs_use_constant_behind(struct rs_use_walk *walk, CXCursor expression)
{
	CXCursor named;

	if (clang_getCursorKind(expression) != CXCursor_DeclRefExpr)
		return clang_getNullCursor();
	named = clang_getCursorReferenced(expression);
	if (clang_getCursorKind(named) == CXCursor_EnumConstantDecl) {
		struct rs_use_children inside = rs_use_children_of(walk, named);

		return inside.n_items == 1 ? inside.items[0] : clang_getNullCursor();
	}
	if (clang_getCursorKind(named) != CXCursor_VarDecl ||
	    !rs_use_is_number(clang_getCanonicalType(clang_getCursorType(named))))
		return clang_getNullCursor();
	return clang_Cursor_getVarDeclInitializer(named);
}

static enum CXChildVisitResult look_for_mention(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct mention *mention = (struct mention *)data;
	enum CXCursorKind kind = clang_getCursorKind(cursor);

	if (kind == CXCursor_MemberRef ||
	    (kind == CXCursor_MemberRefExpr && !mention->offsetof_only && is_address(mention->walk, parent)))
		mention->found = mention->found ||
				 belongs_to(mention->walk, clang_getCursorReferenced(cursor), mention->record);
	if (kind == CXCursor_DeclRefExpr && !mention->found) {
		CXCursor value = rs_use_constant_behind(mention->walk, cursor);

		if (!clang_Cursor_isNull(value) && mention->depth < 3) {
			mention->depth++;
			look_for_mention(value, value, data);
			clang_visitChildren(value, look_for_mention, data);
			mention->depth--;
		}
	}
	return mention->found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

bool rs_use_mentions(struct rs_use_walk *walk, CXCursor cursor, size_t record, bool offsetof_only)
{
	struct mention mention = { .walk = walk, .record = record, .offsetof_only = offsetof_only };

	if (look_for_mention(cursor, cursor, &mention) == CXChildVisit_Recurse)
		clang_visitChildren(cursor, look_for_mention, &mention);
	return mention.found;
}

size_t rs_use_unit_of(struct rs_use_walk *walk, size_t record, CXCursor member_ref)
{
	return rs_use_unit_of_field(walk, record, clang_getCursorReferenced(member_ref));
}

size_t rs_use_unit_of_field(struct rs_use_walk *walk, size_t record, CXCursor field)
{
	const struct rs_record *found = walk->records[record];

	if (clang_Cursor_isNull(field) || !belongs_to(walk, field, record))
		return RS_NONE;
	char *name = rs_tu_string(walk->arena, clang_getCursorSpelling(field));
	size_t member = rs_record_find_member(found, name);
	return member == RS_NONE ? RS_NONE : found->members[member].unit;
}

/* The identifier at a place of a file: the name of the macro that is expanded there. */
static const char *word_at(struct rs_use_walk *walk, struct rs_clang_place place)
{
	size_t size;
	const char *text = clang_getFileContents(rs_tu_clang(walk->tu), place.file, &size);
	size_t length = 0;

	if (!text || place.byte >= size)
		return "";
	while (place.byte + length < size && length < 100 &&
	       (strchr("_$", text[place.byte + length]) || (text[place.byte + length] | 32) - 'a' + 0u < 26u ||
		text[place.byte + length] - '0' + 0u < 10u))
		length++;
	return rs_arena_strndup(walk->arena, text + place.byte, length);
}

/* Finding the name takes a look at every folder on the way. */
static const char *shown_path(struct rs_use_walk *walk, CXFile file, struct rs_arena *arena)
{
	if (!walk->shown_path || !rs_identity_is_same(walk->shown_file, file)) {
		walk->shown_file = file;
		walk->shown_path = rs_tu_shown_path(walk->tu, file, arena);
	}
	return walk->shown_path;
}

bool rs_use_pin(struct rs_use_walk *walk, size_t record, CXCursor where, const char *code, bool refuses,
		const char *format, ...)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder message = { 0 };
	struct rs_pin_list *list = &walk->lists[record];
	struct rs_clang_place place = rs_clang_place_of(clang_getCursorLocation(where), true);
	unsigned line;
	va_list arguments;

	if (!place.file)
		return false;
	va_start(arguments, format);
	rs_builder_vprintf(&message, format, arguments);
	va_end(arguments);
	if (place.is_macro)
		rs_builder_printf(&message, " (through the macro %s)", word_at(walk, place));
	clang_getExpansionLocation(clang_getCursorLocation(where), NULL, &line, NULL, NULL);
	const char *file = shown_path(walk, place.file, list->arena);
	struct rs_pin *known = rs_use_index_find_pin(walk->index, record, file, line, code);
	if (known) {
		if (refuses && !known->refuses)
			rs_use_index_strengthen(list, known, message.data);
		return false;
	}
	rs_pin_add(list, code, RS_PIN_CONTRACT, RS_NONE, line, refuses, "%s", message.data);
	list->pins[list->n_pins - 1].file = file;
	rs_use_index_enter_pin(walk->index, record);
	return true;
}

void rs_use_hold(struct rs_use_walk *walk, size_t record, CXCursor where, const char *code,
		 struct rs_constraint constraint)
{
	struct rs_pin_list *list = &walk->lists[record];
	size_t n_before = list->n_constraints;
	unsigned line;

	rs_constraint_add(list, constraint.kind, constraint.unit, constraint.other);
	clang_getExpansionLocation(clang_getCursorLocation(where), NULL, &line, NULL, NULL);
	for (size_t i = list->n_pins; i-- > 0 && list->n_constraints > n_before;)
		if (list->pins[i].line == line && strcmp(list->pins[i].code, code) == 0) {
			list->constraints[n_before].pin = i;
			return;
		}
}

struct held {
	struct rs_use_walk *walk;
	bool *found; /* by record */
	unsigned depth;
};

static void find_held(struct held *held, CXType type);

static enum CXVisitorResult find_held_field(CXCursor field, CXClientData data)
{
	find_held((struct held *)data, clang_getCursorType(field));
	return CXVisit_Continue;
}

static void find_held(struct held *held, CXType type)
{
	CXType canonical = clang_getCanonicalType(type);

	while (canonical.kind == CXType_ConstantArray || canonical.kind == CXType_IncompleteArray)
		canonical = clang_getCanonicalType(clang_getArrayElementType(canonical));
	if (!rs_use_holds_record(held->walk, canonical) || held->depth > 16)
		return;
	size_t record = rs_use_record_of(held->walk, canonical);
	if (record != RS_NONE)
		held->found[record] = true;
	held->depth++;
	clang_Type_visitFields(canonical, find_held_field, held);
	held->depth--;
}

void rs_use_find_held(struct rs_use_walk *walk, CXType type, bool *found)
{
	struct held held = { .walk = walk, .found = found };

	find_held(&held, type);
}

void rs_use_pin_held(struct rs_use_walk *walk, CXType type, CXCursor where, const char *code,
		     const char *format, ...)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder message = { 0 };
	struct held held = { .walk = walk, .found = rs_arena_array(walk->arena, bool, walk->n_records) };
	size_t outer = rs_use_record_of(walk, type);
	va_list arguments;

	va_start(arguments, format);
	rs_builder_vprintf(&message, format, arguments);
	va_end(arguments);
	find_held(&held, type);
	for (size_t i = 0; i < walk->n_records; i++)
		if (held.found[i])
			rs_use_pin(walk, i, where, code, true, "%s%s", message.data,
				   i == outer ? "" : " (of an object that has it inside)");
}

static void check_literal(struct rs_use_walk *walk, CXCursor list)
{
	rs_use_enter_list(walk, list);
	rs_use_check_list(walk, list);
	rs_use_check_vector_list(walk, list);
	rs_use_store_list(walk, list);
}

static void check_cast(struct rs_use_walk *walk, CXCursor cast)
{
	rs_use_check_cast(walk, cast);
	rs_use_check_conversion(walk, cast);
}

/* A `void *` that becomes another pointer without a cast. */
static void check_implied(struct rs_use_walk *walk, CXCursor expression)
{
	CXType type = clang_getCursorType(expression);

	if (rs_use_is_pointer(type) && rs_use_element(type).kind != CXType_Void &&
	    rs_use_element(clang_getCursorType(rs_use_first_child(expression))).kind == CXType_Void)
		rs_use_check_conversion(walk, expression);
}

static void check_unary(struct rs_use_walk *walk, CXCursor expression)
{
	rs_use_check_unary(walk, expression);
	rs_use_note_address(walk, expression);
}

static void check_member(struct rs_use_walk *walk, CXCursor access)
{
	rs_use_check_overlay(walk, access);
	rs_use_note_array(walk, access);
}

bool rs_use_is_known(const struct rs_use_walk *walk, size_t record)
{
	return walk->types[record].kind != CXType_Invalid;
}

static void note_function(struct rs_use_walk *walk, CXCursor function)
{
	walk->function = function;
}

typedef void (*rs_use_check_fn)(struct rs_use_walk *walk, CXCursor cursor);

static rs_use_check_fn find_check(enum CXCursorKind kind)
{
	static const struct {
		enum CXCursorKind kind;
		rs_use_check_fn check;
	} rows[] = {
		{ CXCursor_UnexposedExpr, check_implied },
		{ CXCursor_MemberRefExpr, check_member },
		{ CXCursor_MemberRef, rs_use_check_overlay },
		{ CXCursor_CallExpr, rs_use_check_call },
		{ CXCursor_BinaryOperator, rs_use_check_binary },
		{ CXCursor_UnaryOperator, check_unary },
		{ CXCursor_ArraySubscriptExpr, rs_use_check_subscript },
		{ CXCursor_VarDecl, rs_use_check_variable },
		{ CXCursor_CStyleCastExpr, check_cast },
		{ CXCursor_InitListExpr, check_literal },
		{ CXCursor_UnionDecl, rs_use_note_union },
		{ CXCursor_FunctionDecl, note_function },
		{ CXCursor_ReturnStmt, rs_use_check_return },
		{ CXCursor_GCCAsmStmt, rs_use_check_assembly },
		{ CXCursor_MSAsmStmt, rs_use_check_assembly },
	};

	for (size_t i = 0; i < RS_COUNT_OF(rows); i++)
		if (rows[i].kind == kind)
			return rows[i].check;
	return NULL;
}

/* System headers are many and large, and few have anything to do with a project's structs; but one that is
 * found through -isystem may be generated for the project. */
static bool is_passed_over(struct rs_use_walk *walk, CXCursor cursor)
{
	CXSourceLocation location = clang_getCursorLocation(cursor);
	CXFile file;

	if (!clang_Location_isInSystemHeader(location))
		return false;
	clang_getExpansionLocation(location, &file, NULL, NULL, NULL);
	if (!file)
		return true;
	return rs_use_headers_is_foreign(walk, file);
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct rs_use_walk *walk = (struct rs_use_walk *)data;
	enum CXCursorKind kind = clang_getCursorKind(cursor);
	rs_use_check_fn check = find_check(kind);

	if (clang_isPreprocessing(kind)) /* macros are looked at by name: use_macros.c */
		return CXChildVisit_Continue;
	if (clang_getCursorKind(parent) == CXCursor_TranslationUnit && is_passed_over(walk, cursor))
		return CXChildVisit_Continue;
	if (kind == CXCursor_StaticAssert) /* the compiler tells */
		return CXChildVisit_Continue;
	if (check)
		check(walk, cursor);
	if (rs_tu_is_cxx(walk->tu))
		rs_use_check_cxx(walk, cursor, parent);
	return CXChildVisit_Recurse;
}

void rs_use_walk_forget(struct rs_use_walk *walk)
{
	HASH_CLEAR(hh, walk->slots);
}

static bool has_code(const struct rs_pin_list *list, const char *code)
{
	for (size_t i = 0; i < list->n_pins; i++)
		if (strcmp(list->pins[i].code, code) == 0)
			return true;
	return false;
}

/* A header that stands alone is no system header to itself; only who includes it knows. */
static void check_system_header(const struct rs_tu *tu, const struct rs_record *record,
				struct rs_pin_list *list)
{
	CXFile file = rs_tu_file(tu, record->source->realpath);

	if (!file || has_code(list, "system-header") ||
	    !clang_Location_isInSystemHeader(
		    clang_getLocationForOffset(rs_tu_clang(tu), file, (unsigned)record->span.start)))
		return;
	rs_pin_add(list, "system-header", RS_PIN_HARD, RS_NONE,
		   rs_source_position(record->source, record->span.start).line, true,
		   "%s reads this file as a system header (-isystem, or a pragma in it)", rs_tu_main_file(tu));
}

void rs_uses_find(struct rs_tu *tu, const struct rs_record *const *records, size_t n_records, const char *root,
		  struct rs_pin_list *lists, struct rs_initializer_list *initializers)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	struct rs_use_walk walk = { .tu = tu,
				    .arena = arena,
				    .records = records,
				    .types = rs_arena_array(arena, CXType, n_records),
				    .n_records = n_records,
				    .root = root,
				    .lists = lists,
				    .initializers = initializers,
				    .index = rs_use_index_create(lists, initializers, n_records),
				    .function = clang_getNullCursor(),
				    .copied = { clang_getNullCursor(), clang_getNullCursor() } };

	clang_visitChildren(clang_getTranslationUnitCursor(rs_tu_clang(tu)), visit, &walk);
	rs_use_flow_finish(&walk);
	rs_use_walk_forget(&walk);
	rs_use_index_destroy(walk.index);
	for (size_t i = 0; i < n_records; i++)
		check_system_header(tu, records[i], &lists[i]);
	rs_use_macros_deinit(&walk);
	rs_use_headers_deinit(&walk);
}
