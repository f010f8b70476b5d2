/*
 * What the text of a file has to say, apart from the unit that reads it: a tree's units read the same headers
 * again and again. A file is known by its state on disk, and only where that proves that the unit has read the
 * same bytes; unsaved texts never are.
 */
#ifndef RS_PARSE_KNOWN_TEXTS_H
#define RS_PARSE_KNOWN_TEXTS_H

#include <clang-c/Index.h>

#include "parse/file_states.h"
#include "parse/include_names.h"

struct rs_tu;
struct rs_known_texts;

struct rs_known_text {
	const char *path; /* canonical */
	uint64_t hash;    /* rs_hash_bytes() of the text */
	struct rs_include_names names;
	/* Whether it has something that others asked about; what they asked is theirs to tell apart. */
	struct rs_known_answer {
		uint64_t question; /* 0: not asked yet */
		bool is_yes;
	} asserts, spells;
};

struct rs_known_texts *rs_known_texts_create(void);
void rs_known_texts_destroy(struct rs_known_texts *texts);

/* NULL: nothing can be said but by the unit. state: of the file named name, read with the unit's beginning. */
struct rs_known_text *rs_known_texts_find(struct rs_known_texts *texts, const struct rs_tu *tu, CXFile file,
					  const char *name, const struct rs_file_state *state);
/* The same for the file's state of now. */
struct rs_known_text *rs_known_texts_look_up(struct rs_known_texts *texts, const struct rs_tu *tu, CXFile file);

#endif
