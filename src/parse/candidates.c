#include "parse/candidates.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"

enum { MAX_TEXTS = 20000 }; /* main files that are searched for the header's name */

struct candidate {
	const struct rs_compile_command *command;
	size_t distance; /* folders up and down between the two files */
	bool same_stem;  /* foo.c for foo.h */
	bool is_named;   /* its text names the header */
};

static size_t count_slashes(const char *text)
{
	size_t count = 0;

	for (; *text; text++)
		count += *text == '/';
	return count;
}

static size_t compute_distance(const char *a, const char *b)
{
	size_t folder_end = 0;

	for (size_t i = 0; a[i] && a[i] == b[i]; i++)
		if (a[i] == '/')
			folder_end = i + 1;
	return count_slashes(a + folder_end) + count_slashes(b + folder_end);
}

static bool have_same_stem(const char *a, const char *b)
{
	const char *name_a = rs_path_basename(a), *name_b = rs_path_basename(b);
	size_t length_a = strcspn(name_a, "."), length_b = strcspn(name_b, ".");

	return length_a == length_b && strncmp(name_a, name_b, length_a) == 0;
}

static struct candidate rate(const struct rs_compile_command *command, const char *file)
{
	return (struct candidate) { .command = command,
				    .distance = compute_distance(command->file, file),
				    .same_stem = have_same_stem(command->file, file) };
}

/* Negative when a is the better one. Equal ones stay in the order of the database, where entries of one file
 * come out side by side. */
static int compare(const void *left, const void *right)
{
	const struct candidate *a = (const struct candidate *)left, *b = (const struct candidate *)right;

	if (a->is_named != b->is_named)
		return a->is_named ? -1 : 1;
	if (a->distance != b->distance)
		return a->distance < b->distance ? -1 : 1;
	if (a->same_stem != b->same_stem)
		return a->same_stem ? -1 : 1;
	int by_name = strcmp(a->command->file, b->command->file);
	if (by_name != 0)
		return by_name;
	return a->command < b->command ? -1 : a->command > b->command;
}

static bool is_of(const struct rs_compile_command *command, bool is_cxx)
{
	return is_cxx ? command->is_cxx : command->is_c;
}

void rs_candidates_own(struct rs_arena *arena, const struct rs_compile_db *db, const char *file, bool is_cxx,
		       const struct rs_compile_command ***ret_commands, size_t *ret_count)
{
	const struct rs_compile_command **commands = NULL;
	size_t count = 0, capacity = 0;

	for (size_t i = 0; i < db->n_commands; i++)
		if (is_of(&db->commands[i], is_cxx) && strcmp(db->commands[i].file, file) == 0)
			*rs_array_push(arena, commands, count, capacity) = &db->commands[i];
	*ret_commands = commands;
	*ret_count = count;
}

const struct rs_compile_command *rs_candidates_nearest(const struct rs_compile_db *db, const char *file,
						       bool is_cxx)
{
	struct candidate best = { 0 };

	for (size_t i = 0; i < db->n_commands; i++) {
		struct candidate candidate = rate(&db->commands[i], file);

		if (is_of(&db->commands[i], is_cxx) && (!best.command || compare(&candidate, &best) < 0))
			best = candidate;
	}
	return best.command;
}

/* Named in an #include, in whatever folder: `name"` or `name>`. */
static bool names_header(const char *path, const char *name)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *scratch = rs_arena_create();
	size_t size, length = strlen(name);
	char *text;
	RS_CLEANUP(rs_error_destroyp) struct rs_error *error = rs_file_read(scratch, path, &text, &size);

	if (error)
		return false;
	for (const char *at = text, *end = text + size; at < end; at += length) {
		at = (const char *)memmem(at, (size_t)(end - at), name, length);
		if (!at)
			return false;
		if (at > text && strchr("/\"<", at[-1]) && (at[length] == '"' || at[length] == '>'))
			return true;
	}
	return false;
}

static size_t collect(const struct rs_compile_db *db, const char *header, struct candidate *candidates)
{
	size_t count = 0, kept = 0;

	for (size_t i = 0; i < db->n_commands; i++)
		if (db->commands[i].is_c)
			candidates[count++] = rate(&db->commands[i], header);
	qsort(candidates, count, sizeof *candidates, compare);
	for (size_t i = 0; i < count; i++)
		if (kept == 0 || strcmp(candidates[kept - 1].command->file, candidates[i].command->file) != 0)
			candidates[kept++] = candidates[i];
	return kept;
}

void rs_candidates_including(struct rs_arena *arena, const struct rs_compile_db *db, const char *file,
			     size_t limit, bool only_named, const struct rs_compile_command ***ret_commands,
			     size_t *ret_count)
{
	struct candidate *candidates = rs_arena_array(arena, struct candidate, db->n_commands);
	size_t count = collect(db, file, candidates), n_named = 0;

	for (size_t i = 0; i < count && i < MAX_TEXTS && n_named < limit; i++) {
		candidates[i].is_named = names_header(candidates[i].command->file, rs_path_basename(file));
		n_named += candidates[i].is_named;
	}
	qsort(candidates, count, sizeof *candidates, compare);
	if (only_named)
		count = n_named;
	if (count > limit)
		count = limit;
	*ret_commands = rs_arena_array(arena, const struct rs_compile_command *, count);
	for (size_t i = 0; i < count; i++)
		(*ret_commands)[i] = candidates[i].command;
	*ret_count = count;
}
