/*
 * Headers that a project's build installs: programs that others compile see their structs.
 */
#ifndef RS_SESSION_INSTALLED_H
#define RS_SESSION_INSTALLED_H

#include "base/notes.h"
#include "session/build_file.h"

/* What the build files below root say, which is canonical. Memory is arena's. */
struct rs_build_item *rs_installed_read(struct rs_arena *arena, const char *root, struct rs_notes *notes,
					size_t *ret_count);
/* The item that installs the header; NULL: none does. */
const struct rs_build_item *rs_installed_find(const struct rs_build_item *items, size_t n_items,
					      const char *root, const char *realpath);

#endif
