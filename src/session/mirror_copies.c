#include "session/mirror_copies.h"

#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "session/mirror_report.h"

enum {
	NAME_TOKENS = 12, /* attributes and the name, between `struct` and the brace */
	TAIL_TOKENS = 16, /* attributes and names behind the body */
	MAX_FIELDS = 1024,
	MAX_DEPTH = 16,
	FEWEST_FOR_SIMILAR = 5, /* a copy that fell behind has most of the fields; a small one all */
};

/* Words that stand where a name might, and are none. */
static const char *const no_names[] = { "char",   "const",    "double",    "float",  "int",
					"long",   "private",  "protected", "public", "short",
					"signed", "unsigned", "volatile" };

/* Names that a body declares, as token indexes. */
struct fields {
	const struct rs_mirror_scan *scan;
	size_t tokens[MAX_FIELDS];
	size_t count;
};

static void add_field(struct fields *fields, size_t token, bool *is_taken)
{
	const struct rs_mirror_scan *scan = fields->scan;

	if (*is_taken || !rs_mirror_scan_is_word(scan, token) || fields->count == MAX_FIELDS ||
	    rs_mirror_scan_is_any(scan, token, no_names, RS_COUNT_OF(no_names)))
		return;
	fields->tokens[fields->count++] = token;
	*is_taken = true;
}

/* `(*name)(…)`: the name; `(…)` behind a word: a macro or attribute, the name stands before it. */
static size_t pass_parentheses(struct fields *fields, size_t open, bool *is_taken)
{
	const struct rs_mirror_scan *scan = fields->scan;
	size_t at = open + 1;

	while (rs_mirror_scan_is_char(scan, at, '*') || rs_mirror_scan_is(scan, at, "const"))
		at++;
	if (at > open + 1)
		add_field(fields, at, is_taken);
	else if (rs_mirror_scan_is_word(scan, open - 1) && rs_mirror_scan_is_word(scan, open - 2))
		add_field(fields, open - 2, is_taken);
	return rs_mirror_scan_close(scan, open);
}

static void collect_fields(struct fields *fields, size_t first, size_t last, unsigned depth)
{
	const struct rs_mirror_scan *scan = fields->scan;
	bool is_taken = false;

	for (size_t i = first; i < last && depth < MAX_DEPTH; i++) {
		if (scan->tokens[i].kind != RS_MIRROR_PUNCTUATION)
			continue;
		char c = scan->tokens[i].c;
		size_t close = rs_mirror_scan_close(scan, i);
		if (c == '(') {
			i = pass_parentheses(fields, i, &is_taken);
		} else if (c == '{') {
			if (rs_mirror_scan_is_char(scan, close + 1, ';'))
				collect_fields(fields, i + 1, close, depth + 1);
			i = close;
		} else if (strchr(",;:=[", c)) {
			add_field(fields, i - 1, &is_taken);
			is_taken = is_taken && c != ',' && c != ';';
			i = c == '[' && close < last ? close : i;
		}
	}
}

static bool is_field(const struct fields *fields, size_t at, const char *name)
{
	return rs_mirror_scan_is(fields->scan, fields->tokens[at], name);
}

/* How many fields both have in the same order: a longest common subsequence, one row at a time. */
static size_t common_fields(const struct rs_mirror_record *at, const struct fields *fields)
{
	uint16_t row[MAX_FIELDS + 1] = { 0 };

	for (size_t i = 0; i < at->n_fields; i++) {
		const char *name = at->record->members[at->fields[i]].name;
		uint16_t diagonal = 0;

		for (size_t k = 0; k < fields->count; k++) {
			uint16_t above = row[k + 1];

			if (is_field(fields, k, name))
				row[k + 1] = (uint16_t)(diagonal + 1);
			else if (row[k] > above)
				row[k + 1] = row[k];
			diagonal = above;
		}
	}
	return row[fields->count];
}

static bool is_among(const struct fields *fields, const char *name)
{
	for (size_t i = 0; i < fields->count; i++)
		if (is_field(fields, i, name))
			return true;
	return false;
}

