#include "session/build_file.h"

#include <string.h>
#include <strings.h>

#include "base/builder.h"
#include "base/path.h"

enum {
	MAX_DEPTH = 8,            /* of variables that name variables */
	MAX_EXPANSION = 64 * 1024 /* bytes; more is no list of headers */
};

void rs_build_set(struct rs_build_file *file, const char *name, const char *words)
{
	for (size_t i = 0; i < file->n_variables; i++) {
		struct rs_build_variable *known = &file->variables[i];

		if (strcmp(known->name, name) != 0)
			continue;
		if (strlen(known->words) + strlen(words) < MAX_EXPANSION)
			known->words = rs_arena_printf(file->arena, "%s %s", known->words, words);
		return;
	}
	*rs_array_push(file->arena, file->variables, file->n_variables, file->variables_capacity) =
		(struct rs_build_variable) { rs_arena_strdup(file->arena, name),
					     rs_arena_strdup(file->arena, words) };
}

const char *rs_build_get(const struct rs_build_file *file, const char *name)
{
	for (size_t i = 0; i < file->n_variables; i++)
		if (strcmp(file->variables[i].name, name) == 0)
			return file->variables[i].words;
	return NULL;
}

/* The length of `$(NAME)` or `${NAME}` at text; 0: there is none. */
static size_t reference_length(const char *text)
{
	char close = text[1] == '(' ? ')' : '}';
	const char *end;

	if (text[0] != '$' || (text[1] != '(' && text[1] != '{'))
		return 0;
	end = text + 2 + strcspn(text + 2, "(){}$ \t\n");
	return *end == close && end > text + 2 ? (size_t)(end - text) + 1 : 0;
}

static void expand_into(struct rs_build_file *file, struct rs_builder *out, const char *text, int depth)
{
	while (*text && out->length < MAX_EXPANSION) {
		size_t length = reference_length(text);
		const char *words = NULL;

		if (length > 0 && depth < MAX_DEPTH)
			words = rs_build_get(file, rs_arena_strndup(file->arena, text + 2, length - 3));
		if (words)
			expand_into(file, out, words, depth + 1);
		else
			rs_builder_append(out, text, length > 0 ? length : 1);
		text += length > 0 ? length : 1;
	}
}

const char *rs_build_expand(struct rs_build_file *file, const char *text)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder out = { 0 };

	rs_builder_appends(&out, "");
	expand_into(file, &out, text, 0);
	return rs_arena_strdup(file->arena, out.data);
}

static bool is_quote(char c)
{
	return c == '"' || c == '\'';
}

const char *rs_build_word(struct rs_arena *arena, const char *text, size_t *at)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder word = { 0 };

	*at += strspn(text + *at, " \t\r\n;");
	if (!text[*at])
		return NULL;
	for (; text[*at] && !strchr(" \t\r\n;", text[*at]); ++*at)
		if (!is_quote(text[*at]))
			rs_builder_appendc(&word, text[*at]);
	/* The end of $(wildcard *.h), whose begin is another word. */
	if (word.length > 0 && word.data[word.length - 1] == ')' && !strchr(word.data, '('))
		word.data[--word.length] = '\0';
	return rs_arena_strdup(arena, word.data ? word.data : "");
}

bool rs_build_ends_with(const char *word, const char *end)
{
	size_t length = strlen(word), n = strlen(end);

	return length >= n && strcmp(word + length - n, end) == 0;
}

bool rs_build_is_header(const char *word)
{
	static const char *const ends[] = { ".h", ".H", ".hh", ".hpp", ".hxx", ".h*", "/*", "*.h[hp]" };

	for (size_t i = 0; i < RS_COUNT_OF(ends); i++)
		if (rs_build_ends_with(word, ends[i]))
			return true;
	return false;
}

bool rs_build_is_include_folder(const char *word)
{
	return !rs_build_is_header(word) &&
	       (strcasestr(word, "include") || strstr(word, "HEADERS") || strstr(word, "INC)") ||
		strstr(word, "INC}") || strcasestr(word, "incdir") || strcasestr(word, "inc_dir"));
}

void rs_build_add(struct rs_build_file *file, const char *pattern, unsigned line, bool is_folder, bool anywhere)
{
	*rs_array_push(file->arena, file->items, file->n_items, file->items_capacity) = (struct rs_build_item) {
		.pattern = rs_arena_strdup(file->arena, pattern),
		.folder = file->folder,
		.path = file->path,
		.line = line,
		.is_folder = is_folder,
		.anywhere = anywhere,
	};
}

/* "include/foo.h usr/include": a file of the source; "usr/include/a/foo.h": one that was installed, whose name
 * alone tells what it was. */
static void read_package_line(struct rs_build_file *file, const char *text, unsigned line)
{
	size_t at = 0;
	bool is_include = strstr(text, "usr/include");

	for (const char *word; is_include && (word = rs_build_word(file->arena, text, &at));) {
		bool is_installed = strstr(word, "usr/include");
		const char *name = is_installed ? rs_path_basename(word) : word;

		if (rs_build_is_header(name) && !(is_installed && strchr(name, '*')))
			rs_build_add(file, name, line, false, true);
	}
}

void rs_build_debian_read(struct rs_build_file *file)
{
	unsigned line = 1;

	for (const char *at = file->text; *at; line++) {
		size_t length = strcspn(at, "\n");

		if (*at != '#')
			read_package_line(file, rs_arena_strndup(file->arena, at, length), line);
		at += length + (at[length] == '\n');
	}
}
