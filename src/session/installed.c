#include "session/installed.h"

#include <ctype.h>
#include <fnmatch.h>
#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "base/walk.h"

enum kind { KIND_NONE, KIND_MESON, KIND_CMAKE, KIND_MAKE, KIND_DEBIAN };

static enum kind kind_of(const char *name)
{
	if (strcmp(name, "meson.build") == 0)
		return KIND_MESON;
	if (strcmp(name, "CMakeLists.txt") == 0 || rs_build_ends_with(name, ".cmake"))
		return KIND_CMAKE;
	if (strncmp(name, "Makefile", 8) == 0 || strncmp(name, "makefile", 8) == 0 ||
	    strcmp(name, "GNUmakefile") == 0 || rs_build_ends_with(name, ".am") ||
	    rs_build_ends_with(name, ".mk") || rs_build_ends_with(name, ".mak"))
		return KIND_MAKE;
	return rs_build_ends_with(name, ".install") ? KIND_DEBIAN : KIND_NONE;
}

static bool is_wanted(const char *name)
{
	return kind_of(name) != KIND_NONE;
}

/* What the languages have to say for anything to be installed; most files of a large tree do not. */
static bool may_install(const char *text)
{
	return strstr(text, "install") || strstr(text, "INSTALL") || strstr(text, "_HEADERS") ||
	       strstr(text, "DESTDIR") || strstr(text, "usr/include") || strstr(text, "PUBLIC_HEADER");
}

static void read_file(struct rs_build_file *file, const char *path)
{
	enum kind kind = kind_of(rs_path_basename(path));

	file->path = path;
	file->folder = rs_path_directory(file->arena, path);
	file->n_variables = 0;
	if (kind == KIND_MESON) {
		rs_build_meson_read(file);
	} else if (kind == KIND_CMAKE) {
		rs_build_cmake_read(file);
	} else if (kind == KIND_DEBIAN) {
		file->folder = rs_path_directory(file->arena, file->folder);
		rs_build_debian_read(file);
	} else {
		rs_build_make_read(file);
	}
}

/* --- what an item comes to --- */

/* What the variables in front of a pattern stand for. */
enum base {
	BASE_FOLDER, /* the build file's folder, or there are none */
	BASE_BELOW,  /* some folder below it */
	BASE_ROOT,   /* some folder of the project */
};

static bool is_any_of(const char *name, size_t length, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(names[i]) == length && strncmp(name, names[i], length) == 0)
			return true;
	return false;
}

static enum base base_of(const char *name, size_t length)
{
	static const char *const here[] = { "srcdir", "CMAKE_CURRENT_SOURCE_DIR", "CMAKE_CURRENT_LIST_DIR",
					    "CURDIR" };
	static const char *const tops[] = {
		"top_srcdir",       "abs_top_srcdir", "top_builddir", "PROJECT_SOURCE_DIR",
		"CMAKE_SOURCE_DIR", "top_dir",        "topdir",       "TOP_DIR",
		"TOPDIR",           "ROOT_DIR",       "ROOTDIR"
	};

	if (is_any_of(name, length, here, RS_COUNT_OF(here)))
		return BASE_FOLDER;
	if (is_any_of(name, length, tops, RS_COUNT_OF(tops)) ||
	    (length > 11 && strncmp(name + length - 11, "_SOURCE_DIR", 11) == 0))
		return BASE_ROOT;
	return BASE_BELOW;
}

/* Behind the last variable of a pattern, which its file does not set: $(NAME), ${NAME}, of a shell in a recipe
 * $$NAME, and @NAME@, which configure sets. The pattern where there is none. */
static const char *behind_variables(const char *pattern, enum base *ret_base)
{
	const char *rest = pattern + strspn(pattern, "/");

	/* In front of a slash stood a variable that is empty here. */
	*ret_base = *pattern == '/' ? BASE_BELOW : BASE_FOLDER;
	for (const char *at = pattern; (at = strpbrk(at, "$@"));) {
		const char *name = at + 1 + strspn(at + 1, "$({");
		size_t length = 0;

		while (isalnum((unsigned char)name[length]) || name[length] == '_')
			length++;
		enum base base = base_of(name, length);
		*ret_base = base > *ret_base ? base : *ret_base;
		at = name + length + strspn(name + length, ")}@");
		rest = at + strspn(at, "/");
	}
	return rest;
}

