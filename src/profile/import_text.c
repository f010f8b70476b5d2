#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "profile/import_internal.h"

void rs_import_lines(struct rs_import_lines *lines, const struct rs_import *import)
{
	*lines = (struct rs_import_lines) { .at = import->text, .end = import->text + import->size };
}

bool rs_import_next_line(struct rs_import_lines *lines, struct rs_word *ret_line)
{
	const char *start = lines->at;

	if (start == lines->end)
		return false;
	const char *newline = (const char *)memchr(start, '\n', (size_t)(lines->end - start));
	lines->at = newline ? newline + 1 : lines->end;
	*ret_line = (struct rs_word) { start, (size_t)((newline ? newline : lines->end) - start),
				       ++lines->number, 1 };
	return true;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

struct rs_word rs_word_from(struct rs_word word, size_t n)
{
	n = n < word.length ? n : word.length;
	return (struct rs_word) { word.text + n, word.length - n, word.line, word.column + (unsigned)n };
}

struct rs_word rs_word_first(struct rs_word word, size_t n)
{
	word.length = n < word.length ? n : word.length;
	return word;
}

struct rs_word rs_word_trim(struct rs_word word)
{
	while (word.length > 0 && is_blank(word.text[word.length - 1]))
		word.length--;
	while (word.length > 0 && is_blank(word.text[0]))
		word = rs_word_from(word, 1);
	return word;
}

bool rs_word_next(struct rs_word *rest, struct rs_word *ret_word)
{
	size_t length = 0;

	*rest = rs_word_trim(*rest);
	while (length < rest->length && !is_blank(rest->text[length]))
		length++;
	*ret_word = rs_word_first(*rest, length);
	*rest = rs_word_from(*rest, length);
	return length > 0;
}

size_t rs_word_split(struct rs_arena *arena, struct rs_word line, struct rs_word **ret_words)
{
	size_t count = 0, capacity = 0;
	struct rs_word *words = NULL, word;

	while (rs_word_next(&line, &word))
		*rs_array_push(arena, words, count, capacity) = word;
	*ret_words = words;
	return count;
}

bool rs_word_is(struct rs_word word, const char *text)
{
	return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

bool rs_word_begins(struct rs_word word, const char *text)
{
	return word.length >= strlen(text) && memcmp(word.text, text, strlen(text)) == 0;
}

size_t rs_word_find(struct rs_word word, const char *text)
{
	const char *found = (const char *)memmem(word.text, word.length, text, strlen(text));

	return found ? (size_t)(found - word.text) : SIZE_MAX;
}

char *rs_word_dup(struct rs_arena *arena, struct rs_word word)
{
	return rs_arena_strndup(arena, word.text, word.length);
}

struct rs_error *rs_import_error(const struct rs_import *import, struct rs_word word, const char *format, ...)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder message = { 0 };
	va_list arguments;

	va_start(arguments, format);
	rs_builder_vprintf(&message, format, arguments);
	va_end(arguments);
	return rs_error_create(RS_ERROR_SYNTAX, import->path, word.line, word.column, "%s", message.data);
}

enum { MOST_SHOWN = 60 };

struct rs_error *rs_import_expected(const struct rs_import *import, struct rs_word word, const char *what)
{
	size_t shown = word.length < MOST_SHOWN ? word.length : MOST_SHOWN;
	RS_CLEANUP(rs_builder_deinit) struct rs_builder seen = { 0 };

	if (word.length == 0)
		return rs_import_error(import, word, "expected %s, found the end of the line", what);
	for (size_t i = 0; i < shown; i++) /* binary input must not reach a terminal */
		rs_builder_appendc(&seen, isprint((unsigned char)word.text[i]) ? word.text[i] : '?');
	return rs_import_error(import, word, "expected %s, found '%s%s'", what, seen.data,
			       shown < word.length ? "…" : "");
}

static size_t count_digits(struct rs_word word, size_t at)
{
	size_t count = 0;

	while (at + count < word.length && isdigit((unsigned char)word.text[at + count]))
		count++;
	return count;
}

bool rs_word_is_number(struct rs_word word)
{
	size_t whole = count_digits(word, 0), fraction;

	if (whole == 0 || whole == word.length)
		return whole > 0;
	fraction = word.text[whole] == '.' ? count_digits(word, whole + 1) : 0;
	return fraction > 0 && whole + 1 + fraction == word.length;
}

bool rs_word_is_hex(struct rs_word word)
{
	size_t at = rs_word_begins(word, "0x") ? 2 : 0;

	for (size_t i = at; i < word.length; i++)
		if (!isxdigit((unsigned char)word.text[i]))
			return false;
	return word.length > at;
}

bool rs_word_is_no_source(struct rs_word word)
{
	size_t at = word.length;
	bool bracket = at > 0 && word.text[at - 1] == ']';

	at -= bracket;
	struct rs_word rest = rs_word_first(word, at);
	while (at > 0 && word.text[at - 1] != (bracket ? '[' : '+'))
		at--;
	rest = rs_word_from(rest, at);
	return bracket ? at > 1 && rs_word_is_hex(rest)
		       : at > 0 && count_digits(rest, 0) == rest.length && rest.length > 0;
}

struct rs_error *rs_import_number(const struct rs_import *import, struct rs_word word, double *ret_number)
{
	char digits[64];

	if (!rs_word_is_number(word))
		return rs_import_expected(import, word,
					  "a number such as 1234.5 (the tool's output with LC_ALL=C)");
	if (word.length >= sizeof digits)
		return rs_import_error(import, word, "this number is longer than a count can be");
	memcpy(digits, word.text, word.length);
	digits[word.length] = '\0';
	double number = strtod(digits, NULL);
	if (!(number <= RS_IMPORT_MOST))
		return rs_import_error(import, word, "%s is more than a count can be (1e18)", digits);
	*ret_number = number;
	return NULL;
}

struct rs_error *rs_import_percent(const struct rs_import *import, struct rs_word word, double *ret_number)
{
	if (word.length == 0 || word.text[word.length - 1] != '%' ||
	    !rs_word_is_number(rs_word_first(word, word.length - 1)))
		return rs_import_expected(import, word,
					  "a percentage such as 12.34% (the tool's output with LC_ALL=C)");
	double number = 0;
	RS_TRY(rs_import_number(import, rs_word_first(word, word.length - 1), &number));
	if (number > 100.01)
		return rs_import_expected(import, word, "a percentage of at most 100%");
	*ret_number = number;
	return NULL;
}

struct rs_error *rs_import_whole(const struct rs_import *import, struct rs_word word, bool is_hex,
				 uint64_t *ret_number)
{
	char digits[32], *end;
	bool with_prefix = rs_word_begins(word, "0x");

	is_hex = is_hex || with_prefix;
	if (!(is_hex ? rs_word_is_hex(word) : word.length > 0 && count_digits(word, 0) == word.length))
		return rs_import_expected(import, word, is_hex ? "a hexadecimal number" : "a whole number");
	if (word.length >= sizeof digits)
		return rs_import_expected(import, word, "a number of at most 64 bits");
	memcpy(digits, word.text, word.length);
	digits[word.length] = '\0';
	errno = 0;
	uint64_t number = strtoull(digits, &end, is_hex ? 16 : 10);
	if (errno)
		return rs_import_expected(import, word, "a number of at most 64 bits");
	*ret_number = number;
	return NULL;
}

struct rs_import_row *rs_import_add(struct rs_import *import, struct rs_word at)
{
	struct rs_import_row *row =
		rs_array_push(import->arena, import->rows, import->n_rows, import->rows_capacity);

	row->line = at.line;
	row->column = at.column;
	return row;
}

void rs_import_lose(struct rs_import *import, enum rs_import_loss why, unsigned line, unsigned column,
		    const char *name)
{
	struct rs_import_losses *lost = &import->lost[why];

	if (lost->n_rows == 0) {
		lost->first = rs_arena_strdup(import->arena, name);
		lost->line = line;
		lost->column = column;
	}
	/* What a source says in one row may have become several. */
	lost->n_rows += lost->n_rows == 0 || line != lost->last_line || column != lost->last_column;
	lost->last_line = line;
	lost->last_column = column;
}

const char *rs_import_tag(struct rs_arena *arena, struct rs_word type)
{
	static const char *const kinds[] = { "struct ", "union " };

	for (size_t i = 0; i < RS_COUNT_OF(kinds); i++) {
		struct rs_word tag = rs_word_trim(rs_word_from(type, strlen(kinds[i])));

		if (!rs_word_begins(type, kinds[i]) || tag.length == 0)
			continue;
		for (size_t c = 0; c < tag.length; c++)
			if (!isalnum((unsigned char)tag.text[c]) && tag.text[c] != '_')
				return NULL; /* a pointer, an array */
		return rs_word_dup(arena, tag);
	}
	return NULL;
}
