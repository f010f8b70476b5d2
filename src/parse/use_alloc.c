#include <string.h>

#include "parse/uses_internal.h"

/* Whether a function of this name gives memory, and not on cache lines: kmem_cache_alloc, aligned_alloc,
 * vmalloc and the like do. */
static bool is_unaligned(const char *name)
{
	static const char *const aligned[] = { "align", "Align", "cache", "slab", "page", "vmalloc", "percpu" };

	if (!strstr(name, "alloc") && !strstr(name, "Alloc") && !strstr(name, "memdup"))
		return false;
	for (size_t i = 0; i < RS_COUNT_OF(aligned); i++)
		if (strstr(name, aligned[i]))
			return false;
	return true;
}

static void pin_held(struct rs_use_walk *walk, CXType type, CXCursor call, const char *name)
{
	bool *found = rs_arena_array(walk->arena, bool, walk->n_records);

	rs_use_find_held(walk, type, found);
	for (size_t record = 0; record < walk->n_records; record++)
		if (found[record])
			rs_use_pin(walk, record, call, "unaligned-allocation", false,
				   "its objects come from %s, which is not known to begin them on a cache line",
				   name);
}

struct sizes {
	struct rs_use_walk *walk;
	CXCursor call;
	const char *name;
};

static enum CXChildVisitResult look_for_size(CXCursor cursor, CXCursor parent, CXClientData data)
{
	const struct sizes *sizes = (const struct sizes *)data;
	CXCursor operand = rs_use_first_child(cursor);

	(void)parent;
	if (clang_getCursorKind(cursor) != CXCursor_UnaryExpr)
		return CXChildVisit_Recurse;
	/* The operand is an expression, or names a type. */
	CXType type = clang_getCursorType(operand);
	if (!clang_Cursor_isNull(operand) && clang_getCanonicalType(type).kind == CXType_Record)
		pin_held(sizes->walk, type, sizes->call, sizes->name);
	return CXChildVisit_Continue;
}

void rs_use_check_unaligned(struct rs_use_walk *walk, CXCursor call, const char *name)
{
	struct sizes sizes = { walk, call, name };

	if (is_unaligned(name))
		clang_visitChildren(call, look_for_size, &sizes);
}

void rs_use_check_allocated(struct rs_use_walk *walk, CXCursor conversion, CXType target)
{
	CXCursor call = rs_use_strip_casts(walk, conversion);
	const char *name;

	if (clang_getCursorKind(call) != CXCursor_CallExpr || target.kind != CXType_Record)
		return;
	name = rs_tu_string(walk->arena, clang_getCursorSpelling(call));
	if (is_unaligned(name))
		pin_held(walk, target, call, name);
}
