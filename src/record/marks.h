/*
 * What the text of a file shows beside its records, read once a file: comments, macros, struct tags, typedefs,
 * declarations that are exported, and constants made from a size.
 */
#ifndef RS_RECORD_MARKS_H
#define RS_RECORD_MARKS_H

#include "text/source.h"

struct rs_mark_macro {
	struct rs_span name;
	struct rs_span parameters; /* between the parentheses; empty: none */
	struct rs_span body;
	bool is_function;
	bool has_brace, has_call; /* a `{`, a `(` in the body */
};

/* A piece of code with the word that made it worth keeping. */
struct rs_mark {
	struct rs_span word, span;
};

struct rs_marks {
	const struct rs_source *source;
	struct rs_arena *arena;
	struct rs_span *comments; /* `//` lines in one column below each other are one comment */
	size_t n_comments, comments_capacity;
	struct rs_mark_macro *macros;
	size_t n_macros, macros_capacity;
	struct rs_span *tags; /* names of the structs that the file defines */
	size_t n_tags, tags_capacity;
	struct rs_mark *typedefs; /* word: the new name; span: what it stands for. Only those without braces */
	size_t n_typedefs, typedefs_capacity;
	struct rs_mark *exports; /* word: the export macro; span: the declaration */
	size_t n_exports, exports_capacity;
	struct rs_mark *constants; /* word: the enumerator or constant; span: its value, which has a sizeof */
	size_t n_constants, constants_capacity;
	size_t first_code; /* byte of the first word that is neither comment nor directive */
};

const struct rs_marks *rs_marks_read(struct rs_arena *arena, const struct rs_source *source);
/* Index of the first comment that begins at or after the byte. */
size_t rs_marks_comment_from(const struct rs_marks *marks, size_t byte);

#endif
