#include <string.h>

#include <uthash.h>

#include "parse/expand.h"
#include "parse/identity.h"
#include "parse/uses_internal.h"

/* What the unit shows of macros, and of lists that expansions make: read once, when the first such list is met.
 */
struct rs_use_macros {
	struct rs_arena *arena;
	CXTranslationUnit unit;
	struct rs_macro_table table;
	struct made_list {
		CXCursor list;
		CXFile file;
		size_t byte; /* of the expansion */
	} * lists;           /* in the order of the text, as the compiler has it */
	size_t n_lists, lists_capacity;
	struct expansion {
		CXFile file;
		size_t byte, end;
		CXCursor definition;
	} * expansions;
	size_t n_expansions, expansions_capacity;
};

static void add_definition(struct rs_use_macros *macros, CXCursor cursor)
{
	CXSourceRange extent = clang_getCursorExtent(cursor);
	struct rs_clang_place start = rs_clang_place_of(clang_getRangeStart(extent), true);
	struct rs_clang_place end = rs_clang_place_of(clang_getRangeEnd(extent), true);
	size_t size = 0;
	const char *text = start.file ? clang_getFileContents(macros->unit, start.file, &size) : NULL;

	if (!text || end.byte > size || start.byte >= end.byte)
		return;
	rs_macro_table_add(&macros->table, start.file, text, (struct rs_span) { start.byte, end.byte },
			   rs_tu_string(macros->arena, clang_getCursorSpelling(cursor)));
}

static void add_expansion(struct rs_use_macros *macros, CXCursor cursor)
{
	CXSourceRange extent = clang_getCursorExtent(cursor);
	struct rs_clang_place start = rs_clang_place_of(clang_getRangeStart(extent), true);
	struct rs_clang_place end = rs_clang_place_of(clang_getRangeEnd(extent), true);

	if (start.file)
		*rs_array_push(macros->arena, macros->expansions, macros->n_expansions,
			       macros->expansions_capacity) =
			(struct expansion) { start.file, start.byte, end.byte,
					     clang_getCursorReferenced(cursor) };
}

static enum CXChildVisitResult add_list(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct rs_use_macros *macros = (struct rs_use_macros *)data;

	(void)parent;
	if (clang_getCursorKind(cursor) != CXCursor_InitListExpr)
		return CXChildVisit_Recurse;
	CXSourceRange extent = clang_getCursorExtent(cursor);
	struct rs_clang_place start = rs_clang_place_of(clang_getRangeStart(extent), true);
	if (start.file && start.is_macro)
		*rs_array_push(macros->arena, macros->lists, macros->n_lists, macros->lists_capacity) =
			(struct made_list) { cursor, start.file, start.byte };
	return CXChildVisit_Recurse;
}

static enum CXChildVisitResult add_top_level(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct rs_use_macros *macros = (struct rs_use_macros *)data;
	enum CXCursorKind kind = clang_getCursorKind(cursor);

	(void)parent;
	if (kind == CXCursor_MacroDefinition)
		add_definition(macros, cursor);
	else if (kind == CXCursor_MacroExpansion)
		add_expansion(macros, cursor);
	else if (!clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)))
		clang_visitChildren(cursor, add_list, macros);
	return CXChildVisit_Continue;
}

static struct rs_use_macros *macros_of(struct rs_use_walk *walk)
{
	if (!walk->macros) {
		walk->macros = rs_arena_new(walk->arena, struct rs_use_macros);
		walk->macros->arena = walk->macros->table.arena = walk->arena;
		walk->macros->unit = rs_tu_clang(walk->tu);
		clang_visitChildren(clang_getTranslationUnitCursor(walk->macros->unit), add_top_level,
				    walk->macros);
	}
	return walk->macros;
}

static const struct expansion *find_expansion(const struct rs_use_macros *macros, struct rs_clang_place place)
{
	for (size_t i = 0; i < macros->n_expansions; i++)
		if (macros->expansions[i].byte == place.byte &&
		    rs_identity_is_same(macros->expansions[i].file, place.file))
			return &macros->expansions[i];
	return NULL;
}

