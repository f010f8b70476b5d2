#include "parse/expand.h"

#include <string.h>

#include <uthash.h>

enum { MOST_TOKENS = 200000, MOST_DEPTH = 200 };

struct rs_macro_slot {
	const char *name;
	struct rs_macro *newest;
	UT_hash_handle hh;
};

/* Macros that a token came through: it names none of them any more. */
struct rs_hidden {
	const struct rs_macro *macro;
	const struct rs_hidden *next;
};

/* --- definitions --- */

static const char *token_text(struct rs_arena *arena, const char *text, struct rs_span span)
{
	return rs_arena_strndup(arena, text + span.start, span.end - span.start);
}

static struct rs_token next_token(struct rs_lexer *lexer)
{
	struct rs_token token = rs_lexer_next(lexer);

	while (rs_token_is_comment(token))
		token = rs_lexer_next(lexer);
	return token;
}

/* Behind the parenthesis; leaves the lexer behind the closing one. */
static void read_parameters(struct rs_arena *arena, struct rs_macro *macro, struct rs_lexer *lexer)
{
	for (struct rs_token token; (token = next_token(lexer)).kind != RS_TOKEN_END;) {
		if (rs_token_is(macro->text, token, ")"))
			return;
		if (token.kind == RS_TOKEN_IDENTIFIER)
			*rs_array_push(arena, macro->parameters, macro->n_parameters,
				       macro->parameters_capacity) = token_text(arena, macro->text, token.span);
		if (!rs_token_is(macro->text, token, ".") || macro->is_variadic)
			continue;
		size_t before = token.span.start;
		while (before > 0 && strchr(" \t", macro->text[before - 1]))
			before--;
		macro->is_variadic = true;
		if (strchr("(,", macro->text[before - 1]))
			*rs_array_push(arena, macro->parameters, macro->n_parameters,
				       macro->parameters_capacity) = "__VA_ARGS__";
	}
}

void rs_macro_table_add(struct rs_macro_table *table, void *file, const char *text, struct rs_span definition,
			const char *name)
{
	struct rs_macro *macro = rs_arena_new(table->arena, struct rs_macro);
	struct rs_macro_slot *slot = NULL;
	size_t behind = definition.start + strlen(name);
	struct rs_lexer lexer;

	*macro = (struct rs_macro) { .name = name, .file = file, .text = text };
	macro->name_span = (struct rs_span) { definition.start, behind };
	rs_lexer_init(&lexer, text, behind, definition.end);
	lexer.line_start = false;
	if (behind < definition.end && text[behind] == '(') {
		macro->is_function = true;
		rs_lexer_next(&lexer);
		read_parameters(table->arena, macro, &lexer);
	}
	size_t end = lexer.position;
	for (struct rs_token token; (token = next_token(&lexer)).kind != RS_TOKEN_END; end = token.span.end)
		*rs_array_push(table->arena, macro->body, macro->n_body, macro->body_capacity) =
			(struct rs_macro_token) { token.kind, token.span, token.span.start > end };
	HASH_FIND_STR(table->slots, name, slot);
	if (!slot) {
		slot = rs_arena_new(table->arena, struct rs_macro_slot);
		slot->name = name;
		HASH_ADD_KEYPTR(hh, table->slots, name, strlen(name), slot);
	}
	macro->next = slot->newest;
	slot->newest = macro;
}

void rs_macro_table_deinit(struct rs_macro_table *table)
{
	HASH_CLEAR(hh, table->slots);
}

const struct rs_macro *rs_macro_table_at(const struct rs_macro_table *table, void *file, size_t byte)
{
	for (const struct rs_macro_slot *slot = table->slots; slot;
	     slot = (struct rs_macro_slot *)slot->hh.next)
		for (const struct rs_macro *macro = slot->newest; macro; macro = macro->next)
			if (macro->file == file && macro->name_span.start == byte)
				return macro;
	return NULL;
}

/* --- token lists --- */

/* A list that is read from its head and grows at its end. */
struct stream {
	struct rs_expanded_token *items;
	size_t n_items, capacity, next;
	struct stream *behind; /* what comes when this one is read */
};

struct expander {
	struct rs_arena *arena;
	const struct rs_macro_table *table;
	void *file; /* of the call */
	size_t byte;
	const char *problem;
	size_t n_made;
	unsigned depth;
};

static void add(struct expander *expander, struct stream *to, struct rs_expanded_token token)
{
	if (++expander->n_made > MOST_TOKENS)
		expander->problem = "a macro makes too much";
	if (!expander->problem)
		*rs_array_push(expander->arena, to->items, to->n_items, to->capacity) = token;
}

