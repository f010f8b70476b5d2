#include "session/mirror_cxx.h"

#include <string.h>

#include "session/mirror_report.h"

enum {
	MAX_DEPTH = 64,   /* of #if */
	LIST_TOKENS = 40, /* between a type and its braces */
	HEAD_TOKENS = 24, /* of a class, up to its bases */
	NEEDED_NAMES = 3, /* of a structured binding */
};

/* Words that may stand before a type; behind any other word a name is declared. */
static const char *const before_types[] = {
	"case",      "co_return", "co_yield", "const",    "constexpr", "constinit", "consteval",
	"else",      "export",    "extern",   "inline",   "mutable",   "new",       "private",
	"protected", "public",    "register", "return",   "static",    "struct",    "thread_local",
	"throw",     "typename",  "virtual",  "volatile",
};
static const char *const class_keys[] = { "class", "struct", "union" };
static const char *const access_words[] = { "private", "protected", "public", "virtual" };

/* Which text the compiler sees as C++, by the #if that it stands in. */
struct branches {
	bool outside; /* of any #if that asks */
	bool is_cxx[MAX_DEPTH], asks[MAX_DEPTH];
	size_t depth;
};

enum use { USE_NONE, USE_LIST, USE_BASE, USE_MEMBER };

struct check {
	struct rs_arena *arena;
	const struct rs_mirror_index *index;
	const char *path;
	const struct rs_mirror_scan *scan;
	struct branches branches;
};

static bool is_char(const struct check *check, size_t at, char c)
{
	return rs_mirror_scan_is_char(check->scan, at, c);
}

static bool is_any(const struct check *check, size_t at, const char *const *words, size_t count)
{
	return rs_mirror_scan_is_any(check->scan, at, words, count);
}

static bool directive_has(const struct rs_mirror_scan *scan, size_t at, const char *word)
{
	const struct rs_mirror_token *token = &scan->tokens[at];

	return memmem(scan->text + token->start, token->end - token->start, word, strlen(word)) != NULL;
}

static bool directive_is(const struct rs_mirror_scan *scan, size_t at, const char *name)
{
	const struct rs_mirror_token *token = &scan->tokens[at];
	size_t length = strlen(name), start = token->start + 1;

	while (start < token->end && (scan->text[start] == ' ' || scan->text[start] == '\t'))
		start++;
	return token->end - start >= length && memcmp(scan->text + start, name, length) == 0;
}

static bool asks_for_c(const struct rs_mirror_scan *scan, size_t at)
{
	return directive_is(scan, at, "ifndef") || directive_has(scan, at, "!defined") ||
	       directive_has(scan, at, "! defined");
}

static void follow_directive(struct branches *branches, const struct rs_mirror_scan *scan, size_t at)
{
	bool asks = directive_has(scan, at, "__cplusplus");
	size_t level = branches->depth < MAX_DEPTH ? branches->depth : MAX_DEPTH;

	if (directive_is(scan, at, "if")) {
		if (level < MAX_DEPTH) {
			branches->asks[level] = asks;
			branches->is_cxx[level] = asks && !asks_for_c(scan, at);
		}
		branches->depth++;
	} else if (directive_is(scan, at, "endif")) {
		branches->depth -= branches->depth > 0;
	} else if (level > 0 && directive_is(scan, at, "el")) {
		if (directive_is(scan, at, "else"))
			branches->is_cxx[level - 1] = branches->asks[level - 1] && !branches->is_cxx[level - 1];
		else
			branches->is_cxx[level - 1] = asks && !asks_for_c(scan, at);
		branches->asks[level - 1] |= asks;
	}
}

static bool is_cxx_here(const struct branches *branches)
{
	bool result = branches->outside;

	for (size_t i = 0; i < branches->depth && i < MAX_DEPTH; i++)
		if (branches->asks[i])
			result = branches->is_cxx[i];
	return result;
}

/* Elements of a brace list that is more than a zero and more than one value. */
struct list {
	size_t n_elements;
	size_t n_designated;
	size_t first_inner; /* a brace list inside; n_tokens: none */
	bool has_constant;  /* a number, a string: no other object of the type */
	bool is_zero;       /* its one element is 0, NULL, nullptr or {} */
};

static bool is_zero(const struct check *check, size_t at)
{
	static const char *const zeros[] = { "0", "NULL", "false", "nullptr" };

	return is_any(check, at, zeros, RS_COUNT_OF(zeros)) || is_char(check, at, '{');
}

