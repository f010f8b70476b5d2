#include "session/mirror_offsets.h"

#include <stdlib.h>
#include <string.h>

#include "session/mirror_report.h"

enum { MAX_PARTS = 16 };

/* NAME 8, NAME = 8, .equ NAME, 8 … */
struct constant {
	struct rs_span name;
	uint64_t value;
	bool is_generated; /* the line says offsetof: a tool wrote it */
};

/* A constant whose name speaks of a record's member. */
struct match {
	size_t record, member;
	const struct constant *constant;
	bool names_all; /* of the tag; else the file has to spell it */
};

struct check {
	struct rs_arena *arena; /* of the file */
	const struct rs_mirror_index *index;
	const char *path;
	enum rs_mirror_kind kind;
	const char *text;
	size_t size;
	struct constant *constants;
	size_t n_constants, constants_capacity;
	struct match *matches;
	size_t n_matches, matches_capacity;
	bool only_equal; /* constants that are no offsets of the members they name are not matched */
};

/* A place in one line. */
struct cursor {
	const char *text;
	size_t at, end;
};

static bool is_word_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static char peek(const struct cursor *cursor)
{
	return cursor->at < cursor->end ? cursor->text[cursor->at] : '\0';
}

static void skip_blanks(struct cursor *cursor)
{
	while (peek(cursor) == ' ' || peek(cursor) == '\t')
		cursor->at++;
}

static struct rs_span take_word(struct cursor *cursor)
{
	struct rs_span word;

	skip_blanks(cursor);
	word.start = cursor->at;
	while (is_word_byte(peek(cursor)))
		cursor->at++;
	word.end = cursor->at;
	return word;
}

static bool word_is_any(const char *text, struct rs_span word, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(words[i]) == word.end - word.start &&
		    strncasecmp(text + word.start, words[i], word.end - word.start) == 0)
			return true;
	return false;
}

static bool take_number(struct cursor *cursor, uint64_t *ret_value)
{
	char *end;

	skip_blanks(cursor);
	while (peek(cursor) == '(' || peek(cursor) == ' ')
		cursor->at++;
	if (!is_digit(peek(cursor)))
		return false;
	*ret_value = strtoull(cursor->text + cursor->at, &end, 0);
	cursor->at = (size_t)(end - cursor->text);
	if (peek(cursor) == 'h' || peek(cursor) == 'H')
		return false;
	while (peek(cursor) && strchr("uUlLzZ)", peek(cursor)))
		cursor->at++;
	skip_blanks(cursor);
	return cursor->at <= cursor->end && !is_word_byte(peek(cursor)) && peek(cursor) != '.';
}

/* A number, or numbers that are added and multiplied, and nothing else of an expression behind it. */
static bool take_value(struct cursor *cursor, uint64_t *ret_value)
{
	uint64_t sum = 0, product, factor;

	if (!take_number(cursor, &product))
		return false;
	while (peek(cursor) == '*' || peek(cursor) == '+') {
		char operation = cursor->text[cursor->at++];

		if (!take_number(cursor, &factor))
			return false;
		sum += operation == '+' ? product : 0;
		product = operation == '+' ? factor : product * factor;
	}
	*ret_value = sum + product;
	return !peek(cursor) || !strchr("-|&<>^%?", peek(cursor));
}

static void add_constant(struct check *check, struct rs_span name, struct cursor value)
{
	uint64_t number;

	if (name.end == name.start || is_digit(check->text[name.start]) || !take_value(&value, &number))
		return;
	bool is_generated = memmem(check->text + value.at, value.end - value.at, "offsetof", 8) != NULL;
	*rs_array_push(check->arena, check->constants, check->n_constants, check->constants_capacity) =
		(struct constant) { name, number, is_generated };
}

/* The word that ends before `at`; in `NAME: type =` the name. */
static struct rs_span word_before(const struct check *check, size_t line_start, size_t at)
{
	const char *text = check->text;
	struct rs_span word;