static struct rs_expanded_token *peek(struct stream **stream)
{
	while (*stream && (*stream)->next >= (*stream)->n_items)
		*stream = (*stream)->behind;
	return *stream ? &(*stream)->items[(*stream)->next] : NULL;
}

static bool is_spelled(const struct rs_expanded_token *token, const char *text)
{
	return token->length == strlen(text) && memcmp(token->text, text, token->length) == 0;
}

static bool is_hidden(const struct rs_hidden *hidden, const struct rs_macro *macro)
{
	for (; hidden; hidden = hidden->next)
		if (hidden->macro == macro)
			return true;
	return false;
}

static const struct rs_hidden *hide(struct expander *expander, const struct rs_hidden *hidden,
				    const struct rs_macro *macro)
{
	struct rs_hidden *added = rs_arena_new(expander->arena, struct rs_hidden);

	*added = (struct rs_hidden) { macro, hidden };
	return added;
}

static bool same_definition(const struct rs_macro *a, const struct rs_macro *b)
{
	if (a->n_body != b->n_body || a->is_function != b->is_function)
		return false;
	for (size_t i = 0; i < a->n_body; i++) {
		struct rs_span left = a->body[i].span, right = b->body[i].span;

		if (left.end - left.start != right.end - right.start ||
		    memcmp(a->text + left.start, b->text + right.start, left.end - left.start) != 0)
			return false;
	}
	return true;
}

/* Of several definitions the last one before the call, where that can be told. */
static const struct rs_macro *find_macro(struct expander *expander, const struct rs_expanded_token *token)
{
	struct rs_macro_slot *slot = NULL;

	if (token->kind != RS_TOKEN_IDENTIFIER)
		return NULL;
	HASH_FIND(hh, expander->table->slots, token->text, token->length, slot);
	if (!slot)
		return NULL;
	const struct rs_macro *newest = slot->newest;
	for (const struct rs_macro *macro = newest->next; macro; macro = macro->next) {
		if (same_definition(newest, macro))
			continue;
		for (const struct rs_macro *other = newest; other; other = other->next)
			if (other->file == expander->file && other->name_span.start < expander->byte)
				return other;
		expander->problem = "a macro in it has several definitions";
		return NULL;
	}
	return newest;
}

/* --- substitution --- */

struct arguments {
	struct stream *items; /* one a parameter */
	struct stream *expanded;
	bool *is_expanded;
	size_t n_items;
	const struct rs_hidden *hidden; /* of the closing parenthesis */
};

static void expand_all(struct expander *expander, struct stream *input, struct stream *output);

/* The next token is the opening parenthesis. */
static bool read_arguments(struct expander *expander, const struct rs_macro *macro, struct stream **input,
			   struct arguments *ret_arguments)
{
	size_t n_parameters = macro->n_parameters, at = 0;
	struct rs_expanded_token *token;
	int depth = 0;

	ret_arguments->n_items = n_parameters;
	ret_arguments->items = rs_arena_array(expander->arena, struct stream, n_parameters + 1);
	ret_arguments->expanded = rs_arena_array(expander->arena, struct stream, n_parameters + 1);
	ret_arguments->is_expanded = rs_arena_array(expander->arena, bool, n_parameters + 1);
	while ((token = peek(input))) {
		(*input)->next++;
		bool opens = is_spelled(token, "("), closes = is_spelled(token, ")");
		depth += opens ? 1 : closes ? -1 : 0;
		if (closes && depth == 0) {
			ret_arguments->hidden = token->hidden;
			return true;
		}
		if (opens && depth == 1)
			continue;
		if (depth == 1 && is_spelled(token, ",") && !(macro->is_variadic && at + 1 >= n_parameters)) {
			at++;
			if (at >= n_parameters)
				break;
			continue;
		}
		add(expander, &ret_arguments->items[at], *token);
		if (expander->problem)
			break;
	}
	if (!expander->problem)
		expander->problem = "the call of a macro does not end where it began";
	return false;
}

static size_t find_parameter(const struct rs_macro *macro, size_t at)
{
	struct rs_span span = macro->body[at].span;

	if (macro->body[at].kind == RS_TOKEN_IDENTIFIER)
		for (size_t i = 0; i < macro->n_parameters; i++)
			if (rs_span_is(macro->text, span, macro->parameters[i]))
				return i;
	return macro->n_parameters;
}

static bool is_hash(const struct rs_macro *macro, size_t at)
{
	return at < macro->n_body && rs_span_is(macro->text, macro->body[at].span, "#");
}

