#include "base/stage.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "base/path.h"

enum { MAX_LINKS = 40 };

static rs_file_fault_fn fault_hook;

void rs_file_set_fault(rs_file_fault_fn fault)
{
	fault_hook = fault;
}

bool rs_stage_fails(enum rs_file_step step, const char *path)
{
	int code = fault_hook ? fault_hook(step, path) : 0;

	if (code)
		errno = code;
	return code != 0;
}

struct rs_error *rs_stage_error(const char *path, const char *action, int code)
{
	return rs_error_create(RS_ERROR_IO, path, 0, 0, "cannot %s: %s", action, strerror(code));
}

/* A named pipe would block until somebody comes. */
struct rs_error *rs_stage_refuse_mode(const char *path, const char *action, mode_t mode)
{
	if (S_ISDIR(mode))
		return rs_stage_error(path, action, EISDIR);
	return rs_error_create(RS_ERROR_IO, path, 0, 0, "cannot %s: not a regular file", action);
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static bool is_missing(const char *path)
{
	struct stat status;

	return lstat(path, &status) < 0 && errno == ENOENT;
}

/* Follows symbolic links, also one that leads to a file that is yet to be made. NULL and errno on failure. */
static char *resolve(struct rs_arena *arena, const char *path)
{
	char link[PATH_MAX];

	for (int i = 0; i < MAX_LINKS; i++) {
		char *real = realpath(path, link);
		if (real)
			return rs_arena_strdup(arena, real);
		if (errno != ENOENT)
			return NULL;
		ssize_t length = readlink(path, link, sizeof link - 1);
		if (length < 0)
			return is_missing(path) ? rs_arena_strdup(arena, path) : NULL;
		link[length] = '\0';
		path = rs_path_absolute(arena, rs_path_directory(arena, path), link);
	}
	errno = ELOOP;
	return NULL;
}

struct rs_error *rs_stage_find_target(struct rs_arena *arena, const char *path, struct rs_staged *staged)
{
	staged->path = path;
	staged->target = resolve(arena, path);
	if (!staged->target)
		return rs_stage_error(path, "write", errno);
	staged->exists = stat(staged->target, &staged->status) == 0;
	if (!staged->exists && errno != ENOENT)
		return rs_stage_error(path, "write", errno);
	if (!staged->exists)
		return NULL;
	if (!S_ISREG(staged->status.st_mode))
		return rs_stage_refuse_mode(path, "write", staged->status.st_mode);
	/* The folder alone decides whether a rename works; a file made read-only is meant to stay. */
	if (faccessat(AT_FDCWD, staged->target, W_OK, AT_EACCESS) < 0)
		return rs_stage_error(path, "write", errno);
	return NULL;
}

char *rs_stage_name(struct rs_arena *arena, const char *target)
{
	static atomic_uint counter;
	struct timespec now;
	struct stat status;
	char *name;

	do {
		clock_gettime(CLOCK_REALTIME, &now);
		name = rs_arena_printf(arena, "%s/" RS_STAGE_PREFIX "%lx-%lx-%x",
				       rs_path_directory(arena, target), (long)getpid(), now.tv_nsec,
				       atomic_fetch_add(&counter, 1u));
	} while (lstat(name, &status) == 0);
	return name;
}

/* A new file. It is readable for its owner alone until the target's mode is known to hold. */
static int create_file(const struct rs_staged *staged, const char *name)
{
	if (rs_stage_fails(RS_FILE_CREATE, staged->path))
		return -1;
	return open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, staged->exists ? 0600 : 0666);
}

bool rs_stage_write_all(int fd, const char *path, const char *text, size_t size)
{
	while (size > 0) {
		ssize_t n = rs_stage_fails(RS_FILE_WRITE, path) ? -1 : write(fd, text, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		text += n;
		size -= (size_t)n;
	}
	return true;
}

bool rs_stage_sync(int fd, const char *path)
{
	if (!rs_stage_fails(RS_FILE_SYNC, path) && fsync(fd) == 0)
		return true;
	return errno == EINVAL || errno == ENOTSUP || errno == ENOSYS;
}

/* Owner and group where that is permitted; special mode bits only together with them. */
static bool copy_mode(int fd, const struct rs_staged *staged)
{
	mode_t mode = staged->status.st_mode & 07777;
	struct stat made;

	if (!staged->exists)
		return true;
	if (fchown(fd, staged->status.st_uid, staged->status.st_gid) < 0)
		(void)!fchown(fd, (uid_t)-1, staged->status.st_gid);
	if (fstat(fd, &made) < 0)
		return false;
	if (made.st_uid != staged->status.st_uid || made.st_gid != staged->status.st_gid)
		mode &= 0777;
	return !rs_stage_fails(RS_FILE_MODE, staged->path) && fchmod(fd, mode) == 0;
}

/* An access list narrows what the mode's group bits say, so it is copied or the file is not made. */
static bool copy_attribute(int fd, int from, const char *name)
{
	char value[4096];
	ssize_t size = fgetxattr(from, name, value, sizeof value);

	if (size < 0 || fsetxattr(fd, name, value, (size_t)size, 0) == 0)
		return true;
	return strcmp(name, "system.posix_acl_access") != 0;
}

static bool copy_attributes(int fd, const struct rs_staged *staged)
{
	char names[4096];
	RS_CLEANUP(close_fd) int from = staged->exists ? open(staged->target, O_RDONLY | O_CLOEXEC) : -1;
	ssize_t size = from >= 0 ? flistxattr(from, names, sizeof names) : 0;

	for (ssize_t at = 0; at < size; at += (ssize_t)strlen(names + at) + 1)
		if (!copy_attribute(fd, from, names + at))
			return false;
	return true;
}

struct rs_error *rs_stage_bytes(const struct rs_staged *staged, const char *name, const char *text, size_t size)
{
	int fd = create_file(staged, name);

	if (fd < 0)
		return rs_stage_error(staged->path, "write", errno);
	bool done = rs_stage_write_all(fd, staged->path, text, size) && copy_mode(fd, staged) &&
		    copy_attributes(fd, staged) && rs_stage_sync(fd, staged->path);
	int code = errno;
	if (close(fd) < 0 && done) {
		done = false;
		code = errno;
	}
	if (done)
		return NULL;
	unlink(name);
	return rs_stage_error(staged->path, "write", code);
}

void rs_stage_remove(char **name)
{
	if (*name) {
		(void)rs_stage_fails(RS_FILE_REMOVE, *name);
		unlink(*name);
	}
	*name = NULL;
}

struct rs_error *rs_stage_rename(struct rs_staged *staged)
{
	if (rs_stage_fails(RS_FILE_RENAME, staged->path) || rename(staged->temporary, staged->target) < 0)
		return rs_stage_error(staged->path, "write", errno);
	staged->temporary = NULL;
	staged->is_renamed = true;
	return NULL;
}

void rs_stage_sync_directory(const char *folder)
{
	RS_CLEANUP(close_fd) int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0)
		fsync(fd);
}