	while (at > line_start && (text[at - 1] == ' ' || text[at - 1] == '\t'))
		at--;
	word.end = at;
	while (at > line_start && is_word_byte(text[at - 1]))
		at--;
	word.start = at;
	while (at > line_start && text[at - 1] == ' ')
		at--;
	if (check->kind == RS_MIRROR_FOREIGN && at > line_start && text[at - 1] == ':')
		return word_before(check, line_start, at - 1);
	if (word.start > line_start && strchr(".>", text[word.start - 1]))
		word.end = word.start;
	return word;
}

static void find_assignments(struct check *check, struct cursor line)
{
	const char *text = line.text;

	for (const char *p; (p = memchr(text + line.at, '=', line.end - line.at));) {
		size_t at = (size_t)(p - text);
		struct cursor value = { text, at + 1, line.end };

		if (at > line.at) {
			struct rs_span name = word_before(check, line.at, at);
			bool is_constant = check->kind == RS_MIRROR_FOREIGN ||
					   check->kind == RS_MIRROR_ASSEMBLY ||
					   (text[name.start] >= 'A' && text[name.start] <= 'Z');

			if (is_constant)
				add_constant(check, name, value);
		}
		line.at = at + 1;
	}
}

static void find_directive(struct check *check, struct cursor line)
{
	static const char *const defining[] = { "assign", "define", "equ", "equiv", "set" };
	char mark = line.text[line.at++];
	struct rs_span word = take_word(&line);

	if (!word_is_any(line.text, word, defining, RS_COUNT_OF(defining)))
		return;
	struct rs_span name = take_word(&line);
	if (peek(&line) == '(')
		return;
	skip_blanks(&line);
	if (mark == '.' && peek(&line) == ',')
		line.at++;
	add_constant(check, name, line);
}

static void find_equ(struct check *check, struct cursor line)
{
	static const char *const equates[] = { "equ" };
	struct rs_span name = take_word(&line);
	struct rs_span word = take_word(&line);

	if (word_is_any(line.text, word, equates, RS_COUNT_OF(equates)))
		add_constant(check, name, line);
}

static void find_constants(struct check *check)
{
	struct cursor line = { .text = check->text };

	for (size_t next = 0; next < check->size; next = line.end + 1) {
		const char *newline = memchr(check->text + next, '\n', check->size - next);

		line.at = next;
		line.end = newline ? (size_t)(newline - check->text) : check->size;
		size_t line_end = line.end;
		skip_blanks(&line);
		char first = peek(&line);
		bool is_assembly = check->kind == RS_MIRROR_ASSEMBLY;
		if (first == '#' || (is_assembly && (first == '%' || first == '.')))
			find_directive(check, line);
		else
			find_assignments(check, line);
		if (is_assembly)
			find_equ(check, line);
		line.end = line_end;
	}
}

/* A name in its parts: CTX_OFFSET_sp, ctxOffsetSp. */
struct parts {
	const char *text;
	size_t starts[MAX_PARTS], ends[MAX_PARTS];
	size_t count;
};

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static void split(struct parts *parts, const char *text, size_t length)
{
	*parts = (struct parts) { .text = text };
	for (size_t i = 0; i < length && parts->count < MAX_PARTS;) {
		size_t start = i;

		if (text[i] == '_') {
			i++;
			continue;
		}
		for (i++; i < length && text[i] != '_' && !(is_upper(text[i]) && !is_upper(text[i - 1])); i++)
			;
		parts->starts[parts->count] = start;
		parts->ends[parts->count++] = i;
	}
}

static bool says_offset(const struct parts *parts, size_t part)
{
	static const char *const words[] = { "o", "of", "off", "offs", "offset", "offsetof", "offsets", "ofs" };
	struct rs_span word = { parts->starts[part], parts->ends[part] };

	return word_is_any(parts->text, word, words, RS_COUNT_OF(words));
}

enum naming { NAMES_NOTHING, NAMES_A_PART, NAMES_ALL };