static void read_list(const struct check *check, size_t open, struct list *list)
{
	const struct rs_mirror_scan *scan = check->scan;
	size_t close = rs_mirror_scan_close(scan, open);
	bool at_start = true;

	*list = (struct list) { .first_inner = scan->n_tokens };
	for (size_t i = open + 1; i < close; i++) {
		const struct rs_mirror_token *token = &scan->tokens[i];

		if (token->kind == RS_MIRROR_DIRECTIVE || token->kind == RS_MIRROR_MENTION)
			continue;
		if (at_start) {
			list->n_elements++;
			list->n_designated += is_char(check, i, '.');
			list->is_zero = is_zero(check, i) && (token->c != '{' || token->close == i + 1);
		}
		if (token->c == '{' && list->first_inner == scan->n_tokens)
			list->first_inner = i;
		list->has_constant |= token->kind == RS_MIRROR_NUMBER || token->kind == RS_MIRROR_LITERAL;
		at_start = is_char(check, i, ',');
		if (token->close)
			i = token->close;
	}
	list->is_zero &= list->n_elements == 1;
}

/* Whether the list of one object depends on the order. */
static bool list_counts(const struct check *check, size_t open)
{
	struct list list;

	read_list(check, open, &list);
	if (list.n_elements == 0 || list.is_zero)
		return false;
	if (list.n_elements == 1)
		return list.n_designated == 0 &&
		       (list.has_constant || list.first_inner < check->scan->n_tokens);
	return true;
}

/* Whether the list of several objects does: one in braces, or constants without any. */
static bool container_counts(const struct check *check, size_t open)
{
	struct list list;

	read_list(check, open, &list);
	if (list.first_inner == check->scan->n_tokens)
		return list.has_constant && !list.is_zero;
	struct list inner;
	read_list(check, list.first_inner, &inner);
	if (inner.n_elements == 1 && inner.first_inner < check->scan->n_tokens)
		return list_counts(check, inner.first_inner);
	return list_counts(check, list.first_inner);
}

/* `(struct tag){…}`, not `if (tag) {` nor `f(tag) {`. */
static bool is_compound_literal(const struct check *check, size_t type_start)
{
	size_t before = type_start - 2;

	if (!is_char(check, type_start - 1, '('))
		return false;
	return rs_mirror_scan_is(check->scan, before, "return") ||
	       (before < check->scan->n_tokens && check->scan->tokens[before].kind == RS_MIRROR_PUNCTUATION &&
		strchr("=(,&?:{[", check->scan->tokens[before].c));
}

/* Whether a token between a type and its list goes with `TAG name[N] = {`. */
static bool goes_with_declaration(const struct check *check, size_t at, size_t type_start, bool is_inner)
{
	const struct rs_mirror_token *token = &check->scan->tokens[at];

	if (token->kind == RS_MIRROR_WORD || token->kind == RS_MIRROR_NUMBER)
		return true;
	if (token->kind != RS_MIRROR_PUNCTUATION)
		return token->kind == RS_MIRROR_MENTION;
	if (token->c == ')')
		return is_compound_literal(check, type_start) && is_char(check, at + 1, '{');
	return strchr("=[&", token->c) || (is_inner && strchr("<>,:", token->c));
}

static enum use find_list(const struct check *check, size_t type_start, size_t tag)
{
	const struct rs_mirror_scan *scan = check->scan;
	bool is_inner = is_char(check, type_start - 1, '<') || is_char(check, tag + 1, '>');
	bool is_container = is_inner;

	for (size_t i = tag + 1; i < tag + LIST_TOKENS && i < scan->n_tokens; i++) {
		if (is_char(check, i, '{')) {
			bool counts = is_container ? container_counts(check, i) : list_counts(check, i);
			return counts ? USE_LIST : USE_NONE;
		}
		if (!goes_with_declaration(check, i, type_start, is_inner))
			return USE_NONE;
		if (is_char(check, i, '[')) {
			is_container = true;
			i = rs_mirror_scan_close(scan, i);
		}
	}
	return USE_NONE;
}

/* Whether `struct X : public TAG` or a further base leads up to `at`. */
static bool is_among_bases(const struct check *check, size_t at)
{
	const struct rs_mirror_scan *scan = check->scan;
	bool has_colon = false;

	for (size_t i = at; i-- > 0 && at - i < HEAD_TOKENS;) {
		if (is_any(check, i, class_keys, RS_COUNT_OF(class_keys)))
			return has_colon && i + 2 < at;
		if (is_char(check, i, ':'))
			has_colon = true;
		else if (!rs_mirror_scan_is_word(scan, i) && !is_char(check, i, ',') &&
			 !is_char(check, i, '<') && !is_char(check, i, '>'))
			return false;
	}
	return false;
}

