/*
 * Text of any language as words, numbers and punctuation: enough to see a definition, whatever its grammar.
 * It accepts any bytes and always ends.
 */
#ifndef RS_SESSION_MIRROR_SCAN_H
#define RS_SESSION_MIRROR_SCAN_H

#include "session/mirror_index.h"

/* What a language does; bits. */
enum rs_mirror_style {
	RS_MIRROR_SLASHES = 1,     /* comments from // and of the C kind */
	RS_MIRROR_HASHES = 2,      /* comments from # */
	RS_MIRROR_DASHES = 4,      /* comments from -- */
	RS_MIRROR_BANGS = 8,       /* comments from ! */
	RS_MIRROR_DIRECTIVES = 16, /* a line that begins with # is one token */
	RS_MIRROR_LITERALS = 32,   /* a string is one token; without: names in strings are words like others */
};

enum rs_mirror_token_kind {
	RS_MIRROR_WORD,
	RS_MIRROR_NUMBER,
	RS_MIRROR_PUNCTUATION,
	RS_MIRROR_LITERAL,
	RS_MIRROR_DIRECTIVE,
	RS_MIRROR_MENTION, /* a record's name in a comment; nothing else of comments is kept */
};

struct rs_mirror_token {
	enum rs_mirror_token_kind kind;
	char c; /* its first byte */
	bool first_on_line;
	uint32_t start, end; /* bytes */
	uint32_t close;      /* of an opening bracket: index of the token that closes it; 0: none */
	const struct rs_mirror_word *word; /* that its stem is; NULL: no record knows it */
};

struct rs_mirror_scan {
	const char *text;
	size_t size;
	struct rs_mirror_token *tokens;
	size_t n_tokens, tokens_capacity;
	uint32_t *open; /* brackets that are not closed yet */
	size_t n_open, open_capacity;
};

/* Fills scan, which is all zero or was used before and is used again. text must stay. */
void rs_mirror_scan_text(struct rs_mirror_scan *scan, const struct rs_mirror_index *index, const char *text,
			 size_t size, unsigned style);
void rs_mirror_scan_deinit(struct rs_mirror_scan *scan); /* also for RS_CLEANUP */
/* All four are false for an index behind the last token (SIZE_MAX is -1). */
bool rs_mirror_scan_is(const struct rs_mirror_scan *scan, size_t at, const char *spelling);
bool rs_mirror_scan_is_any(const struct rs_mirror_scan *scan, size_t at, const char *const *spellings,
			   size_t count);
bool rs_mirror_scan_is_char(const struct rs_mirror_scan *scan, size_t at, char c);
bool rs_mirror_scan_is_word(const struct rs_mirror_scan *scan, size_t at);
/* The closing bracket of the one at `at`; n_tokens when there is none. */
size_t rs_mirror_scan_close(const struct rs_mirror_scan *scan, size_t at);
unsigned rs_mirror_scan_line(const struct rs_mirror_scan *scan, size_t at);

#endif
