/*
 * What the spelling of a word tells about its role in a declaration, when nothing can be looked up.
 */
#ifndef RS_PARSE_WORDS_H
#define RS_PARSE_WORDS_H

#include "parse/lexer.h"

enum rs_directive {
	RS_DIRECTIVE_IF,
	RS_DIRECTIVE_ELSE, /* #elif and its kin included */
	RS_DIRECTIVE_ENDIF,
	RS_DIRECTIVE_DEFINE,
	RS_DIRECTIVE_UNDEF,
	RS_DIRECTIVE_INCLUDE,
	RS_DIRECTIVE_MESSAGE, /* #error, #warning */
	RS_DIRECTIVE_OTHER,   /* #pragma, #line and what is not known */
};

enum rs_directive rs_words_directive(const char *text, struct rs_token directive);
bool rs_words_is_specifier(const char *text, struct rs_token token); /* a keyword that can begin a type */
bool rs_words_is_attribute(const char *text, struct rs_token token); /* __attribute__ and its kin */
bool rs_words_is_assertion(const char *text, struct rs_token token); /* a static assertion's name */
bool rs_words_is_pragma(const char *text, struct rs_token token);    /* _Pragma */
/* ALL_CAPS or __leading underscores, but not the kernel's __u32 and its kin. */
bool rs_words_is_macro_like(const char *text, struct rs_token token);

#endif
