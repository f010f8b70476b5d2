/*
 * Files: read whole, replaced whole.
 */
#ifndef RS_BASE_FILE_H
#define RS_BASE_FILE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/path.h"

/* FNV-1a, 64 bits: the fingerprint of a file's bytes in results and caches; not a cryptographic hash. */
uint64_t rs_hash_bytes(const void *bytes, size_t size);

/* Reads a regular file, or what an open pipe (/dev/fd/N, /dev/stdin) gives until it ends. Folders, named pipes
 * and files above 2 GiB are refused. The text is followed by a NUL that does not count. */
struct rs_error *rs_file_read(struct rs_arena *arena, const char *path, char **ret_text,
			      size_t *ret_size) RS_MUST_USE;
struct rs_error *rs_file_read_stdin(struct rs_arena *arena, char **ret_text, size_t *ret_size) RS_MUST_USE;

/* Writes to a temporary in the same folder and renames it over path: a reader sees the old or the new file,
 * never a part. Symbolic links are followed; mode and, where permitted, owner of an existing file are kept,
 * other hard links keep the old bytes. A read-only file is not replaced. A device or descriptor (/dev/null,
 * /dev/stdout) is written to as it is. For a product; rs_replace_files() is for files that were analysed. */
struct rs_error *rs_file_write(const char *path, const char *text, size_t size) RS_MUST_USE;

bool rs_file_exists(const char *path);
bool rs_file_is_directory(const char *path);

/* For tests: called before each step with the caller's path; when it gives an errno, the step fails with it. */
enum rs_file_step {
	RS_FILE_READ,
	RS_FILE_CREATE,
	RS_FILE_WRITE,
	RS_FILE_MODE,
	RS_FILE_SYNC,
	RS_FILE_LINK, /* of a backup: failing falls back to a copy */
	RS_FILE_RENAME,
	RS_FILE_RESTORE,
	RS_FILE_JOURNAL, /* made and written */
	RS_FILE_REMOVE,  /* of a temporary, a backup, the journal: cannot fail */
};
typedef int (*rs_file_fault_fn)(enum rs_file_step step, const char *path);
void rs_file_set_fault(rs_file_fault_fn fault); /* NULL: none */

#endif
