/*
 * Declarations of several declarators, `int a, *b;`, as units of their own.
 *
 * A divided record has one unit a declarator, with a part of the declaration's text: a comment above it that
 * stands on lines of its own, the declarator with its comma, and the comment behind that on its line. Parts
 * that stay side by side are one declaration still; where they come apart the specifiers are repeated. What
 * cannot be divided so that the text says the same stays one unit: declarations that define a struct, union or
 * enum, bit-fields, those with a comment on the whole, and whatever the record's pins or constraints name.
 */
#ifndef RS_REWRITE_SPLIT_H
#define RS_REWRITE_SPLIT_H

#include "record/record.h"

/* The record divided; the same record when nothing in it can be. Members keep their indices. */
const struct rs_record *rs_split_divide(struct rs_arena *arena, const struct rs_record *record);

bool rs_split_is_divided(const struct rs_record *record);

/* A text in which declarations whose parts come apart in an order are several, one behind the other. */
struct rs_split {
	const struct rs_record *record; /* of that text */
	size_t *order;                  /* the same order, of its units */
};
/* False when no declaration comes apart; ret_split is filled in any case, with the record's own text then. */
bool rs_split_apply(struct rs_arena *arena, const struct rs_record *record, const size_t *order,
		    struct rs_split *ret_split);

#endif
