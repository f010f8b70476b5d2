#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/path.h"

enum { MAX_BYTES = INT_MAX, MAX_LINKS = 40 };

uint64_t rs_hash_bytes(const void *bytes, size_t size)
{
	const unsigned char *byte = (const unsigned char *)bytes;
	uint64_t hash = 0xcbf29ce484222325;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ byte[i]) * 0x100000001b3;
	return hash;
}

static rs_file_fault_fn fault_hook;

void rs_file_set_fault(rs_file_fault_fn fault)
{
	fault_hook = fault;
}

/* Whether a test makes this step fail; errno is set then. */
static bool fails(enum rs_file_step step, const char *path)
{
	int code = fault_hook ? fault_hook(step, path) : 0;

	if (code)
		errno = code;
	return code != 0;
}

static struct rs_error *io_error(const char *path, const char *action, int code)
{
	return rs_error_create(RS_ERROR_IO, path, 0, 0, "cannot %s: %s", action, strerror(code));
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

/* A path that stands for an open descriptor, as the shell's <(command) gives it. */
static bool is_descriptor(const char *path)
{
	static const char *const roots[] = { "/dev/fd/", "/dev/std", "/proc/self/fd/" };

	for (size_t i = 0; i < RS_COUNT_OF(roots); i++) {
		if (strncmp(path, roots[i], strlen(roots[i])) == 0)
			return true;
	}
	return false;
}

static bool is_stream(const char *path, mode_t mode)
{
	return is_descriptor(path) ? !S_ISDIR(mode) && !S_ISREG(mode) : S_ISCHR(mode);
}

/* Why a file of this mode is neither read nor written. A named pipe would block until somebody comes. */
static struct rs_error *refuse_mode(const char *path, const char *action, mode_t mode)
{
	if (S_ISDIR(mode))
		return io_error(path, action, EISDIR);
	return rs_error_create(RS_ERROR_IO, path, 0, 0, "cannot %s: not a regular file", action);
}

static struct rs_error *too_large(const char *path)
{
	return rs_error_create(RS_ERROR_IO, path, 0, 0, "cannot read: larger than 2 GiB");
}

static struct rs_error *read_all(struct rs_arena *arena, int fd, const char *path, size_t expected,
				 char **ret_text, size_t *ret_size)
{
	size_t room = expected + 1, size = 0;
	char *text = (char *)rs_arena_alloc(arena, room + 1);

	for (;;) {
		ssize_t n = fails(RS_FILE_READ, path) ? -1 : read(fd, text + size, room - size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return io_error(path, "read", errno);
		if (n == 0)
			break;
		size += (size_t)n;
		if (size > MAX_BYTES)
			return too_large(path);
		if (size == room) {
			char *moved = (char *)rs_arena_alloc(arena, room * 2 + 1);
			text = (char *)memcpy(moved, text, size);
			room *= 2;
		}
	}
	text[size] = '\0';
	*ret_text = text;
	*ret_size = size;
	return NULL;
}

/* Opens for reading without waiting for a pipe's other end, then makes reads wait again. */
static struct rs_error *open_for_reading(const char *path, int *ret_fd, struct stat *ret_status)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	*ret_fd = fd;
	if (fd < 0 || fstat(fd, ret_status) < 0)
		return io_error(path, "read", errno);
	if (!S_ISREG(ret_status->st_mode) && !is_stream(path, ret_status->st_mode))
		return refuse_mode(path, "read", ret_status->st_mode);
	if (fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK) < 0)
		return io_error(path, "read", errno);
	return NULL;
}

struct rs_error *rs_file_read(struct rs_arena *arena, const char *path, char **ret_text, size_t *ret_size)
{
	RS_CLEANUP(close_fd) int fd = -1;
	struct stat status;

	RS_TRY(open_for_reading(path, &fd, &status));
	if (status.st_size > MAX_BYTES)
		return too_large(path);
	return read_all(arena, fd, path, status.st_size > 0 ? (size_t)status.st_size : 4096, ret_text,
			ret_size);
}

struct rs_error *rs_file_read_stdin(struct rs_arena *arena, char **ret_text, size_t *ret_size)
{
	return read_all(arena, STDIN_FILENO, "<stdin>", 65536, ret_text, ret_size);
}

