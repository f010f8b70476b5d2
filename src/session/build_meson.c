#include <ctype.h>
#include <string.h>

#include "session/build_file.h"

enum token_kind { TOKEN_END, TOKEN_NAME, TOKEN_STRING, TOKEN_OTHER };

struct token {
	enum token_kind kind;
	const char *text; /* of a string what stands between its quotes */
	unsigned line;
};

struct reading {
	struct rs_build_file *file;
	struct token *tokens; /* the last one is TOKEN_END */
	size_t n_tokens, tokens_capacity;
};

static size_t string_length(const char *text)
{
	size_t quotes = strncmp(text, "'''", 3) == 0 ? 3 : 1, length = quotes;

	while (text[length] && strncmp(text + length, "'''", quotes) != 0)
		length += text[length] == '\\' && text[length + 1] && quotes == 1 ? 2 : 1;
	return text[length] ? length + quotes : length;
}

static size_t name_length(const char *text)
{
	size_t length = 0;

	while (isalnum((unsigned char)text[length]) || text[length] == '_')
		length++;
	return length;
}

static void push(struct reading *reading, enum token_kind kind, const char *text, size_t length, unsigned line)
{
	*rs_array_push(reading->file->arena, reading->tokens, reading->n_tokens, reading->tokens_capacity) =
		(struct token) { kind, rs_arena_strndup(reading->file->arena, text, length), line };
}

static void push_string(struct reading *reading, const char *text, size_t length, unsigned line)
{
	size_t quotes = strncmp(text, "'''", 3) == 0 ? 3 : 1;

	if (length >= 2 * quotes)
		push(reading, TOKEN_STRING, text + quotes, length - 2 * quotes, line);
}

static void tokenize(struct reading *reading)
{
	const char *at = reading->file->text;
	unsigned line = 1;

	while (*at) {
		size_t length = name_length(at);

		if (length > 0) {
			push(reading, TOKEN_NAME, at, length, line);
		} else if (*at == '\'') {
			length = string_length(at);
			push_string(reading, at, length, line);
		} else if (*at == '#') {
			length = strcspn(at, "\n");
		} else {
			length = 1;
			if (!isspace((unsigned char)*at))
				push(reading, TOKEN_OTHER, at, 1, line);
		}
		for (size_t i = 0; i < length; i++)
			line += at[i] == '\n';
		at += length;
	}
	push(reading, TOKEN_END, "", 0, line);
}

static bool is_text(const struct reading *reading, size_t at, const char *text)
{
	return at < reading->n_tokens && reading->tokens[at].kind != TOKEN_STRING &&
	       strcmp(reading->tokens[at].text, text) == 0;
}

static int depth_change(const struct token *token)
{
	if (token->kind != TOKEN_OTHER)
		return 0;
	return strchr("([{", *token->text) ? 1 : strchr(")]}", *token->text) ? -1 : 0;
}

/* The token behind the bracket that the one at `open` is closed by. */
static size_t behind_bracket(const struct reading *reading, size_t open)
{
	int depth = 0;

	for (size_t i = open; i < reading->n_tokens; i++) {
		depth += depth_change(&reading->tokens[i]);
		if (depth <= 0)
			return i + 1;
	}
	return reading->n_tokens - 1;
}

static bool is_keyword_value(const struct reading *reading, size_t at)
{
	return at > 0 && is_text(reading, at - 1, ":");
}

/* `name = files('a.h', 'b.h')`, `name += ['a.h']`: its strings. */
static void read_assignment(struct reading *reading, size_t name)
{
	size_t equals = name + 1 + is_text(reading, name + 1, "+"), end = equals + 1;
	const char *words = "";

	if (!is_text(reading, equals, "=") || is_text(reading, equals + 1, "="))
		return;
	if (reading->tokens[end].kind == TOKEN_NAME && is_text(reading, end + 1, "("))
		end++;
	end = behind_bracket(reading, end);
	for (size_t i = equals + 1; i < end; i++)
		if (reading->tokens[i].kind == TOKEN_STRING && !is_keyword_value(reading, i))
			words = rs_arena_printf(reading->file->arena, "%s %s", words, reading->tokens[i].text);
	rs_build_set(reading->file, reading->tokens[name].text, words);
}

static void add_words(struct rs_build_file *file, const char *words, unsigned line)
{
	const char *word;
	size_t at = 0;

	while (words && (word = rs_build_word(file->arena, words, &at)))
		if (rs_build_is_header(word))
			rs_build_add(file, word, line, false, false);
}

static void read_headers(struct reading *reading, size_t open)
{
	size_t end = behind_bracket(reading, open);

	for (size_t i = open + 1; i < end; i++) {
		const struct token *token = &reading->tokens[i];

		if (is_keyword_value(reading, i) || is_text(reading, i + 1, ":"))
			continue;
		if (token->kind == TOKEN_STRING)
			add_words(reading->file, token->text, token->line);
		else if (token->kind == TOKEN_NAME)
			add_words(reading->file, rs_build_get(reading->file, token->text), token->line);
	}
}

/* install_subdir('include/foo', install_dir: get_option('includedir')) */
static void read_subdir(struct reading *reading, size_t open)
{
	size_t end = behind_bracket(reading, open);
	bool is_include = false;

	for (size_t i = open + 2; i < end; i++)
		is_include |= rs_build_is_include_folder(reading->tokens[i].text);
	if (is_include && reading->tokens[open + 1].kind == TOKEN_STRING)
		rs_build_add(reading->file, reading->tokens[open + 1].text, reading->tokens[open].line, true,
			     false);
}

void rs_build_meson_read(struct rs_build_file *file)
{
	struct reading reading = { .file = file };

	tokenize(&reading);
	for (size_t i = 0; i + 1 < reading.n_tokens; i++) {
		if (reading.tokens[i].kind != TOKEN_NAME)
			continue;
		if (!is_text(&reading, i + 1, "("))
			read_assignment(&reading, i);
		else if (is_text(&reading, i, "install_headers"))
			read_headers(&reading, i + 1);
		else if (is_text(&reading, i, "install_subdir"))
			read_subdir(&reading, i + 1);
	}
}