/* Fields that both have, in whatever order. */
static size_t shared_fields(const struct rs_mirror_record *at, const struct fields *fields)
{
	size_t shared = 0;

	for (size_t i = 0; i < at->n_fields; i++)
		shared += is_among(fields, at->record->members[at->fields[i]].name);
	return shared;
}

/* One with a field more or less is a copy that fell behind; one in another order matches no more as it is. */
static bool is_copy(const struct rs_mirror_record *at, const struct fields *fields)
{
	size_t most = at->n_fields > fields->count ? at->n_fields : fields->count;

	if (at->n_fields == 0 || at->n_fields * 5 < most * 4 || fields->count * 5 < most * 4)
		return false;
	size_t common = common_fields(at, fields);
	return common == most ||
	       (most >= FEWEST_FOR_SIMILAR && common * 5 >= most * 4 && common == shared_fields(at, fields));
}

struct definition {
	size_t head, open, close, tail_end;
};

static const char *const alignment_words[] = { "_Alignas", "__aligned__", "aligned", "alignas" };

/* The number N of `aligned(N)` at a token; 0: there is none. */
static uint64_t find_alignment(const struct rs_mirror_scan *scan, size_t at)
{
	if (!rs_mirror_scan_is_any(scan, at, alignment_words, RS_COUNT_OF(alignment_words)) ||
	    !rs_mirror_scan_is_char(scan, at + 1, '(') || rs_mirror_scan_close(scan, at + 1) != at + 3 ||
	    scan->tokens[at + 2].kind != RS_MIRROR_NUMBER)
		return 0;
	return strtoul(scan->text + scan->tokens[at + 2].start, NULL, 0);
}

static size_t find_field_at(const struct fields *fields, size_t token)
{
	for (size_t k = 0; k < fields->count; k++)
		if (fields->tokens[k] == token)
			return k;
	return RS_NONE;
}

/* The next field of the declaration, backward or forward. Behind a star it may be the type pointed to that is
 * aligned: then there is none. */
static size_t find_next_field(const struct fields *fields, size_t at, bool is_forward)
{
	const struct rs_mirror_scan *scan = fields->scan;

	for (size_t i = at; i > 0 && i < scan->n_tokens; i = is_forward ? i + 1 : i - 1) {
		size_t field = find_field_at(fields, i);

		if (field != RS_NONE)
			return field;
		if (scan->tokens[i].kind == RS_MIRROR_PUNCTUATION && strchr(";{}*", scan->tokens[i].c))
			break;
	}
	return RS_NONE;
}

/* The field that an attribute aligns: the last one before it in its declaration, else the first one behind. */
static size_t find_aligned_field(const struct fields *fields, size_t at)
{
	size_t before = find_next_field(fields, at, false);

	return before != RS_NONE ? before : find_next_field(fields, at, true);
}

/* Whether a field is aligned there to what its place here is no multiple of: the two do not match as they are,
 * so nobody can rely on it. */
static bool is_aligned_elsewhere(const struct rs_mirror_record *at, const struct fields *fields,
				 const struct definition *definition)
{
	for (size_t i = definition->open + 1; i < definition->close; i++) {
		uint64_t align_bytes = find_alignment(fields->scan, i);
		size_t field = align_bytes ? find_aligned_field(fields, i) : RS_NONE;

		if (field == RS_NONE || align_bytes > RS_MIRROR_OFFSETS)
			continue;
		for (size_t k = 0; k < at->n_fields; k++) {
			const struct rs_member *member = &at->record->members[at->fields[k]];

			if (is_field(fields, field, member->name) &&
			    member->offset_bits % (8 * align_bytes) != 0)
				return true;
		}
	}
	return false;
}