/* Whether the parts [from, to) are a tag, its beginning or a word of it, or its initials. */
static enum naming names_record(const struct parts *parts, size_t from, size_t to, const char *name)
{
	char stem[RS_MIRROR_STEM_BYTES], tag[RS_MIRROR_STEM_BYTES], initials[MAX_PARTS];
	size_t length = rs_mirror_index_make_stem(parts->text + parts->starts[from],
						  parts->ends[to - 1] - parts->starts[from], stem);
	enum naming naming = NAMES_NOTHING;
	struct parts words;

	split(&words, name, strlen(name));
	if (length < 2 || words.count == 0)
		return NAMES_NOTHING;
	for (size_t i = 0; i < words.count; i++) {
		for (size_t k = words.count; k > i; k--) {
			size_t run = rs_mirror_index_make_stem(name + words.starts[i],
							       words.ends[k - 1] - words.starts[i], tag);
			bool begins = i == 0 && run > length;

			if ((run != length && !begins) || memcmp(tag, stem, length) != 0)
				continue;
			if (run == length && i == 0 && words.ends[k - 1] + 2 >= strlen(name))
				return NAMES_ALL;
			naming = NAMES_A_PART;
		}
		initials[i] = tag[0];
	}
	return length == words.count && memcmp(stem, initials, length) == 0 ? NAMES_A_PART : naming;
}

/* What stands before the member's part of the name: the record; or a project's prefix and the whole tag; or a
 * word for "offset" and nothing else. */
static bool prefix_fits(const struct parts *parts, size_t end, const struct rs_mirror_record *at,
			bool *ret_names_all)
{
	size_t last = end, first = 0;

	while (last > 0 && says_offset(parts, last - 1))
		last--;
	while (first < last && says_offset(parts, first))
		first++;
	*ret_names_all = false;
	for (size_t from = first; from < last; from++)
		for (size_t i = 0; i < at->n_names; i++) {
			enum naming naming = names_record(parts, from, last, at->names[i]);

			*ret_names_all = naming == NAMES_ALL;
			if (naming == NAMES_ALL || (naming == NAMES_A_PART && from == first))
				return true;
		}
	return first == last && end > 0;
}

static bool may_match(const struct check *check, const struct rs_member *member,
		      const struct constant *constant)
{
	if (member->is_bitfield || member->offset_bits % 8 != 0)
		return false;
	return !check->only_equal || member->offset_bits / 8 == constant->value;
}

static void match_suffix(struct check *check, const struct constant *constant, const struct parts *parts,
			 size_t from, size_t to)
{
	const struct rs_mirror_word *word = rs_mirror_index_stem(
		check->index, parts->text + parts->starts[from], parts->ends[to - 1] - parts->starts[from]);

	for (size_t i = 0; word && i < word->n_postings; i++) {
		const struct rs_mirror_posting *posting = &word->postings[i];
		const struct rs_mirror_record *at = &check->index->records[posting->record];
		bool names_all;

		if (posting->member == RS_NONE ||
		    !may_match(check, &at->record->members[posting->member], constant) ||
		    !prefix_fits(parts, from, at, &names_all))
			continue;
		*rs_array_push(check->arena, check->matches, check->n_matches, check->matches_capacity) =
			(struct match) { posting->record, posting->member, constant, names_all };
	}
}

static void match_constant(struct check *check, const struct constant *constant)
{
	struct parts parts;

	split(&parts, check->text + constant->name.start, constant->name.end - constant->name.start);
	size_t to = parts.count;
	while (to > 1 && says_offset(&parts, to - 1))
		to--;
	/* The longest member name first: with CTX_USER_SP, user_sp is meant where there is one. */
	for (size_t from = to < parts.count ? 0 : 1; from < to; from++) {
		size_t before = check->n_matches;

		match_suffix(check, constant, &parts, from, to);
		if (check->n_matches > before)
			return;
	}
}

static uint64_t offset_of(const struct check *check, const struct match *match)
{
	return check->index->records[match->record].record->members[match->member].offset_bits / 8;
}

static bool spells(const struct check *check, const char *name)
{
	size_t length = strlen(name);
	const char *end = check->text + check->size;

	for (const char *p = check->text; (p = memmem(p, (size_t)(end - p), name, length)); p++)
		if ((p == check->text || !is_word_byte(p[-1])) &&
		    (p + length == end || !is_word_byte(p[length])))
			return true;
	return false;
}

