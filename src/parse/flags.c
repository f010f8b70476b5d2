#include "parse/flags.h"

#include <string.h>

#include "base/file.h"
#include "parse/clang.h"
#include "parse/compiler.h"
#include "parse/flag_rules.h"

struct filter {
	struct rs_arena *arena;
	struct rs_notes *notes;
	const char *directory;
	struct rs_words *out;
	const char *language;
	bool has_target;
	bool has_enum_size;
};

/* One flag as the rules cut it. */
struct flag {
	const struct rs_flag_rule *rule;
	const char *word;
	const char *value; /* "" when it has none */
	bool is_separate;  /* the value is a word of its own */
};

static bool starts_with(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Reads the flag at words[at]; gives the number of words that it takes. */
static size_t read_flag(const char *const *words, size_t n_words, size_t at, struct flag *flag)
{
	const struct rs_flag_rule *rule = rs_flag_rules_find(words[at]);
	size_t length = strlen(rule->name);

	*flag = (struct flag) { .rule = rule, .word = words[at], .value = words[at] + length };
	if (rule->shape == RS_SHAPE_EXACT || rule->shape == RS_SHAPE_JOINED || *flag->value != '\0')
		return 1;
	flag->is_separate = true;
	if (at + 1 >= n_words)
		return 1;
	flag->value = words[at + 1];
	return 2;
}

/* `-Wp,-DX,-MD,file` and `-Xpreprocessor -DX` say what `-DX` says; of `-Xclang`, only what CMake writes for
 * precompiled headers is known to be the same flag. */
static void unwrap(struct rs_arena *arena, const struct rs_words *words, struct rs_words *flat)
{
	for (size_t i = 0; i < words->n_items; i++) {
		struct flag flag;
		size_t used = read_flag(words->items, words->n_items, i, &flag);
		bool is_include = strcmp(flag.word, "-Xclang") == 0 && i + 3 < words->n_items &&
				  starts_with(flag.value, "-include");

		if (is_include) {
			rs_words_add(arena, flat, flag.value);
			rs_words_add(arena, flat, words->items[i + 3]);
			used = 4;
		} else if (flag.rule->action == RS_FLAG_UNWRAP) {
			char *rest = rs_arena_strdup(arena, flag.value);

			for (char *part; (part = strsep(&rest, ",")) != NULL;)
				rs_words_add(arena, flat, part);
		} else {
			for (size_t k = 0; k < used; k++)
				rs_words_add(arena, flat, words->items[i + k]);
		}
		i += used - 1;
	}
}

static void emit(struct filter *filter, const struct flag *flag)
{
	rs_words_add(filter->arena, filter->out, flag->word);
	if (flag->is_separate)
		rs_words_add(filter->arena, filter->out, flag->value);
}

/* libclang's own -working-directory moves the whole process to that folder (14), so names are made absolute
 * here. A leading '=' stands for the sysroot. */
static void emit_path(struct filter *filter, const struct flag *flag)
{
	struct flag absolute = *flag;

	if (flag->value[0] == '=' || flag->value[0] == '\0' || strcmp(flag->value, "-") == 0) {
		emit(filter, flag);
		return;
	}
	absolute.value = rs_path_absolute(filter->arena, filter->directory, flag->value);
	if (!flag->is_separate)
		absolute.word = rs_arena_printf(filter->arena, "%s%s", flag->rule->name, absolute.value);
	emit(filter, &absolute);
}

/* Past the driver, which would take a precompiled header of another compiler that lies beside the file. */
static void emit_include(struct filter *filter, const struct flag *flag)
{
	char *path = rs_path_absolute(filter->arena, filter->directory, flag->value);
	const char *name = rs_file_exists(path) ? path : flag->value;

	rs_words_add(filter->arena, filter->out, "-Xclang");
	rs_words_add(filter->arena, filter->out, strstr(flag->rule->name, "imacros") ? "-imacros" : "-include");
	rs_words_add(filter->arena, filter->out, "-Xclang");
	rs_words_add(filter->arena, filter->out, name);
}

static void note(struct filter *filter, enum rs_note_severity severity, const struct flag *flag,
		 const char *reason)
{
	if (filter->notes)
		rs_notes_add(filter->notes, severity, NULL, 0, 0, "dropped %s%s%s%s", flag->word,
			     flag->is_separate ? " " : "", flag->is_separate ? flag->value : "", reason);
}

/* Standards by the first clang that knows the name, and what an older one calls the nearest it has. */
static const struct standard {
	const char *name;
	unsigned since;
	const char *before;
} standards[] = {
	{ "c23", 18, "c2x" },           { "gnu23", 18, "gnu2x" },      { "c2y", 19, "c2x" },
	{ "gnu2y", 19, "gnu2x" },       { "iso9899:2024", 20, "c2x" }, { "iso9899:2023", ~0u, "c2x" },
	{ "iso9899:202x", ~0u, "c2x" }, { "c2x", 9, "c17" },           { "gnu2x", 9, "gnu17" },
	{ "c++23", 17, "c++2b" },       { "gnu++23", 17, "gnu++2b" },  { "c++26", 17, "c++2b" },
	{ "gnu++26", 17, "gnu++2b" },   { "c++2c", 17, "c++2b" },      { "gnu++2c", 17, "gnu++2b" },
};

static void emit_standard(struct filter *filter, const struct flag *flag)
{
	const char *name = flag->value;

	for (size_t i = 0; i < RS_COUNT_OF(standards); i++) {
		if (strcmp(name, standards[i].name) != 0 || rs_clang_major() >= standards[i].since)
			continue;
		name = standards[i].before;
		if (filter->notes)
			rs_notes_add(filter->notes, RS_NOTE_INFO, NULL, 0, 0,
				     "read as -std=%s: clang %u does not know %s", name, rs_clang_major(),
				     flag->word);
		break;
	}
	rs_words_add(filter->arena, filter->out, rs_arena_printf(filter->arena, "-std=%s", name));
}

/* "c-header" and "cpp-output" are C; "none" leaves it to the suffix. */
static void take_language(struct filter *filter, const char *name)
{
	if (strcmp(name, "none") == 0)
		filter->language = NULL;
	else if (strcmp(name, "c-header") == 0 || strcmp(name, "cpp-output") == 0)
		filter->language = "c";
	else
		filter->language = name;
}

static void emit_layout(struct filter *filter, const struct flag *flag)
{
	filter->has_target = filter->has_target || starts_with(flag->word, "--target=") ||
			     strcmp(flag->word, "-target") == 0;
	filter->has_enum_size = filter->has_enum_size || strstr(flag->word, "short-enums");
	emit(filter, flag);
}

static void report_plan9(struct filter *filter)
{
	rs_words_add(filter->arena, filter->out, "-fms-extensions");
	if (filter->notes)
		rs_notes_add(filter->notes, RS_NOTE_INFO, NULL, 0, 0,
			     "read with -fms-extensions: clang does not know -fplan9-extensions");
}

static void sort_flag(struct filter *filter, const struct flag *flag)
{
	switch (flag->rule->action) {
	case RS_FLAG_KEEP:
		if (strcmp(flag->word, "-fplan9-extensions") == 0)
			report_plan9(filter);
		else
			emit(filter, flag);
		break;
	case RS_FLAG_ESSENTIAL:
	case RS_FLAG_CPU:
		emit(filter, flag);
		break;
	case RS_FLAG_LAYOUT:
		emit_layout(filter, flag);
		break;
	case RS_FLAG_PATH:
		emit_path(filter, flag);
		break;
	case RS_FLAG_INCLUDE:
		emit_include(filter, flag);
		break;
	case RS_FLAG_LANGUAGE:
		take_language(filter, flag->value);
		break;
	case RS_FLAG_STANDARD:
		emit_standard(filter, flag);
		break;
	case RS_FLAG_REPORT:
		note(filter, RS_NOTE_INFO, flag, ", which libclang is not given");
		break;
	case RS_FLAG_WARN:
		note(filter, RS_NOTE_WARNING, flag,
		     ": what it changes is not seen, so the layout may differ from the build's");
		break;
	case RS_FLAG_FOLDER: /* taken beforehand */
	case RS_FLAG_UNWRAP:
	case RS_FLAG_DROP:
		break;
	}
}

/* The folder that relative names are meant from: the flags' own, else where the compiler ran. */
static const char *find_folder(struct rs_arena *arena, const struct rs_words *words, const char *directory)
{
	const char *folder = directory;

	for (size_t i = 0; i < words->n_items; i++) {
		struct flag flag;

		i += read_flag(words->items, words->n_items, i, &flag) - 1;
		if (flag.rule->action == RS_FLAG_FOLDER && *flag.value)
			folder = rs_path_absolute(arena, directory, flag.value);
	}
	return folder;
}

/* Names that are no flags are dropped: main file, objects, and a @file that could not be read. */
static void sort_words(struct filter *filter, const struct rs_words *words)
{
	for (size_t i = 0; i < words->n_items; i++) {
		struct flag flag;

		if (words->items[i][0] == '@' && filter->notes)
			rs_notes_add(filter->notes, RS_NOTE_WARNING, NULL, 0, 0,
				     "dropped %s: there is no such file of arguments", words->items[i]);
		if (words->items[i][0] != '-')
			continue;
		size_t used = read_flag(words->items, words->n_items, i, &flag);
		if (strcmp(flag.word, "--") == 0)
			return;
		if (!flag.is_separate || used == 2)
			sort_flag(filter, &flag);
		i += used - 1;
	}
}

/* What `-include NAME` finds on the search path: libclang would look in the folder of this process first. */
static const char *find_on_path(struct filter *filter, const char *name)
{
	static const char *const kinds[] = { "-iquote", "-I", "-isystem" };

	for (size_t k = 0; k < RS_COUNT_OF(kinds); k++) {
		for (size_t i = 0; i < filter->out->n_items; i++) {
			struct flag flag;

			i += read_flag(filter->out->items, filter->out->n_items, i, &flag) - 1;
			char *path = rs_path_absolute(filter->arena, flag.value, name);
			if (strcmp(flag.rule->name, kinds[k]) == 0 && rs_file_exists(path))
				return path;
		}
	}
	return name;
}

static void resolve_includes(struct filter *filter)
{
	for (size_t i = 3; i < filter->out->n_items; i++) {
		const char **words = &filter->out->items[i - 3];

		if (strcmp(words[0], "-Xclang") == 0 && words[1][0] == '-' && words[3][0] != '/')
			words[3] = find_on_path(filter, words[3]);
	}
}

static void add_compiler_defaults(struct filter *filter, const struct rs_compiler *compiler)
{
	if (compiler->target && !filter->has_target)
		rs_words_add(filter->arena, filter->out,
			     rs_arena_printf(filter->arena, "--target=%s", compiler->target));
	if (compiler->short_enums && !filter->has_enum_size)
		rs_words_add(filter->arena, filter->out, "-fshort-enums");
}

void rs_flags_filter(struct rs_arena *arena, const char *const *arguments, size_t n_arguments,
		     const char *directory, const char *main_file, struct rs_notes *notes,
		     struct rs_flags *ret_flags)
{
	struct rs_words expanded = { 0 }, flat = { 0 };
	struct rs_compiler compiler;
	struct filter filter = { .arena = arena, .notes = notes, .out = &ret_flags->words };

	*ret_flags = (struct rs_flags) { 0 };
	rs_compiler_find(arena, arguments, n_arguments, main_file, &compiler);
	rs_shell_expand_files(arena, directory, arguments + compiler.n_words, n_arguments - compiler.n_words,
			      &expanded);
	unwrap(arena, &expanded, &flat);
	filter.directory = find_folder(arena, &flat, directory);
	filter.language = compiler.language;
	sort_words(&filter, &flat);
	resolve_includes(&filter);
	add_compiler_defaults(&filter, &compiler);
	ret_flags->language = filter.language;
}

static bool is_essential(enum rs_flag_action action, bool with_cpu)
{
	return action == RS_FLAG_ESSENTIAL || action == RS_FLAG_PATH || action == RS_FLAG_INCLUDE ||
	       action == RS_FLAG_LAYOUT || action == RS_FLAG_STANDARD || (with_cpu && action == RS_FLAG_CPU);
}

void rs_flags_essential(struct rs_arena *arena, const struct rs_flags *flags, bool with_cpu,
			struct rs_flags *ret_flags)
{
	const struct rs_words *words = &flags->words;

	*ret_flags = (struct rs_flags) { .language = flags->language };
	for (size_t i = 0; i < words->n_items; i++) {
		struct flag flag;
		size_t used = read_flag(words->items, words->n_items, i, &flag);

		if (is_essential(flag.rule->action, with_cpu) || strcmp(flag.word, "-Xclang") == 0)
			for (size_t k = 0; k < used; k++)
				rs_words_add(arena, &ret_flags->words, words->items[i + k]);
		i += used - 1;
	}
}

enum rs_flags_effect rs_flags_find_effect(const char *flag)
{
	enum rs_flag_action action = rs_flag_rules_find(flag)->action;

	if (action == RS_FLAG_LAYOUT)
		return RS_FLAGS_LAYOUT;
	return is_essential(action, true) ? RS_FLAGS_READING : RS_FLAGS_NONE;
}
