#include "parse/file_states.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>

#include <uthash.h>

#include "base/file.h"

/* File systems tell times in steps of up to two seconds, and servers keep clocks of their own; those of Linux
 * on this machine go by its clock, in steps of at most 10 ms. */
#define SETTLING_NS       ((uint64_t)2000000000)
#define LOCAL_SETTLING_NS ((uint64_t)50000000)

struct entry {
	const char *path;
	struct rs_file_state state;
	bool is_hashed, is_readable;
	uint64_t hash;
	UT_hash_handle hh;
};

/* A name in a folder, in small letters, as some folders do not tell them apart. */
struct name {
	const char *text;
	UT_hash_handle hh;
};

struct probe {
	const char *path;
	uint64_t leads_to;
	unsigned listing; /* of the folder, from which it was known */
	UT_hash_handle hh;
};

struct folder {
	const char *path;
	bool exists;
	bool is_settled, is_listed;
	uint64_t device, inode, mtime_ns, ctime_ns;
	struct name *names; /* NULL and not is_listed: each name has to be looked for */
	unsigned listing;   /* counts */
	unsigned renewal;   /* when it was last looked at */
	UT_hash_handle hh;
};

struct rs_file_states {
	struct rs_arena *arena;
	struct entry *entries;
	struct probe *probes;
	struct folder *folders;
	unsigned renewal;
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
	for (struct folder *folder = states->folders; folder; folder = (struct folder *)folder->hh.next)
		HASH_CLEAR(hh, folder->names);
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

/* ext2 to ext4, XFS, Btrfs, tmpfs, overlayfs, F2FS, ZFS, bcachefs. */
static bool is_local(const char *path)
{
	static const unsigned long kinds[] = { 0xef53,     0x58465342, 0x9123683e, 0x01021994,
					       0x794c7630, 0xf2f52010, 0x2fc12fc1, 0xca451a4e };
	struct statfs status;

	if (statfs(path, &status) != 0)
		return false;
	for (size_t i = 0; i < RS_COUNT_OF(kinds); i++)
		if (((unsigned long)status.f_type & 0xffffffff) == kinds[i])
			return true;
	return false;
}

/* Whether what got this time could have changed at that moment or later without getting another. */
static bool is_near(uint64_t time_ns, uint64_t moment_ns, const char *path)
{
	if (time_ns + SETTLING_NS < moment_ns)
		return false;
	return time_ns + LOCAL_SETTLING_NS >= moment_ns || !is_local(path);
}

struct rs_file_state rs_file_state_read(const char *path, uint64_t started_ns)
{
	uint64_t moment_ns = started_ns ? started_ns : rs_file_state_now_ns();
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
	state.is_settled =
		!is_near(state.mtime_ns, moment_ns, path) && !is_near(state.ctime_ns, moment_ns, path);
	return state;
}

bool rs_file_state_is_same(const struct rs_file_state *a, const struct rs_file_state *b)
{
	return a->exists == b->exists && a->device == b->device && a->inode == b->inode && a->size == b->size &&
	       a->mtime_ns == b->mtime_ns && a->ctime_ns == b->ctime_ns;
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
	uint64_t found;

	if (stat(path, &status) != 0)
		return 0;
	if (S_ISDIR(status.st_mode))
		return 1;
	char *resolved = realpath(path, NULL);
	if (!resolved)
		return 0;
	found = rs_hash_bytes(resolved, strlen(resolved)) | 2;
	free(resolved);
	return found;
}

/* --- folders --- */

static void make_small(char *text)
{
	for (; *text; text++)
		if (*text >= 'A' && *text <= 'Z')
			*text = (char)(*text - 'A' + 'a');
}

static void list_names(struct rs_file_states *states, struct folder *folder)
{
	DIR *stream = opendir(folder->path);

	HASH_CLEAR(hh, folder->names);
	folder->listing++;
	folder->is_listed = stream != NULL;
	if (!stream)
		return;
	errno = 0;
	for (const struct dirent *entry; (entry = readdir(stream)) != NULL;) {
		struct name *name = rs_arena_new(states->arena, struct name), *known;
		char *text = rs_arena_strdup(states->arena, entry->d_name);

		make_small(text);
		name->text = text;
		HASH_FIND_STR(folder->names, text, known);
		if (!known)
			HASH_ADD_KEYPTR(hh, folder->names, name->text, strlen(name->text), name);
	}
	folder->is_listed = errno == 0;
	closedir(stream);
}

/* What was listed holds when the folder's times are the same, and were not those of that very moment. */
static void renew(struct rs_file_states *states, struct folder *folder)
{
	uint64_t now_ns = rs_file_state_now_ns();
	const struct folder before = *folder;
	struct stat status;

	folder->renewal = states->renewal;
	folder->exists = stat(folder->path, &status) == 0 && S_ISDIR(status.st_mode);
	if (folder->exists) {
		folder->device = (uint64_t)status.st_dev;
		folder->inode = (uint64_t)status.st_ino;
		folder->mtime_ns = nanoseconds(status.st_mtim);
		folder->ctime_ns = nanoseconds(status.st_ctim);
		folder->is_settled = !is_near(folder->mtime_ns, now_ns, folder->path) &&
				     !is_near(folder->ctime_ns, now_ns, folder->path);
	}
	if (before.listing > 0 && before.is_settled && before.exists && folder->exists &&
	    before.device == folder->device && before.inode == folder->inode &&
	    before.mtime_ns == folder->mtime_ns && before.ctime_ns == folder->ctime_ns)
		return;
	list_names(states, folder);
}

static struct folder *find_folder(struct rs_file_states *states, const char *path)
{
	struct folder *folder;

