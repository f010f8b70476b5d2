#include "parse/compile.h"

#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "parse/clang.h"
#include "parse/compiler.h"
#include "parse/flags.h"
#include "parse/language.h"

static const char database_name[] = "compile_commands.json";

static char *find_in_folder(struct rs_arena *arena, const char *folder)
{
	static const char *const below[] = { "", "build/" };

	for (size_t i = 0; i < RS_COUNT_OF(below); i++) {
		char *path = rs_arena_printf(arena, "%s/%s%s", strcmp(folder, "/") == 0 ? "" : folder, below[i],
					     database_name);

		if (rs_file_exists(path) && !rs_file_is_directory(path))
			return path;
	}
	return NULL;
}

char *rs_compile_db_locate(struct rs_arena *arena, const char *file)
{
	char *folder = rs_path_directory(arena, rs_path_canonical(arena, file));

	for (;;) {
		char *found = find_in_folder(arena, folder);
		char *slash = strrchr(folder, '/');

		if (found || !slash || slash[1] == '\0')
			return found;
		slash[slash == folder ? 1 : 0] = '\0';
	}
}

/* What is read while one entry is turned into a command. */
struct reader {
	struct rs_arena *arena;
	const char *path;   /* of the database, for messages */
	const char *folder; /* that it stands in */
};

static struct rs_error *find_string(const struct reader *reader, const struct rs_json *entry, const char *key,
				    const char **ret_text)
{
	const struct rs_json *value = rs_json_find(entry, key);

	*ret_text = NULL;
	if (!value)
		return NULL;
	if (value->kind != RS_JSON_STRING)
		return rs_json_error(reader->path, value, false, "\"%s\" is %s, not a string", key,
				     rs_json_kind_name(value->kind));
	*ret_text = value->string;
	return NULL;
}

static struct rs_error *read_list(const struct reader *reader, const struct rs_json *list,
				  struct rs_words *words)
{
	if (list->kind != RS_JSON_ARRAY)
		return rs_json_error(reader->path, list, false, "\"arguments\" is %s, not an array",
				     rs_json_kind_name(list->kind));
	for (const struct rs_json *item = list->first; item; item = item->next) {
		if (item->kind != RS_JSON_STRING)
			return rs_json_error(reader->path, item, false, "an argument is %s, not a string",
					     rs_json_kind_name(item->kind));
		rs_words_add(reader->arena, words, item->string);
	}
	return NULL;
}

/* "arguments" wins over "command", as in clang: it needs no unquoting. */
static struct rs_error *read_words(const struct reader *reader, const struct rs_json *entry,
				   struct rs_words *words)
{
	const struct rs_json *list = rs_json_find(entry, "arguments");
	const char *command;

	RS_TRY(find_string(reader, entry, "command", &command));
	if (list)
		return read_list(reader, list, words);
	if (!command)
		return rs_json_error(reader->path, entry, false,
				     "an entry has neither \"command\" nor \"arguments\"");
	rs_shell_split(reader->arena, command, strlen(command), words);
	return NULL;
}

/* The last -x before the file would say it; builds do not mix languages in one command. */
static enum rs_language find_language(const struct reader *reader, const struct rs_compile_command *command)
{
	struct rs_compiler compiler;
	const char *name = NULL;

	rs_compiler_find(reader->arena, command->arguments, command->n_arguments, NULL, &compiler);
	name = compiler.language;
	for (size_t i = compiler.n_words; i < command->n_arguments; i++) {
		const char *word = command->arguments[i];

		if (strncmp(word, "-x", 2) != 0)
			continue;
		if (word[2])
			name = word + 2;
		else if (i + 1 < command->n_arguments)
			name = command->arguments[i + 1];
	}
	return name ? rs_language_of_name(name) : rs_language_of_file(command->file);
}

static struct rs_error *read_entry(const struct reader *reader, const struct rs_json *entry,
				   struct rs_compile_command *command, bool *ret_is_assembly)
{
	struct rs_words words = { 0 };
	const char *file, *directory;

	if (entry->kind != RS_JSON_OBJECT)
		return rs_json_error(reader->path, entry, false, "an entry is %s, not an object",
				     rs_json_kind_name(entry->kind));
	RS_TRY(find_string(reader, entry, "directory", &directory));
	RS_TRY(find_string(reader, entry, "file", &file));
	if (!file)
		return rs_json_error(reader->path, entry, false, "an entry has no \"file\"");
	RS_TRY(read_words(reader, entry, &words));
	command->directory = rs_path_absolute(reader->arena, reader->folder, directory ? directory : ".");
	command->file =
		rs_path_canonical(reader->arena, rs_path_absolute(reader->arena, command->directory, file));
	command->arguments = words.items;
	command->n_arguments = words.n_items;
	enum rs_language language = find_language(reader, command);
	command->is_c = language == RS_LANGUAGE_C || language == RS_LANGUAGE_C_HEADER;
	command->is_cxx = language == RS_LANGUAGE_CXX;
	*ret_is_assembly = language == RS_LANGUAGE_ASSEMBLY;
	return NULL;
}

static struct rs_error *read_entries(const struct reader *reader, const struct rs_json *root,
				     struct rs_compile_db *db)
{
	struct rs_compile_command *commands;
	size_t count = 0;

	if (root->kind != RS_JSON_ARRAY)
		return rs_json_error(reader->path, root, false, "a compile database is an array, not %s",
				     rs_json_kind_name(root->kind));
	commands = rs_arena_array(reader->arena, struct rs_compile_command, root->n_children);
	for (const struct rs_json *entry = root->first; entry; entry = entry->next) {
		bool is_assembly = false;

		RS_TRY(read_entry(reader, entry, &commands[count], &is_assembly));
		if (!is_assembly)
			count++;
	}
	db->commands = commands;
	db->n_commands = count;
	return NULL;
}

struct rs_error *rs_compile_db_read(struct rs_arena *arena, const char *path, struct rs_compile_db *ret_db)
{
	const struct rs_json *root;
	struct rs_compile_db db = { 0 };
	char *text;
	size_t size;

	db.path = rs_file_is_directory(path) ? rs_arena_printf(arena, "%s/%s", path, database_name)
					     : rs_arena_strdup(arena, path);
	RS_TRY(rs_file_read(arena, db.path, &text, &size));
	RS_TRY(rs_json_parse(arena, db.path, text, size, &root));
	struct reader reader = { .arena = arena,
				 .path = db.path,
				 .folder = rs_path_directory(arena, rs_path_absolute(arena, NULL, db.path)) };
	RS_TRY(read_entries(&reader, root, &db));
	*ret_db = db;
	return NULL;
}

void rs_compile_filter(struct rs_arena *arena, const char *const *arguments, size_t n_arguments,
		       const char *directory, const char *main_file, struct rs_notes *notes,
		       const char *const **ret_arguments, size_t *ret_n_arguments)
{
	struct rs_flags flags;
	struct rs_words words = { 0 };

	rs_flags_filter(arena, arguments, n_arguments, directory, main_file, notes, &flags);
	if (flags.language) {
		rs_words_add(arena, &words, "-x");
		rs_words_add(arena, &words, flags.language);
	}
	for (size_t i = 0; i < flags.words.n_items; i++)
		rs_words_add(arena, &words, flags.words.items[i]);
	*ret_arguments = words.items;
	*ret_n_arguments = words.n_items;
}

struct rs_error *rs_compile_resource_directory(struct rs_arena *arena, const char *requested,
					       const char **ret_directory)
{
	return rs_clang_resource_directory(arena, requested, ret_directory);
}
