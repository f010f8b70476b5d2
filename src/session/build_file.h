/*
 * Build files as far as they say which headers they install: meson.build, CMakeLists.txt, Makefile.am,
 * makefiles and the lists of Debian packages. None of their languages is run; what only running them would tell
 * (a condition, a generated name) is not known here.
 */
#ifndef RS_SESSION_BUILD_FILE_H
#define RS_SESSION_BUILD_FILE_H

#include "base/arena.h"

/* One header or folder that is installed, or a pattern for several. */
struct rs_build_item {
	const char *pattern; /* as fnmatch() takes it; variables that the file does not set stand in it */
	const char *folder;  /* that it is relative to: the file's own */
	const char *path;    /* of the build file */
	unsigned line;       /* there, from 1 */
	bool is_folder;      /* all that lies below it */
	bool anywhere;       /* a recipe may have changed to a folder below */
};

struct rs_build_variable {
	const char *name;
	const char *words; /* parted by blanks */
};

struct rs_build_file {
	struct rs_arena *arena;
	const char *path, *folder;
	const char *text; /* a NUL stands behind it */
	size_t size;
	struct rs_build_item *items;
	size_t n_items, items_capacity;
	struct rs_build_variable *variables;
	size_t n_variables, variables_capacity;
};

/* Each fills items from text. */
void rs_build_make_read(struct rs_build_file *file); /* automake's, too */
void rs_build_cmake_read(struct rs_build_file *file);
void rs_build_meson_read(struct rs_build_file *file);
void rs_build_debian_read(struct rs_build_file *file);

/* --- for those that read one --- */

/* What the name has already stays: of one that is set in several branches all values may hold. */
void rs_build_set(struct rs_build_file *file, const char *name, const char *words);
const char *rs_build_get(const struct rs_build_file *file, const char *name); /* NULL: not set here */
/* The text with $(NAME) and ${NAME} replaced where the file sets NAME. Memory is the file's arena's. */
const char *rs_build_expand(struct rs_build_file *file, const char *text);
/* The next word of text from *at on, without quotes; NULL: none is left. */
const char *rs_build_word(struct rs_arena *arena, const char *text, size_t *at);
bool rs_build_ends_with(const char *word, const char *end);
bool rs_build_is_header(const char *word); /* foo.h, *.hpp, or all of a folder */
/* Whether a word names a place for headers: "$(includedir)/foo", "/usr/include". */
bool rs_build_is_include_folder(const char *word);
void rs_build_add(struct rs_build_file *file, const char *pattern, unsigned line, bool is_folder,
		  bool anywhere);

#endif
