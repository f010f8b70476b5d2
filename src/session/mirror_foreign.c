#include "session/mirror_foreign.h"

#include <string.h>

#include "session/mirror_report.h"

enum {
	NAME_TOKENS = 8,    /* between a definition's keyword and its name */
	BEFORE_TOKENS = 24, /* attributes and comments above a definition */
	CLASS_TOKENS = 80,  /* between a class and the list of fields inside it */
	OPEN_TOKENS = 24,   /* between the keyword and the body */
	STATEMENT_TOKENS = 40,
	WINDOW_TOKENS = 400, /* of a body without brackets */
	BODY_TOKENS = 2000,  /* of any body */
	GAP_TOKENS = 30,     /* between two fields */
	MAX_HITS = 256,      /* of one record's fields in one body */
	NEEDED_WITH_TAG = 3,
	NEEDED_WITHOUT_TAG = 6, /* or all fields, where there are fewer */
	DISTINCTIVE_LETTERS = 7,
	NEEDED_LONGEST = 5, /* letters of one name at least */
	FEW_FIELDS = 5,
	NEEDED_LETTERS = 8, /* of names that are not everybody's */
};

/* Names that fields of unrelated structs have, too. */
static const char *const common_names[] = { "addr",   "buf",    "count",  "data",    "end",    "first", "flags",
					    "height", "id",     "index",  "key",     "last",   "left",  "len",
					    "length", "list",   "max",    "min",     "mode",   "name",  "next",
					    "num",    "offset", "parent", "path",    "port",   "prev",  "ptr",
					    "right",  "size",   "start",  "state",   "status", "text",  "type",
					    "user",   "val",    "value",  "version", "width" };

static const char *const ends_of_class[] = { "class", "def", "end", "endstruc", "module", "struct", "type" };

struct candidate {
	unsigned stamp; /* of the body that the rest is about */
	size_t n_hits;
	size_t tag; /* token that names the record; RS_NONE */
};

struct rs_mirror_foreign {
	struct rs_arena *arena;
	const struct rs_mirror_index *index;
	struct candidate *candidates; /* one a record */
	size_t *touched;
	size_t n_touched;
	unsigned stamp;
};

/* One definition: names stand in [name_start, first) and [last, name_end), fields in [first, last). */
struct body {
	size_t head, name_start, first, last, name_end;
};

struct check {
	struct rs_mirror_foreign *foreign;
	const char *path;
	const struct rs_mirror_language *language;
	const struct rs_mirror_scan *scan;
	bool is_strong;
};

/* Fields of a record in the order of the struct. */
struct chain {
	size_t count;
	size_t members[MAX_HITS], tokens[MAX_HITS]; /* the first count of them */
};

struct hits {
	size_t count;
	size_t tokens[MAX_HITS], members[MAX_HITS];
	size_t best[MAX_HITS], before[MAX_HITS];
};

struct rs_mirror_foreign *rs_mirror_foreign_create(struct rs_arena *arena, const struct rs_mirror_index *index)
{
	struct rs_mirror_foreign *foreign = rs_arena_new(arena, struct rs_mirror_foreign);

	foreign->arena = arena;
	foreign->index = index;
	foreign->candidates = rs_arena_array(arena, struct candidate, index->n_records);
	foreign->touched = rs_arena_array(arena, size_t, index->n_records);
	return foreign;
}

