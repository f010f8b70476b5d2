#include "parse/include_names.h"

#include <stdlib.h>
#include <string.h>

/* --- names --- */

struct scan {
	struct rs_arena *arena;
	const char *at, *end;
	struct rs_include_names *names;
};

void rs_include_names_add(struct rs_arena *arena, struct rs_include_names *names, const char *name,
			  size_t length, bool is_quoted)
{
	for (size_t i = 0; i < names->n_items; i++)
		if (names->items[i].is_quoted == is_quoted && strlen(names->items[i].name) == length &&
		    memcmp(names->items[i].name, name, length) == 0)
			return;
	*rs_array_push(arena, names->items, names->n_items, names->items_capacity) =
		(struct rs_include_name) { .name = rs_arena_strndup(arena, name, length),
					   .is_quoted = is_quoted };
}

/* Blanks; a comment or a line splice among them is left for the caller to wonder about. */
static const char *skip_blanks(const struct scan *scan, const char *at)
{
	while (at < scan->end && (*at == ' ' || *at == '\t' || *at == '\v' || *at == '\f'))
		at++;
	return at;
}

static bool starts_with(const struct scan *scan, const char *at, const char *word)
{
	size_t length = strlen(word);

	return (size_t)(scan->end - at) >= length && memcmp(at, word, length) == 0;
}

/* The name at `at`, if one is written there. */
static bool take_name(struct scan *scan, const char *at)
{
	char close = at < scan->end && *at == '"' ? '"' : '>';
	const char *end;

	if (at >= scan->end || (*at != '"' && *at != '<'))
		return false;
	for (end = at + 1; end < scan->end && *end != close; end++)
		if (*end == '\n' || *end == '\\')
			return false;
	if (end >= scan->end || end == at + 1)
		return false;
	rs_include_names_add(scan->arena, scan->names, at + 1, (size_t)(end - at - 1), close == '"');
	return true;
}

/* A line that goes on below: a backslash, in whatever spelling, at its end. */
static bool is_splice(const struct scan *scan, const char *at)
{
	if (starts_with(scan, at, "?\?/"))
		at += 2;
	else if (at >= scan->end || *at != '\\')
		return false;
	at = skip_blanks(scan, at + 1);
	return at < scan->end && (*at == '\n' || *at == '\r');
}

/* A directive's # is the first thing on its line but for comments; the word in prose is not. */
static bool is_first(const struct scan *scan, const char *hash)
{
	while (hash > scan->at && (hash[-1] == ' ' || hash[-1] == '\t' || hash[-1] == '\v' || hash[-1] == '\f'))
		hash--;
	return hash == scan->at || hash[-1] == '\n' || hash[-1] == '\r' || hash[-1] == '/';
}

/* Whether the word behind a # includes something whose name is not there, or may be such a word. */
static bool is_unsure(struct scan *scan, const char *at)
{
	static const char *const words[] = { "include_next", "include", "import" };

	if (starts_with(scan, at, "/*"))
		return true;
	for (size_t i = 0; i < RS_COUNT_OF(words); i++)
		if (starts_with(scan, at, words[i]))
			return !take_name(scan, skip_blanks(scan, at + strlen(words[i])));
	/* In front of the word or inside of it: `inc\` and on the next line `lude`. */
	for (size_t length = 0; length < 8 && at < scan->end; at++, length++) {
		if (is_splice(scan, at))
			return true;
		if (*at < 'a' || *at > 'z')
			return false;
	}
	return false;
}

static void take_directive(struct scan *scan, const char *hash, size_t length)
{
	if (is_unsure(scan, skip_blanks(scan, hash + length)) && is_first(scan, hash))
		scan->names->is_unsure = true;
}

/* Every #, wherever it stands: a comment in front of it, or a string around it, does no harm. */
static void find_directives(struct scan *scan)
{
	for (const char *at = scan->at; at < scan->end; at++) {
		at = (const char *)memchr(at, '#', (size_t)(scan->end - at));
		if (!at)
			return;
		take_directive(scan, at, 1);
	}
}

