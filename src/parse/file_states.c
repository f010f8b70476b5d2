#include "parse/file_states.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include <uthash.h>

#include "base/file.h"

/* File systems tell times in steps of up to two seconds; so do clocks that servers keep. */
#define SETTLING_NS ((uint64_t)2000000000)

struct entry {
	const char *path;
	struct rs_file_state state;
	bool is_hashed, is_readable;
	uint64_t hash;
	UT_hash_handle hh;
};

struct probe {
	const char *path;
	uint64_t leads_to;
	uint64_t folder_mtime_ns;
	bool has_folder;
	UT_hash_handle hh;
};

struct rs_file_states {
	struct rs_arena *arena;
	struct entry *entries;
	struct probe *probes, *folders;
	char *path; /* scratch */
	size_t path_capacity;
};

struct rs_file_states *rs_file_states_create(void)
{
	struct rs_arena *arena = rs_arena_create();
	struct rs_file_states *states = rs_arena_new(arena, struct rs_file_states);

	states->arena = arena;
	return states;
}

void rs_file_states_destroy(struct rs_file_states *states)
{
	if (!states)
		return;
	HASH_CLEAR(hh, states->entries);
	HASH_CLEAR(hh, states->probes);
	HASH_CLEAR(hh, states->folders);
	free(states->path);
	rs_arena_destroy(states->arena);
}

void rs_file_states_destroyp(struct rs_file_states **states)
{
	rs_file_states_destroy(*states);
}

static uint64_t nanoseconds(struct timespec time)
{
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

uint64_t rs_file_state_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return nanoseconds(now);
}

struct rs_file_state rs_file_state_read(const char *path, uint64_t started_ns)
{
	uint64_t limit = (started_ns ? started_ns : rs_file_state_now_ns()) - SETTLING_NS;
	struct rs_file_state state = { 0 };
	struct stat status;

	if (stat(path, &status) != 0 || S_ISDIR(status.st_mode))
		return state;
	state = (struct rs_file_state) { .exists = true,
					 .device = (uint64_t)status.st_dev,
					 .inode = (uint64_t)status.st_ino,
					 .size = (uint64_t)status.st_size,
					 .mtime_ns = nanoseconds(status.st_mtim),
					 .ctime_ns = nanoseconds(status.st_ctim) };
	state.is_settled = state.mtime_ns < limit && state.ctime_ns < limit;
	return state;
}

static struct entry *find_entry(struct rs_file_states *states, const char *path)
{
	struct entry *entry;

	HASH_FIND_STR(states->entries, path, entry);
	if (entry)
		return entry;
	entry = rs_arena_new(states->arena, struct entry);
	entry->path = rs_arena_strdup(states->arena, path);
	entry->state = rs_file_state_read(path, 0);
	HASH_ADD_KEYPTR(hh, states->entries, entry->path, strlen(entry->path), entry);
	return entry;
}

const struct rs_file_state *rs_file_states_find(struct rs_file_states *states, const char *path)
{
	return &find_entry(states, path)->state;
}

bool rs_file_states_hash(struct rs_file_states *states, const char *path, uint64_t *ret_hash)
{
	struct entry *entry = find_entry(states, path);

	if (!entry->is_hashed) {
		RS_CLEANUP(rs_arena_destroyp) struct rs_arena *scratch = rs_arena_create();
		size_t size;
		char *text;
		struct rs_error *error = rs_file_read(scratch, path, &text, &size);

		entry->is_hashed = true;
		entry->is_readable = !error;
		if (!error)
			entry->hash = rs_hash_bytes(text, size);
		rs_error_destroy(error);
	}
	*ret_hash = entry->hash;
	return entry->is_readable;
}

/* --- names in folders --- */

static char *join(struct rs_file_states *states, const char *folder, const char *name)
{
	size_t folder_length = strlen(folder), name_length = strlen(name);
	size_t need = folder_length + name_length + 2;

	if (need > states->path_capacity) {
		states->path_capacity = 2 * need;
		states->path = (char *)rs_realloc(states->path, states->path_capacity);
	}
	/* An absolute name is looked for where it says, whatever the folder. */
	if (name[0] == '/')
		folder_length = 0;
	memcpy(states->path, folder, folder_length);
	states->path[folder_length] = '/';
	memcpy(states->path + folder_length + 1, name, name_length + 1);
	return states->path;
}

static uint64_t look(const char *path)
{
	struct stat status;
	uint64_t found = 0;

	if (stat(path, &status) != 0 || S_ISDIR(status.st_mode))
		return 0;
	char *resolved = realpath(path, NULL);
	if (resolved)
		found = rs_hash_bytes(resolved, strlen(resolved)) | 1;
	free(resolved);
	return found;
}

uint64_t rs_file_states_probe(struct rs_file_states *states, const char *folder, const char *name)
{
	const char *path = join(states, folder, name);
	struct probe *probe;

	HASH_FIND_STR(states->probes, path, probe);
	if (probe)
		return probe->leads_to;
	probe = rs_arena_new(states->arena, struct probe);
	probe->path = rs_arena_strdup(states->arena, path);
	probe->leads_to = look(probe->path);
	HASH_ADD_KEYPTR(hh, states->probes, probe->path, strlen(probe->path), probe);
	return probe->leads_to;
}

static const struct probe *find_folder(struct rs_file_states *states, const char *path)
{
	struct probe *folder;
	struct stat status;

	HASH_FIND_STR(states->folders, path, folder);
	if (folder)
		return folder;
	folder = rs_arena_new(states->arena, struct probe);
	folder->path = rs_arena_strdup(states->arena, path);
	folder->has_folder = stat(path, &status) == 0;
	if (folder->has_folder)
		folder->folder_mtime_ns = nanoseconds(status.st_mtim);
	HASH_ADD_KEYPTR(hh, states->folders, folder->path, strlen(folder->path), folder);
	return folder;
}

/* The nearest folder that is there: in it the next one on the way to the name would be made. */
bool rs_file_states_is_fresh(struct rs_file_states *states, const char *folder, const char *name,
			     uint64_t started_ns)
{
	char *path = join(states, folder, name);

	for (char *slash; (slash = strrchr(path, '/')) != NULL && slash != path;) {
		*slash = '\0';
		const struct probe *found = find_folder(states, path);

		if (found->has_folder)
			return found->folder_mtime_ns + SETTLING_NS >= started_ns;
	}
	return false;
}
