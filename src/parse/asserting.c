#include "parse/asserting.h"

#include <string.h>

#include "parse/tu_state.h"

static bool has_assertions(const char *text, size_t size)
{
	static const char *const words[] = { "tatic_assert", "BUILD_BUG_ON", "ASSERT", "offsetof" };

	for (size_t i = 0; i < RS_COUNT_OF(words); i++)
		if (memmem(text, size, words[i], strlen(words[i])))
			return true;
	return false;
}

static bool asserts(const struct rs_tu *tu, CXFile file)
{
	struct rs_known_text *known = rs_known_texts_look_up(tu->parser->texts, tu, file);
	size_t size = 0;

	if (known && known->asserts.question)
		return known->asserts.is_yes;
	const char *text = clang_getFileContents(tu->unit, file, &size);
	bool has_any = text && has_assertions(text, size);
	if (known)
		known->asserts = (struct rs_known_answer) { 1, has_any };
	return has_any;
}

const char *const *rs_asserting_find(const struct rs_tu *tu, struct rs_arena *arena, size_t *ret_count)
{
	const char **paths = rs_arena_array(arena, const char *, tu->inclusions.n_items);
	size_t count = 0;

	for (size_t i = 0; i < tu->inclusions.n_items; i++) {
		CXFile file = tu->inclusions.items[i].file;

		if (!clang_Location_isInSystemHeader(clang_getLocationForOffset(tu->unit, file, 0)) &&
		    asserts(tu, file))
			paths[count++] = rs_tu_file_path(tu, file, arena);
	}
	*ret_count = count;
	return paths;
}
