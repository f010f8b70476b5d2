/*
 * Text edits: replacements of byte spans of the original text.
 */
#ifndef RS_TEXT_EDIT_H
#define RS_TEXT_EDIT_H

#include "text/source.h"

struct rs_edit {
	const struct rs_source *source;
	struct rs_span span; /* of the original bytes */
	const char *text;
	size_t size;
};

/* Applies the edits of one source. Edits are sorted by place and do not overlap. */
void rs_edit_apply(const struct rs_source *source, const struct rs_edit *edits, size_t count,
		   struct rs_builder *out);
/* By real path and place; edits at one place keep their order. */
void rs_edit_sort(struct rs_arena *arena, struct rs_edit *edits, size_t count);
/* The edits that undo edits: spans are those of the edited text. arena owns the result. */
struct rs_edit *rs_edit_invert(struct rs_arena *arena, const struct rs_source *edited,
			       const struct rs_edit *edits, size_t count);

#endif