/* One file on its way: the new bytes lie in `temporary` until it is renamed to `target`. */
struct staged {
	const char *path; /* as the caller says it */
	char *target;     /* the file behind symbolic links */
	bool exists;
	struct stat status; /* of the target, if it exists */
	char *temporary;    /* NULL once it is renamed or removed */
	char *backup;       /* the original under a second name; NULL when there is none */
	bool is_renamed;
};

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

static struct rs_error *find_target(struct rs_arena *arena, const char *path, struct staged *staged)
{
	staged->path = path;
	staged->target = resolve(arena, path);
	if (!staged->target)
		return io_error(path, "write", errno);
	staged->exists = stat(staged->target, &staged->status) == 0;
	if (!staged->exists && errno != ENOENT)
		return io_error(path, "write", errno);
	if (!staged->exists)
		return NULL;
	if (!S_ISREG(staged->status.st_mode))
		return refuse_mode(path, "write", staged->status.st_mode);
	/* The folder alone decides whether a rename works; a file made read-only is meant to stay. */
	if (faccessat(AT_FDCWD, staged->target, W_OK, AT_EACCESS) < 0)
		return io_error(path, "write", errno);
	return NULL;
}

static char *temporary_name(struct rs_arena *arena, const char *target)
{
	static atomic_uint counter;
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return rs_arena_printf(arena, "%s/.restruct-%lx-%lx-%x", rs_path_directory(arena, target),
			       (long)getpid(), now.tv_nsec, atomic_fetch_add(&counter, 1u));
}

/* A new file beside the target. It is readable for its owner alone until the target's mode is known to hold. */
static int create_temporary(struct rs_arena *arena, const struct staged *staged, char **ret_name)
{
	for (int i = 0; i < 100; i++) {
		char *name = temporary_name(arena, staged->target);
		int fd = fails(RS_FILE_CREATE, staged->path)
				 ? -1
				 : open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
					staged->exists ? 0600 : 0666);

		if (fd >= 0)
			*ret_name = name;
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

static bool write_all(int fd, const char *path, const char *text, size_t size)
{
	while (size > 0) {
		ssize_t n = fails(RS_FILE_WRITE, path) ? -1 : write(fd, text, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		text += n;
		size -= (size_t)n;
	}
	return true;
}

/* Some file systems cannot sync; that is no failure to write. */
static bool sync_fd(int fd, const char *path)
{
	if (!fails(RS_FILE_SYNC, path) && fsync(fd) == 0)
		return true;
	return errno == EINVAL || errno == ENOTSUP || errno == ENOSYS;
}

/* Owner and group where that is permitted; special mode bits only together with them. */
static bool copy_mode(int fd, const struct staged *staged)
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
	return !fails(RS_FILE_MODE, staged->path) && fchmod(fd, mode) == 0;
}

/* Puts the bytes into a new temporary; none stays on failure. */
static struct rs_error *stage_bytes(struct rs_arena *arena, const struct staged *staged, const char *text,
				    size_t size, char **ret_name)
{
	char *name = NULL;
	int fd = create_temporary(arena, staged, &name);

	if (fd < 0)
		return io_error(staged->path, "write", errno);
	bool done =
		write_all(fd, staged->path, text, size) && copy_mode(fd, staged) && sync_fd(fd, staged->path);
	int code = errno;
	if (close(fd) < 0 && done) {
		done = false;
		code = errno;
	}
	if (!done) {
		unlink(name);
		return io_error(staged->path, "write", code);
	}
	*ret_name = name;
	return NULL;
}

static void remove_file(char **name)
{
	if (*name)
		unlink(*name);
	*name = NULL;
}

static struct rs_error *rename_staged(struct staged *staged)
{
	if (fails(RS_FILE_RENAME, staged->path) || rename(staged->temporary, staged->target) < 0)
		return io_error(staged->path, "write", errno);
	staged->temporary = NULL;
	staged->is_renamed = true;
	return NULL;
}

/* Makes the rename last. The new bytes are in place whatever comes of it. */
static void sync_directory(struct rs_arena *arena, const char *target)
{
	RS_CLEANUP(close_fd)
	int fd = open(rs_path_directory(arena, target), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0)
		fsync(fd);
}

static struct rs_error *write_stream(const char *path, const char *text, size_t size)
{
	RS_CLEANUP(close_fd) int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_APPEND);

	if (fd < 0 || !write_all(fd, path, text, size))
		return io_error(path, "write", errno);
	return NULL;
}

