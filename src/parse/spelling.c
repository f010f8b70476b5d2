#include <ctype.h>
#include <string.h>

#include "parse/records_internal.h"

char *rs_spelling_printed(const struct rs_record_builder *builder, CXCursor cursor)
{
	return rs_tu_string(builder->arena, clang_getCursorPrettyPrinted(cursor, builder->policy));
}

/* Behind the bracket that closes the one at text; the end of the text when there is none. */
static char *behind_bracket(char *text)
{
	unsigned depth = 0;

	for (; *text; text++) {
		if (*text == '(' || *text == '[')
			depth++;
		else if ((*text == ')' || *text == ']') && --depth == 0)
			return text + 1;
	}
	return text;
}

static void cut(char *from, const char *to)
{
	memmove(from, to, strlen(to) + 1);
}

static void squeeze_blanks(char *text)
{
	char *out = text;

	for (const char *at = text; *at; at++) {
		bool is_blank = isspace((unsigned char)*at) != 0;
		bool is_needless = is_blank && (out == text || out[-1] == ' ');

		if (!is_needless)
			*out++ = is_blank ? ' ' : *at;
	}
	if (out > text && out[-1] == ' ')
		out--;
	*out = '\0';
}

static bool is_qualifier_byte(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == ':' || c == '$';
}

/* libclang writes "struct outer::(anonymous at x.h:3:1)"; the wording differs from version to version. */
static bool drop_place(char *text, const char *opening)
{
	char *start = strstr(text, opening);

	if (!start)
		return false;
	char *end = behind_bracket(start);
	if (start - text >= 2 && start[-1] == ':')
		while (start > text && is_qualifier_byte(start[-1]))
			start--;
	cut(start, end);
	return true;
}

void rs_spelling_drop_places(char *text)
{
	while (drop_place(text, "(unnamed") || drop_place(text, "(anonymous"))
		continue;
	squeeze_blanks(text);
}

static char *find_attribute(char *text)
{
	static const char *const openings[] = { "__attribute__((", "_Alignas(", "alignas(", "__declspec(",
						"[[" };
	char *first = NULL;

	for (size_t i = 0; i < RS_COUNT_OF(openings); i++) {
		char *found = strstr(text, openings[i]);

		if (found && (!first || found < first))
			first = found;
	}
	return first;
}

void rs_spelling_drop_attributes(char *text)
{
	for (char *start; (start = find_attribute(text));) {
		char *bracket = start + strcspn(start, "([");

		cut(start, behind_bracket(bracket));
	}
	squeeze_blanks(text);
}

char *rs_spelling_attributes(struct rs_arena *arena, char *printed)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder all = { 0 };

	rs_builder_appends(&all, "");
	for (char *start = printed; (start = find_attribute(start));) {
		char *end = behind_bracket(start + strcspn(start, "(["));
		char *attribute = rs_arena_strndup(arena, start, (size_t)(end - start));

		if (strstr(attribute, "lign"))
			rs_builder_printf(&all, "%s ", attribute);
		start = end;
	}
	return rs_arena_strndup(arena, all.data, all.length);
}

/* "char[4]" in some versions, "char [4]" in others. */
static char *space_before_array(struct rs_arena *arena, const char *type)
{
	size_t plain = strcspn(type, "[");

	if (!type[plain] || plain == 0 || !(isalnum((unsigned char)type[plain - 1]) || type[plain - 1] == '_'))
		return rs_arena_strdup(arena, type);
	return rs_arena_printf(arena, "%.*s %s", (int)plain, type, type + plain);
}

char *rs_spelling_type(struct rs_arena *arena, CXType type)
{
	char *text = rs_tu_string(arena, clang_getTypeSpelling(type));

	rs_spelling_drop_places(text);
	return space_before_array(arena, text);
}

char *rs_spelling_declaration(const struct rs_record_builder *builder, CXCursor field)
{
	char *text = rs_spelling_printed(builder, field);

	rs_spelling_drop_attributes(text);
	rs_spelling_drop_places(text);
	return text;
}
