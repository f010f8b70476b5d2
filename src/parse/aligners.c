#include "parse/aligners.h"

#include <string.h>

#include "parse/lexer.h"
#include "parse/records_internal.h"
#include "parse/tu_internal.h"

/* Best first. */
static const struct {
	const char *word;
	const char *format; /* with the number of bytes; NULL: the word alone */
	enum rs_aligner_style style;
	bool is_macro; /* it must be defined, and not as nothing */
} rows[] = {
	{ "____cacheline_aligned_in_smp", NULL, RS_ALIGNER_BEHIND, true },
	{ "____cacheline_aligned", NULL, RS_ALIGNER_BEHIND, true },
	{ "__rte_cache_aligned", NULL, RS_ALIGNER_BEHIND, true },
	{ "THREAD_ALIGN", "THREAD_ALIGN(%u);", RS_ALIGNER_MEMBER, true },
	{ "ALWAYS_ALIGN", "ALWAYS_ALIGN(%u);", RS_ALIGNER_MEMBER, true },
	{ "__aligned", "__aligned(%u)", RS_ALIGNER_BEHIND, true },
	{ "ALIGNED", "ALIGNED(%u)", RS_ALIGNER_BEHIND, true },
	{ "alignas", "alignas(%u)", RS_ALIGNER_BEFORE, true },
	{ "_Alignas", "_Alignas(%u)", RS_ALIGNER_BEFORE, false },
	{ "__attribute__", "__attribute__((aligned(%u)))", RS_ALIGNER_BEHIND, false },
};

enum { N_ROWS = RS_COUNT_OF(rows) };

/* What is known of each row. */
struct found {
	bool in_record_file[N_ROWS], is_defined[N_ROWS];
};

static size_t find_row(const char *text, struct rs_span word)
{
	for (size_t r = 0; r < N_ROWS; r++)
		if (rs_span_is(text, word, rows[r].word))
			return r;
	return N_ROWS;
}

/* `__attribute__` says many things; here it counts where it says this one. */
static bool says_alignment(const char *text, size_t size, struct rs_token token)
{
	const char *at = text + token.span.end;
	size_t left = size - token.span.end, limit = left < 40 ? left : 40;
	const char *end = (const char *)memchr(at, ')', limit);

	return !rs_token_is(text, token, "__attribute__") ||
	       memmem(at, end ? (size_t)(end - at) : limit, "aligned", strlen("aligned"));
}

static void note_words(const char *text, size_t size, bool *used)
{
	struct rs_lexer lexer;
	struct rs_token token;

	rs_lexer_init(&lexer, text, 0, size);
	while ((token = rs_lexer_next(&lexer)).kind != RS_TOKEN_END) {
		size_t row = token.kind == RS_TOKEN_IDENTIFIER ? find_row(text, token.span) : N_ROWS;

		if (row < N_ROWS && says_alignment(text, size, token))
			used[row] = true;
	}
}

static size_t find_row_of(CXCursor macro)
{
	CXString name = clang_getCursorSpelling(macro);
	const char *text = clang_getCString(name);
	size_t row = 0;

	while (row < N_ROWS && (!rows[row].is_macro || !text || strcmp(text, rows[row].word) != 0))
		row++;
	clang_disposeString(name);
	return row;
}

/* From the macro's name to the end of its definition: whether anything is behind name and parameters. In some
 * configurations such a macro is empty, and aligns nothing. */
static bool has_body(CXTranslationUnit unit, CXCursor macro)
{
	CXSourceRange extent = clang_getCursorExtent(macro);
	struct rs_clang_place first = rs_clang_place_of(clang_getRangeStart(extent), false);
	struct rs_clang_place last = rs_clang_place_of(clang_getRangeEnd(extent), false);
	size_t size = 0;
	const char *text = first.file ? clang_getFileContents(unit, first.file, &size) : NULL;
	struct rs_lexer lexer;
	struct rs_token token;

	if (!text || last.byte > size)
		return false;
	rs_lexer_init(&lexer, text, first.byte, last.byte);
	token = rs_lexer_next(&lexer);
	if (token.span.end < last.byte && text[token.span.end] == '(')
		while (token.kind != RS_TOKEN_END && !rs_token_is(text, token, ")"))
			token = rs_lexer_next(&lexer);
	return token.kind != RS_TOKEN_END && rs_lexer_next(&lexer).kind != RS_TOKEN_END;
}

/* The last definition counts. */
static enum CXChildVisitResult note_definition(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct found *found = (struct found *)data;
	size_t row;

	(void)parent;
	if (clang_getCursorKind(cursor) != CXCursor_MacroDefinition)
		return CXChildVisit_Continue;
	row = find_row_of(cursor);
	if (row < N_ROWS)
		found->is_defined[row] = has_body(clang_Cursor_getTranslationUnit(cursor), cursor);
	return CXChildVisit_Continue;
}

static bool is_usable(const struct found *found, size_t row)
{
	return !rows[row].is_macro || found->is_defined[row];
}

static size_t choose(const struct found *found)
{
	for (size_t r = 0; r < N_ROWS; r++)
		if (found->in_record_file[r] && is_usable(found, r))
			return r;
	for (size_t r = 0; r < N_ROWS; r++)
		if (rows[r].is_macro && found->is_defined[r])
			return r;
	return N_ROWS - 1;
}

struct rs_aligner rs_aligners_find(struct rs_arena *arena, const struct rs_tu *tu,
				   const struct rs_record *record, unsigned bytes)
{
	struct found found = { 0 };
	size_t row;

	note_words(record->source->text, record->source->size, found.in_record_file);
	clang_visitChildren(clang_getTranslationUnitCursor(rs_tu_clang(tu)), note_definition, &found);
	row = choose(&found);
	if (!rows[row].format)
		return (struct rs_aligner) { rows[row].word, rows[row].style };
	const char *open = strstr(rows[row].format, "%u");
	return (struct rs_aligner) { rs_arena_printf(arena, "%.*s%u%s", (int)(open - rows[row].format),
						     rows[row].format, bytes, open + 2),
				     rows[row].style };
}

enum rs_aligner_style rs_aligners_style(const char *text)
{
	size_t length = strlen(text);

	if (length > 0 && text[length - 1] == ';')
		return RS_ALIGNER_MEMBER;
	return strncmp(text, "_Alignas", 8) == 0 || strncmp(text, "alignas", 7) == 0 ? RS_ALIGNER_BEFORE
										     : RS_ALIGNER_BEHIND;
}
