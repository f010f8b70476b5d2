#include "report/declaration.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

static bool is_name_byte(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool ends_in_word(const char *text, size_t length, const char *word)
{
	size_t size = strlen(word);

	return length >= size && memcmp(text + length - size, word, size) == 0 &&
	       (length == size || !is_name_byte(text[length - size - 1]));
}

static size_t trim(const char *text, size_t length)
{
	while (length > 0 && isspace((unsigned char)text[length - 1]))
		length--;
	return length;
}

static bool is_tag(const char *text, size_t before)
{
	return ends_in_word(text, before, "struct") || ends_in_word(text, before, "union") ||
	       ends_in_word(text, before, "enum");
}

/* Whether the word that stands here can be the declared name; not the same word as a type or, unless that is
 * allowed, as a tag before it. */
static bool declares(const char *text, size_t at, const char *name, bool allow_tag)
{
	size_t before = trim(text, at), length = strlen(name);
	const char *after = text + at + length;

	if (is_name_byte(text[at - 1]) || is_name_byte(*after) || before == 0)
		return false;
	if (!allow_tag && is_tag(text, before))
		return false;
	after += strspn(after, " \t\n");
	return *after != '*' && !(strncmp(after, name, length) == 0 && !is_name_byte(after[length]));
}

/* Byte of the declared name; SIZE_MAX when the text does not hold it. */
static size_t find_name(const char *text, const char *name, bool allow_tag)
{
	if (!name[0])
		return SIZE_MAX;
	for (const char *at = strstr(text, name); at; at = strstr(at + 1, name))
		if (at > text && declares(text, (size_t)(at - text), name, allow_tag))
			return (size_t)(at - text);
	return SIZE_MAX;
}

/* Where the declarator begins: at the outermost parenthesis that is still open at the name. */
static size_t declarator_start(const char *text, size_t name)
{
	size_t depth = 0, start = name;

	for (size_t i = 0; i < name; i++) {
		if (text[i] == '(' && depth++ == 0)
			start = i;
		if (text[i] == ')' && depth > 0 && --depth == 0)
			start = name;
	}
	return start;
}

struct rs_declaration rs_declaration_split(struct rs_arena *arena, const struct rs_member *member)
{
	const char *text = member->declaration;
	size_t name = find_name(text, member->name, false);
	struct rs_declaration split = { .type = member->name[0] ? member->type : text,
					.declarator = member->name };

	if (name == SIZE_MAX) /* "union u", the member of a union that has no tag */
		name = find_name(text, member->name, true);
	if (name != SIZE_MAX) {
		size_t start = declarator_start(text, name);

		split.type = rs_arena_strndup(arena, text, trim(text, start));
		split.declarator = text + start;
	}
	if (member->is_bitfield) {
		split.type = name == SIZE_MAX ? member->type : split.type;
		split.declarator = rs_arena_printf(arena, "%s:%" PRIu64, member->name, member->size_bits);
	}
	if (member->requested_align_bytes && !strstr(text, "lign"))
		split.declarator = rs_arena_printf(arena, "%s __attribute__((__aligned__(%u)))",
						   split.declarator, member->requested_align_bytes);
	return split;
}
