/*
 * A raw C lexer: comments, directives and tokens by their bytes, nothing expanded. It accepts any bytes and
 * always ends; junk becomes one-byte punctuation. Line splices are part of the token they stand in.
 *
 * It reads text as compilers do that know no trigraphs: a backslash before a line end joins two lines, blanks
 * between the two included; a string or comment that does not end goes to the end of its line or of the text.
 */
#ifndef RS_PARSE_LEXER_H
#define RS_PARSE_LEXER_H

#include "text/source.h"

enum rs_token_kind {
	RS_TOKEN_END,
	RS_TOKEN_IDENTIFIER,
	RS_TOKEN_NUMBER,
	RS_TOKEN_STRING,      /* string or character constant with its prefix */
	RS_TOKEN_PUNCTUATION, /* one byte */
	RS_TOKEN_BLOCK_COMMENT,
	RS_TOKEN_LINE_COMMENT, /* without the line end */
	RS_TOKEN_DIRECTIVE,    /* from # to the end of the logical line, without the line end */
};

struct rs_token {
	enum rs_token_kind kind;
	struct rs_span span;
	bool first_on_line; /* only blanks stand before it on its line */
};

struct rs_lexer {
	const char *text;
	size_t position, end;
	bool line_start;  /* only blanks and comments so far on the logical line: a # begins a directive */
	bool only_blanks; /* only blanks so far on the line as it is seen */
};

/* Reads text[start, end); what stands before start on its line is looked at. */
void rs_lexer_init(struct rs_lexer *lexer, const char *text, size_t start, size_t end);
struct rs_token rs_lexer_next(struct rs_lexer *lexer);
/* The directive's name: "if", "endif", "define" … ; its bytes in the text, none for a lone #. */
struct rs_span rs_lexer_directive_name(const char *text, struct rs_token directive);
/* The word behind the name: what #define defines, "0" in #if 0; none when something else follows. */
struct rs_span rs_lexer_directive_word(const char *text, struct rs_token directive);
bool rs_token_is(const char *text, struct rs_token token, const char *spelling);
bool rs_token_is_comment(struct rs_token token);
bool rs_span_is(const char *text, struct rs_span span, const char *spelling);

#endif
