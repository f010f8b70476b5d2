/*
 * One list of values in another order, as text.
 */
#ifndef RS_REWRITE_INITIALIZER_TEXT_H
#define RS_REWRITE_INITIALIZER_TEXT_H

#include "parse/uses.h"

/* A list whose values are to change places. */
struct rs_value_list {
	const struct rs_source *source;
	struct rs_span span;          /* between the braces */
	const struct rs_span *values; /* by place */
	const char *const *texts;     /* what stands for them, in the same order */
	const size_t *order;          /* order[k]: the value that comes k-th */
	size_t n_values;
};

/* The text for list->span. Line ends, indentation and commas stay where they are, columns where that is simple;
 * comments go with their values. NULL when the text does not show which comment belongs to what, or when it
 * would not read the same. */
const char *rs_initializer_text_print(struct rs_arena *arena, const struct rs_value_list *list);

#endif
