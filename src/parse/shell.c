#include "parse/shell.h"

#include <string.h>

#include "base/error.h"
#include "base/file.h"

enum { MAX_FILE_DEPTH = 8 };

void rs_words_add(struct rs_arena *arena, struct rs_words *words, const char *word)
{
	*rs_array_push(arena, words->items, words->n_items, words->items_capacity) = word;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

/* Inside double quotes a backslash is itself unless one of these follows. */
static bool is_escapable(char c)
{
	return c == '"' || c == '\\' || c == '$' || c == '`';
}

/* Appends what the quotes at `at` hold; gives the place behind the closing one. */
static const char *read_quoted(const char *at, const char *end, struct rs_builder *word)
{
	char quote = *at++;

	for (; at < end && *at != quote; at++) {
		if (quote == '"' && *at == '\\' && at + 1 < end && is_escapable(at[1]))
			at++;
		rs_builder_appendc(word, *at);
	}
	return at < end ? at + 1 : end;
}

static bool is_splice(const char *at, const char *end)
{
	return end - at > 1 && at[0] == '\\' && at[1] == '\n';
}

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && (is_blank(*at) || is_splice(at, end)))
		at += is_blank(*at) ? 1 : 2;
	return at;
}

static const char *read_word(const char *at, const char *end, struct rs_builder *word)
{
	while (at < end && !is_blank(*at)) {
		if (is_splice(at, end)) {
			at += 2;
			continue;
		}
		if (*at == '\'' || *at == '"') {
			at = read_quoted(at, end, word);
			continue;
		}
		if (*at == '\\' && at + 1 < end)
			at++;
		rs_builder_appendc(word, *at++);
	}
	return at;
}

void rs_shell_split(struct rs_arena *arena, const char *text, size_t size, struct rs_words *words)
{
	const char *at = text, *end = text + size;
	RS_CLEANUP(rs_builder_deinit) struct rs_builder word;

	rs_builder_init(&word);
	for (;;) {
		at = skip_blanks(at, end);
		if (at == end)
			return;
		word.length = 0;
		at = read_word(at, end, &word);
		rs_words_add(arena, words, rs_arena_strndup(arena, word.data ? word.data : "", word.length));
	}
}

/* The @files that are being read, innermost first. */
struct open_file {
	const char *path;
	const struct open_file *outer;
	unsigned depth;
};

static bool is_open(const struct open_file *open, const char *path)
{
	for (; open; open = open->outer)
		if (strcmp(open->path, path) == 0)
			return true;
	return false;
}

static bool read_file(struct rs_arena *arena, const char *path, struct rs_words *words)
{
	char *text;
	size_t size;

	if (!rs_file_exists(path) || rs_file_is_directory(path))
		return false;
	RS_CLEANUP(rs_error_destroyp) struct rs_error *error = rs_file_read(arena, path, &text, &size);
	if (error)
		return false;
	rs_shell_split(arena, text, size, words);
	return true;
}

static void expand(struct rs_arena *arena, const char *directory, const struct rs_words *words,
		   const struct open_file *outer, struct rs_words *expanded)
{
	for (size_t i = 0; i < words->n_items; i++) {
		const char *word = words->items[i];
		struct open_file open = { .outer = outer, .depth = outer ? outer->depth + 1 : 1 };
		struct rs_words inner = { 0 };

		if (word[0] == '@' && open.depth <= MAX_FILE_DEPTH) {
			open.path = rs_path_canonical(arena, rs_path_absolute(arena, directory, word + 1));
			if (!is_open(outer, open.path) && read_file(arena, open.path, &inner)) {
				expand(arena, directory, &inner, &open, expanded);
				continue;
			}
		}
		rs_words_add(arena, expanded, word);
	}
}

void rs_shell_expand_files(struct rs_arena *arena, const char *directory, const char *const *words,
			   size_t n_words, struct rs_words *expanded)
{
	struct rs_words all = { 0 };

	for (size_t i = 0; i < n_words; i++)
		rs_words_add(arena, &all, words[i]);
	expand(arena, directory, &all, NULL, expanded);
}
