/*
 * What the files behind prepare.h share: one text while steps are done to it.
 *
 *   prepare.c        the order of things, alignments and added members
 *   prepare_hoist.c  members that leave their anonymous struct or union
 */
#ifndef RS_REWRITE_PREPARE_INTERNAL_H
#define RS_REWRITE_PREPARE_INTERNAL_H

#include "rewrite/prepare.h"
#include "text/edit.h"

struct rs_preparing {
	struct rs_arena *arena;
	const struct rs_record *record;
	const char *text;
	struct rs_edit *edits;
	size_t n_edits, edits_capacity;
	const char *refusal; /* NULL: none so far */
	size_t refusal_byte;
};

/* false, for the caller to hand on. */
bool rs_preparing_refuse(struct rs_preparing *preparing, size_t byte, const char *reason);
void rs_preparing_edit(struct rs_preparing *preparing, struct rs_span span, const char *text, size_t size);
/* The lines that the span stands on, when nothing else does; false when something does. */
bool rs_preparing_lines(const struct rs_preparing *preparing, struct rs_span span, struct rs_span *ret_lines);
/* The blanks that the line of the byte begins with. */
struct rs_span rs_preparing_indent(const struct rs_preparing *preparing, size_t byte);

/* False when it is refused. */
bool rs_prepare_hoist(struct rs_preparing *preparing, const struct rs_alteration *step);

#endif
