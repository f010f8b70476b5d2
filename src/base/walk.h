/*
 * The files of a source tree: what a person would call its sources, found without asking any version control.
 *
 * Not entered: folders whose name begins with a dot (version control, patch queues, caches), CVS, node_modules,
 * and build trees, which repeat the sources. Symbolic
 * links are not followed at all, so that everything found lies below the root and is found once.
 */
#ifndef RS_BASE_WALK_H
#define RS_BASE_WALK_H

#include "base/notes.h"

enum {
	RS_WALK_MAX_ENTRIES = 500000,        /* files and folders looked at in one walk */
	RS_WALK_MAX_BYTES = 4 * 1024 * 1024, /* larger files are data */
};

struct rs_walk {
	const char *const *paths; /* absolute, symbolic links resolved; folder by folder, sorted by bytes */
	size_t n_paths;
};

/* Whether a file of this name (no folders) is asked for. */
typedef bool (*rs_walk_wants_fn)(const char *name);

/* wants NULL: every regular file. A note says when max_entries cut the walk short and which folder could not be
 * read; neither is an error. */
struct rs_walk rs_walk_files(struct rs_arena *arena, const char *root, size_t max_entries,
			     rs_walk_wants_fn wants, struct rs_notes *notes);
/* The text of a file with a NUL behind it that does not count. False for a binary file (a NUL in its first
 * 8 KiB), a large one, and one that cannot be read, which is noted. */
bool rs_walk_read(struct rs_arena *arena, const char *path, struct rs_notes *notes, char **ret_text,
		  size_t *ret_size);

#endif
