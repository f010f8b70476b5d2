#include "parse/tu_internal.h"

#include <string.h>

#include "base/file.h"
#include "parse/tu_state.h"

CXTranslationUnit rs_tu_clang(const struct rs_tu *tu)
{
	return tu->unit;
}

/* libclang finds any file that exists; only what the unit has read counts. */
CXFile rs_tu_file(const struct rs_tu *tu, const char *path)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *scratch = rs_arena_create();
	CXFile file = clang_getFile(tu->unit, rs_path_canonical(scratch, path));

	return file && rs_inclusions_has(&tu->inclusions, file) ? file : NULL;
}

const char *rs_tu_requested_path(const struct rs_tu *tu)
{
	return tu->requested_path;
}

CXFile rs_tu_requested_file(const struct rs_tu *tu)
{
	return tu->requested_file;
}

bool rs_tu_has_flag(const struct rs_tu *tu, const char *start)
{
	for (size_t i = 0; i < tu->arguments.n_items; i++)
		if (strncmp(tu->arguments.items[i], start, strlen(start)) == 0)
			return true;
	return false;
}

bool rs_tu_is_cxx(const struct rs_tu *tu)
{
	return tu->is_cxx;
}

bool rs_tu_is_prelude(const struct rs_tu *tu, CXFile file)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *scratch = rs_arena_create();

	return tu->has_prelude && strcmp(rs_tu_string(scratch, clang_getFileName(file)), RS_PRELUDE_PATH) == 0;
}

char *rs_tu_file_path(const struct rs_tu *tu, CXFile file, struct rs_arena *arena)
{
	char *path = rs_tu_string(arena, clang_File_tryGetRealPathName(file));

	(void)tu;
	if (path[0] == '\0')
		path = rs_tu_string(arena, clang_getFileName(file));
	return rs_path_canonical(arena, path);
}

char *rs_tu_shown_path(const struct rs_tu *tu, CXFile file, struct rs_arena *arena)
{
	char *path;

	if (rs_tu_is_prelude(tu, file))
		return rs_arena_strdup(arena, "<types of the profile>");
	path = rs_tu_file_path(tu, file, arena);
	/* One place has one name in all units: databases ask by the canonical path, which is nobody's spelling.
	 */
	if (strcmp(path, tu->requested) == 0 && strcmp(path, tu->requested_path) != 0)
		return rs_arena_strdup(arena, tu->requested_path);
	return rs_arena_strdup(arena, rs_path_below(path, tu->parser->folder));
}

const char *rs_tu_shown_main_file(const struct rs_tu *tu)
{
	if (strcmp(tu->main_file, tu->requested) == 0)
		return tu->requested_path;
	return rs_path_below(tu->main_file, tu->parser->folder);
}

struct rs_error *rs_tu_source(struct rs_tu *tu, CXFile file, struct rs_arena *arena,
			      const struct rs_source **ret_source)
{
	size_t size = 0;
	const char *text = clang_getFileContents(tu->unit, file, &size);
	char *realpath = rs_tu_file_path(tu, file, arena);
	bool is_requested = strcmp(realpath, tu->requested) == 0;

	if (!text)
		return rs_error_create(RS_ERROR_INTERNAL, realpath, 0, 0,
				       "libclang does not give the text of this file");
	*ret_source = rs_source_create(arena, is_requested ? tu->requested_path : realpath, realpath,
				       rs_arena_strndup(arena, text, size), size);
	return NULL;
}

char *rs_tu_string(struct rs_arena *arena, CXString string)
{
	const char *text = clang_getCString(string);
	char *copy = rs_arena_strdup(arena, text ? text : "");

	clang_disposeString(string);
	return copy;
}