static void find_spelled(struct scan *scan, const char *spelling)
{
	size_t length = strlen(spelling);

	for (const char *at = scan->at; at < scan->end; at += length) {
		at = (const char *)memmem(at, (size_t)(scan->end - at), spelling, length);
		if (!at)
			return;
		take_directive(scan, at, length);
	}
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* `defined(__has_include)` asks for no header. */
static void find_tests(struct scan *scan)
{
	static const char word[] = "has_include";

	for (const char *at = scan->at; at < scan->end;) {
		at = (const char *)memmem(at, (size_t)(scan->end - at), word, sizeof word - 1);
		if (!at)
			return;
		at += sizeof word - 1;
		while (at < scan->end && is_word(*at))
			at++;
		const char *open = skip_blanks(scan, at);
		if (open >= scan->end || *open != '(')
			continue;
		const char *name = skip_blanks(scan, open + 1);
		if (!take_name(scan, name))
			scan->names->asks_more = true;
	}
}

/* `#embed` and `__has_embed`. */
static bool has_embedded(const struct scan *scan)
{
	static const char word[] = "embed";

	for (const char *at = scan->at; at < scan->end; at += sizeof word - 1) {
		at = (const char *)memmem(at, (size_t)(scan->end - at), word, sizeof word - 1);
		if (!at)
			return false;
		const char *before = at;
		while (before > scan->at && (before[-1] == ' ' || before[-1] == '\t'))
			before--;
		if (before > scan->at && strchr("#:/=_", before[-1]))
			return true;
	}
	return false;
}

void rs_include_names_find(struct rs_arena *arena, const char *text, size_t size, bool with_tests,
			   struct rs_include_names *ret_names)
{
	struct scan scan = { .arena = arena, .at = text, .end = text + size, .names = ret_names };

	*ret_names = (struct rs_include_names) { 0 };
	find_directives(&scan);
	find_spelled(&scan, "%:");
	find_spelled(&scan, "?\?=");
	if (with_tests)
		find_tests(&scan);
	if (with_tests && has_embedded(&scan))
		ret_names->asks_more = true;
}

/* --- folders --- */

void rs_include_folders_add(struct rs_arena *arena, struct rs_include_folders *folders, const char *folder)
{
	size_t length = strlen(folder);

	while (length > 1 && folder[length - 1] == '/')
		length--;
	for (size_t i = 0; i < folders->folders.n_items; i++)
		if (strlen(folders->folders.items[i]) == length &&
		    memcmp(folders->folders.items[i], folder, length) == 0)
			return;
	if (length > 0)
		rs_words_add(arena, &folders->folders, rs_arena_strndup(arena, folder, length));
}

/* The folder that the flag names, joined or in the next word; NULL when it is no such flag. */
static const char *folder_of(const struct rs_words *flags, size_t *index)
{
	static const char *const names[] = { "-I", "-iquote", "-isystem", "-idirafter", "--include-directory" };
	const char *word = flags->items[*index];

	for (size_t i = 0; i < RS_COUNT_OF(names); i++) {
		size_t length = strlen(names[i]);

		if (strncmp(word, names[i], length) != 0)
			continue;
		if (word[length])
			return word + length + (word[length] == '=');
		return *index + 1 < flags->n_items ? flags->items[++*index] : NULL;
	}
	return NULL;
}

/* Flags by which headers are looked for in folders that are not named. */
static bool moves_folders(const char *word)
{
	static const char *const starts[] = {
		"-isysroot", "--sysroot",     "-iprefix",   "-iwithprefix", "-F",    "-iframework",  "-B",
		"--gcc-",    "-fbuiltin-mod", "-fmodule",   "-imultilib",   "-ivfs", "-cxx-isystem", "-stdlib",
		"-I-",       "-include-pch",  "-internal-", "-idirafter=",  "-I="
	};

	for (size_t i = 0; i < RS_COUNT_OF(starts); i++)
		if (strncmp(word, starts[i], strlen(starts[i])) == 0)
			return true;
	return false;
}

/* The target's own headers, as distributions lay them out. */
static void add_target(struct rs_arena *arena, struct rs_include_folders *folders, const char *target)
{
	rs_include_folders_add(arena, folders, rs_arena_printf(arena, "/usr/include/%s", target));
	rs_include_folders_add(arena, folders, rs_arena_printf(arena, "/usr/%s/include", target));
}

static void add_environment(struct rs_arena *arena, struct rs_include_folders *folders, const char *variable)
{
	const char *list = getenv(variable);

	while (list && *list) {
		size_t length = strcspn(list, ":");

		if (length > 0)
			rs_include_folders_add(arena, folders, rs_arena_strndup(arena, list, length));
		list += length + (list[length] == ':');
	}
}

void rs_include_folders_find(struct rs_arena *arena, const struct rs_words *flags,
			     const char *resource_directory, struct rs_include_folders *ret_folders)
{
	static const char *const of_system[] = { "/usr/local/include", "/include", "/usr/include" };
	static const char *const targets[] = { "x86_64-linux-gnu",      "i386-linux-gnu",
					       "x86_64-linux-gnux32",   "aarch64-linux-gnu",
					       "arm-linux-gnueabihf",   "riscv64-linux-gnu",
					       "powerpc64le-linux-gnu", "s390x-linux-gnu" };
	static const char target_flag[] = "--target=";

	*ret_folders = (struct rs_include_folders) { 0 };
	for (size_t i = 0; i < flags->n_items; i++) {
		const char *word = flags->items[i];

		ret_folders->is_unsure = ret_folders->is_unsure || moves_folders(word);
		if (strncmp(word, target_flag, sizeof target_flag - 1) == 0)
			add_target(arena, ret_folders, word + sizeof target_flag - 1);
		const char *folder = folder_of(flags, &i);
		if (folder)
			rs_include_folders_add(arena, ret_folders, folder);
	}
	add_environment(arena, ret_folders, "CPATH");
	add_environment(arena, ret_folders, "C_INCLUDE_PATH");
	rs_include_folders_add(arena, ret_folders, rs_arena_printf(arena, "%s/include", resource_directory));
	for (size_t i = 0; i < RS_COUNT_OF(of_system); i++)
		rs_include_folders_add(arena, ret_folders, of_system[i]);
	for (size_t i = 0; i < RS_COUNT_OF(targets); i++)
		add_target(arena, ret_folders, targets[i]);
}
