#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "session/build_file.h"

struct command {
	const char *name;
	unsigned line;
	const char **words;
	size_t n_words, words_capacity;
};

struct reading {
	struct rs_build_file *file;
	const char *at;
	unsigned line;
};

/* Over blanks, ends of lines and comments. */
static void skip(struct reading *reading)
{
	for (; *reading->at; reading->at++) {
		if (*reading->at == '#')
			reading->at += strcspn(reading->at, "\n");
		if (*reading->at == '\n')
			reading->line++;
		else if (!isspace((unsigned char)*reading->at))
			return;
		if (!*reading->at)
			return;
	}
}

/* A quoted argument is one word, a list in it several: "a.h;b.h". */
static void add_words(struct rs_arena *arena, struct command *command, const char *start, size_t length)
{
	const char *text = rs_arena_strndup(arena, start, length), *word;
	size_t at = 0;

	while ((word = rs_build_word(arena, text, &at)))
		*rs_array_push(arena, command->words, command->n_words, command->words_capacity) = word;
}

/* Of an argument with its quotes; a backslash takes the byte behind it for one of the argument. */
static size_t argument_length(const char *text)
{
	const char *end = *text == '"' ? "\"" : " \t\r\n()\"#";
	size_t length = *text == '"';

	while (text[length] && !strchr(end, text[length]))
		length += text[length] == '\\' && text[length + 1] ? 2 : 1;
	return length + (*text == '"' && text[length]);
}

static void read_argument(struct reading *reading, struct command *command)
{
	const char *start = reading->at;
	size_t length = argument_length(start);

	add_words(reading->file->arena, command, start, length);
	for (size_t i = 0; i < length; i++)
		reading->line += start[i] == '\n';
	reading->at += length;
}

/* Over the arguments; reading stands behind the opening parenthesis. */
static void read_arguments(struct reading *reading, struct command *command)
{
	int depth = 1;

	for (skip(reading); *reading->at && depth > 0; skip(reading)) {
		if (*reading->at == '(' || *reading->at == ')')
			depth += *reading->at++ == '(' ? 1 : -1;
		else
			read_argument(reading, command);
	}
}

static bool next_command(struct reading *reading, struct command *ret_command)
{
	for (skip(reading); *reading->at; skip(reading)) {
		const char *start = reading->at;
		unsigned line = reading->line;

		while (isalnum((unsigned char)*reading->at) || *reading->at == '_')
			reading->at++;
		size_t length = (size_t)(reading->at - start);
		skip(reading);
		if (length > 0 && *reading->at == '(') {
			*ret_command = (struct command) {
				.name = rs_arena_strndup(reading->file->arena, start, length), .line = line
			};
			reading->at++;
			read_arguments(reading, ret_command);
			return true;
		}
		reading->at += length == 0;
	}
	return false;
}

static bool is_call(const struct command *command, const char *name)
{
	return strcasecmp(command->name, name) == 0;
}

static bool is_word(const struct command *command, size_t at, const char *word)
{
	return at < command->n_words && strcmp(command->words[at], word) == 0;
}

static size_t find_word(const struct command *command, const char *word)
{
	size_t at = 0;

	while (at < command->n_words && !is_word(command, at, word))
		at++;
	return at;
}

/* DESTINATION, PATTERN, …: what ends a list of files. */
static bool is_keyword(const char *word)
{
	size_t length = 0;

	while (isupper((unsigned char)word[length]) || word[length] == '_')
		length++;
	return length > 3 && word[length] == '\0';
}

static void add_files(struct rs_build_file *file, const struct command *command, size_t from)
{
	for (size_t i = from; i < command->n_words && !is_keyword(command->words[i]); i++) {
		const char *words = rs_build_expand(file, command->words[i]), *word;
		size_t at = 0;

		while ((word = rs_build_word(file->arena, words, &at)))
			if (rs_build_is_header(word))
				rs_build_add(file, word, command->line, false, false);
	}
}

static void add_folders(struct rs_build_file *file, const struct command *command)
{
	for (size_t i = 1; i < command->n_words && !is_keyword(command->words[i]); i++)
		rs_build_add(file, rs_build_expand(file, command->words[i]), command->line, true, false);
}

static bool goes_to_headers(struct rs_build_file *file, const struct command *command)
{
	size_t destination = find_word(command, "DESTINATION"), type = find_word(command, "TYPE");

	if (is_word(command, type + 1, "INCLUDE"))
		return true;
	return destination + 1 < command->n_words &&
	       rs_build_is_include_folder(rs_build_expand(file, command->words[destination + 1]));
}

static void read_install(struct rs_build_file *file, const struct command *command)
{
	if (!goes_to_headers(file, command))
		return;
	if (is_word(command, 0, "FILES"))
		add_files(file, command, 1);
	else if (is_word(command, 0, "DIRECTORY"))
		add_folders(file, command);
}

static void set_words(struct rs_build_file *file, const struct command *command, size_t name)
{
	const char *words = "";

	for (size_t i = name + 1; i < command->n_words; i++)
		words = rs_arena_printf(file->arena, "%s %s", words, command->words[i]);
	if (name < command->n_words)
		rs_build_set(file, command->words[name], words);
}

static void read_list(struct rs_build_file *file, const struct command *command)
{
	bool is_glob = is_word(command, 0, "GLOB") || is_word(command, 0, "GLOB_RECURSE");

	if (is_call(command, "set"))
		set_words(file, command, 0);
	else if ((is_call(command, "list") && is_word(command, 0, "APPEND")) ||
		 (is_call(command, "file") && is_glob))
		set_words(file, command, 1);
}

/* `install(TARGETS … FILE_SET HEADERS)`: then the sets of target_sources() go with their targets. */
static bool installs_sets(struct rs_build_file *file)
{
	struct reading reading = { .file = file, .at = file->text, .line = 1 };
	struct command command;

	while (next_command(&reading, &command))
		if (is_call(&command, "install") && find_word(&command, "FILE_SET") < command.n_words)
			return true;
	return false;
}

static void read_command(struct rs_build_file *file, const struct command *command, bool with_sets)
{
	size_t public_header = find_word(command, "PUBLIC_HEADER");

	if (is_call(command, "install"))
		read_install(file, command);
	else if (is_call(command, "set_target_properties") || is_call(command, "set_property"))
		add_files(file, command, public_header + 1);
	else if (with_sets && is_call(command, "target_sources") &&
		 find_word(command, "HEADERS") < command->n_words)
		add_files(file, command, find_word(command, "FILES") + 1);
}

void rs_build_cmake_read(struct rs_build_file *file)
{
	struct reading reading = { .file = file, .at = file->text, .line = 1 };
	bool with_sets = strstr(file->text, "FILE_SET") && installs_sets(file);
	struct command command;

	while (next_command(&reading, &command)) {
		read_list(file, &command);
		read_command(file, &command, with_sets);
	}
}
