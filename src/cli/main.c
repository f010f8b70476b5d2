#include <string.h>

#include "base/json.h"
#include "cli/command.h"

static const struct rs_command commands[] = {
	{ "annotate", RS_CMD_ANNOTATE, "FILE[:NAME]...",
	  "show the layout: offsets, cache lines, holes, heat, who shares a line with whom", rs_cmd_annotate },
	{ "optimize", RS_CMD_OPTIMIZE, "FILE[:NAME]...",
	  "find better orders: what each plan buys, in cost, bytes and changed lines", rs_cmd_optimize },
	{ "emit-patch", RS_CMD_EMIT_PATCH, "FILE[:NAME]... | PLAN.json",
	  "print the verified unified diff of a plan, or change the files in place", rs_cmd_emit_patch },
	{ "check", RS_CMD_CHECK, "[FILE[:NAME]...]",
	  "hold layouts to a committed baseline and to the groups of a profile", rs_cmd_check },
	{ "review", RS_CMD_REVIEW, "[PATCH | COMMIT | A..B]",
	  "judge a change to structs: a patch on stdin or in a file, commits, or what is staged",
	  rs_cmd_review },
	{ "guard", RS_CMD_GUARD, "FILE[:NAME]...", "print the assertions that hold a layout", rs_cmd_guard },
	{ "profile import", RS_CMD_PROFILE_IMPORT, "FILE...",
	  "make a profile of what perf, valgrind or a table says", rs_cmd_profile_import },
	{ "profile collect", RS_CMD_PROFILE_COLLECT, "-C NAME [EXPORT]...",
	  "make a profile of the code and how often it ran, as llvm-cov or gcov counted",
	  rs_cmd_profile_collect },
	{ "profile merge", RS_CMD_PROFILE_MERGE, "FILE[=WEIGHT]...", "add profiles up, weighted",
	  rs_cmd_profile_merge },
	{ "profile show", RS_CMD_PROFILE_SHOW, "FILE...",
	  "show a profile: fields, rates, paths, where it comes from, how far to trust it",
	  rs_cmd_profile_show },
	{ "profile check", RS_CMD_PROFILE_CHECK, "PROFILE [FILE[:NAME]...]",
	  "compare a profile with the structs as they are today: fields gone, renamed, new",
	  rs_cmd_profile_check },
};

static int print(const struct rs_builder *text)
{
	return rs_command_print_stdout(text->data, text->length, RESTRUCT_OK);
}

static int print_overview(void)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };

	rs_builder_appends(&text,
			   "usage: restruct COMMAND [OPTION]... FILE[:NAME]... [-- COMPILER-FLAG...]\n\n"
			   "Finds a better field order for C structs and hands you the patch.\n\ncommands:\n");
	for (size_t i = 0; i < RS_COUNT_OF(commands); i++)
		rs_builder_printf(&text, "  %-14s %s\n", commands[i].name, commands[i].summary);
	rs_builder_appends(
		&text,
		"\n`restruct COMMAND --help` lists a command's options; `restruct --version` says what this "
		"is.\n"
		"Exit status: 0 done, 1 findings (refused, or no gain), 2 usage, 3 could not complete.\n");
	return print(&text);
}

static int print_help(const struct rs_command *command)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };

	rs_builder_printf(&text, "usage: restruct %s [OPTION]... %s [-- COMPILER-FLAG...]\n\n%s.\n\n",
			  command->name, command->arguments, command->summary);
	rs_options_print(&text, command->bit);
	return print(&text);
}

static int print_version(void)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };

	rs_builder_printf(&text, "restruct %s (%s)\n", restruct_version(), restruct_compiler_version());
	return print(&text);
}

static int print_table(void)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };

	rs_options_print_json(&text);
	return print(&text);
}

static const struct rs_command *find_command(const char *name)
{
	for (size_t i = 0; i < RS_COUNT_OF(commands); i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	return NULL;
}

static int unknown_command(const char *name)
{
	const char *names[RS_COUNT_OF(commands)];

	for (size_t i = 0; i < RS_COUNT_OF(commands); i++)
		names[i] = commands[i].name;
	const char *nearest = rs_nearest_name(name, names, RS_COUNT_OF(commands));

	for (size_t i = 0; !nearest && *name && i < RS_COUNT_OF(commands); i++)
		if (strncmp(commands[i].name, name, strlen(name)) == 0)
			nearest = commands[i].name;
	return rs_command_fail(rs_error_create(
		RS_ERROR_USAGE, NULL, 0, 0, "there is no command '%s'%s%s%s (restruct --help lists them)", name,
		nearest ? " (did you mean '" : "", nearest ? nearest : "", nearest ? "'?)" : ""));
}

static int run(int argc, char **argv, const struct rs_command *command)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	struct rs_options options;
	struct rs_error *error = rs_options_parse(arena, argc, argv, command->bit, &options);

	if (error)
		return rs_command_fail(error);
	if (options.help)
		return print_help(command);
	return command->run(arena, &options);
}

/* "profile import": the name of a command may be two words; then it takes one argument more. */
static const struct rs_command *find_words(int argc, char **argv, int *ret_words)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder name = { 0 };
	const struct rs_command *command = argc > 1 ? find_command(argv[1]) : NULL;

	*ret_words = 1;
	if (command || argc < 3)
		return command;
	*ret_words = 2;
	rs_builder_printf(&name, "%s %s", argv[1], argv[2]);
	return find_command(name.data);
}

/* The commands whose names begin with this word; false when there are none. */
static bool print_group(const char *word)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	size_t length = strlen(word);

	rs_builder_printf(&text, "usage: restruct %s COMMAND [OPTION]...\n\ncommands:\n", word);
	size_t empty = text.length;
	for (size_t i = 0; i < RS_COUNT_OF(commands); i++)
		if (strncmp(commands[i].name, word, length) == 0 && commands[i].name[length] == ' ')
			rs_builder_printf(&text, "  %-14s %s\n", commands[i].name, commands[i].summary);
	if (text.length > empty)
		(void)print(&text);
	return text.length > empty;
}

static bool is_help(const char *word)
{
	return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0;
}

static int unknown_words(int argc, char **argv)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder name = { 0 };

	if (argc > 2 && is_help(argv[2]) && print_group(argv[1]))
		return RESTRUCT_OK;
	if (argc == 2 && print_group(argv[1]))
		return RESTRUCT_USAGE;
	bool is_group = argc > 2 && strcmp(argv[1], "profile") == 0;
	rs_builder_printf(&name, "%s%s%s", argv[1], is_group ? " " : "", is_group ? argv[2] : "");
	return unknown_command(name.data);
}

int main(int argc, char **argv)
{
	const char *first = argc > 1 ? argv[1] : "";
	int words;
	const struct rs_command *command = find_words(argc, argv, &words);

	if (command)
		return run(argc - words, argv + words, command);
	if (is_help(first))
		return print_overview();
	if (strcmp(first, "--version") == 0)
		return print_version();
	if (strcmp(first, "--option-table") == 0)
		return print_table();
	if (argc < 2) {
		(void)print_overview();
		return RESTRUCT_USAGE;
	}
	return unknown_words(argc, argv);
}
