#include "record/prose.h"

#include <ctype.h>
#include <string.h>

enum { MAX_ANY_WORDS = 4, WORDS_OF_DENIAL = 4 };

struct reader {
	struct rs_arena *arena;
	const char *text;
	size_t at, end;
	const char **words;
	size_t n_words, words_capacity;
	bool *starts;
	size_t n_starts, starts_capacity;
	bool at_sentence;
};

static bool is_word_char(unsigned char c)
{
	return isalnum(c) || c == '_' || c >= 0x80;
}

/* "re-order" and "don't" are one word. */
static bool joins(const struct reader *reader, size_t at)
{
	char c = reader->text[at];

	return (c == '-' || c == '\'') && at + 1 < reader->end && at > 0 &&
	       isalpha((unsigned char)reader->text[at - 1]) && isalpha((unsigned char)reader->text[at + 1]);
}

static void read_word(struct reader *reader)
{
	size_t start = reader->at, length = 0;

	if (reader->text[reader->at] == '@')
		reader->at++;
	while (reader->at < reader->end &&
	       (is_word_char((unsigned char)reader->text[reader->at]) || joins(reader, reader->at)))
		reader->at++;
	char *word = rs_arena_strndup(reader->arena, reader->text + start, reader->at - start);
	for (size_t i = 0; word[i]; i++)
		if (word[i] != '-')
			word[length++] = (char)tolower((unsigned char)word[i]);
	word[length] = '\0';
	*rs_array_push(reader->arena, reader->words, reader->n_words, reader->words_capacity) = word;
	*rs_array_push(reader->arena, reader->starts, reader->n_starts, reader->starts_capacity) =
		reader->at_sentence;
	reader->at_sentence = false;
}

static bool starts_word(const struct reader *reader)
{
	unsigned char c = (unsigned char)reader->text[reader->at];

	return is_word_char(c) || (c == '@' && reader->at + 1 < reader->end &&
				   isalpha((unsigned char)reader->text[reader->at + 1]));
}

/* A dot inside "parcel.proto" or "0.3" ends nothing. */
static bool ends_sentence(const struct reader *reader)
{
	char c = reader->text[reader->at];

	if (c == '.' || c == '!' || c == '?' || c == ':')
		return reader->at + 1 >= reader->end ||
		       !is_word_char((unsigned char)reader->text[reader->at + 1]);
	return c == ';';
}

/* At a line end: whether the next line is blank but for decoration. */
static bool ends_paragraph(const struct reader *reader)
{
	size_t at = reader->at + 1;

	while (at < reader->end && reader->text[at] != '\n' && strchr(" \t\r*/", reader->text[at]))
		at++;
	return at < reader->end && reader->text[at] == '\n';
}

void rs_prose_read(struct rs_arena *arena, const char *text, struct rs_span comment, struct rs_prose *ret_prose)
{
	struct reader reader = {
		.arena = arena, .text = text, .at = comment.start, .end = comment.end, .at_sentence = true
	};

	while (reader.at < reader.end) {
		if (starts_word(&reader)) {
			read_word(&reader);
			continue;
		}
		if (ends_sentence(&reader) || (text[reader.at] == '\n' && ends_paragraph(&reader)))
			reader.at_sentence = true;
		reader.at++;
	}
	*ret_prose = (struct rs_prose) { reader.words, reader.starts, reader.n_words };
}

static bool is_alternative(const char *word, const char *alternatives, size_t length)
{
	size_t word_length = strlen(word);

	for (size_t start = 0; start <= length;) {
		const char *bar = (const char *)memchr(alternatives + start, '|', length - start);
		size_t stop = bar ? (size_t)(bar - alternatives) : length;

		if (stop - start == word_length && memcmp(alternatives + start, word, word_length) == 0)
			return true;
		start = stop + 1;
	}
	return false;
}

static bool match(const struct rs_prose *prose, const char *pattern, size_t first, size_t at, size_t *ret_end);

static bool match_any_words(const struct rs_prose *prose, const char *rest, size_t first, size_t at,
			    size_t *ret_end)
{
	for (size_t skipped = 0; skipped <= MAX_ANY_WORDS && at + skipped <= prose->n_words; skipped++) {
		if (match(prose, rest, first, at + skipped, ret_end))
			return true;
		if (at + skipped < prose->n_words && prose->starts_sentence[at + skipped])
			return false;
	}
	return false;
}

/* first: the word that the whole match begins with, which alone may begin a sentence. */
static bool match(const struct rs_prose *prose, const char *pattern, size_t first, size_t at, size_t *ret_end)
{
	size_t length = strcspn(pattern, " ");
	const char *rest = pattern + length + (pattern[length] == ' ');
	bool is_optional = length > 0 && pattern[length - 1] == '?';

	if (length == 0) {
		*ret_end = at;
		return true;
	}
	if (length == 3 && memcmp(pattern, "...", 3) == 0)
		return match_any_words(prose, rest, first, at, ret_end);
	if (at < prose->n_words && (at == first || !prose->starts_sentence[at]) &&
	    is_alternative(prose->words[at], pattern, length - is_optional) &&
	    match(prose, rest, first, at + 1, ret_end))
		return true;
	return is_optional && match(prose, rest, first, at, ret_end);
}

bool rs_prose_find(const struct rs_prose *prose, const char *pattern, size_t from, struct rs_phrase *ret_phrase)
{
	for (size_t at = from; at < prose->n_words; at++) {
		size_t end;

		if (match(prose, pattern, at, at, &end)) {
			*ret_phrase = (struct rs_phrase) { at, end };
			return true;
		}
	}
	return false;
}

bool rs_prose_find_any(const struct rs_prose *prose, const char *const *patterns, size_t count,
		       struct rs_phrase *ret_phrase)
{
	for (size_t i = 0; i < count; i++)
		if (rs_prose_find(prose, patterns[i], 0, ret_phrase))
			return true;
	return false;
}

bool rs_prose_word_is(const struct rs_prose *prose, size_t word, const char *alternatives)
{
	return word < prose->n_words && is_alternative(prose->words[word], alternatives, strlen(alternatives));
}

bool rs_prose_is_denied(const struct rs_prose *prose, struct rs_phrase phrase)
{
	for (size_t i = 0, word = phrase.start;
	     i < WORDS_OF_DENIAL && word > 0 && !prose->starts_sentence[word]; i++)
		if (rs_prose_word_is(prose, --word, "not|no|isn't|aren't|never|without|non|internal"))
			return true;
	return false;
}

const char *rs_prose_quote(struct rs_arena *arena, const struct rs_prose *prose, struct rs_phrase phrase)
{
	const char *text = "";

	for (size_t i = phrase.start; i < phrase.end; i++)
		text = rs_arena_printf(arena, "%s%s%s", text, *text ? " " : "", prose->words[i]);
	return text;
}
