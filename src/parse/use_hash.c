#include <string.h>

#include "base/file.h"
#include "parse/identity.h"
#include "parse/uses_internal.h"

uint64_t rs_use_hash_mix(uint64_t hash, uint64_t value)
{
	hash ^= value + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2);
	hash *= 0xff51afd7ed558ccdu;
	return hash ^ (hash >> 32);
}

uint64_t rs_use_hash_text(const char *text)
{
	return rs_hash_bytes(text, strlen(text));
}

static uint64_t mix_text(uint64_t hash, const char *text, size_t length)
{
	return rs_use_hash_mix(hash, rs_hash_bytes(text, length));
}

uint64_t rs_use_hash_string(struct rs_use_walk *walk, uint64_t hash, CXString string)
{
	const char *text = rs_tu_string(walk->arena, string);

	return mix_text(hash, text, strlen(text));
}

/* The bytes between two places of one file, blanks aside; nothing where a macro makes them. */
static uint64_t mix_between(struct rs_use_walk *walk, uint64_t hash, CXSourceLocation from, CXSourceLocation to)
{
	struct rs_clang_place start = rs_clang_place_of(from, true), end = rs_clang_place_of(to, true);
	size_t size = 0;

	if (!start.file || start.is_macro || end.is_macro || !end.file ||
	    !rs_identity_is_same(start.file, end.file))
		return hash;
	const char *text = clang_getFileContents(rs_tu_clang(walk->tu), start.file, &size);
	for (size_t i = start.byte; text && i < end.byte && i < size; i++)
		if (!strchr(" \t\r\n\\", text[i]))
			hash = rs_use_hash_mix(hash, (unsigned char)text[i]);
	return hash;
}

/* libclang does not tell operators apart. */
static uint64_t mix_operator(struct rs_use_walk *walk, uint64_t hash, CXCursor cursor,
			     const struct rs_use_children *operands)
{
	CXSourceRange whole = clang_getCursorExtent(cursor);

	if (operands->n_items == 0)
		return mix_between(walk, hash, clang_getRangeStart(whole), clang_getRangeEnd(whole));
	CXSourceRange first = clang_getCursorExtent(operands->items[0]);
	hash = mix_between(walk, hash, clang_getRangeStart(whole), clang_getRangeStart(first));
	if (operands->n_items == 1)
		return mix_between(walk, hash, clang_getRangeEnd(first), clang_getRangeEnd(whole));
	CXSourceRange second = clang_getCursorExtent(operands->items[1]);
	return mix_between(walk, hash, clang_getRangeEnd(first), clang_getRangeStart(second));
}

uint64_t rs_use_hash_constant(uint64_t hash, CXCursor cursor)
{
	CXEvalResult result = clang_Cursor_Evaluate(cursor);

	if (!result)
		return hash;
	if (clang_EvalResult_getKind(result) == CXEval_Int)
		hash = rs_use_hash_mix(hash, (uint64_t)clang_EvalResult_getAsLongLong(result));
	if (clang_EvalResult_getKind(result) == CXEval_Float) {
		double value = clang_EvalResult_getAsDouble(result);

		hash = mix_text(hash, (const char *)&value, sizeof value);
	}
	clang_EvalResult_dispose(result);
	return hash;
}

/* Conversions and calls are spelled like what they are of. */
static uint64_t mix_spelling(struct rs_use_walk *walk, uint64_t hash, CXCursor cursor)
{
	const struct rs_lifted *lifted = NULL;

	if (walk->lifting.n_items > 0 && clang_isExpression(clang_getCursorKind(cursor)))
		lifted = rs_use_lifted(walk, clang_getCursorReferenced(cursor));
	return lifted ? mix_text(hash, lifted->name, strlen(lifted->name))
		      : rs_use_hash_string(walk, hash, clang_getCursorSpelling(cursor));
}

static uint64_t mix_own(struct rs_use_walk *walk, uint64_t hash, CXCursor cursor,
			const struct rs_use_children *children)
{
	switch (clang_getCursorKind(cursor)) {
	case CXCursor_IntegerLiteral:
	case CXCursor_FloatingLiteral:
	case CXCursor_CharacterLiteral:
		return rs_use_hash_constant(hash, cursor);
	case CXCursor_UnaryExpr: /* sizeof: its value may follow the new order */
	case CXCursor_UnaryOperator:
	case CXCursor_BinaryOperator:
	case CXCursor_CompoundAssignOperator:
		return mix_operator(walk, hash, cursor, children);
	case CXCursor_TypeRef: /* of an unnamed type the spelling is a place */
		return hash;
	case CXCursor_StructDecl:
	case CXCursor_UnionDecl:
	case CXCursor_EnumDecl:
		return rs_use_is_unnamed(cursor)
			       ? hash
			       : rs_use_hash_string(walk, hash, clang_getCursorSpelling(cursor));
	default:
		return mix_spelling(walk, hash, cursor);
	}
}

/* --- lifted members --- */

static bool has_spelling(struct rs_use_walk *walk, CXCursor cursor, const char *text)
{
	return strcmp(rs_tu_string(walk->arena, clang_getCursorSpelling(cursor)), text) == 0;
}

const struct rs_lifted *rs_use_lifted(struct rs_use_walk *walk, CXCursor field)
{
	CXCursor parent;

	if (walk->lifting.n_items == 0 || clang_getCursorKind(field) != CXCursor_FieldDecl)
		return NULL;
	parent = clang_getCursorSemanticParent(field);
	while (clang_Cursor_isAnonymousRecordDecl(parent))
		parent = clang_getCursorSemanticParent(parent);
	for (size_t i = 0; i < walk->lifting.n_items; i++)
		if (has_spelling(walk, field, walk->lifting.items[i].member) &&
		    has_spelling(walk, parent, walk->lifting.items[i].container))
			return &walk->lifting.items[i];
	return NULL;
}

