#include <string.h>

#include "parse/uses_internal.h"

/*
 * Compilers evaluate the values of an initialiser list in the order of the members, not in that of the text (C
 * leaves it open). Values that act on the same state therefore depend on the order of their members.
 */

/* What evaluating one value does. */
struct effects {
	struct rs_use_walk *walk;
	bool acts; /* calls something that may change what others see, or reads something volatile */
	CXCursor *written, *read; /* variables */
	size_t n_written, written_capacity, n_read, read_capacity;
};

/* --- calls --- */

/* Whether a function without pointers shows that it leaves everything as it is. */
static enum CXChildVisitResult look_for_state(CXCursor cursor, CXCursor parent, CXClientData data)
{
	bool *found = (bool *)data;
	enum CXCursorKind kind = clang_getCursorKind(cursor);

	(void)parent;
	if (kind == CXCursor_CallExpr || kind == CXCursor_GCCAsmStmt)
		*found = true;
	if (kind == CXCursor_DeclRefExpr) {
		CXCursor named = clang_getCursorReferenced(cursor);
		bool is_variable = clang_getCursorKind(named) == CXCursor_VarDecl;

		*found = *found || (is_variable && !clang_isConstQualifiedType(clang_getCursorType(named)) &&
				    (clang_Cursor_hasVarDeclGlobalStorage(named) == 1));
	}
	return *found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

static enum CXChildVisitResult look_for_pure(CXCursor cursor, CXCursor parent, CXClientData data)
{
	enum CXCursorKind kind = clang_getCursorKind(cursor);

	(void)parent;
	*(bool *)data = *(bool *)data || kind == CXCursor_PureAttr || kind == CXCursor_ConstAttr;
	return CXChildVisit_Continue;
}

static bool says_pure(CXCursor function)
{
	bool pure = false;

	clang_visitChildren(function, look_for_pure, &pure);
	return pure;
}

/* Parameters through which a function can change what it is given. */
static bool takes_writable(CXType function, bool *ret_takes_pointer)
{
	int count = clang_getNumArgTypes(function);
	bool writable = false;

	*ret_takes_pointer = false;
	for (int i = 0; i < count; i++) {
		CXType type = clang_getCanonicalType(clang_getArgType(function, (unsigned)i));

		if (type.kind != CXType_Pointer)
			continue;
		*ret_takes_pointer = true;
		writable = writable || !clang_isConstQualifiedType(clang_getPointeeType(type));
	}
	return writable;
}

/* Allocating is no act that anybody could tell the order of. */
static bool is_harmless_name(struct rs_use_walk *walk, CXCursor function)
{
	const char *name = rs_tu_string(walk->arena, clang_getCursorSpelling(function));

	return strncmp(name, "__builtin_", 10) == 0 || strstr(name, "alloc") || says_pure(function);
}

static bool call_acts(struct rs_use_walk *walk, CXCursor call)
{
	CXCursor function = clang_getCursorReferenced(call);
	CXType type = clang_getCursorType(function);
	bool takes_pointer, has_state = false;

	if (clang_getCursorKind(function) != CXCursor_FunctionDecl)
		return true;
	if (is_harmless_name(walk, function))
		return false;
	if (clang_isFunctionTypeVariadic(type) || takes_writable(type, &takes_pointer))
		return true;
	if (takes_pointer)
		return false;
	CXCursor definition = clang_getCursorDefinition(function);
	if (clang_Cursor_isNull(definition))
		return clang_getNumArgTypes(type) < 1 ||
		       !clang_Location_isInSystemHeader(clang_getCursorLocation(function));
	clang_visitChildren(definition, look_for_state, &has_state);
	return has_state;
}

/* --- values --- */

static CXCursor first_child(struct rs_use_walk *walk, CXCursor cursor)
{
	struct rs_use_children children = rs_use_children_of(walk, cursor);

	return children.n_items > 0 ? children.items[0] : clang_getNullCursor();
}

/* The operand of an operator that changes it: of the others, operands that are objects are read through a cast.
 */
static bool is_changed(struct rs_use_walk *walk, CXCursor operator, CXCursor * ret_operand)
{
	CXCursor operand = first_child(walk, operator);

	while (clang_getCursorKind(operand) == CXCursor_ParenExpr)
		operand = first_child(walk, operand);
	*ret_operand = operand;
	switch (clang_getCursorKind(operand)) {
	case CXCursor_DeclRefExpr:
		if (clang_getCursorKind(clang_getCursorReferenced(operand)) == CXCursor_EnumConstantDecl)
			return false;
		break;
	case CXCursor_MemberRefExpr:
	case CXCursor_ArraySubscriptExpr:
	case CXCursor_UnaryOperator:
		break;
	default:
		return false;
	}
	CXType type = clang_getCanonicalType(clang_getCursorType(operator));
	return clang_getCursorKind(operator) != CXCursor_UnaryOperator || type.kind != CXType_Pointer ||
	       !clang_equalTypes(clang_getPointeeType(type),
				 clang_getCanonicalType(clang_getCursorType(operand)));
}

static CXCursor base_variable(struct rs_use_walk *walk, CXCursor expression)
{
	while (!clang_Cursor_isNull(expression) && clang_getCursorKind(expression) != CXCursor_DeclRefExpr)
		expression = first_child(walk, expression);
	return clang_Cursor_isNull(expression) ? expression : clang_getCursorReferenced(expression);
}

static void add_change(struct effects *effects, CXCursor operator)
{
	struct rs_arena *arena = effects->walk->arena;
	CXCursor operand;

	if (!is_changed(effects->walk, operator, & operand))
		return;
	*rs_array_push(arena, effects->written, effects->n_written, effects->written_capacity) =
		base_variable(effects->walk, operand);
}

static enum CXChildVisitResult add_effect(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct effects *effects = (struct effects *)data;
	struct rs_use_walk *walk = effects->walk;

	(void)parent;
	switch (clang_getCursorKind(cursor)) {
	case CXCursor_UnaryExpr: /* sizeof: nothing is evaluated */
		return CXChildVisit_Continue;
	case CXCursor_CallExpr:
		effects->acts = effects->acts || call_acts(walk, cursor);
		break;
	case CXCursor_BinaryOperator:
	case CXCursor_CompoundAssignOperator:
	case CXCursor_UnaryOperator:
		add_change(effects, cursor);
		break;
	case CXCursor_DeclRefExpr:
		effects->acts = effects->acts || clang_isVolatileQualifiedType(clang_getCursorType(cursor));
		*rs_array_push(walk->arena, effects->read, effects->n_read, effects->read_capacity) =
			clang_getCursorReferenced(cursor);
		break;
	default:
		break;
	}
	return CXChildVisit_Recurse;
}

static struct effects effects_of(struct rs_use_walk *walk, CXCursor value)
{
	struct effects effects = { .walk = walk };

