#include <ctype.h>
#include <string.h>

#include "parse/lift_internal.h"

/*
 * A member that is lowered leaves the record for containers: `rt->dst.rt_uncached` becomes `rt->rt_uncached`.
 * So every name of it has to stand behind the way from a container: where the record alone is at hand, there is
 * nowhere to go.
 */

/* --- what units say --- */

/* The item for the record's member of that name in that container, by the container's member. */
static size_t find_item(struct rs_lift_walk *walk, const char *name, CXCursor through)
{
	const struct rs_lift_search *search = walk->search;
	const char *way = rs_tu_string(walk->uses.arena, clang_getCursorSpelling(through));
	size_t record = rs_use_record_of_field(&walk->uses, through);

	for (size_t i = 0; record != RS_NONE && record != 0 && i < search->lifting.n_items; i++) {
		const struct rs_lifted *lifted = &search->lifting.items[i];

		if (strcmp(lifted->name, name) == 0 && strcmp(lifted->through, way) == 0 &&
		    strcmp(lifted->container, search->records[record]->name) == 0)
			return i;
	}
	return RS_NONE;
}

size_t rs_lift_of_name(struct rs_lift_walk *walk, CXCursor name, CXCursor before, bool *ret_is_plain)
{
	CXCursor field = clang_getCursorReferenced(name), through = before;
	size_t item = RS_NONE;

	*ret_is_plain = false;
	if (rs_use_record_of_field(&walk->uses, field) != 0)
		return RS_NONE;
	if (clang_getCursorKind(name) == CXCursor_MemberRefExpr)
		through = rs_use_embedding(name);
	if (!clang_Cursor_isNull(through))
		item = find_item(walk, rs_tu_string(walk->uses.arena, clang_getCursorSpelling(field)),
				 clang_getCursorReferenced(through));
	*ret_is_plain = item == RS_NONE;
	return item;
}

void rs_lift_add_loser(struct rs_lift_walk *walk, CXCursor field)
{
	struct rs_lift_search *search = walk->search;
	CXType type = clang_getCursorType(field);
	CXCursor parent = clang_getCursorSemanticParent(field);
	const char *name;

	for (CXType element; (element = clang_getArrayElementType(type)).kind != CXType_Invalid;)
		type = element;
	if (rs_use_record_of(&walk->uses, type) != 0)
		return;
	while (clang_Cursor_isAnonymousRecordDecl(parent))
		parent = clang_getCursorSemanticParent(parent);
	for (size_t i = 0; i < search->lifting.n_items; i++)
		if (find_item(walk, search->lifting.items[i].name, field) != RS_NONE)
			return;
	name = rs_use_is_unnamed(parent)
		       ? "a struct without a name"
		       : rs_arena_printf(walk->uses.arena, "struct '%s'",
					 rs_tu_string(walk->uses.arena, clang_getCursorSpelling(parent)));
	if (search->losers && strstr(search->losers, name))
		return;
	search->losers = rs_arena_printf(search->arena, "%s%s%s", search->losers ? search->losers : "",
					 search->losers ? ", " : "", name);
}

const char *rs_lift_search_losers(const struct rs_lift_search *search)
{
	return search->losers;
}

/* --- what texts say --- */

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

bool rs_lift_step_back(const struct rs_source *source, size_t *byte, const char *token)
{
	size_t end = *byte, length = strlen(token);

	while (end > 0 && isspace((unsigned char)source->text[end - 1]))
		end--;
	if (end < length || memcmp(source->text + end - length, token, length) != 0)
		return false;
	if (is_word(*token) && end > length && is_word(source->text[end - length - 1]))
		return false;
	*byte = end - length;
	return true;
}

bool rs_lift_find_way(const struct rs_lift_search *search, const struct rs_source *source,
		      struct rs_lift_place *place)
{
	size_t at = place->byte;

	if (!rs_lift_step_back(source, &at, ".") ||
	    !rs_lift_step_back(source, &at, search->lifting.items[place->lifted].through))
		return false;
	place->start = at;
	return true;
}

/* `(&`, with all blanks, at the start of the expression in parentheses. */
static bool find_opening(struct rs_lift_walk *walk, const struct rs_source *source, CXCursor parenthesis,
			 struct rs_span *ret_span)
{
	CXSourceLocation start = clang_getRangeStart(clang_getCursorExtent(parenthesis));
	struct rs_clang_place place = rs_clang_place_of(start, false);
	size_t at = place.byte;

	if (!place.file ||
	    strcmp(rs_tu_file_path(walk->uses.tu, place.file, walk->uses.arena), source->realpath) != 0 ||
	    at >= source->size || source->text[at++] != '(')
		return false;
	at += strspn(source->text + at, " \t\r\n");
	if (source->text[at++] != '&')
		return false;
	at += strspn(source->text + at, " \t\r\n");
	*ret_span = (struct rs_span) { place.byte, at };
	return true;
}

bool rs_lift_find_access(struct rs_lift_walk *walk, const struct rs_source *source, CXCursor access,
			 struct rs_lift_place *place)
{
	const char *through = walk->search->lifting.items[place->lifted].through;
	size_t at = place->byte, way;

	if (rs_lift_find_way(walk->search, source, place))
		return true;
	if (clang_getCursorKind(access) != CXCursor_MemberRefExpr || !rs_lift_step_back(source, &at, "->") ||
	    !rs_lift_step_back(source, &at, ")") || !rs_lift_step_back(source, &at, through))
		return false;
	place->start = way = at;
	return (rs_lift_step_back(source, &way, "->") || rs_lift_step_back(source, &way, ".")) &&
	       find_opening(walk, source, rs_use_first_child(access), &place->opening) &&
	       place->opening.end <= way;
}
