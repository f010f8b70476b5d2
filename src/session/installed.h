/*
 * Headers that a project's build installs: programs that others compile see their structs.
 */
#ifndef RS_SESSION_INSTALLED_H
#define RS_SESSION_INSTALLED_H

#include "base/notes.h"
#include "session/build_file.h"

/* An item, and what it comes to in the tree. */
struct rs_installed {
	struct rs_build_item item;
	const char *pattern; /* behind the variables in front of it */
	const char *folder;  /* that it is looked for below */
	const char *path;    /* the pattern in the build file's folder; NULL: it is somewhere else */
	bool is_there;       /* a file of that path is */
};

/* What the build files below root say, which is canonical. Memory is arena's. */
struct rs_installed *rs_installed_read(struct rs_arena *arena, const char *root, struct rs_notes *notes,
				       size_t *ret_count);
/* The item that installs the header; NULL: none does. */
const struct rs_build_item *rs_installed_find(const struct rs_installed *items, size_t n_items,
					      const char *root, const char *realpath);

#endif
