#include "base/walk.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/file.h"

enum { BINARY_PROBE_BYTES = 8192 };

/* What configuring leaves in a build folder. */
static const char *const build_marks[] = { "CMakeCache.txt", "build.ninja", "meson-info" };

struct walker {
	struct rs_arena *arena;
	struct rs_notes *notes;
	rs_walk_wants_fn wants;
	const char **paths;
	size_t n_paths, paths_capacity;
	size_t n_left; /* entries that may still be looked at */
	bool is_cut;
};

struct entry {
	const char *name;
	bool is_directory;
};

struct folder {
	struct entry *entries;
	size_t n_entries, entries_capacity;
};

static bool is_any_of(const char *name, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static int entry_compare(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

/* DT_DIR, DT_REG, or another: some file systems leave it to stat. */
static unsigned char entry_type(const char *path, const struct dirent *entry)
{
	struct stat status;
	RS_CLEANUP(rs_builder_deinit) struct rs_builder full = { 0 };

	if (entry->d_type != DT_UNKNOWN)
		return entry->d_type;
	rs_builder_printf(&full, "%s/%s", path, entry->d_name);
	if (lstat(full.data, &status) < 0)
		return DT_UNKNOWN;
	return S_ISDIR(status.st_mode) ? DT_DIR : S_ISREG(status.st_mode) ? DT_REG : DT_UNKNOWN;
}

static void add_entry(struct walker *walker, struct rs_arena *scratch, const char *path,
		      const struct dirent *entry, struct folder *folder)
{
	unsigned char type = entry_type(path, entry);

	if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
		return;
	if (type != DT_DIR && type != DT_REG)
		return;
	if (walker->n_left == 0) {
		walker->is_cut = true;
		return;
	}
	walker->n_left--;
	*rs_array_push(scratch, folder->entries, folder->n_entries, folder->entries_capacity) =
		(struct entry) { rs_arena_strdup(scratch, entry->d_name), type == DT_DIR };
}

static void list_folder(struct walker *walker, struct rs_arena *scratch, const char *path,
			struct folder *folder)
{
	DIR *stream = opendir(path);

	if (!stream) {
		rs_notes_add(walker->notes, RS_NOTE_WARNING, path, 0, 0, "the folder could not be read: %s",
			     strerror(errno));
		return;
	}
	for (const struct dirent *entry; (entry = readdir(stream));)
		add_entry(walker, scratch, path, entry, folder);
	closedir(stream);
	if (folder->n_entries > 1)
		qsort(folder->entries, folder->n_entries, sizeof *folder->entries, entry_compare);
}

/* A project that is built in its sources has the same marks, so the name has to say so, too. */
static bool is_build_tree(const char *name, const struct folder *folder)
{
	bool says_so = strcasestr(name, "build") || strncasecmp(name, "out", 3) == 0;

	for (size_t i = 0; says_so && i < folder->n_entries; i++)
		if (is_any_of(folder->entries[i].name, build_marks, RS_COUNT_OF(build_marks)))
			return true;
	return false;
}

/* Folders that hide are a tool's own: version control, patch queues, caches. */
static bool is_entered(const char *name)
{
	return name[0] != '.' && strcmp(name, "CVS") != 0 && strcmp(name, "node_modules") != 0;
}

static void walk_folder(struct walker *walker, const char *path, const char *name)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *scratch = rs_arena_create();
	struct folder folder = { 0 };

	list_folder(walker, scratch, path, &folder);
	if (name && is_build_tree(name, &folder))
		return;
	for (size_t i = 0; i < folder.n_entries; i++) {
		const struct entry *entry = &folder.entries[i];
		const char *separator = strcmp(path, "/") == 0 ? "" : "/";

		if (entry->is_directory) {
			if (is_entered(entry->name))
				walk_folder(walker,
					    rs_arena_printf(scratch, "%s%s%s", path, separator, entry->name),
					    entry->name);
		} else if (!walker->wants || walker->wants(entry->name)) {
			*rs_array_push(walker->arena, walker->paths, walker->n_paths, walker->paths_capacity) =
				rs_arena_printf(walker->arena, "%s%s%s", path, separator, entry->name);
		}
	}
}

struct rs_walk rs_walk_files(struct rs_arena *arena, const char *root, size_t max_entries,
			     rs_walk_wants_fn wants, struct rs_notes *notes)
{
	struct walker walker = { .arena = arena, .notes = notes, .wants = wants, .n_left = max_entries };
	const char *path = rs_path_canonical(arena, root);

	walk_folder(&walker, path, NULL);
	if (walker.is_cut)
		rs_notes_add(notes, RS_NOTE_WARNING, path, 0, 0,
			     "the folder has more than %zu entries: only these were looked at", max_entries);
	return (struct rs_walk) { walker.paths, walker.n_paths };
}

bool rs_walk_read(struct rs_arena *arena, const char *path, struct rs_notes *notes, char **ret_text,
		  size_t *ret_size)
{
	struct stat status;
	char *text;
	size_t size;

	if (lstat(path, &status) < 0 || !S_ISREG(status.st_mode) || status.st_size > RS_WALK_MAX_BYTES)
		return false;
	struct rs_error *error = rs_file_read(arena, path, &text, &size);
	if (error) {
		rs_notes_add(notes, RS_NOTE_WARNING, path, 0, 0, "%s", error->message);
		rs_error_destroy(error);
		return false;
	}
	if (memchr(text, '\0', size < BINARY_PROBE_BYTES ? size : BINARY_PROBE_BYTES))
		return false;
	*ret_text = text;
	*ret_size = size;
	return true;
}
