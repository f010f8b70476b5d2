/*
 * How a file is compiled: compile_commands.json, raw flags, and the compiler's own headers.
 */
#ifndef RS_PARSE_COMPILE_H
#define RS_PARSE_COMPILE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/notes.h"

struct rs_compile_command {
	const char *file;      /* canonical path of the main file */
	const char *directory; /* where the compiler ran; absolute */
	const char *const
		*arguments; /* as the build system wrote them, compiler first; rs_compile_filter() them */
	size_t n_arguments;
	/* By suffix, compiler and -x. Structs are laid out as C shows them; C++ is read for its uses of them.
	 * What else libclang reads (Objective-C) is not for us. */
	bool is_c, is_cxx;
};

/* A compilation database, read once. Several entries for one file are all there, in their order. */
struct rs_compile_db {
	const char *path; /* of compile_commands.json */
	const struct rs_compile_command *commands;
	size_t n_commands;
};

/* Looks for compile_commands.json in each folder from that of file upward, and in its build/ folder;
 * NULL when there is none. arena owns the path. */
char *rs_compile_db_locate(struct rs_arena *arena, const char *file);
/* path: the file, or the folder that holds it. Entries for assembly are left out. Errors name line and column.
 */
struct rs_error *rs_compile_db_read(struct rs_arena *arena, const char *path,
				    struct rs_compile_db *ret_db) RS_MUST_USE;
/* From a compiler's arguments to libclang's: keeps what changes meaning, drops what libclang rejects or what
 * would write files or print; a dropped flag that may matter is noted once (notes may be NULL). The compiler
 * and its wrappers may stand in front; its target and language then become flags. `main_file` (NULL: none) and
 * other input files are dropped; @files are read. Relative names become absolute, against directory: libclang's
 * own -working-directory would change the folder of the whole process. */
void rs_compile_filter(struct rs_arena *arena, const char *const *arguments, size_t n_arguments,
		       const char *directory, const char *main_file, struct rs_notes *notes,
		       const char *const **ret_arguments, size_t *ret_n_arguments);
/* The folder with the compiler's own stddef.h for the libclang that is loaded. requested (option or NULL) >
 * environment RESTRUCT_RESOURCE_DIR > beside the library > the usual places > `clang -print-resource-dir`. */
struct rs_error *rs_compile_resource_directory(struct rs_arena *arena, const char *requested,
					       const char **ret_directory) RS_MUST_USE;

#endif
