/*
 * For tests that need files: a folder of their own, removed with all that is in it.
 */
#ifndef RS_TESTS_UNIT_SCRATCH_H
#define RS_TESTS_UNIT_SCRATCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char scratch_root[PATH_MAX];

__attribute__((unused)) static int scratch_make(void **state)
{
	const char *base = getenv("TMPDIR");

	(void)state;
	snprintf(scratch_root, sizeof scratch_root, "%s/restruct-test-XXXXXX", base && *base ? base : "/tmp");
	return mkdtemp(scratch_root) ? 0 : -1;
}

static int scratch_remove_one(const char *path, const struct stat *status, int flag, struct FTW *at)
{
	(void)status;
	(void)flag;
	(void)at;
	return remove(path);
}

__attribute__((unused)) static int scratch_remove(void **state)
{
	(void)state;
	return nftw(scratch_root, scratch_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* The path of a name in the folder; the last eight results stay valid. */
__attribute__((unused)) static const char *scratch_path(const char *name)
{
	static char paths[8][PATH_MAX + 512];
	static unsigned next;
	char *path = paths[next++ % 8];

	snprintf(path, sizeof paths[0], "%s/%s", scratch_root, name);
	return path;
}

/* Writes without any of the code under test. */
__attribute__((unused)) static void scratch_write(const char *name, const void *bytes, size_t size)
{
	FILE *file = fopen(scratch_path(name), "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

/* The bytes of a file and a NUL; the caller frees them. */
__attribute__((unused)) static char *scratch_read(const char *name, size_t *ret_size)
{
	FILE *file = fopen(scratch_path(name), "rb");

	assert_non_null(file);
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	size_t size = (size_t)ftell(file);
	rewind(file);
	char *bytes = (char *)calloc(1, size + 1);
	assert_int_equal(fread(bytes, 1, size, file), size);
	fclose(file);
	if (ret_size)
		*ret_size = size;
	return bytes;
}

__attribute__((unused)) static void scratch_expect(const char *name, const void *bytes, size_t size)
{
	size_t found_size;
	char *found = scratch_read(name, &found_size);

	if (found_size != size || memcmp(found, bytes, size) != 0) {
		fprintf(stderr, "--- expected %s\n%.*s\n--- found\n%s\n", name, (int)size, (const char *)bytes,
			found);
		fail_msg("%s: %zu bytes, expected %zu others", name, found_size, size);
	}
	free(found);
}

/* Runs a shell command in the folder; gives its exit status. */
__attribute__((unused)) __attribute__((format(printf, 1, 2))) static int scratch_run(const char *format, ...)
{
	char command[4096];
	va_list arguments;
	int length = snprintf(command, sizeof command, "cd '%s' && ", scratch_root);

	va_start(arguments, format);
	vsnprintf(command + length, sizeof command - (size_t)length, format, arguments);
	va_end(arguments);
	int status = system(command);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#endif
