/*
 * Compiler flags, from what a build system wrote to what libclang may be given.
 *
 * libclang runs clang's driver on its arguments: some make it fail without a word, some make it write files or
 * print. Build systems mostly write for gcc. So the words are sorted by a table: what reads source and shapes
 * types is kept, what writes, links, warns or debugs is dropped. Flags that the table does not know go
 * through: libclang says which of those it does not know, and tu.c turns that into notes.
 */
#ifndef RS_PARSE_FLAGS_H
#define RS_PARSE_FLAGS_H

#include "base/notes.h"
#include "parse/shell.h"

struct rs_flags {
	struct rs_words words;
	const char *language; /* "c", "c++", "objective-c" …; NULL: the file's suffix says it */
};

/* arguments may start with the compiler, behind wrappers such as ccache. No file name is left, nor any `-x`.
 * directory: where the compiler ran; names of files and folders come out absolute. */
void rs_flags_filter(struct rs_arena *arena, const char *const *arguments, size_t n_arguments,
		     const char *directory, const char *main_file, struct rs_notes *notes,
		     struct rs_flags *ret_flags);
/* For a second try when libclang refuses the flags as a whole: only those that name files or macros or shape
 * types. Without with_cpu, -march= and its like are left out too. */
void rs_flags_essential(struct rs_arena *arena, const struct rs_flags *flags, bool with_cpu,
			struct rs_flags *ret_flags);
/* What is lost when a flag is not taken into account. */
enum rs_flags_effect {
	RS_FLAGS_NONE,    /* nothing that a layout could show */
	RS_FLAGS_READING, /* other text may be read: macros, search path */
	RS_FLAGS_LAYOUT,  /* sizes or offsets may be others, so that the layout cannot be trusted */
};

enum rs_flags_effect rs_flags_find_effect(const char *flag);

#endif