static bool is_paste(const struct rs_macro *macro, size_t at)
{
	return is_hash(macro, at) && is_hash(macro, at + 1) &&
	       macro->body[at].span.end == macro->body[at + 1].span.start;
}

static struct rs_expanded_token body_token(const struct rs_macro *macro, size_t at)
{
	struct rs_span span = macro->body[at].span;

	return (struct rs_expanded_token) { .kind = macro->body[at].kind,
					    .text = macro->text + span.start,
					    .length = span.end - span.start,
					    .file = macro->file,
					    .span = span,
					    .macro = macro,
					    .has_space = macro->body[at].has_space };
}

static const struct stream *expanded_argument(struct expander *expander, struct arguments *arguments,
					      size_t index)
{
	if (!arguments->is_expanded[index]) {
		struct stream input = arguments->items[index];

		arguments->is_expanded[index] = true;
		expand_all(expander, &input, &arguments->expanded[index]);
	}
	return &arguments->expanded[index];
}

static void append(struct expander *expander, struct stream *to, const struct stream *from)
{
	for (size_t i = 0; i < from->n_items && !expander->problem; i++)
		add(expander, to, from->items[i]);
}

/* Glues the first of `from` to the last of `to`. Which kind of token it gives matters for names only. */
static void paste(struct expander *expander, struct stream *to, size_t to_start, const struct stream *from)
{
	if (from->n_items == 0)
		return;
	if (to->n_items == to_start) {
		append(expander, to, from);
		return;
	}
	struct rs_expanded_token *left = &to->items[to->n_items - 1];
	const struct rs_expanded_token *right = &from->items[0];
	*left = (struct rs_expanded_token) {
		.kind = left->kind,
		.text = rs_arena_printf(expander->arena, "%.*s%.*s", (int)left->length, left->text,
					(int)right->length, right->text),
		.length = left->length + right->length,
		.has_space = left->has_space,
	};
	for (size_t i = 1; i < from->n_items; i++)
		add(expander, to, from->items[i]);
}

/* What stands at that place of the body, unexpanded: what ## takes. */
static struct stream operand(struct expander *expander, const struct rs_macro *macro,
			     struct arguments *arguments, size_t at)
{
	size_t parameter = find_parameter(macro, at);
	struct stream one = { 0 };

	if (arguments && parameter < macro->n_parameters)
		return arguments->items[parameter];
	add(expander, &one, body_token(macro, at));
	return one;
}

/* The body with its parameters replaced. */
static void substitute(struct expander *expander, const struct rs_macro *macro, struct arguments *arguments,
		       struct stream *output)
{
	for (size_t at = 0; at < macro->n_body && !expander->problem; at++) {
		size_t parameter = arguments ? find_parameter(macro, at) : macro->n_parameters;
		size_t start = output->n_items;
		struct stream taken;

		if (rs_span_is(macro->text, macro->body[at].span, "__VA_OPT__")) {
			expander->problem = "it is made with __VA_OPT__";
			return;
		}
		if (arguments && is_hash(macro, at) && !is_paste(macro, at) && at + 1 < macro->n_body &&
		    find_parameter(macro, at + 1) < macro->n_parameters) {
			add(expander, output,
			    (struct rs_expanded_token) {
				    .kind = RS_TOKEN_STRING, .text = "\"\"", .length = 2 });
			at++;
			continue;
		}
		if (!is_paste(macro, at + 1) || at + 3 >= macro->n_body) {
			if (parameter < macro->n_parameters)
				append(expander, output, expanded_argument(expander, arguments, parameter));
			else
				add(expander, output, body_token(macro, at));
			continue;
		}
		taken = operand(expander, macro, arguments, at);
		append(expander, output, &taken);
		for (; is_paste(macro, at + 1) && at + 3 < macro->n_body; at += 3) {
			bool is_comma = rs_span_is(macro->text, macro->body[at].span, ",");
			size_t next = arguments ? find_parameter(macro, at + 3) : macro->n_parameters;

			taken = operand(expander, macro, arguments, at + 3);
			if (!is_comma || !macro->is_variadic || next + 1 != macro->n_parameters)
				paste(expander, output, start, &taken);
			else if (taken.n_items == 0)
				output->n_items--;
			else
				append(expander, output, expanded_argument(expander, arguments, next));
		}
	}
}

/* Puts what the macro makes in front of the input. */
static void replace(struct expander *expander, const struct rs_macro *macro, const struct rs_hidden *hidden,
		    struct arguments *arguments, struct stream **input)
{
	struct stream *made = rs_arena_new(expander->arena, struct stream);

