#include "parse/cut.h"

#include <stdlib.h>
#include <string.h>

#include "parse/words.h"

/* An #if that is open. All its branches must leave brackets as they found them. */
struct branch {
	size_t n_brackets; /* open where it begins */
	bool pending;      /* a declaration was under way where it begins … */
	bool ends_pending; /* … or is where one of its branches ends */
	bool has_else;
	bool is_dead;        /* the branch is #if 0: any text, nothing to be counted */
	bool is_inside_dead; /* so is the whole #if */
};

struct undef {
	const char *name;
	size_t length;
	size_t token;
};

/* The state of one item while its tokens are taken. */
struct walk {
	struct rs_arena *arena;
	struct rs_cut *cut;
	const struct undef *undefs; /* by name, then place */
	size_t n_undefs;
	size_t at;
	struct rs_cut_item item;
	size_t group_end; /* the #undef that the item reaches to; 0: none */
	bool pending;     /* tokens were seen that no semicolon has ended */
	bool has_code;
	char *brackets;
	size_t n_brackets, brackets_capacity;
	struct branch *branches;
	size_t n_branches, branches_capacity;
};

static void refuse(struct rs_cut *cut, size_t token, const char *why)
{
	if (cut->refusal)
		return;
	cut->refusal = why;
	cut->refusal_byte = cut->tokens[token].span.start;
}

static bool is_punctuation(const struct rs_cut *cut, size_t token, char c)
{
	return token < cut->n_tokens && cut->tokens[token].kind == RS_TOKEN_PUNCTUATION &&
	       cut->text[cut->tokens[token].span.start] == c;
}

static bool is_word(const struct rs_cut *cut, size_t token)
{
	return token < cut->n_tokens && cut->tokens[token].kind == RS_TOKEN_IDENTIFIER;
}

static bool is_directive(const struct rs_cut *cut, size_t token, enum rs_directive kind)
{
	return token < cut->n_tokens && cut->tokens[token].kind == RS_TOKEN_DIRECTIVE &&
	       rs_words_directive(cut->text, cut->tokens[token]) == kind;
}

/* The first token at or behind this one that is no comment; n_tokens when there is none. */
static size_t past_comments(const struct rs_cut *cut, size_t token)
{
	while (token < cut->n_tokens && rs_token_is_comment(cut->tokens[token]))
		token++;
	return token;
}

/* The bracket that closes the one at token; RS_NONE when the text ends or a directive comes before. */
static size_t closing_bracket(const struct rs_cut *cut, size_t token)
{
	size_t depth = 0;

	for (; token < cut->n_tokens && cut->tokens[token].kind != RS_TOKEN_DIRECTIVE; token++) {
		if (is_punctuation(cut, token, '('))
			depth++;
		else if (is_punctuation(cut, token, ')') && --depth == 0)
			return token;
	}
	return RS_NONE;
}

/* The last token of a possible macro call, `NAME` or `NAME(…)`, at token; RS_NONE when it is none. */
static size_t macro_call_end(const struct rs_cut *cut, size_t token)
{
	size_t next = past_comments(cut, token + 1);

	if (!is_word(cut, token) || rs_words_is_specifier(cut->text, cut->tokens[token]) ||
	    rs_words_is_attribute(cut->text, cut->tokens[token]))
		return RS_NONE;
	return is_punctuation(cut, next, '(') ? closing_bracket(cut, next) : token;
}

static bool on_new_line(const struct rs_cut *cut, size_t before, size_t token)
{
	size_t start = cut->tokens[before].span.end;

	return memchr(cut->text + start, '\n', cut->tokens[token].span.start - start) != NULL;
}

/* What stands behind `NAME(…)` at token: whether that cannot be the rest of a declaration that token begins. */
static bool call_starts_declaration(const struct rs_cut *cut, size_t token)
{
	size_t end = closing_bracket(cut, past_comments(cut, token + 1));
	size_t next = end == RS_NONE ? RS_NONE : past_comments(cut, end + 1);

	if (next == RS_NONE || is_punctuation(cut, next, ';'))
		return false;
	if (is_punctuation(cut, next, '(') || next == cut->n_tokens || on_new_line(cut, end, next))
		return true;
	return is_word(cut, next) && !rs_words_is_macro_like(cut->text, cut->tokens[next]);
}

