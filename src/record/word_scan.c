#include "record/word_scan.h"

#include <string.h>

void rs_word_scan_init(struct rs_word_scan *words, const char *text, struct rs_span span)
{
	*words = (struct rs_word_scan) { .text = text, .at = span.start, .end = span.end };
}

static bool starts_word(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c >= 0x80;
}

static bool continues_word(unsigned char c)
{
	return starts_word(c) || (c >= '0' && c <= '9');
}

static char peek(const struct rs_word_scan *words, size_t ahead)
{
	return words->end - words->at > ahead ? words->text[words->at + ahead] : '\0';
}

static void skip_comment(struct rs_word_scan *words)
{
	bool is_block = peek(words, 1) == '*';

	words->at += 2;
	while (words->at < words->end) {
		char c = peek(words, 0);

		if (is_block && c == '*' && peek(words, 1) == '/') {
			words->at += 2;
			return;
		}
		if (!is_block && c == '\n')
			return;
		words->at++;
	}
}

static void skip_quoted(struct rs_word_scan *words)
{
	char quote = peek(words, 0);

	for (words->at++; words->at < words->end; words->at++) {
		char c = peek(words, 0);

		if (c == '\\' && peek(words, 1))
			words->at++;
		else if (c == quote || c == '\n')
			break;
	}
	if (words->at < words->end)
		words->at++;
}

static void skip_while(struct rs_word_scan *words, bool (*belongs)(unsigned char))
{
	while (words->at < words->end && belongs((unsigned char)words->text[words->at]))
		words->at++;
}

static bool is_blank(unsigned char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r') || c == '\\' || c == '\0';
}

static bool skip_ignored(struct rs_word_scan *words)
{
	size_t before = words->at;
	char c = peek(words, 0);

	if (c == '/' && (peek(words, 1) == '*' || peek(words, 1) == '/'))
		skip_comment(words);
	else if (c == '"' || c == '\'')
		skip_quoted(words);
	else if (c >= '0' && c <= '9')
		skip_while(words, continues_word);
	else
		skip_while(words, is_blank);
	return words->at > before;
}

bool rs_word_scan_next(struct rs_word_scan *words)
{
	while (words->at < words->end && skip_ignored(words))
		continue;
	if (words->at >= words->end)
		return false;
	words->word.start = words->at;
	words->is_identifier = starts_word((unsigned char)words->text[words->at]);
	if (words->is_identifier)
		skip_while(words, continues_word);
	else
		words->at++;
	words->word.end = words->at;
	return true;
}

bool rs_word_scan_is(const struct rs_word_scan *words, const char *spelling)
{
	size_t length = words->word.end - words->word.start;

	return strlen(spelling) == length && memcmp(words->text + words->word.start, spelling, length) == 0;
}

bool rs_word_scan_is_any(const struct rs_word_scan *words, const char *const *spellings, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (rs_word_scan_is(words, spellings[i]))
			return true;
	return false;
}

bool rs_word_scan_skip_brackets(struct rs_word_scan *words)
{
	size_t depth = 0;

	do {
		if (words->is_identifier)
			continue;
		char c = words->text[words->word.start];
		if (c == '(' || c == '{' || c == '[')
			depth++;
		else if ((c == ')' || c == '}' || c == ']') && --depth == 0)
			return true;
	} while (rs_word_scan_next(words));
	return false;
}
