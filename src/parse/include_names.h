/*
 * What a text includes, by the text alone: nothing is expanded and no #if is looked at, so that what is found
 * is all that may be included. What cannot be told is said so.
 */
#ifndef RS_PARSE_INCLUDE_NAMES_H
#define RS_PARSE_INCLUDE_NAMES_H

#include "parse/flags.h"

struct rs_include_name {
	const char *name; /* as written between the quotes or the angles */
	bool is_quoted;
};

struct rs_include_names {
	struct rs_include_name *items;
	size_t n_items, items_capacity;
	bool is_unsure; /* includes something whose name is not written there */
	bool asks_more; /* asks whether a file is there that is not named, or takes in one that is no source */
};

/* #include, #import, #include_next; names are found once. Names that __has_include asks for are added, and
 * asks_more is told, when with_tests. */
void rs_include_names_find(struct rs_arena *arena, const char *text, size_t size, bool with_tests,
			   struct rs_include_names *ret_names);

void rs_include_names_add(struct rs_arena *arena, struct rs_include_names *names, const char *name,
			  size_t length, bool is_quoted);

/* Where names are looked for. */
struct rs_include_folders {
	struct rs_words folders; /* of the flags, the environment and the system; each once */
	bool is_unsure;          /* the flags say that headers are elsewhere, too */
};

/* resource_directory: see rs_compile_resource_directory(). */
void rs_include_folders_find(struct rs_arena *arena, const struct rs_words *flags,
			     const char *resource_directory, struct rs_include_folders *ret_folders);
void rs_include_folders_add(struct rs_arena *arena, struct rs_include_folders *folders, const char *folder);

#endif
