/*
 * What a comment says: its words in lower case, without decoration, and small patterns over them.
 *
 * A pattern is a list of words separated by blanks. "a|b" is either; a "?" behind a word makes it optional;
 * "..." stands for up to four words of any kind. A match never crosses the end of a sentence.
 */
#ifndef RS_RECORD_PROSE_H
#define RS_RECORD_PROSE_H

#include "text/source.h"

struct rs_prose {
	const char *const *words;
	const bool *starts_sentence;
	size_t n_words;
};

struct rs_phrase {
	size_t start, end; /* words; end is exclusive */
};

/* comment: one or several comments, with their delimiters. */
void rs_prose_read(struct rs_arena *arena, const char *text, struct rs_span comment,
		   struct rs_prose *ret_prose);
/* The first place at or after `from` where the pattern matches. */
bool rs_prose_find(const struct rs_prose *prose, const char *pattern, size_t from,
		   struct rs_phrase *ret_phrase);
/* The first pattern of the list that matches anywhere. */
bool rs_prose_find_any(const struct rs_prose *prose, const char *const *patterns, size_t count,
		       struct rs_phrase *ret_phrase);
/* Whether the word, a part of a pattern, is one of the alternatives. */
bool rs_prose_word_is(const struct rs_prose *prose, size_t word, const char *alternatives);
/* Whether one of the few words before the phrase takes it back: "not part of the ABI". */
bool rs_prose_is_denied(const struct rs_prose *prose, struct rs_phrase phrase);
/* The matched words, for messages. */
const char *rs_prose_quote(struct rs_arena *arena, const struct rs_prose *prose, struct rs_phrase phrase);

#endif
