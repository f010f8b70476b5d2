#include <string.h>

#include "parse/lexer.h"
#include "parse/uses_internal.h"
#include "parse/words.h"

/*
 * Lists whose values all have designators mean the same in every order of the members, and so they do in
 * branches of #if that no unit shows. What the text leaves open (a value by position, a branch that ends amid a
 * value) is taken for a value by position.
 */

enum { MAX_NESTING = 32 };

struct names {
	const char *text;
	bool rows;
	int depth;               /* of braces of lists */
	int inside;              /* of parentheses, brackets */
	bool begins;             /* a value */
	bool is_assigned;        /* the last token was the designator's `=` */
	bool has_designator;     /* the value began with one, whose `=` is still to come */
	bool is_closed;          /* the list has ended */
	int levels[MAX_NESTING]; /* depths of the open #if */
	int n_levels;
};

/* Branches hold whole values. */
static bool take_directive(struct names *names, struct rs_token token)
{
	enum rs_directive kind = rs_words_directive(names->text, token);
	bool is_inside = names->n_levels > 0 && names->levels[names->n_levels - 1] == names->depth;

	if (kind == RS_DIRECTIVE_DEFINE || kind == RS_DIRECTIVE_UNDEF)
		return true;
	if (!names->begins)
		return false;
	if (kind == RS_DIRECTIVE_IF && names->n_levels < MAX_NESTING)
		names->levels[names->n_levels++] = names->depth;
	else if (kind == RS_DIRECTIVE_ENDIF && is_inside)
		names->n_levels--;
	else
		return kind == RS_DIRECTIVE_ELSE && is_inside;
	return true;
}

static void close_list(struct names *names)
{
	names->depth--;
	names->begins = false;
	names->is_closed = names->depth == 0;
}

static bool begin_value(struct names *names, char c)
{
	if (c == '}') {
		close_list(names);
		return true;
	}
	if (c == '{') {
		names->depth++;
		return names->depth == 1 || (names->rows && names->depth == 2);
	}
	names->begins = false;
	names->has_designator = true;
	names->inside += c == '[';
	return c == '.' || c == '[';
}

static bool continue_value(struct names *names, char c)
{
	if (strchr("([", c))
		names->inside++;
	else if (strchr(")]", c))
		names->inside--;
	else if (c == '{' && (names->inside > 0 || !names->is_assigned))
		return false;
	else if (names->inside == 0 && (c == ',' || c == '}') && names->has_designator)
		return false;
	else if (c == '{')
		names->depth++;
	else if (names->inside == 0 && c == '}')
		close_list(names);
	names->begins = names->inside == 0 && (c == '{' || c == ',');
	names->is_assigned = names->inside == 0 && names->has_designator && c == '=';
	names->has_designator = names->has_designator && !names->is_assigned;
	return names->inside >= 0;
}

static bool take_token(struct names *names, struct rs_token token)
{
	char c = token.kind == RS_TOKEN_PUNCTUATION ? names->text[token.span.start] : 'x';

	if (names->is_closed || token.span.end - token.span.start > 1)
		c = 'x';
	if (token.kind == RS_TOKEN_DIRECTIVE)
		return take_directive(names, token);
	if (rs_token_is_comment(token))
		return true;
	return names->is_closed ? false : names->begins ? begin_value(names, c) : continue_value(names, c);
}

bool rs_use_is_named_throughout(struct rs_use_walk *walk, CXCursor list, bool rows)
{
	CXSourceRange extent = clang_getCursorExtent(list);
	struct rs_clang_place start = rs_clang_place_of(clang_getRangeStart(extent), true);
	struct rs_clang_place end = rs_clang_place_of(clang_getRangeEnd(extent), true);
	struct names names = { .rows = rows, .begins = true };
	struct rs_lexer lexer;
	size_t size = 0;

	names.text = start.file ? clang_getFileContents(rs_tu_clang(walk->tu), start.file, &size) : NULL;
	if (!names.text || start.is_macro || end.is_macro || end.byte > size || start.byte >= end.byte ||
	    names.text[start.byte] != '{')
		return false;
	rs_lexer_init(&lexer, names.text, start.byte, end.byte);
	lexer.line_start = false;
	for (struct rs_token token; (token = rs_lexer_next(&lexer)).kind != RS_TOKEN_END;)
		if (!take_token(&names, token))
			return false;
	return names.is_closed && names.n_levels == 0;
}
