/*
 * Macro expansion that remembers where each token was written: libclang tells of a token from a macro's body
 * only where the macro was used.
 *
 * It follows C11 6.10.3 with the GNU comma and named variadic parameters. What it cannot be sure of (a name
 * with several definitions, __VA_OPT__, calls that end outside the text) is said, never guessed; what it gives
 * is a reading of the text that its caller holds against what the compiler made of it.
 */
#ifndef RS_PARSE_EXPAND_H
#define RS_PARSE_EXPAND_H

#include "parse/lexer.h"

struct rs_macro_token {
	enum rs_token_kind kind;
	struct rs_span span;
	bool has_space; /* blanks before it */
};

struct rs_macro {
	const char *name;
	void *file; /* libclang's handle */
	const char *text;
	struct rs_span name_span;
	bool is_function, is_variadic;
	const char **parameters;
	size_t n_parameters, parameters_capacity;
	struct rs_macro_token *body;
	size_t n_body, body_capacity;
	const struct rs_macro *next; /* an older definition of the same name */
};

struct rs_macro_slot;
struct rs_macro_table {
	struct rs_arena *arena; /* owns everything */
	struct rs_macro_slot *slots;
};

/* definition: from the name to the end of the body, in text, which must live as long as the table. */
void rs_macro_table_add(struct rs_macro_table *table, void *file, const char *text, struct rs_span definition,
			const char *name);
/* The macro whose name is defined there; NULL. */
const struct rs_macro *rs_macro_table_at(const struct rs_macro_table *table, void *file, size_t byte);
/* Frees what is not the arena's. */
void rs_macro_table_deinit(struct rs_macro_table *table);

struct rs_hidden;
struct rs_expanded_token {
	enum rs_token_kind kind;
	const char *text; /* length bytes */
	size_t length;
	void *file; /* that spells it; NULL: made by # or ## */
	struct rs_span span;
	const struct rs_macro *macro; /* whose body spells it; NULL: the text of the call */
	const struct rs_hidden *hidden;
	bool has_space;
};

struct rs_expanded {
	struct rs_expanded_token *tokens;
	size_t n_tokens, tokens_capacity;
};

/* Expands the call of the macro that is text[call). NULL, or why it cannot be done. */
const char *rs_expand(struct rs_arena *arena, const struct rs_macro_table *table, const struct rs_macro *macro,
		      void *file, const char *text, struct rs_span call, struct rs_expanded *ret_expanded);

/* A pair of braces among the tokens. */
struct rs_brace_pair {
	size_t open, close;
	size_t n_values; /* pieces between commas */
	bool has_semicolon;
};
/* All pairs by their opening; NULL when they do not match. */
struct rs_brace_pair *rs_expand_pairs(struct rs_arena *arena, const struct rs_expanded *expanded,
				      size_t *ret_count);

#endif