/*
 * Whether a new declaration begins at token, rather than the rest of the one that `call` may begin:
 * TAILQ_ENTRY(x) and its name may stand on two lines, as may a declarator and its annotations. In doubt: no.
 */
static bool starts_declaration(const struct rs_cut *cut, size_t call, size_t token)
{
	size_t next = past_comments(cut, token + 1);

	if (token >= cut->n_tokens || cut->tokens[token].kind == RS_TOKEN_DIRECTIVE)
		return true;
	if (!is_word(cut, token) || !on_new_line(cut, call, token))
		return false;
	if (rs_words_is_specifier(cut->text, cut->tokens[token]))
		return true;
	if (rs_words_is_attribute(cut->text, cut->tokens[token]))
		return false;
	if (is_word(cut, next))
		return !rs_words_is_macro_like(cut->text, cut->tokens[token]) ||
		       !rs_words_is_macro_like(cut->text, cut->tokens[next]);
	/* annotations follow on the next line, not behind an #undef */
	if (is_punctuation(cut, next, '('))
		return past_comments(cut, call + 1) != token || call_starts_declaration(cut, token);
	return is_punctuation(cut, next, '*');
}

static int undef_compare(const void *left, const void *right)
{
	const struct undef *a = left, *b = right;
	size_t length = a->length < b->length ? a->length : b->length;
	int order = memcmp(a->name, b->name, length);

	if (order == 0)
		order = (a->length > b->length) - (a->length < b->length);
	return order != 0 ? order : (a->token > b->token) - (a->token < b->token);
}

static struct undef named(const struct rs_cut *cut, size_t token)
{
	struct rs_span word = rs_lexer_directive_word(cut->text, cut->tokens[token]);

	return (struct undef) { cut->text + word.start, word.end - word.start, token };
}

static void collect_undefs(struct walk *walk)
{
	struct undef *undefs = NULL;
	size_t n_undefs = 0, capacity = 0;

	for (size_t i = 0; i < walk->cut->n_tokens; i++)
		if (is_directive(walk->cut, i, RS_DIRECTIVE_UNDEF))
			*rs_array_push(walk->arena, undefs, n_undefs, capacity) = named(walk->cut, i);
	if (n_undefs > 0)
		qsort(undefs, n_undefs, sizeof *undefs, undef_compare);
	walk->undefs = undefs;
	walk->n_undefs = n_undefs;
}

