#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/path.h"
#include "session/build_file.h"

/* A line with those that it goes on in. */
struct line {
	const char *text; /* without the ends of lines in between */
	unsigned number;  /* of its first */
};

struct reading {
	struct rs_build_file *file;
	const char *at;
	unsigned number;
	const char *targets; /* of the rule whose recipe is read */
};

static bool next_line(struct reading *reading, struct line *ret_line)
{
	const char *start = reading->at;
	char *text;

	if (!*start)
		return false;
	*ret_line = (struct line) { .number = reading->number };
	for (;;) {
		const char *end = reading->at + strcspn(reading->at, "\n");
		bool goes_on = end > reading->at && end[-1] == '\\' && *end;

		reading->number++;
		reading->at = end + (*end == '\n');
		if (!goes_on)
			break;
	}
	text = rs_arena_strndup(reading->file->arena, start, (size_t)(reading->at - start));
	for (char *c = text; *c; c++)
		if (*c == '\n' || (*c == '\\' && c[1] == '\n'))
			*c = ' ';
	ret_line->text = text;
	return true;
}

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '-';
}

struct assignment {
	const char *name, *words;
};

/* `NAME = words`, `NAME += words`, also with `:=`, `?=` and `!=`. */
static bool read_assignment(struct rs_arena *arena, const struct line *line, struct assignment *ret_assignment)
{
	const char *start = line->text + strspn(line->text, " "), *end = start, *equals;

	while (is_name_char(*end))
		end++;
	equals = end + strspn(end, " \t");
	equals += strspn(equals, ":+?!");
	if (end == start || *equals != '=')
		return false;
	*ret_assignment = (struct assignment) {
		.name = rs_arena_strndup(arena, start, (size_t)(end - start)),
		.words = rs_arena_strndup(arena, equals + 1, strcspn(equals + 1, "#")),
	};
	return true;
}

/* `install`, `$(INSTALL_DATA)`, `cp`, … */
static bool is_command(const char *word)
{
	const char *name = rs_path_basename(word);

	while (*name && strchr("@-+", *name))
		name++;
	return strcasestr(name, "install") || strcmp(name, "cp") == 0 || strcmp(name, "ln") == 0 ||
	       strcmp(name, "$(CP)") == 0;
}

/* Where a copy goes that is for others: not a folder of the build. */
static bool is_installed_place(const char *raw, const char *word, const char *targets)
{
	return rs_build_is_include_folder(word) &&
	       (strcasestr(targets, "install") || strstr(raw, "DESTDIR") || strcasestr(raw, "prefix"));
}

static void read_recipe(struct reading *reading, const struct line *line)
{
	struct rs_build_file *file = reading->file;
	const char *words = rs_build_expand(file, line->text), *word;
	bool copies = false, has_place = false;
	size_t at = 0;

	while ((word = rs_build_word(file->arena, line->text, &at)))
		copies |= is_command(word);
	for (at = 0; (word = rs_build_word(file->arena, words, &at));) {
		copies |= is_command(word);
		has_place |= is_installed_place(line->text, word, reading->targets);
	}
	for (at = 0; copies && has_place && (word = rs_build_word(file->arena, words, &at));)
		if (rs_build_is_header(word))
			rs_build_add(file, word, line->number, false, true);
}

/* Of automake's NAME_HEADERS, whether it installs them: where NAMEdir says where to. */
static bool is_installed(struct rs_build_file *file, const char *name)
{
	static const char *const parts[] = { "nobase_", "dist_", "nodist_" };
	size_t length = strlen(name);

	for (size_t i = 0; i < RS_COUNT_OF(parts); i++)
		if (strncmp(name, parts[i], strlen(parts[i])) == 0)
			return is_installed(file, name + strlen(parts[i]));
	if (length <= 8 || strcmp(name + length - 8, "_HEADERS") != 0)
		return false;
	const char *place = rs_arena_strndup(file->arena, name, length - 8);
	return strcmp(place, "include") == 0 || strcmp(place, "pkginclude") == 0 ||
	       strcmp(place, "oldinclude") == 0 ||
	       rs_build_get(file, rs_arena_printf(file->arena, "%sdir", place));
}

static void read_headers(struct rs_build_file *file, const struct assignment *assignment, unsigned line)
{
	const char *words = rs_build_expand(file, assignment->words), *word;
	size_t at = 0;

	if (!is_installed(file, assignment->name))
		return;
	while ((word = rs_build_word(file->arena, words, &at)))
		if (rs_build_is_header(word))
			rs_build_add(file, word, line, false, false);
}

static void read_variables(struct rs_build_file *file)
{
	struct reading reading = { .file = file, .at = file->text, .number = 1 };
	struct assignment assignment;
	struct line line;

	while (next_line(&reading, &line))
		if (*line.text != '\t' && read_assignment(file->arena, &line, &assignment))
			rs_build_set(file, assignment.name, assignment.words);
}

/* Variables first: a recipe sees them all, wherever they are set. */
void rs_build_make_read(struct rs_build_file *file)
{
	struct reading reading = { .file = file, .at = file->text, .number = 1, .targets = "" };
	struct assignment assignment;
	struct line line;

	read_variables(file);
	while (next_line(&reading, &line)) {
		size_t colon = strcspn(line.text, ":");

		if (*line.text == '\t')
			read_recipe(&reading, &line);
		else if (read_assignment(file->arena, &line, &assignment))
			read_headers(file, &assignment, line.number);
		else if (line.text[colon] && *line.text != '#') {
			reading.targets = rs_arena_strndup(file->arena, line.text, colon);
		}
	}
}