	substitute(expander, macro, arguments, made);
	for (size_t i = 0; i < made->n_items; i++) {
		const struct rs_hidden *all = made->items[i].hidden;

		for (const struct rs_hidden *one = hidden; one; one = one->next)
			if (!is_hidden(all, one->macro))
				all = hide(expander, all, one->macro);
		made->items[i].hidden = hide(expander, all, macro);
	}
	made->behind = *input;
	*input = made;
}

static void expand_all(struct expander *expander, struct stream *first, struct stream *output)
{
	struct stream *input = first;
	struct rs_expanded_token *token;

	if (++expander->depth > MOST_DEPTH)
		expander->problem = "its macros are nested too deep";
	while (!expander->problem && (token = peek(&input))) {
		const struct rs_macro *macro = find_macro(expander, token);
		struct rs_expanded_token name = *token;
		struct arguments arguments = { 0 };

		input->next++;
		if (!macro || is_hidden(name.hidden, macro)) {
			add(expander, output, name);
			continue;
		}
		if (!macro->is_function) {
			replace(expander, macro, name.hidden, NULL, &input);
			continue;
		}
		token = peek(&input);
		if (!token || !is_spelled(token, "("))
			add(expander, output, name);
		else if (read_arguments(expander, macro, &input, &arguments))
			replace(expander, macro, name.hidden, &arguments, &input);
	}
	expander->depth--;
}

const char *rs_expand(struct rs_arena *arena, const struct rs_macro_table *table, const struct rs_macro *macro,
		      void *file, const char *text, struct rs_span call, struct rs_expanded *ret_expanded)
{
	struct expander expander = { .arena = arena, .table = table, .file = file, .byte = call.start };
	struct stream output = { 0 };
	struct stream *input = rs_arena_new(arena, struct stream);
	struct arguments arguments = { 0 };
	struct rs_lexer lexer;

	rs_lexer_init(&lexer, text, call.start, call.end);
	lexer.line_start = false;
	for (struct rs_token token; (token = next_token(&lexer)).kind != RS_TOKEN_END;)
		add(&expander, input,
		    (struct rs_expanded_token) { .kind = token.kind,
						 .text = text + token.span.start,
						 .length = token.span.end - token.span.start,
						 .file = file,
						 .span = token.span });
	input->next = 1; /* the name: which macro it is, the compiler knows */
	if (macro->is_function && !peek(&input))
		return "the call of a macro does not end where it began";
	if (!macro->is_function || read_arguments(&expander, macro, &input, &arguments))
		replace(&expander, macro, NULL, macro->is_function ? &arguments : NULL, &input);
	if (!expander.problem)
		expand_all(&expander, input, &output);
	*ret_expanded = (struct rs_expanded) { output.items, output.n_items, output.capacity };
	return expander.problem;
}

/* --- braces --- */

struct rs_brace_pair *rs_expand_pairs(struct rs_arena *arena, const struct rs_expanded *expanded,
				      size_t *ret_count)
{
	struct rs_brace_pair *pairs = rs_arena_array(arena, struct rs_brace_pair, expanded->n_tokens + 1);
	size_t *open = rs_arena_array(arena, size_t, expanded->n_tokens + 1); /* pair, or RS_NONE for others */
	bool *begins = rs_arena_array(arena, bool, expanded->n_tokens + 1);
	size_t n_open = 0, count = 0;

	for (size_t i = 0; i < expanded->n_tokens; i++) {
		const struct rs_expanded_token *token = &expanded->tokens[i];
		char c = token->kind == RS_TOKEN_PUNCTUATION ? token->text[0] : '\0';

		if (c && strchr(")}]", c)) {
			if (n_open == 0 || (c == '}') != (open[n_open - 1] != SIZE_MAX))
				return NULL;
			if (open[--n_open] != SIZE_MAX)
				pairs[open[n_open]].close = i;
			continue;
		}
		struct rs_brace_pair *pair =
			n_open > 0 && open[n_open - 1] != SIZE_MAX ? &pairs[open[n_open - 1]] : NULL;
		if (pair && c == ';')
			pair->has_semicolon = true;
		if (pair && c == ',')
			begins[n_open - 1] = true;
		if (pair && c != ',' && begins[n_open - 1]) {
			pair->n_values++;
			begins[n_open - 1] = false;
		}
		if (!c || !strchr("({[", c))
			continue;
		open[n_open] = c == '{' ? count : SIZE_MAX;
		begins[n_open++] = true;
		if (c == '{')
			pairs[count++].open = i;
	}
	*ret_count = count;
	return n_open == 0 ? pairs : NULL;
}
