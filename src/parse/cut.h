/*
 * Cuts the tokens of a struct's body into declarations, conditional groups and barriers: the bare items, before
 * comments find their owners. Works on brackets, semicolons and directives alone; no name is looked up.
 */
#ifndef RS_PARSE_CUT_H
#define RS_PARSE_CUT_H

#include "parse/lexer.h"
#include "record/record.h"

/* Tokens by their index, both ends included. */
struct rs_cut_item {
	size_t first, last;           /* the declaration */
	size_t span_first, span_last; /* with what belongs to it: set by comments.c */
	enum rs_unit_origin origin;
	bool is_bitfield;          /* or holds one */
	bool has_hidden_bitfields; /* in #if */
	bool is_barrier;           /* makes no members: text that nothing may cross */
	bool is_fixed;             /* makes members, but its meaning may hang on its place */
};

struct rs_cut {
	const char *text;
	const struct rs_token *tokens; /* of the body; the closing brace is not among them */
	size_t n_tokens;
	struct rs_cut_item *items;
	size_t n_items, items_capacity;
	const char *refusal; /* static; NULL: all is cut */
	size_t refusal_byte;
};

/* Fills items; text and tokens are given. */
void rs_cut_items(struct rs_arena *arena, struct rs_cut *cut);
/* Joins neighbouring bit-fields to one item, once comments are attached. */
void rs_cut_join_bitfields(struct rs_cut *cut);

#endif