/* The bracket that `at` stands in opens a class: the text before it, back to the statement's start, says so. */
static bool is_class_body(const struct check *check, size_t open)
{
	const struct rs_mirror_scan *scan = check->scan;

	for (size_t i = open; i-- > 0 && open - i < HEAD_TOKENS;) {
		if (rs_mirror_scan_is(scan, i, "enum") || is_char(check, i, '(') || is_char(check, i, ')') ||
		    is_char(check, i, '=') || is_char(check, i, ';'))
			return false;
		if (is_any(check, i, class_keys, RS_COUNT_OF(class_keys)))
			return !rs_mirror_scan_is(scan, i - 1, "enum");
	}
	return false;
}

static size_t enclosing_brace(const struct check *check, size_t at)
{
	size_t open = at;

	while (open-- > 0) {
		const struct rs_mirror_token *token = &check->scan->tokens[open];

		if (token->close > at)
			return open;
	}
	return check->scan->n_tokens;
}

/* `TAG name;` or `TAG name[N];` among the members of a class. */
static enum use find_member(const struct check *check, size_t type_start, size_t tag)
{
	bool begins = type_start == 0 || is_char(check, type_start - 1, ';') ||
		      is_char(check, type_start - 1, '{') || is_char(check, type_start - 1, '}') ||
		      (is_char(check, type_start - 1, ':') &&
		       is_any(check, type_start - 2, access_words, RS_COUNT_OF(access_words)));

	if (!begins || !rs_mirror_scan_is_word(check->scan, tag + 1) ||
	    (!is_char(check, tag + 2, ';') && !is_char(check, tag + 2, '[')))
		return USE_NONE;
	size_t open = enclosing_brace(check, type_start);
	return is_char(check, open, '{') && is_class_body(check, open) ? USE_MEMBER : USE_NONE;
}

/* Whether the word stands where a type can, and is not a name that is declared, a scope or another's type. */
static bool is_type(const struct check *check, size_t start, size_t tag)
{
	const struct rs_mirror_scan *scan = check->scan;
	size_t before = start - 1;
	bool has_key = start < tag;

	if (is_char(check, tag + 1, '<') || is_char(check, tag + 1, '(') ||
	    (is_char(check, tag + 1, ':') && is_char(check, tag + 2, ':')))
		return false;
	if (has_key)
		return true;
	if (is_char(check, tag + 1, '=') || is_char(check, tag + 1, '.') ||
	    (is_char(check, tag + 1, '[') && !rs_mirror_scan_is(scan, before, "new")))
		return false;
	if (rs_mirror_scan_is_word(scan, before))
		return is_any(check, before, before_types, RS_COUNT_OF(before_types));
	/* `Foo(int a) : tag{a} {}` sets a member. */
	if (is_char(check, before, ':') && is_char(check, before - 1, ')') && is_char(check, tag + 1, '{'))
		return false;
	return !is_char(check, before, '.') && !is_char(check, before, '*') && !is_char(check, before, '>') &&
	       !(is_char(check, before, '&') && !is_char(check, tag + 1, '{'));
}

/* Where the type begins that ends in the tag: `struct tag`, `::tag`; n_tokens for another's `ns::tag`. */
static size_t find_type_start(const struct check *check, size_t tag)
{
	const struct rs_mirror_scan *scan = check->scan;
	size_t start = tag;

	if (is_char(check, tag - 1, ':') && is_char(check, tag - 2, ':')) {
		if (rs_mirror_scan_is_word(scan, tag - 3) &&
		    !is_any(check, tag - 3, before_types, RS_COUNT_OF(before_types)))
			return scan->n_tokens;
		start = tag - 2;
	}
	if (start > 0 && rs_mirror_scan_is(scan, start - 1, "struct"))
		start--;
	return start;
}

static enum use find_use(const struct check *check, size_t tag)
{
	const struct rs_mirror_scan *scan = check->scan;
	size_t start = find_type_start(check, tag);
	bool defines = start < tag && (is_char(check, tag + 1, '{') || is_char(check, tag + 1, ':'));

	if (start == scan->n_tokens)
		return USE_NONE;
	if (is_among_bases(check, start) && (is_char(check, tag + 1, '{') || is_char(check, tag + 1, ',')))
		return USE_BASE;
	if ((defines && rs_mirror_scan_is(scan, start, "struct")) || !is_type(check, start, tag))
		return USE_NONE;
	enum use use = find_list(check, start, tag);
	return use == USE_NONE ? find_member(check, start, tag) : use;
}

static bool is_name_of(const struct check *check, size_t token, const struct rs_mirror_record *at)
{
	for (size_t i = 0; i < at->n_names; i++)
		if (rs_mirror_scan_is(check->scan, token, at->names[i]))
			return true;
	return false;
}

