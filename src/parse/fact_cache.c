#include "parse/fact_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"

/* What every file starts with; the number is that of the format. */
static const char magic[] = "restruct facts 1\n";
static const char suffix[] = ".facts";

enum { DAY = 24 * 60 * 60, TEMPORARY_SECONDS = 60 * 60 };

struct rs_fact_cache {
	struct rs_arena *arena;
	char *folder;
	bool is_changed;
};

/* --- the folder --- */

/* One that belongs to another user could hold anything. */
static bool make_folder(const char *path)
{
	struct stat status;

	if (mkdir(path, 0700) != 0 && errno != EEXIST)
		return false;
	return stat(path, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid();
}

static char *find_folder(struct rs_arena *arena)
{
	const char *given = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char *base;

	/* As the specification has it, a relative one counts as not set. */
	if (given && given[0] == '/')
		base = rs_arena_strdup(arena, given);
	else if (home && home[0] == '/')
		base = rs_arena_printf(arena, "%s/.cache", home);
	else
		return NULL;
	if (mkdir(base, 0700) != 0 && errno != EEXIST)
		return NULL;
	char *folder = rs_arena_printf(arena, "%s/restruct", base);
	return make_folder(folder) ? folder : NULL;
}

struct rs_fact_cache *rs_fact_cache_open(void)
{
	struct rs_arena *arena = rs_arena_create();
	struct rs_fact_cache *cache = rs_arena_new(arena, struct rs_fact_cache);

	cache->arena = arena;
	cache->folder = find_folder(arena);
	if (cache->folder)
		return cache;
	rs_arena_destroy(arena);
	return NULL;
}

void rs_fact_cache_close(struct rs_fact_cache *cache)
{
	if (!cache)
		return;
	if (cache->is_changed)
		rs_fact_cache_trim(cache, (uint64_t)RS_FACT_CACHE_MAX_MIB << 20,
				   (uint64_t)RS_FACT_CACHE_MAX_DAYS * DAY);
	rs_arena_destroy(cache->arena);
}

static char *path_of(const struct rs_fact_cache *cache, struct rs_arena *arena, struct rs_bytes key)
{
	return rs_arena_printf(arena, "%s/%016llx%s", cache->folder,
			       (unsigned long long)rs_hash_bytes(key.data, key.size), suffix);
}

/* --- reading --- */

static bool same_bytes(struct rs_bytes a, const char *data, size_t size)
{
	return a.size == size && (size == 0 || memcmp(a.data, data, size) == 0);
}

/* What stands behind the head is one piece of bytes and its fingerprint. */
static bool read_body(const char *path, struct rs_arena *arena, struct rs_wire *ret_body)
{
	struct rs_wire wire;
	size_t size, body_size;
	char *text;
	struct rs_error *error = rs_file_read(arena, path, &text, &size);

	if (error) {
		rs_error_destroy(error);
		return false;
	}
	if (size < sizeof magic - 1 || memcmp(text, magic, sizeof magic - 1) != 0)
		return false;
	rs_wire_init(&wire, text + sizeof magic - 1, size - (sizeof magic - 1));
	uint64_t fingerprint = rs_wire_get_number(&wire);
	const char *body = rs_wire_get_bytes(&wire, &body_size);
	if (!rs_wire_is_done(&wire) || rs_hash_bytes(body, body_size) != fingerprint)
		return false;
	rs_wire_init(ret_body, body, body_size);
	return true;
}

static bool read_answer(struct rs_wire *body, struct rs_bytes key, struct rs_arena *arena,
			struct rs_dependencies *ret_dependencies, struct rs_bytes *ret_answer)
{
	size_t size;
	const char *bytes = rs_wire_get_bytes(body, &size);

	if (!same_bytes(key, bytes, size))
		return false;
	rs_dependencies_get(body, arena, ret_dependencies);
	ret_answer->data = rs_wire_get_bytes(body, &ret_answer->size);
	return rs_wire_is_done(body);
}

/* Files are as old as their last use, to the day. */
static void touch(const char *path)
{
	struct stat status;

	if (stat(path, &status) == 0 && status.st_mtime + DAY < time(NULL))
		utimensat(AT_FDCWD, path, NULL, 0);
}

bool rs_fact_cache_find(struct rs_fact_cache *cache, struct rs_bytes key, struct rs_file_states *states,
			struct rs_arena *arena, struct rs_dependencies *ret_dependencies,
			struct rs_bytes *ret_answer)
{
	const char *path = path_of(cache, arena, key);
	struct rs_wire body;
	bool is_refreshed;

	if (!read_body(path, arena, &body) || !read_answer(&body, key, arena, ret_dependencies, ret_answer) ||
	    !rs_dependencies_hold(ret_dependencies, states, &is_refreshed))
		return false;
	if (is_refreshed)
		rs_fact_cache_keep(cache, key, ret_dependencies, *ret_answer);
	else
		touch(path);
	return true;
}

/* --- writing --- */

static bool write_all(int to, struct rs_bytes bytes)
{
	while (bytes.size > 0) {
		ssize_t written = write(to, bytes.data, bytes.size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return false;
		bytes.data += written;
		bytes.size -= (size_t)written;
	}
	return true;
}

/* Torn files need no care beyond the rename: their fingerprint does not fit. */
static bool write_aside(const char *path, struct rs_arena *arena, struct rs_bytes bytes)
{
	char *aside = rs_arena_printf(arena, "%s.XXXXXX", path);
	int file = mkostemp(aside, O_CLOEXEC);

	if (file < 0)
		return false;
	bool is_written = write_all(file, bytes);
	if (close(file) == 0 && is_written && rename(aside, path) == 0)
		return true;
	unlink(aside);
	return false;
}

void rs_fact_cache_keep(struct rs_fact_cache *cache, struct rs_bytes key,
			const struct rs_dependencies *dependencies, struct rs_bytes answer)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	RS_CLEANUP(rs_builder_deinit) struct rs_builder body = { 0 };
	RS_CLEANUP(rs_builder_deinit) struct rs_builder file = { 0 };

	if (!dependencies->is_complete)
		return;
	rs_wire_put_bytes(&body, key.data, key.size);
	rs_dependencies_put(dependencies, &body);
	rs_wire_put_bytes(&body, answer.data, answer.size);
	rs_builder_append(&file, magic, sizeof magic - 1);
	rs_wire_put_number(&file, rs_hash_bytes(body.data, body.length));
	rs_wire_put_bytes(&file, body.data, body.length);
	if (write_aside(path_of(cache, arena, key), arena, (struct rs_bytes) { file.data, file.length }))
		cache->is_changed = true;
}

/* --- making room --- */

struct kept {
	const char *name;
	uint64_t size, mtime;
};

struct kept_list {
	struct kept *items;
	size_t n_items, items_capacity;
	uint64_t size;
};

static int newest_first(const void *a, const void *b)
{
	const struct kept *left = (const struct kept *)a, *right = (const struct kept *)b;

	if (left->mtime != right->mtime)
		return left->mtime < right->mtime ? 1 : -1;
	return strcmp(left->name, right->name);
}

/* Ours alone: answers, and what a process that died has left of one. */
static bool is_ours(const char *name, bool *ret_is_temporary)
{
	const char *end = strstr(name, suffix);

	*ret_is_temporary = end && end[sizeof suffix - 1] != '\0';
	return end == name + 16 && strspn(name, "0123456789abcdef") == 16;
}

static void list_files(struct rs_arena *arena, DIR *folder, uint64_t now, uint64_t max_age_seconds,
		       struct kept_list *list)
{
	for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
		struct stat status;
		bool is_temporary;

		if (!is_ours(entry->d_name, &is_temporary) ||
		    fstatat(dirfd(folder), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
			continue;
		uint64_t age = (uint64_t)status.st_mtime < now ? now - (uint64_t)status.st_mtime : 0;
		if (age > (is_temporary ? TEMPORARY_SECONDS : max_age_seconds))
			unlinkat(dirfd(folder), entry->d_name, 0);
		else if (!is_temporary)
			*rs_array_push(arena, list->items, list->n_items, list->items_capacity) =
				(struct kept) { .name = rs_arena_strdup(arena, entry->d_name),
						.size = (uint64_t)status.st_size,
						.mtime = (uint64_t)status.st_mtime };
	}
}

void rs_fact_cache_trim(struct rs_fact_cache *cache, uint64_t max_bytes, uint64_t max_age_seconds)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	struct kept_list list = { 0 };
	DIR *folder = opendir(cache->folder);
	uint64_t size = 0;

	if (!folder)
		return;
	list_files(arena, folder, (uint64_t)time(NULL), max_age_seconds, &list);
	if (list.n_items > 0)
		qsort(list.items, list.n_items, sizeof *list.items, newest_first);
	for (size_t i = 0; i < list.n_items; i++) {
		size += list.items[i].size;
		if (size > max_bytes)
			unlinkat(dirfd(folder), list.items[i].name, 0);
	}
	closedir(folder);
}
