/*
 * Files: read whole, replaced whole.
 */
#ifndef RS_BASE_FILE_H
#define RS_BASE_FILE_H

#include "base/arena.h"
#include "base/error.h"

/* FNV-1a, 64 bits: the fingerprint of a file's bytes in results and caches; not a cryptographic hash. */
uint64_t rs_hash_bytes(const void *bytes, size_t size);

/* Reads a regular file, or what a pipe gives until it ends. The text is followed by a NUL that does not count. */
struct rs_error *rs_file_read(struct rs_arena *arena, const char *path, char **ret_text,
			      size_t *ret_size) RS_MUST_USE;
struct rs_error *rs_file_read_stdin(struct rs_arena *arena, char **ret_text, size_t *ret_size) RS_MUST_USE;

/* Writes to a temporary in the same folder and renames it over path: a reader sees the old or the new file,
 * never a part. For a new file; rs_file_replace() is for one that was analysed. */
struct rs_error *rs_file_write(const char *path, const char *text, size_t size) RS_MUST_USE;

/* One file to be replaced by new bytes, if it still has the bytes that were analysed. */
struct rs_replacement {
	const char *path; /* symbolic links are followed: the file behind is replaced, the link stays */
	uint64_t expected_hash;
	const char *text;
	size_t size;
};
/* All or none: every file is written to a temporary beside it, every original is hashed again, then all are
 * renamed; mode is kept. When a rename fails, those already done are put back. */
struct rs_error *rs_file_replace(const struct rs_replacement *replacements, size_t count) RS_MUST_USE;

bool rs_file_exists(const char *path);
bool rs_file_is_directory(const char *path);
/* Absolute, without symbolic links when the file exists; without "." and ".." in any case. */
char *rs_path_canonical(struct rs_arena *arena, const char *path);
/* path made absolute against base (a folder; NULL: the current one); nothing is resolved. */
char *rs_path_absolute(struct rs_arena *arena, const char *base, const char *path);
char *rs_path_directory(struct rs_arena *arena, const char *path);
const char *rs_path_basename(const char *path);
/* path relative to the folder root where it lies below it, else path itself. */
const char *rs_path_below(const char *path, const char *root);

#endif
