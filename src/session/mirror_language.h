/*
 * What kind of text a file is, by its name, and what a definition of memory looks like in it.
 */
#ifndef RS_SESSION_MIRROR_LANGUAGE_H
#define RS_SESSION_MIRROR_LANGUAGE_H

#include "session/mirror_scan.h"

enum rs_mirror_kind { RS_MIRROR_C, RS_MIRROR_CXX, RS_MIRROR_FOREIGN, RS_MIRROR_ASSEMBLY };

/* How the definitions of a language stand in the text. */
enum rs_mirror_form {
	RS_MIRROR_BRACES, /* a keyword, the name, a body in brackets */
	RS_MIRROR_ENDED,  /* a keyword, the name, lines up to an end */
	RS_MIRROR_CALLS,  /* no such thing: a list handed to a library that lays out memory */
};

/* What a definition with the same names is worth where nothing says that its memory is laid out as in C. */
enum rs_mirror_weak { RS_MIRROR_WEAK_NONE, RS_MIRROR_WEAK_ADVICE, RS_MIRROR_WEAK_CONTRACT };

/* Lists are words with blanks between and around them. */
struct rs_mirror_language {
	const char *extensions;
	enum rs_mirror_kind kind;
	unsigned style;
	enum rs_mirror_form form;
	const char *heads;  /* words that begin a definition */
	const char *strong; /* words that say that memory is laid out as in C; "": the language always does */
	enum rs_mirror_weak weak;
};

/* By the file's name without folders; NULL: not a language that is looked at. */
const struct rs_mirror_language *rs_mirror_language_of(const char *name);
/* Whether the token's bytes are a word of the list. */
bool rs_mirror_language_lists(const char *list, const struct rs_mirror_scan *scan, size_t token);

#endif
