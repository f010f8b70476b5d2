/*
 * Which file a translation unit reads from where, and in what order.
 */
#ifndef RS_PARSE_INCLUSIONS_H
#define RS_PARSE_INCLUSIONS_H

#include <clang-c/Index.h>

#include "base/arena.h"

/* One reading of a file; a file without include guard may be read several times. */
struct rs_inclusion {
	CXFile file;
	size_t includer; /* index; SIZE_MAX for the main file and for what the command line includes */
	size_t byte;     /* of the #include in the includer */
};

/* In the order in which reading them starts, but for the main file: it is always the first. */
struct rs_inclusions {
	struct rs_arena *arena;
	struct rs_inclusion *items;
	size_t n_items, items_capacity;
};

struct rs_place {
	CXFile file; /* NULL: no place in a file */
	size_t byte;
};

void rs_inclusions_read(struct rs_arena *arena, CXTranslationUnit unit, struct rs_inclusions *ret_inclusions);
bool rs_inclusions_has(const struct rs_inclusions *inclusions, CXFile file);
/* Whether what stands at place can have a bearing on what file says: it is in the file, in what that includes,
 * or in what is read before. A place without a file always can. */
bool rs_inclusions_affects(const struct rs_inclusions *inclusions, struct rs_place place, CXFile file);

#endif