static CXCursor strip_parentheses(CXCursor cursor)
{
	while (clang_getCursorKind(cursor) == CXCursor_ParenExpr)
		cursor = rs_use_first_child(cursor);
	return cursor;
}

CXCursor rs_use_embedding(CXCursor access)
{
	CXCursor base = strip_parentheses(rs_use_first_child(access));

	if (clang_getCursorKind(base) == CXCursor_UnaryOperator &&
	    clang_getCanonicalType(clang_getCursorType(base)).kind == CXType_Pointer)
		base = strip_parentheses(rs_use_first_child(base));
	return clang_getCursorKind(base) == CXCursor_MemberRefExpr ? base : clang_getNullCursor();
}

/* What `(&rt->dst)->rt_uncached`, which is lowered, goes by: `rt->dst`, as if it were `rt->dst.rt_uncached`. */
static bool find_by_address(struct rs_use_walk *walk, CXCursor access, const struct rs_lifted **ret_lifted,
			    struct rs_use_children *ret_children)
{
	CXCursor field = clang_getCursorReferenced(access), way;

	if (!rs_lifting_lowers(walk->lifting) ||
	    clang_getCursorKind(rs_use_first_child(access)) != CXCursor_ParenExpr)
		return false;
	way = rs_use_embedding(access);
	for (size_t i = 0; !clang_Cursor_isNull(way) && i < walk->lifting.n_items; i++) {
		const struct rs_lifted *lifted = &walk->lifting.items[i];
		CXCursor through = clang_getCursorReferenced(way);

		if (!has_spelling(walk, field, lifted->name) || !has_spelling(walk, through, lifted->through) ||
		    !has_spelling(walk, clang_getCursorSemanticParent(through), lifted->container))
			continue;
		*ret_lifted = lifted;
		*ret_children = rs_use_children_of(walk, way);
		return true;
	}
	return false;
}

static uint64_t hash_name(enum CXCursorKind kind, enum CXTypeKind type, const char *name)
{
	return rs_use_hash_mix(rs_use_hash_mix((uint64_t)kind, (uint64_t)type), rs_use_hash_text(name));
}

static uint64_t mix_children(struct rs_use_walk *walk, uint64_t hash, const struct rs_use_children *children);

/* `rt->rt_uncached` as `rt->dst.rt_uncached` would be. */
static uint64_t hash_access(struct rs_use_walk *walk, const struct rs_lifted *lifted, enum CXTypeKind type,
			    const struct rs_use_children *children)
{
	uint64_t through = hash_name(CXCursor_MemberRefExpr, CXType_Record, lifted->through);

	return rs_use_hash_mix(hash_name(CXCursor_MemberRefExpr, type, lifted->name),
			       mix_children(walk, through, children));
}

/* A name in offsetof() or a designator becomes two. */
static uint64_t mix_names(uint64_t hash, const struct rs_lifted *lifted, enum CXTypeKind type)
{
	hash = rs_use_hash_mix(hash, hash_name(CXCursor_MemberRef, CXType_Record, lifted->through));
	return rs_use_hash_mix(hash, hash_name(CXCursor_MemberRef, type, lifted->name));
}

static uint64_t mix_children(struct rs_use_walk *walk, uint64_t hash, const struct rs_use_children *children)
{
	for (size_t i = 0; i < children->n_items; i++) {
		CXCursor child = children->items[i];
		const struct rs_lifted *lifted = clang_getCursorKind(child) == CXCursor_MemberRef
							 ? rs_use_lifted(walk, clang_getCursorReferenced(child))
							 : NULL;

		if (lifted)
			hash = mix_names(hash, lifted, clang_getCanonicalType(clang_getCursorType(child)).kind);
		else
			hash = rs_use_hash_mix(hash, rs_use_hash(walk, child));
	}
	return hash;
}

/* The structs between which members move are compared as layouts. */
static bool is_changed(struct rs_use_walk *walk, CXCursor cursor)
{
	if (walk->lifting.n_items == 0 || clang_getCursorKind(cursor) != CXCursor_StructDecl)
		return false;
	for (size_t i = 0; i < walk->lifting.n_items; i++)
		if (has_spelling(walk, cursor, walk->lifting.items[i].container) ||
		    has_spelling(walk, cursor, walk->lifting.items[i].record))
			return true;
	return false;
}

uint64_t rs_use_hash(struct rs_use_walk *walk, CXCursor value)
{
	enum CXCursorKind kind = clang_getCursorKind(value);
	enum CXTypeKind type = clang_getCanonicalType(clang_getCursorType(value)).kind;
	const struct rs_lifted *lifted = NULL;
	struct rs_use_children children;
	uint64_t hash;

	if (kind == CXCursor_InitListExpr)
		return rs_use_hash_list(walk, value, clang_getCursorType(value));
	hash = rs_use_hash_mix((uint64_t)kind, (uint64_t)type);
	if (is_changed(walk, value))
		return hash;
	children = rs_use_children_of(walk, value);
	if (kind == CXCursor_MemberRefExpr && !find_by_address(walk, value, &lifted, &children))
		lifted = rs_use_lifted(walk, clang_getCursorReferenced(value));
	if (lifted)
		return hash_access(walk, lifted, type, &children);
	return mix_children(walk, mix_own(walk, hash, value, &children), &children);
}
