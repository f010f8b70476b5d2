/*
 * A main() for fuzz targets where there is no fuzzer: replays the files, and those in the folders, that it is
 * given. Of a small file every beginning is replayed as well: texts that end too early are a fault of their
 * own.
 */
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LONGEST_CUT = 2048 };

static unsigned long n_files;

/* The bytes lie in memory that ends where they end, so that a sanitizer sees a read too far. */
static void run(const uint8_t *data, size_t size)
{
	uint8_t *exact = (uint8_t *)malloc(size ? size : 1);

	if (!exact)
		abort();
	if (size)
		memcpy(exact, data, size);
	LLVMFuzzerTestOneInput(exact, size);
	free(exact);
}

static uint8_t *read_file(const char *path, size_t *ret_size)
{
	FILE *file = fopen(path, "rb");
	uint8_t *data = NULL;
	size_t size = 0, n;

	if (!file) {
		perror(path);
		exit(1);
	}
	do {
		data = (uint8_t *)realloc(data, size + 65536);
		if (!data)
			abort();
		n = fread(data + size, 1, 65536, file);
		size += n;
	} while (n > 0);
	fclose(file);
	*ret_size = size;
	return data;
}

static int replay(const char *path, const struct stat *status, int flag, struct FTW *at)
{
	size_t size;

	(void)status;
	(void)at;
	if (flag != FTW_F)
		return flag == FTW_NS || flag == FTW_DNR ? -1 : 0;
	uint8_t *data = read_file(path, &size);
	for (size_t cut = size <= LONGEST_CUT ? 0 : size; cut <= size; cut++)
		run(data, cut);
	free(data);
	n_files++;
	return 0;
}

int main(int count, char **arguments)
{
	for (int i = 1; i < count; i++) {
		if (nftw(arguments[i], replay, 16, FTW_PHYS) != 0) {
			fprintf(stderr, "%s: cannot be replayed\n", arguments[i]);
			return 1;
		}
	}
	printf("%lu files replayed\n", n_files);
	return n_files > 0 ? 0 : 1;
}