/* The place of the list among all that the expansion makes; their number. */
static size_t rank_of(const struct rs_use_macros *macros, CXCursor list, struct rs_clang_place place,
		      size_t *ret_count)
{
	size_t rank = RS_NONE, count = 0;

	for (size_t i = 0; i < macros->n_lists; i++) {
		const struct made_list *made = &macros->lists[i];

		if (made->byte != place.byte || !rs_identity_is_same(made->file, place.file))
			continue;
		if (clang_equalCursors(made->list, list))
			rank = count;
		count++;
	}
	*ret_count = count;
	return rank;
}

/* Braces of initialisers among all pairs of braces in the expansion: blocks and struct bodies have semicolons.
 */
static size_t pick_lists(const struct rs_expanded *expanded, const struct rs_brace_pair *pairs, size_t n_pairs,
			 struct rs_brace_pair *lists)
{
	size_t count = 0;

	(void)expanded;
	for (size_t i = 0; i < n_pairs; i++)
		if (!pairs[i].has_semicolon)
			lists[count++] = pairs[i];
	return count;
}

static const char *unclear = "its braces come from a macro in a way that is not understood";

static const char *take_pair(struct rs_use_walk *walk, const struct rs_expanded *expanded,
			     const struct rs_brace_pair *pair, size_t n_values, struct rs_use_text *text)
{
	const struct rs_expanded_token *open = &expanded->tokens[pair->open];
	const struct rs_expanded_token *close = &expanded->tokens[pair->close];

	(void)walk;
	if (!open->file || open->file != close->file || open->macro != close->macro ||
	    open->span.start >= close->span.start)
		return "its braces come from different macros";
	if (pair->n_values != n_values)
		return unclear;
	text->file = open->file;
	text->span = (struct rs_span) { open->span.start, close->span.end };
	text->macro = open->macro ? open->macro->name_span.start : RS_NONE;
	return NULL;
}

const char *rs_use_expand_at(struct rs_use_walk *walk, CXCursor cursor, struct rs_arena *arena,
			     struct rs_expanded *ret_expanded)
{
	struct rs_use_macros *macros = macros_of(walk);
	struct rs_clang_place place =
		rs_clang_place_of(clang_getRangeStart(clang_getCursorExtent(cursor)), true);
	const struct expansion *expansion = find_expansion(macros, place);
	size_t size;

	if (!expansion)
		return unclear;
	const char *bytes = clang_getFileContents(macros->unit, expansion->file, &size);
	if (!bytes || expansion->end > size)
		return unclear;
	struct rs_clang_place defined =
		rs_clang_place_of(clang_getRangeStart(clang_getCursorExtent(expansion->definition)), true);
	const struct rs_macro *macro = rs_macro_table_at(&macros->table, defined.file, defined.byte);
	return macro ? rs_expand(arena, &macros->table, macro, expansion->file, bytes,
				 (struct rs_span) { expansion->byte, expansion->end }, ret_expanded)
		     : unclear;
}

const char *rs_use_find_in_macro(struct rs_use_walk *walk, CXCursor list, struct rs_use_text *text)
{
	struct rs_clang_place place = rs_clang_place_of(clang_getRangeStart(clang_getCursorExtent(list)), true);
	struct rs_expanded expanded;
	size_t n_lists, n_pairs, rank = rank_of(macros_of(walk), list, place, &n_lists);
	const char *problem = rank == RS_NONE ? unclear : rs_use_expand_at(walk, list, walk->arena, &expanded);

	if (problem)
		return problem;
	struct rs_brace_pair *pairs = rs_expand_pairs(walk->arena, &expanded, &n_pairs);
	if (!pairs)
		return unclear;
	size_t n_picked = pick_lists(&expanded, pairs, n_pairs, pairs);
	if (n_picked != n_lists)
		return unclear;
	return take_pair(walk, &expanded, &pairs[rank], rs_use_children_of(walk, list).n_items, text);
}

void rs_use_macros_deinit(struct rs_use_walk *walk)
{
	if (walk->macros)
		rs_macro_table_deinit(&walk->macros->table);
}
