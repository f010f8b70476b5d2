#include "parse/inclusions.h"
#include "parse/identity.h"

static bool same_file(CXFile a, CXFile b)
{
	return a && b && rs_identity_is_same(a, b);
}

/* The reading of the file that goes on when something new is included from it: the latest. */
static size_t find_latest(const struct rs_inclusions *inclusions, CXFile file)
{
	for (size_t i = inclusions->n_items; i-- > 0;)
		if (same_file(inclusions->items[i].file, file))
			return i;
	return SIZE_MAX;
}

static void add(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
	struct rs_inclusions *inclusions = (struct rs_inclusions *)data;
	struct rs_inclusion inclusion = { .file = file, .includer = SIZE_MAX };
	CXFile from = NULL;
	unsigned byte = 0;

	if (depth > 0)
		clang_getFileLocation(stack[0], &from, NULL, NULL, &byte);
	if (from) {
		inclusion.includer = find_latest(inclusions, from);
		inclusion.byte = byte;
	}
	*rs_array_push(inclusions->arena, inclusions->items, inclusions->n_items, inclusions->items_capacity) =
		inclusion;
}

void rs_inclusions_read(struct rs_arena *arena, CXTranslationUnit unit, struct rs_inclusions *ret_inclusions)
{
	*ret_inclusions = (struct rs_inclusions) { .arena = arena };
	clang_getInclusions(unit, add, ret_inclusions);
}

bool rs_inclusions_has(const struct rs_inclusions *inclusions, CXFile file)
{
	return find_latest(inclusions, file) != SIZE_MAX;
}

static bool is_inside(const struct rs_inclusions *inclusions, size_t reading, CXFile file)
{
	for (size_t i = reading; i != SIZE_MAX; i = inclusions->items[i].includer)
		if (same_file(inclusions->items[i].file, file))
			return true;
	return false;
}

/* What the command line includes is read before the main file, though libclang lists it behind. */
static bool is_from_command_line(const struct rs_inclusions *inclusions, size_t reading)
{
	while (inclusions->items[reading].includer != SIZE_MAX)
		reading = inclusions->items[reading].includer;
	return reading > 0;
}

/* Among the readings on the way from the main file to file, does place's file stand, and before the #include
 * that leads on? */
static bool is_before_on_the_way(const struct rs_inclusions *inclusions, struct rs_place place, size_t reading,
				 bool *on_the_way)
{
	for (size_t i = reading; inclusions->items[i].includer != SIZE_MAX; i = inclusions->items[i].includer) {
		if (!same_file(inclusions->items[inclusions->items[i].includer].file, place.file))
			continue;
		*on_the_way = true;
		if (place.byte < inclusions->items[i].byte)
			return true;
	}
	return false;
}

bool rs_inclusions_affects(const struct rs_inclusions *inclusions, struct rs_place place, CXFile file)
{
	size_t last = find_latest(inclusions, file);
	bool on_the_way = false;

	if (!place.file || last == SIZE_MAX)
		return true;
	for (size_t i = 0; i <= last; i++)
		if (same_file(inclusions->items[i].file, file) &&
		    is_before_on_the_way(inclusions, place, i, &on_the_way))
			return true;
	for (size_t i = 0; i < inclusions->n_items; i++) {
		if (!same_file(inclusions->items[i].file, place.file))
			continue;
		if (is_inside(inclusions, i, file) || is_from_command_line(inclusions, i) ||
		    (i < last && !on_the_way))
			return true;
	}
	return false;
}