struct rs_error *rs_file_write(const char *path, const char *text, size_t size)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	struct staged staged = { 0 };
	struct stat status;

	if (stat(path, &status) == 0 && (is_descriptor(path) || is_stream(path, status.st_mode)))
		return write_stream(path, text, size);
	RS_TRY(find_target(arena, path, &staged));
	RS_TRY(stage_bytes(arena, &staged, text, size, &staged.temporary));
	struct rs_error *error = rename_staged(&staged);
	remove_file(&staged.temporary);
	if (!error)
		sync_directory(arena, staged.target);
	return error;
}

static struct rs_error *check_distinct(const struct staged *staged, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < i; j++) {
			if (staged[i].status.st_dev == staged[j].status.st_dev &&
			    staged[i].status.st_ino == staged[j].status.st_ino)
				return rs_error_create(RS_ERROR_IO, staged[i].path, 0, 0,
						       "cannot write: the same file as %s", staged[j].path);
		}
	}
	return NULL;
}

static struct rs_error *stage_all(struct rs_arena *arena, const struct rs_replacement *replacements,
				  struct staged *staged, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		RS_TRY(find_target(arena, replacements[i].path, &staged[i]));
		if (!staged[i].exists)
			return io_error(replacements[i].path, "write", ENOENT);
	}
	RS_TRY(check_distinct(staged, count));
	for (size_t i = 0; i < count; i++)
		RS_TRY(stage_bytes(arena, &staged[i], replacements[i].text, replacements[i].size,
				   &staged[i].temporary));
	return NULL;
}

/* A second name for the original, so that it can be put back; a copy where the file system has no links. */
static struct rs_error *back_up(struct rs_arena *arena, struct staged *staged, const char *text, size_t size)
{
	char *name = temporary_name(arena, staged->target);

	if (!fails(RS_FILE_LINK, staged->path) && link(staged->target, name) == 0) {
		staged->backup = name;
		return NULL;
	}
	return stage_bytes(arena, staged, text, size, &staged->backup);
}

static struct rs_error *check_unchanged(struct rs_arena *arena, const struct rs_replacement *replacement,
					struct staged *staged, bool needs_backup)
{
	char *text;
	size_t size;

	RS_TRY(rs_file_read(arena, staged->target, &text, &size));
	if (rs_hash_bytes(text, size) != replacement->expected_hash)
		return rs_error_create(RS_ERROR_CHANGED, replacement->path, 0, 0,
				       "the file has changed since it was analysed; nothing was written");
	return needs_backup ? back_up(arena, staged, text, size) : NULL;
}

/* Puts the originals back. Where even that fails the backup stays, and the error says where it is. */
static struct rs_error *roll_back(struct staged *staged, size_t count, struct rs_error *error)
{
	for (size_t i = count; i-- > 0;) {
		if (!staged[i].is_renamed)
			continue;
		if (fails(RS_FILE_RESTORE, staged[i].path) || rename(staged[i].backup, staged[i].target) < 0)
			error = rs_error_prefix(error, "%s could not be put back (%s), its old text is in %s",
						staged[i].path, strerror(errno), staged[i].backup);
		staged[i].backup = NULL;
	}
	return error;
}

static struct rs_error *replace_all(struct rs_arena *arena, const struct rs_replacement *replacements,
				    struct staged *staged, size_t count)
{
	struct rs_error *error = NULL;

	RS_TRY(stage_all(arena, replacements, staged, count));
	for (size_t i = 0; i < count; i++)
		RS_TRY(check_unchanged(arena, &replacements[i], &staged[i], count > 1));
	for (size_t i = 0; i < count && !error; i++)
		error = rename_staged(&staged[i]);
	return error ? roll_back(staged, count, error) : NULL;
}

struct rs_error *rs_file_replace(const struct rs_replacement *replacements, size_t count)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	struct staged *staged = rs_arena_array(arena, struct staged, count);
	struct rs_error *error = replace_all(arena, replacements, staged, count);

	for (size_t i = 0; i < count; i++) {
		remove_file(&staged[i].temporary);
		remove_file(&staged[i].backup);
		if (!error)
			sync_directory(arena, staged[i].target);
	}
	return error;
}

bool rs_file_exists(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0;
}

bool rs_file_is_directory(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}
