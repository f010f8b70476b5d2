/*
 * Where in the text of one declaration the specifiers end and each declarator begins and ends.
 */
#ifndef RS_REWRITE_DECLARATORS_H
#define RS_REWRITE_DECLARATORS_H

#include "record/record.h"

struct rs_declarator {
	struct rs_span span; /* attributes included, without the comma */
	size_t start;        /* of the first comment above it, or its own */
	bool ends_in_line_comment;
	size_t end; /* of the comment behind its comma, or of the comma; of the last one: the unit's */
};

struct rs_declarators {
	struct rs_span specifiers;
	struct rs_declarator *items;
	size_t n_items;
};

/* The declaration that begins in `unit` (the first of its parts, when it is divided). False when its text is
 * none that could be divided. */
bool rs_declarators_find(struct rs_arena *arena, const struct rs_record *record, size_t unit,
			 struct rs_declarators *ret_declarators);

#endif