/* The #undef that ends what the #define at token begins; RS_NONE when there is none. */
static size_t find_undef(const struct walk *walk, size_t token)
{
	struct undef wanted = named(walk->cut, token);
	size_t low = 0, high = walk->n_undefs;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (undef_compare(&walk->undefs[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == walk->n_undefs || walk->undefs[low].length != wanted.length ||
	    memcmp(walk->undefs[low].name, wanted.name, wanted.length) != 0)
		return RS_NONE;
	return walk->undefs[low].token;
}

static void extend_group(struct walk *walk, size_t define)
{
	size_t end = find_undef(walk, define);

	if (end != RS_NONE && end > walk->group_end)
		walk->group_end = end;
}

static struct branch *innermost(struct walk *walk)
{
	return walk->n_branches > 0 ? &walk->branches[walk->n_branches - 1] : NULL;
}

static void open_branch(struct walk *walk)
{
	const struct branch *outer = innermost(walk);
	const struct rs_token directive = walk->cut->tokens[walk->at];
	bool inside_dead = outer && outer->is_dead;
	bool is_zero = rs_span_is(walk->cut->text, rs_lexer_directive_name(walk->cut->text, directive), "if") &&
		       rs_span_is(walk->cut->text, rs_lexer_directive_word(walk->cut->text, directive), "0");
	*rs_array_push(walk->arena, walk->branches, walk->n_branches, walk->branches_capacity) =
		(struct branch) {
			.n_brackets = walk->n_brackets,
			.pending = walk->pending,
			.is_inside_dead = inside_dead,
			.is_dead = inside_dead || is_zero,
		};
}

/* Ends one branch of the innermost #if; the next begins where the #if itself did. */
static void end_branch(struct walk *walk, struct branch *branch)
{
	if (walk->n_brackets != branch->n_brackets)
		refuse(walk->cut, walk->at, "brackets cross a preprocessor branch");
	branch->ends_pending |= walk->pending;
	walk->pending = branch->pending;
	branch->is_dead = branch->is_inside_dead;
}

static void take_else(struct walk *walk)
{
	struct branch *branch = innermost(walk);
	struct rs_span name = rs_lexer_directive_name(walk->cut->text, walk->cut->tokens[walk->at]);

	if (!branch) {
		refuse(walk->cut, walk->at, "a preprocessor branch crosses the struct's braces");
		return;
	}
	end_branch(walk, branch);
	branch->has_else |= rs_span_is(walk->cut->text, name, "else");
}

static void take_endif(struct walk *walk)
{
	struct branch *branch = innermost(walk);

	if (!branch) {
		refuse(walk->cut, walk->at, "a preprocessor branch crosses the struct's braces");
		return;
	}
	end_branch(walk, branch);
	/* without an #else one more branch, an empty one, is left */
	walk->pending = branch->ends_pending || (!branch->has_else && branch->pending);
	walk->n_branches--;
}

/* Whether the item may end with this directive. */
static bool take_directive(struct walk *walk)
{
	const struct branch *branch = innermost(walk);
	bool is_dead = branch && branch->is_dead;

	switch (rs_words_directive(walk->cut->text, walk->cut->tokens[walk->at])) {
	case RS_DIRECTIVE_IF:
		open_branch(walk);
		return false;
	case RS_DIRECTIVE_ELSE:
		take_else(walk);
		return false;
	case RS_DIRECTIVE_ENDIF:
		take_endif(walk);
		return true;
	case RS_DIRECTIVE_DEFINE:
		if (!is_dead)
			extend_group(walk, walk->at);
		return false;
	case RS_DIRECTIVE_UNDEF:
		return walk->group_end > 0 && walk->at == walk->group_end;
	case RS_DIRECTIVE_INCLUDE:
		walk->has_code = true;
		return false;
	case RS_DIRECTIVE_OTHER:
		walk->item.is_fixed |= !is_dead;
		return false;
	default:
		return false;
	}
}

static void close_bracket(struct walk *walk, char c)
{
	const struct branch *branch = innermost(walk);
	char open = c == ')' ? '(' : c == ']' ? '[' : '{';

	if (walk->n_brackets == 0 || walk->brackets[walk->n_brackets - 1] != open)
		refuse(walk->cut, walk->at, "brackets do not match");
	else if (branch && walk->n_brackets == branch->n_brackets)
		refuse(walk->cut, walk->at, "brackets cross a preprocessor branch");
	else
		walk->n_brackets--;
}

/* Whether the item may end with this token. */
static bool take_code(struct walk *walk)
{
	const struct rs_token token = walk->cut->tokens[walk->at];
	const struct branch *branch = innermost(walk);
	char c = token.kind == RS_TOKEN_PUNCTUATION ? walk->cut->text[token.span.start] : '\0';

	walk->has_code = true;
	if (branch && branch->is_dead)
		return false;
	if (c == ';' && walk->n_brackets == 0) {
		walk->pending = false;
		return true;
	}
	walk->pending = true;
	if (c == '(' || c == '[' || c == '{')
		*rs_array_push(walk->arena, walk->brackets, walk->n_brackets, walk->brackets_capacity) = c;
	else if (c == ')' || c == ']' || c == '}')
		close_bracket(walk, c);
	else if (c == ':' && walk->n_brackets == 0) {
		walk->item.is_bitfield = true;
		walk->item.has_hidden_bitfields |= branch != NULL;
	}
	return false;
}

/*
 * A macro call without a semicolon, on lines of its own. It may make members, annotate what follows, or mark a
 * place: so it is one item with the next declaration, and neither leaves its place. Between #define and #undef
 * it is what the group is there for.
 */
static bool take_bare_macro(struct walk *walk)
{
	const struct rs_cut *cut = walk->cut;
	bool in_group = walk->at < walk->group_end;
	size_t end, next;

	if (walk->pending || walk->n_brackets > 0 || walk->n_branches > 0)
		return false;
	end = macro_call_end(cut, walk->at);
	if (end == RS_NONE)
		return false;
	next = past_comments(cut, end + 1);
	while (in_group && next < cut->n_tokens && cut->tokens[next].kind == RS_TOKEN_DIRECTIVE)
		next = past_comments(cut, next + 1);
	if (!starts_declaration(cut, end, next))
		return false;
	walk->at = end;
	walk->has_code = true;
	walk->item.is_fixed |= !in_group;
	return true;
}

/* Takes the token at walk->at, or several; says whether the item is complete with them. */
static bool take(struct walk *walk)
{
	bool may_end;

	if (rs_token_is_comment(walk->cut->tokens[walk->at]))
		return false;
	if (walk->cut->tokens[walk->at].kind == RS_TOKEN_DIRECTIVE)
		may_end = take_directive(walk);
	else
		may_end = !take_bare_macro(walk) && take_code(walk);
	return may_end && !walk->pending && walk->n_brackets == 0 && walk->n_branches == 0 &&
	       walk->at >= walk->group_end;
}

static void push_item(struct walk *walk, struct rs_cut_item item)
{
	struct rs_cut *cut = walk->cut;

	*rs_array_push(walk->arena, cut->items, cut->n_items, cut->items_capacity) = item;
}

/* Only comments and directives: no members, but maybe definitions that other text relies on. */
static void classify_item(struct walk *walk)
{
	const struct rs_cut *cut = walk->cut;
	struct rs_cut_item *item = &walk->item;
	size_t end;

	if (!walk->has_code)
		item->is_barrier = true;
	if (item->origin != RS_UNIT_PLAIN)
		return;
	end = macro_call_end(cut, item->first);
	if (end == RS_NONE || (end != item->last && past_comments(cut, end + 1) != item->last))
		return;
	item->origin = RS_UNIT_MACRO;
	item->is_barrier |= rs_words_is_assertion(cut->text, cut->tokens[item->first]);
}

/* The body ended before the item did. Its end cannot be told from its text, so it stays where it is. */
static void end_with_body(struct walk *walk)
{
	struct rs_cut *cut = walk->cut;
	size_t last = cut->n_tokens - 1;

	if (walk->n_branches > 0)
		refuse(cut, walk->item.first, "a preprocessor branch crosses the struct's braces");
	else if (walk->n_brackets > 0)
		refuse(cut, walk->item.first, "brackets do not match");
	while (rs_token_is_comment(cut->tokens[last]))
		last--;
	walk->item.last = last;
	walk->item.is_fixed = true;
	walk->at = cut->n_tokens;
}

/* Cuts the item that begins at walk->at and moves on. */
static void cut_item(struct walk *walk, enum rs_unit_origin origin)
{
	bool is_complete = false;

	walk->item = (struct rs_cut_item) { .first = walk->at, .origin = origin };
	walk->group_end = 0;
	walk->pending = walk->has_code = false;
	walk->n_brackets = walk->n_branches = 0;
	while (!is_complete && walk->at < walk->cut->n_tokens && !walk->cut->refusal) {
		is_complete = take(walk);
		walk->item.last = walk->at++;
	}
	if (walk->cut->refusal)
		return;
	if (!is_complete)
		end_with_body(walk);
	classify_item(walk);
	push_item(walk, walk->item);
}

static void cut_token(struct walk *walk, size_t last, enum rs_unit_origin origin, bool is_barrier)
{
	push_item(walk, (struct rs_cut_item) {
				.first = walk->at, .last = last, .origin = origin, .is_barrier = is_barrier });
	walk->at = last + 1;
}

/* #undef X before #define X … #undef X is part of that group. */
static bool undef_leads_group(const struct walk *walk)
{
	size_t next = past_comments(walk->cut, walk->at + 1);
	struct undef undefined = named(walk->cut, walk->at), defined;

	if (!is_directive(walk->cut, next, RS_DIRECTIVE_DEFINE))
		return false;
	defined = named(walk->cut, next);
	return defined.length == undefined.length &&
	       memcmp(defined.name, undefined.name, defined.length) == 0 && find_undef(walk, next) != RS_NONE;
}

/* A definition that no #undef ends is left over: comments.c gives it to the unit above, or it is gap text. */
static void cut_directive(struct walk *walk)
{
	switch (rs_words_directive(walk->cut->text, walk->cut->tokens[walk->at])) {
	case RS_DIRECTIVE_IF:
		cut_item(walk, RS_UNIT_CONDITIONAL);
		break;
	case RS_DIRECTIVE_ELSE:
	case RS_DIRECTIVE_ENDIF:
		refuse(walk->cut, walk->at, "a preprocessor branch crosses the struct's braces");
		break;
	case RS_DIRECTIVE_DEFINE:
		if (find_undef(walk, walk->at) != RS_NONE)
			cut_item(walk, RS_UNIT_MACRO);
		else
			walk->at++;
		break;
	case RS_DIRECTIVE_UNDEF:
		if (undef_leads_group(walk))
			cut_item(walk, RS_UNIT_MACRO);
		else
			walk->at++;
		break;
	case RS_DIRECTIVE_INCLUDE:
		cut_token(walk, walk->at, RS_UNIT_INCLUDE, false);
		break;
	default:
		cut_token(walk, walk->at, RS_UNIT_PLAIN, true);
		break;
	}
}

/* A semicolon of its own belongs to what it stands behind. */
static void cut_semicolon(struct walk *walk)
{
	if (walk->cut->n_items == 0)
		cut_token(walk, walk->at, RS_UNIT_PLAIN, true);
	else
		walk->cut->items[walk->cut->n_items - 1].last = walk->at++;
}

static void cut_next(struct walk *walk)
{
	const struct rs_cut *cut = walk->cut;
	size_t pragma_end;

	if (rs_token_is_comment(cut->tokens[walk->at])) {
		walk->at++;
	} else if (cut->tokens[walk->at].kind == RS_TOKEN_DIRECTIVE) {
		cut_directive(walk);
	} else if (is_punctuation(cut, walk->at, ';')) {
		cut_semicolon(walk);
	} else if (rs_words_is_pragma(cut->text, cut->tokens[walk->at]) &&
		   (pragma_end = macro_call_end(cut, walk->at)) != RS_NONE) {
		cut_token(walk, pragma_end, RS_UNIT_PLAIN, true);
	} else {
		cut_item(walk, RS_UNIT_PLAIN);
	}
}

/* <% and its kin stand for brackets, which nothing here would see. */
static void refuse_digraphs(struct rs_cut *cut)
{
	static const char *const digraphs[] = { "<%", "%>", "<:", ":>", "%:" };

	for (size_t i = 0; i + 1 < cut->n_tokens; i++) {
		const struct rs_token *token = &cut->tokens[i];

		if (token->kind != RS_TOKEN_PUNCTUATION || token[1].kind != RS_TOKEN_PUNCTUATION ||
		    token[1].span.start != token->span.end)
			continue;
		for (size_t j = 0; j < RS_COUNT_OF(digraphs); j++)
			if (memcmp(cut->text + token->span.start, digraphs[j], 2) == 0)
				refuse(cut, i, "digraphs in the struct's body");
	}
}

void rs_cut_items(struct rs_arena *arena, struct rs_cut *cut)
{
	struct walk walk = { .arena = arena, .cut = cut };

	refuse_digraphs(cut);
	collect_undefs(&walk);
	while (walk.at < cut->n_tokens && !cut->refusal)
		cut_next(&walk);
}

/* A group between two bit-fields keeps them apart only while it is switched on: all are one run. */
static size_t run_start(const struct rs_cut *cut, size_t n_kept)
{
	size_t at = n_kept;

	while (at > 0 && cut->items[at - 1].origin == RS_UNIT_CONDITIONAL && !cut->items[at - 1].is_bitfield &&
	       !cut->items[at - 1].is_barrier)
		at--;
	if (at > 0 && cut->items[at - 1].is_bitfield && !cut->items[at - 1].is_barrier)
		return at - 1;
	return n_kept;
}

void rs_cut_join_bitfields(struct rs_cut *cut)
{
	size_t n_kept = 0;

	for (size_t i = 0; i < cut->n_items; i++) {
		struct rs_cut_item item = cut->items[i];
		size_t start = item.is_bitfield && !item.is_barrier ? run_start(cut, n_kept) : n_kept;

		for (size_t j = start; j < n_kept; j++) {
			cut->items[start].is_fixed |= cut->items[j].is_fixed;
			cut->items[start].has_hidden_bitfields |= cut->items[j].has_hidden_bitfields;
		}
		if (start == n_kept) {
			cut->items[n_kept++] = item;
			continue;
		}
		cut->items[start].last = item.last;
		cut->items[start].span_last = item.span_last;
		cut->items[start].is_fixed |= item.is_fixed;
		cut->items[start].has_hidden_bitfields |= item.has_hidden_bitfields;
		if (cut->items[start].origin != RS_UNIT_CONDITIONAL || item.origin != RS_UNIT_CONDITIONAL)
			cut->items[start].origin = RS_UNIT_PLAIN;
		n_kept = start + 1;
	}
	cut->n_items = n_kept;
}
