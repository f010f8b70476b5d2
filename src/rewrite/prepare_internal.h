/*
 * What the files behind prepare.h share: one text while steps are done to it.
 *
 *   prepare.c        the order of things
 *   prepare_align.c  alignments and added members
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
/* Where lines begin that leave: a blank line above goes, too, where none is needed any more. */
size_t rs_preparing_with_blank_line(const struct rs_preparing *preparing, struct rs_span lines);
/* The blanks that the line of the byte begins with. */
struct rs_span rs_preparing_indent(const struct rs_preparing *preparing, size_t byte);

enum { RS_TAB_COLUMNS = 8 };

/* The column of a byte of the line that starts there. */
size_t rs_preparing_column_of(const char *text, size_t line, size_t byte);
/* The tabs that part the type from a name on a line; none: empty. */
struct rs_span rs_preparing_tabs(const char *text, struct rs_span line);
/* The column in which the names of the units around one stand; 0: in none. */
size_t rs_preparing_column(const struct rs_preparing *preparing, size_t unit);

/* False when it is refused. */
bool rs_prepare_hoist(struct rs_preparing *preparing, const struct rs_alteration *step);
bool rs_prepare_align(struct rs_preparing *preparing, const struct rs_alteration *step);
bool rs_prepare_pad(struct rs_preparing *preparing, const struct rs_alteration *step);

#endif