	HASH_FIND_STR(states->folders, path, folder);
	if (!folder) {
		folder = rs_arena_new(states->arena, struct folder);
		folder->path = rs_arena_strdup(states->arena, path);
		folder->renewal = states->renewal - 1;
		HASH_ADD_KEYPTR(hh, states->folders, folder->path, strlen(folder->path), folder);
	}
	if (folder->renewal != states->renewal)
		renew(states, folder);
	return folder;
}

void rs_file_states_renew(struct rs_file_states *states)
{
	states->renewal++;
}

static bool may_have(const struct folder *folder, const char *base)
{
	char small[256];
	size_t length = strlen(base);
	struct name *name;

	if (!folder->is_listed || length >= sizeof small)
		return folder->exists;
	memcpy(small, base, length + 1);
	make_small(small);
	HASH_FIND_STR(folder->names, small, name);
	return name != NULL;
}

uint64_t rs_file_states_probe(struct rs_file_states *states, const char *folder, const char *name)
{
	char *path = join(states, folder, name), *slash = strrchr(path, '/');
	struct probe *probe;

	*slash = '\0';
	struct folder *in = find_folder(states, path[0] ? path : "/");
	*slash = '/';
	if (!in->exists || !may_have(in, slash + 1))
		return 0;
	HASH_FIND_STR(states->probes, path, probe);
	if (!probe) {
		probe = rs_arena_new(states->arena, struct probe);
		probe->path = rs_arena_strdup(states->arena, path);
		HASH_ADD_KEYPTR(hh, states->probes, probe->path, strlen(probe->path), probe);
	}
	if (probe->listing != in->listing) {
		probe->listing = in->listing;
		probe->leads_to = look(probe->path);
	}
	return probe->leads_to;
}

bool rs_file_states_has_folder(struct rs_file_states *states, const char *folder, const char *name)
{
	char *path = join(states, folder, name);
	size_t length = strlen(path);

	if (length > 1 && path[length - 1] == '/')
		path[length - 1] = '\0';
	return find_folder(states, path)->exists;
}

/* The nearest folder that is there: in it the next one on the way to the name would be made. */
bool rs_file_states_is_fresh(struct rs_file_states *states, const char *folder, const char *name,
			     uint64_t started_ns)
{
	char *path = join(states, folder, name);

	for (char *slash; (slash = strrchr(path, '/')) != NULL && slash != path;) {
		*slash = '\0';
		const struct folder *found = find_folder(states, path);

		if (found->exists)
			return is_near(found->mtime_ns, started_ns, path) ||
			       is_near(found->ctime_ns, started_ns, path);
	}
	return false;
}
