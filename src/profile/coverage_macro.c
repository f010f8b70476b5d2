#include <string.h>

#include "profile/coverage_internal.h"

enum { MOST_BACK = 4096 }; /* bytes from a macro's name to its body */

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static size_t word_length(const char *text, size_t size, size_t at)
{
	size_t length = 0;

	while (at + length < size && is_word(text[at + length]))
		length++;
	return length;
}

/* The number of the argument that text[at] is in, of a call whose opening parenthesis is behind `start`. */
static bool find_argument(const char *text, size_t start, size_t at, size_t *ret_argument)
{
	unsigned depth = 0;
	size_t argument = 0;
	char quote = '\0';

	for (size_t i = start; i < at; i++) {
		char c = text[i];

		if (quote || c == '"' || c == '\'') {
			if (c == '\\')
				i++;
			else if (!quote || c == quote)
				quote = quote ? '\0' : c;
			continue;
		}
		depth += strchr("([{", c) && c;
		depth -= depth > 0 && strchr(")]}", c) && c;
		argument += c == ',' && depth == 1;
	}
	*ret_argument = argument;
	return depth > 0;
}

/* The list of parameters in front of the body: behind "define", the name and a parenthesis. */
static const char *find_parameters(const char *definition, size_t body, const char *name, size_t length)
{
	size_t least = body > MOST_BACK ? body - MOST_BACK : 0;

	for (size_t at = body; at-- > least;) {
		if (definition[at] != '(' || at < length + 7 ||
		    memcmp(definition + at - length, name, length) != 0)
			continue;
		size_t before = at - length;
		while (before > 0 && (definition[before - 1] == ' ' || definition[before - 1] == '\t'))
			before--;
		if (before >= 6 && before < at - length && memcmp(definition + before - 6, "define", 6) == 0)
			return definition + at + 1;
	}
	return NULL;
}

char *rs_coverage_parameter(struct rs_arena *arena, const char *text, size_t size, size_t start, size_t at,
			    const char *definition, size_t body)
{
	size_t length = word_length(text, size, start), argument;

	if (length == 0 || at >= size || !find_argument(text, start + length, at, &argument))
		return NULL;
	const char *list = find_parameters(definition, body, text + start, length);
	for (size_t i = 0; list; i++) {
		list += strspn(list, " \t\\\r\n");
		size_t word = word_length(list, strlen(list), 0);

		if (word == 0)
			return NULL;
		if (i == argument)
			return rs_arena_strndup(arena, list, word);
		list += word + strspn(list + word, " \t\\\r\n");
		if (*list++ != ',')
			return NULL;
	}
	return NULL;
}
