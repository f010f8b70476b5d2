#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/stage.h"

enum { MAX_BYTES = INT_MAX };

uint64_t rs_hash_bytes(const void *bytes, size_t size)
{
	const unsigned char *byte = (const unsigned char *)bytes;
	uint64_t hash = 0xcbf29ce484222325;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ byte[i]) * 0x100000001b3;
	return hash;
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
		ssize_t n = rs_stage_fails(RS_FILE_READ, path) ? -1 : read(fd, text + size, room - size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return rs_stage_error(path, "read", errno);
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
		return rs_stage_error(path, "read", errno);
	if (!S_ISREG(ret_status->st_mode) && !is_stream(path, ret_status->st_mode))
		return rs_stage_refuse_mode(path, "read", ret_status->st_mode);
	if (fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK) < 0)
		return rs_stage_error(path, "read", errno);
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

static struct rs_error *write_stream(const char *path, const char *text, size_t size)
{
	RS_CLEANUP(close_fd) int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_APPEND);

	if (fd < 0 || !rs_stage_write_all(fd, path, text, size))
		return rs_stage_error(path, "write", errno);
	return NULL;
}

static struct rs_error *write_file(struct rs_arena *arena, const char *path, const char *text, size_t size)
{
	struct rs_staged staged = { 0 };

	RS_TRY(rs_stage_find_target(arena, path, &staged));
	char *name = rs_stage_name(arena, staged.target);
	RS_TRY(rs_stage_bytes(&staged, name, text, size));
	staged.temporary = name;
	struct rs_error *error = rs_stage_rename(&staged);
	rs_stage_remove(&staged.temporary);
	if (!error)
		rs_stage_sync_directory(rs_path_directory(arena, staged.target));
	return error;
}

struct rs_error *rs_file_write(const char *path, const char *text, size_t size)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	RS_CLEANUP(rs_interrupt_release) struct rs_interrupt interrupt;
	struct stat status;

	if (stat(path, &status) == 0 && (is_descriptor(path) || is_stream(path, status.st_mode))) {
		interrupt.is_held = false;
		return write_stream(path, text, size);
	}
	rs_interrupt_hold(&interrupt);
	return write_file(arena, path, text, size);
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
