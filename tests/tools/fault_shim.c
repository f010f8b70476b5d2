/*
 * Loaded before libc (LD_PRELOAD): from the moment a run opens its journal, counts the calls that change the
 * file system. RS_SHIM_KILL=N kills the process before the N-th; RS_SHIM_FULL=N makes every write from the N-th
 * on write half of what it should, then fail with ENOSPC.
 */
#undef _FILE_OFFSET_BITS /* both of open and open64 are wanted, as themselves */
#undef _FORTIFY_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int has_begun, n_calls, n_writes;

static int number(const char *name)
{
	const char *text = getenv(name);

	return text ? (int)strtol(text, NULL, 10) : 0;
}

static void count_call(void)
{
	if (has_begun && ++n_calls == number("RS_SHIM_KILL"))
		kill(getpid(), SIGKILL);
}

#define REAL(type, name) type name = (type)dlsym(RTLD_NEXT, &#name[sizeof "real_" - 1])

typedef int (*open_fn)(const char *, int, ...);
typedef int (*two_paths_fn)(const char *, const char *);
typedef int (*one_path_fn)(const char *);
typedef int (*fd_fn)(int);
typedef ssize_t (*write_fn)(int, const void *, size_t);

#pragma GCC visibility push(default)

int open(const char *path, int flags, ...)
{
	REAL(open_fn, real_open);
	va_list arguments;

	va_start(arguments, flags);
	mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
	va_end(arguments);
	if ((flags & O_CREAT) != 0 && strstr(path, ".restruct-journal"))
		has_begun = 1;
	if ((flags & O_CREAT) != 0)
		count_call();
	return real_open(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
	va_list arguments;

	va_start(arguments, flags);
	mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
	va_end(arguments);
	return open(path, flags, mode);
}

int rename(const char *from, const char *to)
{
	REAL(two_paths_fn, real_rename);

	count_call();
	return real_rename(from, to);
}

int link(const char *from, const char *to)
{
	REAL(two_paths_fn, real_link);

	count_call();
	return real_link(from, to);
}

int unlink(const char *path)
{
	REAL(one_path_fn, real_unlink);

	count_call();
	return real_unlink(path);
}

int fsync(int fd)
{
	REAL(fd_fn, real_fsync);

	count_call();
	return real_fsync(fd);
}

ssize_t write(int fd, const void *bytes, size_t size)
{
	REAL(write_fn, real_write);
	int full = number("RS_SHIM_FULL");

	if (fd <= STDERR_FILENO || !has_begun)
		return real_write(fd, bytes, size);
	count_call();
	if (full == 0 || ++n_writes < full)
		return real_write(fd, bytes, size);
	if (n_writes == full && size > 1)
		return real_write(fd, bytes, size / 2);
	errno = ENOSPC;
	return -1;
}

#pragma GCC visibility pop