static bool file_names_record(const struct check *check, const struct rs_mirror_record *at)
{
	for (size_t i = 0; i < at->n_names; i++)
		if (spells(check, at->names[i]))
			return true;
	return false;
}

static unsigned line_of(const struct check *check, size_t byte)
{
	unsigned line = 1;

	for (size_t i = 0; i < byte; i++)
		line += check->text[i] == '\n';
	return line;
}

static void report(const struct check *check, const struct match *first, const struct match *second)
{
	const struct rs_mirror_record *at = &check->index->records[first->record];
	const struct constant *a = first->constant, *b = second->constant;
	bool is_generated = a->is_generated && b->is_generated;

	rs_mirror_report(at, check->kind == RS_MIRROR_FOREIGN ? "foreign-mirror" : "assembly", !is_generated,
			 check->path, line_of(check, a->name.start),
			 "%.*s %llu and %.*s %llu are the offsets of '%s' and '%s' in '%s'%s",
			 (int)(a->name.end - a->name.start), check->text + a->name.start,
			 (unsigned long long)a->value, (int)(b->name.end - b->name.start),
			 check->text + b->name.start, (unsigned long long)b->value,
			 at->record->members[first->member].path, at->record->members[second->member].path,
			 rs_mirror_record_title(check->arena, at),
			 is_generated ? ", written by a tool: run it again" : ", written as numbers");
}

static int match_compare(const void *a, const void *b)
{
	const struct match *x = (const struct match *)a, *y = (const struct match *)b;

	if (x->record != y->record)
		return x->record < y->record ? -1 : 1;
	return x->constant < y->constant ? -1 : x->constant > y->constant;
}

/* Offsets by hand: two members at least, not all at 0, and most numbers of such names are right. */
static void judge(const struct check *check, const struct match *matches, size_t count)
{
	const struct match *first = NULL, *second = NULL;
	size_t n_equal = 0, n_other = 0;
	bool is_named = true;

	for (size_t i = 0; i < count; i++) {
		if (offset_of(check, &matches[i]) != matches[i].constant->value) {
			n_other++;
			continue;
		}
		n_equal++;
		is_named &= matches[i].names_all;
		if (!first)
			first = &matches[i];
		else if (matches[i].member != first->member && (!second || second->constant->value == 0))
			second = &matches[i];
	}
	if (!second || n_equal <= n_other || first->constant->value + second->constant->value == 0)
		return;
	if (is_named || file_names_record(check, &check->index->records[first->record]))
		report(check, first, second);
}

static void match_constants(struct check *check, bool only_equal)
{
	check->n_matches = 0;
	check->only_equal = only_equal;
	for (size_t i = 0; i < check->n_constants; i++)
		if (!only_equal || rs_mirror_index_has_offset(check->index, check->constants[i].value))
			match_constant(check, &check->constants[i]);
	if (check->n_matches > 1)
		qsort(check->matches, check->n_matches, sizeof *check->matches, match_compare);
}

/* Whether two of the matches are about one record. */
static bool has_pair(const struct check *check)
{
	for (size_t i = 1; i < check->n_matches; i++)
		if (check->matches[i].record == check->matches[i - 1].record)
			return true;
	return false;
}

void rs_mirror_offsets_check(struct rs_arena *arena, const struct rs_mirror_index *index, const char *path,
			     enum rs_mirror_kind kind, const char *text, size_t size)
{
	struct check check = {
		.arena = arena, .index = index, .path = path, .kind = kind, .text = text, .size = size
	};

	find_constants(&check);
	match_constants(&check, true);
	if (!has_pair(&check))
		return;
	match_constants(&check, false);
	for (size_t i = 0, next; i < check.n_matches; i = next) {
		for (next = i; next < check.n_matches && check.matches[next].record == check.matches[i].record;)
			next++;
		judge(&check, &check.matches[i], next - i);
	}
}