static bool find_definition(const struct rs_mirror_scan *scan, size_t head, struct definition *definition)
{
	*definition = (struct definition) { .head = head, .open = head + 1 };
	while (definition->open < head + NAME_TOKENS && !rs_mirror_scan_is_char(scan, definition->open, '{')) {
		if (definition->open >= scan->n_tokens ||
		    (scan->tokens[definition->open].kind == RS_MIRROR_PUNCTUATION &&
		     strchr(";=,*}", scan->tokens[definition->open].c)))
			return false;
		definition->open++;
	}
	definition->close = rs_mirror_scan_close(scan, definition->open);
	if (!rs_mirror_scan_is_char(scan, definition->open, '{') || definition->close == scan->n_tokens)
		return false;
	definition->tail_end = definition->close + 1;
	while (definition->tail_end < definition->close + TAIL_TOKENS &&
	       definition->tail_end < scan->n_tokens &&
	       !rs_mirror_scan_is_char(scan, definition->tail_end, ';'))
		definition->tail_end++;
	return true;
}

static bool has_name(const struct rs_mirror_index *index, const struct rs_mirror_scan *scan, size_t from,
		     size_t to, size_t record)
{
	for (size_t i = from; i < to; i++) {
		const struct rs_mirror_token *token = &scan->tokens[i];

		if (token->kind != RS_MIRROR_WORD || !rs_mirror_index_is_tag(token->word, record))
			continue;
		for (size_t k = 0; k < index->records[record].n_names; k++)
			if (rs_mirror_scan_is(scan, i, index->records[record].names[k]))
				return true;
	}
	return false;
}

static bool is_own_file(const struct rs_mirror_record *at, const char *path)
{
	return strcmp(at->record->source->realpath, path) == 0;
}

/* A copy in the same folder is most likely the other side of something; elsewhere it may as well be a test's,
 * an example's or a bundled library's own: that is said, and refuses nothing. */
static bool is_beside(const struct rs_mirror_record *at, const char *path)
{
	const char *own = at->record->source->realpath;
	size_t folder = (size_t)(rs_path_basename(own) - own);

	return folder == (size_t)(rs_path_basename(path) - path) && strncmp(own, path, folder) == 0;
}

static void check_record(struct rs_arena *arena, const struct rs_mirror_index *index, const char *path,
			 const struct rs_mirror_scan *scan, const struct definition *definition,
			 const struct fields *fields, size_t record)
{
	const struct rs_mirror_record *at = &index->records[record];

	if (is_own_file(at, path) || !is_copy(at, fields) || is_aligned_elsewhere(at, fields, definition))
		return;
	if (!has_name(index, scan, definition->head, definition->open, record) &&
	    !has_name(index, scan, definition->close, definition->tail_end, record))
		return;
	rs_mirror_report(at, "second-definition", is_beside(at, path), path,
			 rs_mirror_scan_line(scan, definition->head),
			 "'%s' is defined a second time here, with '%s' and the other fields in the same "
			 "order: it would no longer match",
			 rs_mirror_record_title(arena, at), at->record->members[at->fields[0]].name);
}

static void check_definition(struct rs_arena *arena, const struct rs_mirror_index *index, const char *path,
			     const struct rs_mirror_scan *scan, const struct definition *definition)
{
	struct fields fields = { .scan = scan };
	bool is_collected = false;

	for (size_t i = definition->head; i < definition->tail_end; i++) {
		const struct rs_mirror_word *word = scan->tokens[i].word;

		if (i == definition->open)
			i = definition->close;
		if (!word || !word->is_tag || i == definition->close)
			continue;
		if (!is_collected)
			collect_fields(&fields, definition->open + 1, definition->close, 0);
		is_collected = true;
		for (size_t k = 0; k < word->n_postings; k++)
			if (word->postings[k].member == RS_NONE)
				check_record(arena, index, path, scan, definition, &fields,
					     word->postings[k].record);
	}
}

void rs_mirror_copies_check(struct rs_arena *arena, const struct rs_mirror_index *index, const char *path,
			    const struct rs_mirror_scan *scan)
{
	for (size_t i = 0; i < scan->n_tokens; i++) {
		struct definition definition;

		if ((rs_mirror_scan_is(scan, i, "struct") || rs_mirror_scan_is(scan, i, "class")) &&
		    scan->tokens[i].kind == RS_MIRROR_WORD && find_definition(scan, i, &definition))
			check_definition(arena, index, path, scan, &definition);
	}
}