/* Once for each, not for each header that is asked for: it looks at the file system. */
static struct rs_installed resolve(struct rs_arena *arena, const struct rs_build_item *item, const char *root)
{
	enum base base;
	struct rs_installed installed = { .item = *item, .pattern = behind_variables(item->pattern, &base) };

	installed.folder = base == BASE_ROOT ? root : item->folder;
	if (base == BASE_FOLDER) {
		installed.path =
			rs_path_canonical(arena, rs_path_absolute(arena, item->folder, installed.pattern));
		installed.is_there = rs_file_exists(installed.path);
	}
	return installed;
}

struct rs_installed *rs_installed_read(struct rs_arena *arena, const char *root, struct rs_notes *notes,
				       size_t *ret_count)
{
	struct rs_build_file file = { .arena = arena };
	struct rs_walk walk = rs_walk_files(arena, root, RS_WALK_MAX_ENTRIES, is_wanted, notes);
	struct rs_installed *items;

	for (size_t i = 0; i < walk.n_paths; i++) {
		RS_CLEANUP(rs_arena_destroyp) struct rs_arena *scratch = rs_arena_create();
		char *text;

		if (!rs_walk_read(scratch, walk.paths[i], notes, &text, &file.size) || !may_install(text))
			continue;
		file.text = text;
		read_file(&file, walk.paths[i]);
	}
	items = rs_arena_array(arena, struct rs_installed, file.n_items);
	for (size_t i = 0; i < file.n_items; i++)
		items[i] = resolve(arena, &file.items[i], root);
	*ret_count = file.n_items;
	return items;
}

/* --- whether it is about a header --- */

static bool lies_below(const char *path, const char *folder)
{
	return rs_path_below(path, folder) != path;
}

/* Whether the pattern is the end of the header's path below folder. */
static bool is_end(const char *pattern, const char *folder, const char *realpath)
{
	if (!lies_below(realpath, folder))
		return false;
	for (const char *at = rs_path_below(realpath, folder); *at; at += strcspn(at, "/"), at += *at == '/')
		if (fnmatch(pattern, at, FNM_PATHNAME) == 0)
			return true;
	return false;
}

/* Whether all below a folder is meant that the header lies in. */
static bool is_in_folder(const char *pattern, const char *folder, const char *realpath)
{
	const char *rest = lies_below(realpath, folder) ? rs_path_below(realpath, folder) : "";
	size_t length = strlen(pattern);

	while (length > 0 && pattern[length - 1] == '/')
		length--;
	for (; *rest; rest += strcspn(rest, "/"), rest += *rest == '/')
		if (length > 0 && strncmp(rest, pattern, length) == 0 && rest[length] == '/')
			return true;
	return false;
}

static bool is_about(const struct rs_installed *installed, const char *root, const char *realpath)
{
	const struct rs_build_item *item = &installed->item;
	const char *pattern = installed->pattern, *path = installed->path;

	if (!*pattern)
		return false;
	if (path && (item->is_folder ? lies_below(realpath, path) : fnmatch(path, realpath, FNM_PATHNAME) == 0))
		return true;
	if (item->is_folder)
		return !path && is_in_folder(pattern, installed->folder, realpath);
	/* What is meant is the file that is there; else a recipe may have gone to a folder below, or another
	 * file of the build included this one from above. */
	if (installed->is_there)
		return false;
	if (path && !item->anywhere)
		return strchr(pattern, '/') && is_end(pattern, root, realpath);
	return is_end(pattern, installed->folder, realpath);
}

const struct rs_build_item *rs_installed_find(const struct rs_installed *items, size_t n_items,
					      const char *root, const char *realpath)
{
	for (size_t i = 0; i < n_items; i++)
		if (is_about(&items[i], root, realpath))
			return &items[i].item;
	return NULL;
}