static size_t minus(size_t at, size_t count)
{
	return at > count ? at - count : 0;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static struct candidate *touch(struct rs_mirror_foreign *foreign, size_t record)
{
	struct candidate *candidate = &foreign->candidates[record];

	if (candidate->stamp != foreign->stamp) {
		*candidate = (struct candidate) { .stamp = foreign->stamp, .tag = RS_NONE };
		foreign->touched[foreign->n_touched++] = record;
	}
	return candidate;
}

/* In a comment "list" is a word of prose; "struct list" and "light_row" are names. */
static bool is_named(const struct rs_mirror_scan *scan, const struct rs_mirror_token *token)
{
	const char *text = scan->text + token->start;
	size_t at = token->start;

	if (token->kind != RS_MIRROR_MENTION)
		return true;
	for (size_t i = 1; i + 1 < token->end - token->start; i++)
		if (text[i] == '_' || (text[i] >= 'A' && text[i] <= 'Z' && text[i + 1] >= 'a'))
			return true;
	while (at > 0 && scan->text[at - 1] == ' ')
		at--;
	return at >= 6 && memcmp(scan->text + at - 6, "struct", 6) == 0;
}

static void find_tags(struct check *check, size_t from, size_t to)
{
	const struct rs_mirror_scan *scan = check->scan;

	for (size_t i = from; i < to && i < scan->n_tokens; i++) {
		const struct rs_mirror_token *token = &scan->tokens[i];

		if (!token->word || !token->word->is_tag || !is_named(scan, token))
			continue;
		for (size_t k = 0; k < token->word->n_postings; k++) {
			const struct rs_mirror_posting *posting = &token->word->postings[k];
			struct candidate *candidate =
				posting->member == RS_NONE ? touch(check->foreign, posting->record) : NULL;

			/* The definition's own name is a better place than a comment about it. */
			if (candidate && (candidate->tag == RS_NONE || token->kind == RS_MIRROR_WORD))
				candidate->tag = i;
		}
	}
}

/* A name behind a dot is used, not defined; one before a bracket is called, but a Fortran array is declared so.
 */
static bool is_declared(const struct check *check, size_t token)
{
	const struct rs_mirror_scan *scan = check->scan;

	if (scan->tokens[token].kind != RS_MIRROR_WORD)
		return false;
	if (check->language->kind == RS_MIRROR_ASSEMBLY)
		return true;
	return !rs_mirror_scan_is_char(scan, token - 1, '.') &&
	       (check->language->form == RS_MIRROR_ENDED || !rs_mirror_scan_is_char(scan, token + 1, '('));
}

static void count_fields(struct check *check, const struct body *body)
{
	const struct rs_mirror_scan *scan = check->scan;

	for (size_t i = body->first; i < body->last; i++) {
		const struct rs_mirror_word *word = scan->tokens[i].word;

		if (!word || !is_declared(check, i))
			continue;
		for (size_t k = 0; k < word->n_postings; k++)
			if (word->postings[k].is_field)
				touch(check->foreign, word->postings[k].record)->n_hits++;
	}
}

static void collect_hits(const struct check *check, const struct body *body, size_t record, struct hits *hits)
{
	for (size_t i = body->first; i < body->last && hits->count < MAX_HITS; i++) {
		const struct rs_mirror_word *word = check->scan->tokens[i].word;
		size_t member = word && is_declared(check, i) ? rs_mirror_index_field(word, record) : RS_NONE;

		if (member == RS_NONE)
			continue;
		hits->tokens[hits->count] = i;
		hits->members[hits->count++] = member;
	}
}

/* The longest run of rising fields with no two far apart. */
static void find_chain(const struct check *check, const struct body *body, size_t record, struct chain *chain)
{
	struct hits hits = { 0 };
	size_t last = RS_NONE;

	collect_hits(check, body, record, &hits);
	for (size_t i = 0; i < hits.count; i++) {
		hits.best[i] = 1;
		hits.before[i] = RS_NONE;
		for (size_t k = i; k-- > 0 && hits.tokens[i] - hits.tokens[k] <= GAP_TOKENS;)
			if (hits.members[k] < hits.members[i] && hits.best[k] >= hits.best[i]) {
				hits.best[i] = hits.best[k] + 1;
				hits.before[i] = k;
			}
		if (last == RS_NONE || hits.best[i] > hits.best[last])
			last = i;
	}
	chain->count = last == RS_NONE ? 0 : hits.best[last];
	for (size_t at = chain->count; at-- > 0; last = hits.before[last]) {
		chain->members[at] = hits.members[last];
		chain->tokens[at] = hits.tokens[last];
	}
}

static bool is_common(const char *name)
{
	for (size_t i = 0; i < RS_COUNT_OF(common_names); i++)
		if (strcmp(common_names[i], name) == 0)
			return true;
	return false;
}

/* Whether a name is spelt whole, not without the prefix that the struct's fields have in common. */
static bool is_whole(const struct check *check, size_t token, const char *name)
{
	char stem[RS_MIRROR_STEM_BYTES];

	return check->scan->tokens[token].word->length == rs_mirror_index_make_stem(name, strlen(name), stem);
}

static bool is_distinctive(const char *name)
{
	return strchr(name, '_') || strlen(name) >= DISTINCTIVE_LETTERS;
}

/* Whether a list of fields that names no record can only mean this one: (nearly) all of it, or a good part
 * without a gap, and telling names. {red, green, blue} is anybody's, and so are registers. */
static bool is_telling(const struct check *check, const struct rs_mirror_record *at, const struct chain *chain)
{
	size_t letters = 0, spanned = 0, n_distinctive = 0, longest = 0;

	for (size_t i = 0; i < chain->count; i++) {
		const char *name = at->record->members[chain->members[i]].name;
		size_t length = is_common(name) ? 0 : strlen(name);

		letters += length;
		longest = length > longest ? length : longest;
		n_distinctive += is_distinctive(name);
		if (!is_whole(check, chain->tokens[i], name))
			return false;
	}
	for (size_t i = 0; i < at->n_fields; i++)
		spanned +=
			at->fields[i] >= chain->members[0] && at->fields[i] <= chain->members[chain->count - 1];
	if (letters < NEEDED_LETTERS || longest < NEEDED_LONGEST || chain->count * 5 < spanned * 4)
		return false;
	if (chain->count < FEW_FIELDS && n_distinctive < 2)
		return false;
	return chain->count * 5 >= at->n_fields * 4 || n_distinctive >= NEEDED_WITHOUT_TAG;
}

static bool is_mirror(const struct check *check, const struct rs_mirror_record *at,
		      const struct candidate *candidate, const struct chain *chain)
{
	if (at->n_fields < 2 || chain->count < 2)
		return false;
	if (!check->is_strong)
		return candidate->tag != RS_NONE && at->n_fields >= NEEDED_WITH_TAG &&
		       chain->count == at->n_fields;
	if (candidate->tag != RS_NONE || check->language->kind == RS_MIRROR_ASSEMBLY)
		return candidate->tag != RS_NONE && chain->count >= least(NEEDED_WITH_TAG, at->n_fields);
	return chain->count >= NEEDED_WITH_TAG && chain->count >= least(NEEDED_WITHOUT_TAG, at->n_fields) &&
	       is_telling(check, at, chain);
}

static void report(const struct check *check, const struct body *body, size_t record,
		   const struct candidate *candidate, const struct chain *chain)
{
	const struct rs_mirror_record *at = &check->foreign->index->records[record];
	const struct rs_member *members = at->record->members;
	bool is_assembly = check->language->kind == RS_MIRROR_ASSEMBLY;
	bool refuses = check->is_strong || check->language->weak == RS_MIRROR_WEAK_CONTRACT;
	bool has_name = candidate->tag != RS_NONE && check->scan->tokens[candidate->tag].kind == RS_MIRROR_WORD;
	size_t place = has_name && candidate->tag < body->first ? candidate->tag : body->head;
	size_t third = chain->count > 2 ? chain->members[2] : RS_NONE;

	rs_mirror_report(at, is_assembly ? "assembly" : "foreign-mirror", refuses, check->path,
			 rs_mirror_scan_line(check->scan, place),
			 "a definition here lists '%s', '%s'%s%s%s%s in the order of '%s': %s",
			 members[chain->members[0]].name, members[chain->members[1]].name,
			 third == RS_NONE ? "" : ", '", third == RS_NONE ? "" : members[third].name,
			 third == RS_NONE ? "" : "'", chain->count > 3 ? " and more" : "",
			 rs_mirror_record_title(check->foreign->arena, at),
			 refuses ? "it would no longer match"
				 : "nothing says that its memory is laid out as in C, "
				   "but look");
}

static void check_body(struct check *check, const struct body *body)
{
	struct rs_mirror_foreign *foreign = check->foreign;

	count_fields(check, body);
	for (size_t i = 0; i < foreign->n_touched; i++) {
		const struct candidate *candidate = &foreign->candidates[foreign->touched[i]];
		const struct rs_mirror_record *at = &foreign->index->records[foreign->touched[i]];
		struct chain chain;

		if (candidate->n_hits < 2 || candidate->n_hits < least(NEEDED_WITH_TAG, at->n_fields))
			continue;
		find_chain(check, body, foreign->touched[i], &chain);
		if (is_mirror(check, at, candidate, &chain))
			report(check, body, foreign->touched[i], candidate, &chain);
	}
}

static size_t find_opening(const struct rs_mirror_scan *scan, size_t from, size_t most, const char *brackets)
{
	for (size_t i = from; i < scan->n_tokens && i < from + most; i++) {
		if (rs_mirror_scan_is_char(scan, i, ';'))
			break;
		if (scan->tokens[i].kind == RS_MIRROR_PUNCTUATION && strchr(brackets, scan->tokens[i].c))
			return i;
	}
	return scan->n_tokens;
}

/* Goes back over what may stand above a definition, not into the one before. */
static size_t above(const struct rs_mirror_scan *scan, size_t head)
{
	size_t at = head, end = minus(head, BEFORE_TOKENS);

	while (at > end && !rs_mirror_scan_is_char(scan, at - 1, ';') &&
	       !rs_mirror_scan_is_char(scan, at - 1, '}'))
		at--;
	return at;
}

static bool find_braces(const struct rs_mirror_scan *scan, size_t head, struct body *body)
{
	size_t opening = find_opening(scan, head + 1, OPEN_TOKENS, "{(");

	body->last = rs_mirror_scan_close(scan, opening);
	if (body->last == scan->n_tokens)
		return false;
	body->name_start = above(scan, head);
	body->first = opening + 1;
	body->name_end = body->last + 4;
	return true;
}

static void find_ended(const struct rs_mirror_scan *scan, size_t head, struct body *body)
{
	body->name_start = minus(head, NAME_TOKENS);
	body->first = head + 1;
	body->last = least(scan->n_tokens, head + WINDOW_TOKENS);
	for (size_t i = head + NAME_TOKENS; i < body->last; i++)
		if (scan->tokens[i].first_on_line &&
		    rs_mirror_scan_is_any(scan, i, ends_of_class, RS_COUNT_OF(ends_of_class)))
			body->last = i;
	body->name_end = body->last;
}

/* From the class that the call or assignment stands in, if it does. */
static size_t class_start(const struct rs_mirror_scan *scan, size_t statement)
{
	for (size_t i = statement; i-- > minus(statement, CLASS_TOKENS);)
		if (rs_mirror_scan_is(scan, i, "class") && scan->tokens[i].first_on_line)
			return above(scan, i);
	return above(scan, statement);
}

static void find_call(const struct rs_mirror_scan *scan, size_t head, struct body *body)
{
	size_t statement = head, end = minus(head, STATEMENT_TOKENS);

	while (statement > end && !scan->tokens[statement].first_on_line)
		statement--;
	size_t opening = find_opening(scan, head + 1, 3, "([{");
	body->name_start = class_start(scan, statement);
	body->first = statement;
	body->last = rs_mirror_scan_close(scan, opening);
	if (body->last == scan->n_tokens)
		body->last = least(scan->n_tokens, head + WINDOW_TOKENS);
	body->name_end = body->last + NAME_TOKENS;
}

/* Names stand near the keyword; in between may be bases and parameters, which name other things. */
static void find_names(struct check *check, const struct body *body)
{
	const struct rs_mirror_scan *scan = check->scan;

	for (size_t i = body->name_start; i < body->head; i++)
		if (scan->tokens[i].kind == RS_MIRROR_MENTION || check->language->form == RS_MIRROR_CALLS ||
		    i + NAME_TOKENS >= body->head)
			find_tags(check, i, i + 1);
	size_t end = check->language->form == RS_MIRROR_BRACES ? body->first : body->last;
	find_tags(check, body->head, least(body->head + NAME_TOKENS + 1, end));
	if (check->language->form != RS_MIRROR_ENDED)
		find_tags(check, body->last, body->name_end);
}

static void check_head(struct check *check, size_t head)
{
	struct body body = { .head = head };

	enum rs_mirror_form form = check->language->form;

	/* C declarations in a string; the Python module of this name has a dot behind it. */
	if (form == RS_MIRROR_CALLS && rs_mirror_scan_is(check->scan, head, "struct")) {
		if (rs_mirror_scan_is_char(check->scan, head + 1, '.'))
			return;
		if (!rs_mirror_scan_is_char(check->scan, head + 1, '('))
			form = RS_MIRROR_BRACES;
	}
	if (form == RS_MIRROR_ENDED)
		find_ended(check->scan, head, &body);
	else if (form == RS_MIRROR_CALLS)
		find_call(check->scan, head, &body);
	else if (!find_braces(check->scan, head, &body))
		return;
	if (body.last > body.first + BODY_TOKENS)
		body.last = body.first + BODY_TOKENS;
	check->foreign->n_touched = 0;
	check->foreign->stamp++;
	find_names(check, &body);
	check_body(check, &body);
}

static bool is_strong(const struct check *check)
{
	const char *strong = check->language->strong;

	if (!*strong)
		return true;
	for (size_t i = 0; i < check->scan->n_tokens; i++)
		if (rs_mirror_language_lists(strong, check->scan, i))
			return true;
	return false;
}

void rs_mirror_foreign_check(struct rs_mirror_foreign *foreign, const char *path,
			     const struct rs_mirror_language *language, const struct rs_mirror_scan *scan)
{
	struct check check = { .foreign = foreign, .path = path, .language = language, .scan = scan };

	check.is_strong = is_strong(&check);
	if (!check.is_strong && language->weak == RS_MIRROR_WEAK_NONE)
		return;
	for (size_t i = 0; i < scan->n_tokens; i++)
		if (rs_mirror_language_lists(language->heads, scan, i))
			check_head(&check, i);
}