static void check_tag(const struct check *check, size_t token)
{
	static const char *const said[] = {
		[USE_LIST] = "C++ initialises '%s' by a brace list: values go to fields in their order",
		[USE_BASE] = "a C++ class inherits from '%s': its lists and layout follow the fields' order",
		[USE_MEMBER] =
			"a C++ class has a member of type '%s': its lists and layout follow the fields' order",
	};
	const struct rs_mirror_word *word = check->scan->tokens[token].word;
	enum use use = USE_NONE;

	for (size_t i = 0; i < word->n_postings; i++) {
		const struct rs_mirror_record *at = &check->index->records[word->postings[i].record];

		if (word->postings[i].member != RS_NONE || !is_name_of(check, token, at))
			continue;
		if (use == USE_NONE && (use = find_use(check, token)) == USE_NONE)
			return;
		const char *title = rs_mirror_record_title(check->arena, at);
		const char *format = said[use], *mark = strstr(format, "%s");
		rs_mirror_report(at, "cxx-consumer", true, check->path, rs_mirror_scan_line(check->scan, token),
				 "%.*s%s%s", (int)(mark - format), format, title, mark + 2);
	}
}

/* `auto [a, b, c] =`: the record whose fields are all named, in their order. */
static bool binds(const struct check *check, size_t open, size_t close, size_t record)
{
	const struct rs_mirror_record *at = &check->index->records[record];
	size_t names = 0, in_order = 0;

	for (size_t i = open + 1; i < close; i++) {
		if (!rs_mirror_scan_is_word(check->scan, i))
			continue;
		if (names < at->n_fields &&
		    rs_mirror_index_field(check->scan->tokens[i].word, record) == at->fields[names])
			in_order++;
		names++;
	}
	return names == at->n_fields && in_order >= NEEDED_NAMES;
}

static void check_binding(const struct check *check, size_t token)
{
	const struct rs_mirror_scan *scan = check->scan;
	size_t open = token + 1;

	while (is_char(check, open, '&'))
		open++;
	size_t close = rs_mirror_scan_close(scan, open);
	if (!is_char(check, open, '[') || close == scan->n_tokens || open + 1 == close)
		return;
	for (size_t i = open + 1; i < close; i++)
		for (size_t k = 0; scan->tokens[i].word && k < scan->tokens[i].word->n_postings; k++) {
			size_t record = scan->tokens[i].word->postings[k].record;

			if (binds(check, open, close, record))
				rs_mirror_report(
					&check->index->records[record], "cxx-consumer", true, check->path,
					rs_mirror_scan_line(scan, token),
					"a C++ structured binding takes the fields of '%s' in their order",
					rs_mirror_record_title(check->arena, &check->index->records[record]));
		}
}

void rs_mirror_cxx_check(struct rs_arena *arena, const struct rs_mirror_index *index, const char *path,
			 bool is_cxx, const struct rs_mirror_scan *scan)
{
	struct check check = {
		.arena = arena, .index = index, .path = path, .scan = scan, .branches = { .outside = is_cxx }
	};

	for (size_t i = 0; i < scan->n_tokens; i++) {
		const struct rs_mirror_token *token = &scan->tokens[i];

		if (token->kind == RS_MIRROR_DIRECTIVE)
			follow_directive(&check.branches, scan, i);
		if (token->kind != RS_MIRROR_WORD || !is_cxx_here(&check.branches))
			continue;
		if (token->word && token->word->is_tag)
			check_tag(&check, i);
		if (rs_mirror_scan_is(scan, i, "auto"))
			check_binding(&check, i);
	}
}

static bool is_cxx_word(const struct rs_mirror_scan *scan, size_t at)
{
	if (rs_mirror_scan_is(scan, at, "template"))
		return rs_mirror_scan_is_char(scan, at + 1, '<');
	if (rs_mirror_scan_is(scan, at, "std"))
		return rs_mirror_scan_is_char(scan, at + 1, ':') && rs_mirror_scan_is_char(scan, at + 2, ':');
	if (!rs_mirror_scan_is(scan, at, "class") && !rs_mirror_scan_is(scan, at, "namespace"))
		return false;
	return rs_mirror_scan_is_word(scan, at + 1) &&
	       (rs_mirror_scan_is_char(scan, at + 2, '{') || rs_mirror_scan_is_char(scan, at + 2, ':'));
}

bool rs_mirror_cxx_is_cxx(const struct rs_mirror_scan *scan)
{
	struct branches branches = { .outside = false };

	for (size_t i = 0; i < scan->n_tokens; i++) {
		if (scan->tokens[i].kind == RS_MIRROR_DIRECTIVE)
			follow_directive(&branches, scan, i);
		else if (scan->tokens[i].kind == RS_MIRROR_WORD && !is_cxx_here(&branches) &&
			 is_cxx_word(scan, i))
			return true;
	}
	return false;
}
