/*
 * Steps of replacing a file by a new one beside it: shared by file.c (one product) and replace.c (a set of
 * analysed files). Each step asks the fault hook of file.h first.
 */
#ifndef RS_BASE_STAGE_H
#define RS_BASE_STAGE_H

#include <sys/stat.h>

#include "base/file.h"

#define RS_STAGE_PREFIX ".restruct-" /* every name beside a target begins with it */

/* One file on its way: the new bytes lie in `temporary` until it is renamed to `target`. */
struct rs_staged {
	const char *path; /* as the caller says it */
	char *target;     /* the file behind symbolic links, absolute if it exists */
	bool exists;
	struct stat status; /* of the target, if it exists */
	char *temporary;    /* NULL once it is renamed or removed */
	char *backup;       /* the original under a second name; NULL when there is none */
	bool is_renamed;
};

/* Whether a test makes this step fail; errno is set then. */
bool rs_stage_fails(enum rs_file_step step, const char *path);
/* RS_ERROR_IO "cannot action: …" with the text of an errno. */
struct rs_error *rs_stage_error(const char *path, const char *action, int code) RS_MUST_USE;
/* Why a file of this mode is neither read nor written. */
struct rs_error *rs_stage_refuse_mode(const char *path, const char *action, mode_t mode) RS_MUST_USE;

/* Fills path, target, exists and status. What is no regular file or is read-only is an error. */
struct rs_error *rs_stage_find_target(struct rs_arena *arena, const char *path,
				      struct rs_staged *staged) RS_MUST_USE;
/* A name beside the target that nothing has. */
char *rs_stage_name(struct rs_arena *arena, const char *target);
/* Puts the bytes into a new file of that name, with the target's mode, owner, access list and attributes, and
 * syncs it. None stays on failure. */
struct rs_error *rs_stage_bytes(const struct rs_staged *staged, const char *name, const char *text,
				size_t size) RS_MUST_USE;
struct rs_error *rs_stage_rename(struct rs_staged *staged) RS_MUST_USE;
/* Removes *name, if any, and sets it to NULL. */
void rs_stage_remove(char **name);
/* Makes what was made, renamed or removed in the folder last. Best effort. */
void rs_stage_sync_directory(const char *folder);
bool rs_stage_write_all(int fd, const char *path, const char *text, size_t size);
/* False and errno on failure; a file system that cannot sync is none. */
bool rs_stage_sync(int fd, const char *path);

#endif
