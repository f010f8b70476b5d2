/*
 * Inline assembly that gets a pointer to a record.
 */
#include <string.h>

#include "parse/expand.h"
#include "parse/uses_internal.h"

/* --- `asm("" : "+r"(p))` hides a value from the compiler; no instruction looks at what it points to --- */

/* The templates among tokens. */
struct templates {
	enum { OUTSIDE, BEFORE, INSIDE } state;
	size_t count;
	bool has_text; /* or what may be some */
};

static bool is_one_of(const char *const *words, size_t count, const char *text, size_t length)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(words[i]) == length && memcmp(words[i], text, length) == 0)
			return true;
	return false;
}

static void take_token(struct templates *templates, const char *text, size_t length)
{
	static const char *const names[] = { "asm", "__asm", "__asm__" };
	static const char *const qualifiers[] = { "volatile", "__volatile", "__volatile__",
						  "inline",   "__inline",   "__inline__" };
	static const char *const ends[] = { ":", ")", "::" };

	if (templates->state == OUTSIDE) {
		if (is_one_of(names, RS_COUNT_OF(names), text, length)) {
			templates->state = BEFORE;
			templates->count++;
		}
	} else if (templates->state == BEFORE) {
		if (length == 1 && *text == '(')
			templates->state = INSIDE;
		else if (!is_one_of(qualifiers, RS_COUNT_OF(qualifiers), text, length))
			templates->has_text = true;
	} else if (is_one_of(ends, RS_COUNT_OF(ends), text, length)) {
		templates->state = OUTSIDE;
	} else if (length != 2 || memcmp(text, "\"\"", 2) != 0) {
		templates->has_text = true;
	}
}

static void read_text(struct rs_use_walk *walk, CXCursor statement, struct templates *templates)
{
	CXSourceRange extent = clang_getCursorExtent(statement);
	struct rs_clang_place start = rs_clang_place_of(clang_getRangeStart(extent), true);
	struct rs_clang_place end = rs_clang_place_of(clang_getRangeEnd(extent), true);
	struct rs_lexer lexer;
	size_t size = 0;
	const char *text = start.file ? clang_getFileContents(rs_tu_clang(walk->tu), start.file, &size) : NULL;

	if (!text || start.byte >= end.byte || end.byte > size)
		return;
	rs_lexer_init(&lexer, text, start.byte, end.byte);
	lexer.line_start = false;
	for (struct rs_token token; (token = rs_lexer_next(&lexer)).kind != RS_TOKEN_END;)
		if (!rs_token_is_comment(token))
			take_token(templates, text + token.span.start, token.span.end - token.span.start);
}

/* All of the statements that the macro makes, if a macro makes it. */
static bool is_empty(struct rs_use_walk *walk, CXCursor statement)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *scratch = rs_arena_create();
	struct templates templates = { .state = OUTSIDE };
	struct rs_expanded expanded = { 0 };

	if (!rs_clang_place_of(clang_getRangeStart(clang_getCursorExtent(statement)), true).is_macro)
		read_text(walk, statement, &templates);
	else if (!rs_use_expand_at(walk, statement, scratch, &expanded))
		for (size_t i = 0; i < expanded.n_tokens; i++)
			take_token(&templates, expanded.tokens[i].text, expanded.tokens[i].length);
	return templates.count > 0 && templates.state == OUTSIDE && !templates.has_text;
}

struct asm_search {
	struct rs_use_walk *walk;
	CXCursor statement;
	bool is_read, is_empty; /* whether it is empty is asked once it matters */
};

static enum CXChildVisitResult look_into_assembly(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct asm_search *search = (struct asm_search *)data;
	struct rs_use_walk *walk = search->walk;
	CXCursor operand = rs_use_strip_casts(walk, cursor);
	CXType type = clang_getCursorType(operand);
	size_t record = rs_use_pointee_record(walk, type);

	(void)parent;
	if (record == RS_NONE)
		record = rs_use_record_of(walk, type);
	if (record != RS_NONE && !search->is_read) {
		search->is_read = true;
		search->is_empty = is_empty(walk, search->statement);
	}
	if (record != RS_NONE && !search->is_empty)
		rs_use_pin(walk, record, search->statement, "inline-assembly", true,
			   "a pointer to it is an operand of inline assembly, which may use literal offsets");
	return CXChildVisit_Continue;
}

void rs_use_check_assembly(struct rs_use_walk *walk, CXCursor statement)
{
	struct asm_search search = { .walk = walk, .statement = statement };

	clang_visitChildren(statement, look_into_assembly, &search);
}
