/*
 * The words of a piece of C text: identifiers and one-byte punctuation, without comments, strings and numbers.
 * Enough to see which names a unit defines and uses; the real lexer belongs to parse/, which stands above.
 */
#ifndef RS_RECORD_WORD_SCAN_H
#define RS_RECORD_WORD_SCAN_H

#include "text/source.h"

struct rs_word_scan {
	const char *text;
	size_t at, end;
	struct rs_span word; /* the current one */
	bool is_identifier;
};

void rs_word_scan_init(struct rs_word_scan *words, const char *text, struct rs_span span);
/* Goes to the next word; false at the end. */
bool rs_word_scan_next(struct rs_word_scan *words);
bool rs_word_scan_is(const struct rs_word_scan *words, const char *spelling);
bool rs_word_scan_is_any(const struct rs_word_scan *words, const char *const *spellings, size_t count);
/* With the opening bracket as the current word: goes to the one that closes it; false when there is none. */
bool rs_word_scan_skip_brackets(struct rs_word_scan *words);

#endif