	if (add_effect(value, value, &effects) == CXChildVisit_Recurse)
		clang_visitChildren(value, add_effect, &effects);
	return effects;
}

/* What is written counts among what is read: both name it. */
static bool writes_what_is_read(const struct effects *a, const struct effects *b)
{
	for (size_t i = 0; i < a->n_written; i++)
		for (size_t j = 0; j < b->n_read; j++)
			if (clang_equalCursors(a->written[i], b->read[j]))
				return true;
	return false;
}

static bool depend(const struct effects *a, const struct effects *b)
{
	return (a->acts && b->acts) || writes_what_is_read(a, b) || writes_what_is_read(b, a);
}

/* --- members --- */

/* The member that each value is for; RS_NONE where that is not known. */
static size_t *units_of(struct rs_use_walk *walk, size_t record, const struct rs_use_tree *tree,
			const struct rs_use_object *node)
{
	size_t *units = rs_arena_array(walk->arena, size_t, tree->values.n_items);

	for (size_t i = 0; i < tree->values.n_items; i++)
		units[i] = RS_NONE;
	for (size_t p = 0; p < node->n_parts; p++) {
		const struct rs_use_object *part = node->parts[p];
		size_t member = rs_use_member_of(walk, record, part->field);

		for (size_t i = part->first; member != RS_NONE && i < part->end; i++)
			units[i] = walk->records[record]->members[member].unit;
	}
	return units;
}

static void keep_before(struct rs_use_walk *walk, size_t record, CXCursor list, size_t a, size_t b)
{
	const struct rs_record *found = walk->records[record];
	size_t first = a < b ? a : b, second = a < b ? b : a;

	rs_use_pin(
		walk, record, list, "evaluation-order", false,
		"values that depend on each other are evaluated here in the order of their members: '%s' stays "
		"before '%s'",
		found->units[first].name, found->units[second].name);
	rs_use_hold(walk, record, list, "evaluation-order",
		    (struct rs_constraint) { .kind = RS_KEEP_BEFORE, .unit = first, .other = second });
}

void rs_use_check_order(struct rs_use_walk *walk, size_t record, CXCursor list, const struct rs_use_tree *tree,
			const struct rs_use_object *node)
{
	struct effects *effects = rs_arena_array(walk->arena, struct effects, tree->values.n_items);
	size_t n_acting = 0;

	for (size_t i = node->first; i < node->end; i++) {
		effects[i] = effects_of(walk, tree->values.items[i]);
		n_acting += effects[i].acts || effects[i].n_written > 0;
	}
	if (n_acting == 0)
		return;
	const size_t *units = units_of(walk, record, tree, node);
	for (size_t i = node->first; i < node->end; i++)
		for (size_t j = i + 1; j < node->end; j++)
			if (depend(&effects[i], &effects[j]) && units[i] != RS_NONE && units[j] != RS_NONE &&
			    units[i] != units[j])
				keep_before(walk, record, list, units[i], units[j]);
}
