/*
 * Command lines as text: shell quoting, and the @files that compilers read more arguments from.
 */
#ifndef RS_PARSE_SHELL_H
#define RS_PARSE_SHELL_H

#include "base/arena.h"

/* A growing list of words; all zero at the start. */
struct rs_words {
	const char **items;
	size_t n_items, items_capacity;
};

void rs_words_add(struct rs_arena *arena, struct rs_words *words, const char *word);
/* Cuts text as a POSIX shell does: blanks, '…', "…", backslash. Nothing is expanded; a quote that never ends
 * ends with the text. */
void rs_shell_split(struct rs_arena *arena, const char *text, size_t size, struct rs_words *words);
/* Copies words to the end of expanded, with every @file replaced by the words in it; relative names are those
 * of directory. A @file that cannot be read, or that reads itself, stays as it is. */
void rs_shell_expand_files(struct rs_arena *arena, const char *directory, const char *const *words,
			   size_t n_words, struct rs_words *expanded);

#endif
