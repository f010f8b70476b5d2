#include "parse/conditionals.h"

#include <string.h>

#include "parse/lexer.h"
#include "parse/tu_state.h"

/* The part of a directive behind its name. */
struct rest {
	const char *text;
	size_t length;
};

static bool is_named(const char *text, struct rs_token directive, const char *name)
{
	struct rs_span span = rs_lexer_directive_name(text, directive);
	size_t length = strlen(name);

	return span.end - span.start == length && memcmp(text + span.start, name, length) == 0;
}

static struct rest find_rest(const char *text, struct rs_token directive)
{
	size_t start = rs_lexer_directive_name(text, directive).end;

	return (struct rest) { .text = text + start, .length = directive.span.end - start };
}

static bool mentions(struct rest rest, const char *word)
{
	return memmem(rest.text, rest.length, word, strlen(word)) != NULL;
}

static bool is_conditional(const char *text, struct rs_token directive)
{
	static const char *const names[] = { "if", "ifdef", "ifndef", "elif", "elifdef", "elifndef" };

	for (size_t i = 0; i < RS_COUNT_OF(names); i++)
		if (is_named(text, directive, names[i]))
			return true;
	return false;
}

/* `#ifndef NAME` or `#if !defined(NAME)` as the file's first directive, `#define NAME` as its second. */
static bool is_guard(const char *text, struct rs_token first, struct rs_token second)
{
	struct rest name = find_rest(text, second);
	size_t skip = 0;

	if (!is_named(text, second, "define") ||
	    !(is_named(text, first, "ifndef") ||
	      (is_named(text, first, "if") && mentions(find_rest(text, first), "!"))))
		return false;
	while (skip < name.length && (name.text[skip] == ' ' || name.text[skip] == '\t'))
		skip++;
	size_t length = 0;
	while (skip + length < name.length && !strchr(" \t\r\n/", name.text[skip + length]))
		length++;
	return length > 0 && memmem(find_rest(text, first).text, find_rest(text, first).length,
				    name.text + skip, length) != NULL;
}

static struct rs_token next_directive(struct rs_lexer *lexer)
{
	for (;;) {
		struct rs_token token = rs_lexer_next(lexer);

		if (token.kind == RS_TOKEN_DIRECTIVE || token.kind == RS_TOKEN_END)
			return token;
	}
}

bool rs_conditionals_in_text(const char *text, size_t size)
{
	struct rs_lexer lexer;
	bool is_first = true;

	rs_lexer_init(&lexer, text, 0, size);
	struct rs_token directive = next_directive(&lexer);
	while (directive.kind != RS_TOKEN_END) {
		struct rs_token next = next_directive(&lexer);
		bool guards = is_first && next.kind != RS_TOKEN_END && is_guard(text, directive, next);

		if (is_conditional(text, directive) && !guards &&
		    !mentions(find_rest(text, directive), "__cplusplus"))
			return true;
		is_first = false;
		directive = next;
	}
	return false;
}

static bool depends(const struct rs_tu *tu, CXFile file)
{
	size_t size = 0;
	const char *text = clang_getFileContents(tu->unit, file, &size);

	if (!text || clang_Location_isInSystemHeader(clang_getLocationForOffset(tu->unit, file, 0)))
		return false;
	return rs_conditionals_in_text(text, size);
}

bool rs_conditionals_in_unit(const struct rs_tu *tu)
{
	for (size_t i = 0; i < tu->inclusions.n_items; i++)
		if (depends(tu, tu->inclusions.items[i].file))
			return true;
	return false;
}
