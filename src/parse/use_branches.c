#include <string.h>

#include "base/file.h"
#include "parse/identity.h"
#include "parse/inclusions.h"
#include "parse/lexer.h"
#include "parse/uses_internal.h"
#include "parse/words.h"

/*
 * #if among the values of initialiser lists. What a unit does not read of a list may give values by position,
 * so that another unit has to show it; and where the place of a value depends on which branches are read
 * together, units have to show each way of reading them.
 */

enum { MOST_CHOICES = 64, SHOWN_COLUMNS = 60 };

struct branch {
	struct rs_span span;
	struct rs_span directive;
	size_t group;
	size_t first; /* byte of the first code in it; RS_NONE: none */
	bool is_dead; /* #if 0 */
};

/* An #if with all its branches. */
struct group {
	size_t list; /* byte of the brace right around it */
	const char *key;
	unsigned n_branches; /* with code, that are not dead */
	bool may_be_empty;   /* nothing of it may be read */
	bool is_nested;
	bool is_settled;  /* by #if 1, or what is asked around it: the branches behind are dead */
	bool is_negative; /* #ifndef */
};

/* An #if that is open. */
struct level {
	size_t group, branch;
	int depth;
	bool has_else;
	bool is_known, is_true; /* in the branch that is being read: what the group asks */
};

struct rs_use_branches {
	CXFile file;
	struct rs_span span;
	const char *problem;
	const char *text;
	bool is_fragment;  /* see walk->outer_is_fragment */
	bool has_includes; /* values stand in other files, too */
	struct branch *branches;
	size_t n_branches, branches_capacity;
	struct group *groups;
	size_t n_groups, groups_capacity;
	bool *is_kept; /* for each record */
};

struct reading {
	struct rs_arena *arena;
	struct rs_use_branches *result;
	size_t *braces; /* open ones */
	size_t n_braces, braces_capacity;
	struct level *levels;
	size_t n_levels, levels_capacity;
	int depth;
};

/* --- what a unit passes over --- */

const struct rs_span *rs_use_skipped(struct rs_use_walk *walk, CXFile file, size_t *ret_count)
{
	if (!walk->skipped_file || !rs_identity_is_same(walk->skipped_file, file)) {
		CXSourceRangeList *list = clang_getSkippedRanges(rs_tu_clang(walk->tu), file);

		walk->skipped_file = file;
		walk->n_skipped = list ? list->count : 0;
		walk->skipped = rs_arena_array(walk->arena, struct rs_span, walk->n_skipped);
		for (size_t i = 0; i < walk->n_skipped; i++)
			walk->skipped[i] = (struct rs_span) {
				rs_clang_place_of(clang_getRangeStart(list->ranges[i]), true).byte,
				rs_clang_place_of(clang_getRangeEnd(list->ranges[i]), true).byte
			};
		clang_disposeSourceRangeList(list);
	}
	*ret_count = walk->n_skipped;
	return walk->skipped;
}

bool rs_use_is_skipped(const struct rs_span *skipped, size_t n_skipped, size_t byte)
{
	for (size_t i = 0; i < n_skipped; i++)
		if (byte >= skipped[i].start && byte < skipped[i].end)
			return true;
	return false;
}

/* --- the outermost list --- */

static bool has_directive(const char *text, size_t start, size_t end)
{
	struct rs_lexer lexer;

	rs_lexer_init(&lexer, text, start, end);
	for (struct rs_token token; (token = rs_lexer_next(&lexer)).kind != RS_TOKEN_END;)
		if (token.kind == RS_TOKEN_DIRECTIVE)
			return true;
	return false;
}

/* Whether the file is included inside the outermost list so far. */
static bool is_fragment(struct rs_use_walk *walk, CXFile file)
{
	struct rs_inclusions all;

	if (!walk->outer_file || !walk->outer_has_directive || rs_identity_is_same(walk->outer_file, file))
		return false;
	rs_inclusions_read(walk->arena, rs_tu_clang(walk->tu), &all);
	for (size_t i = 0; i < all.n_items; i++) {
		const struct rs_inclusion *inclusion = &all.items[i];

		if (rs_identity_is_same(inclusion->file, file) && inclusion->includer != SIZE_MAX &&
		    rs_identity_is_same(all.items[inclusion->includer].file, walk->outer_file) &&
		    inclusion->byte >= walk->outer_start && inclusion->byte < walk->outer_end)
			return true;
	}
	return false;
}

/* Rows that another configuration has lie in the outermost list, if not in the row that is looked at. */
void rs_use_enter_list(struct rs_use_walk *walk, CXCursor list)
{
	CXSourceRange extent = clang_getCursorExtent(list);
	struct rs_clang_place start = rs_clang_place_of(clang_getRangeStart(extent), true);
	struct rs_clang_place end = rs_clang_place_of(clang_getRangeEnd(extent), true);
	size_t size = 0;

	if (!start.file || (walk->outer_file && rs_identity_is_same(walk->outer_file, start.file) &&
			    start.byte >= walk->outer_start && end.byte <= walk->outer_end))
		return;
	const char *text = clang_getFileContents(rs_tu_clang(walk->tu), start.file, &size);
	walk->outer_is_fragment = is_fragment(walk, start.file);
	walk->outer_file = start.file;
	walk->outer_start = walk->outer_is_fragment ? 0 : start.byte;
	walk->outer_end = walk->outer_is_fragment ? size : end.byte;
	walk->outer_has_directive = text && walk->outer_start < walk->outer_end && walk->outer_end <= size &&
				    has_directive(text, walk->outer_start, walk->outer_end);
}

/* --- reading the text --- */

/* What the directive asks, blanks and comments aside, without its own name. */
static const char *condition_of(struct rs_arena *arena, const char *text, struct rs_token directive)
{
	struct rs_span name = rs_lexer_directive_name(text, directive);
	RS_CLEANUP(rs_builder_deinit) struct rs_builder out = { 0 };
	struct rs_lexer lexer;

	rs_lexer_init(&lexer, text, name.end, directive.span.end);
	lexer.line_start = false;
	for (struct rs_token token; (token = rs_lexer_next(&lexer)).kind != RS_TOKEN_END;)
		if (!rs_token_is_comment(token))
			rs_builder_append(&out, text + token.span.start, token.span.end - token.span.start);
	return rs_arena_strndup(arena, out.data ? out.data : "", out.length);
}

/* What the same question was answered with around the group; NULL: it is not asked there. */
static const struct level *find_answer(const struct reading *reading, const struct group *group)
{
	for (size_t i = 0; i + 1 < reading->n_levels; i++)
		if (reading->levels[i].is_known &&
		    strcmp(reading->result->groups[reading->levels[i].group].key, group->key) == 0)
			return &reading->levels[i];
	return NULL;
}

/* Where the first branch of a group can tell by itself whether anybody reads it. */
static bool is_never_read(struct reading *reading, struct group *group, struct rs_token directive)
{
	const char *text = reading->result->text;
	struct rs_span word = rs_lexer_directive_word(text, directive);
	const struct level *answer = find_answer(reading, group);
	bool is_if = rs_span_is(text, rs_lexer_directive_name(text, directive), "if");

	if (answer)
		group->is_settled = answer->is_true != group->is_negative;
	else
		group->is_settled = is_if && rs_span_is(text, word, "1");
	return answer ? !group->is_settled : is_if && rs_span_is(text, word, "0");
}

static void begin_branch(struct reading *reading, struct rs_token directive)
{
	struct rs_use_branches *result = reading->result;
	struct level *level = &reading->levels[reading->n_levels - 1];
	struct group *group = &result->groups[level->group];
	bool is_first = rs_words_directive(result->text, directive) == RS_DIRECTIVE_IF;
	bool is_dead = group->is_settled;

	if (is_first)
		is_dead = is_never_read(reading, group, directive);
	level->is_known = is_first || level->has_else;
	level->is_true = is_first != group->is_negative;

	level->branch = result->n_branches;
	*rs_array_push(reading->arena, result->branches, result->n_branches, result->branches_capacity) =
		(struct branch) { .span = { directive.span.end, directive.span.end },
				  .directive = directive.span,
				  .group = level->group,
				  .first = RS_NONE,
				  .is_dead = is_dead };
}

static void end_branch(struct reading *reading, struct rs_token directive)
{
	struct rs_use_branches *result = reading->result;
	struct level *level = &reading->levels[reading->n_levels - 1];
	struct branch *branch = &result->branches[level->branch];
	struct group *group = &result->groups[level->group];

	branch->span.end = directive.span.start;
	if (branch->is_dead)
		return;
	if (branch->first == RS_NONE)
		group->may_be_empty = true;
	else
		group->n_branches++;
	if (reading->depth != level->depth)
		result->problem = "#if parts its braces";
}

static void open_group(struct reading *reading, struct rs_token directive)
{
	struct rs_use_branches *result = reading->result;
	struct rs_span name = rs_lexer_directive_name(result->text, directive);
	const char *condition = condition_of(reading->arena, result->text, directive);
	const char *kind = rs_span_is(result->text, name, "if") ? "if" : "ifdef";

	*rs_array_push(reading->arena, reading->levels, reading->n_levels, reading->levels_capacity) =
		(struct level) { .group = result->n_groups, .depth = reading->depth };
	*rs_array_push(reading->arena, result->groups, result->n_groups, result->groups_capacity) =
		(struct group) { .list = reading->n_braces > 0 ? reading->braces[reading->n_braces - 1]
							       : RS_NONE,
				 .key = rs_arena_printf(reading->arena, "%s %s", kind, condition),
				 .is_negative = rs_span_is(result->text, name, "ifndef") };
	struct group *group = &result->groups[result->n_groups - 1];
	for (size_t i = 0; i + 1 < reading->n_levels; i++)
		group->is_nested =
			group->is_nested || result->groups[reading->levels[i].group].list == group->list;
	begin_branch(reading, directive);
}

/* Nothing of the list hangs on it as long as no value changes its place, which none does beside a directive. */
static bool is_aside(enum rs_directive kind)
{
	return kind == RS_DIRECTIVE_DEFINE || kind == RS_DIRECTIVE_UNDEF || kind == RS_DIRECTIVE_MESSAGE;
}

static void take_directive(struct reading *reading, struct rs_token directive)
{
	struct rs_use_branches *result = reading->result;
	enum rs_directive kind = rs_words_directive(result->text, directive);
	struct level *level = reading->n_levels > 0 ? &reading->levels[reading->n_levels - 1] : NULL;

	if (kind == RS_DIRECTIVE_IF) {
		open_group(reading, directive);
	} else if (level && kind == RS_DIRECTIVE_ELSE) {
		end_branch(reading, directive);
		level->has_else =
			rs_span_is(result->text, rs_lexer_directive_name(result->text, directive), "else");
		begin_branch(reading, directive);
	} else if (level && kind == RS_DIRECTIVE_ENDIF) {
		struct group *group = &result->groups[level->group];

		end_branch(reading, directive);
		group->may_be_empty = group->may_be_empty || (!level->has_else && !group->is_settled);
		reading->n_levels--;
	} else if (kind == RS_DIRECTIVE_INCLUDE) {
		result->has_includes = true;
	} else if (!result->is_fragment && !is_aside(kind)) {
		result->problem = "a directive that is no #if stands among the values";
	}
}

static void take_code(struct reading *reading, struct rs_token token)
{
	struct rs_use_branches *result = reading->result;
	struct level *level = reading->n_levels > 0 ? &reading->levels[reading->n_levels - 1] : NULL;

	if (level && result->branches[level->branch].first == RS_NONE)
		result->branches[level->branch].first = token.span.start;
	if (token.kind != RS_TOKEN_PUNCTUATION)
		return;
	char c = result->text[token.span.start];
	if (c == '{')
		*rs_array_push(reading->arena, reading->braces, reading->n_braces, reading->braces_capacity) =
			token.span.start;
	if (c == '}' && reading->n_braces > 0)
		reading->n_braces--;
	reading->depth += strchr("({[", c) ? 1 : strchr(")}]", c) ? -1 : 0;
	if (level && reading->depth < level->depth)
		result->problem = "#if parts its braces";
}

static void read_branches(struct rs_arena *arena, struct rs_use_branches *result)
{
	struct reading reading = { .arena = arena, .result = result };
	struct rs_lexer lexer;

	if (!result->is_fragment && result->text[result->span.start] != '{')
		result->problem = "a preprocessor directive stands in the call of a macro";
	rs_lexer_init(&lexer, result->text, result->span.start, result->span.end);
	for (struct rs_token token; !result->problem && (token = rs_lexer_next(&lexer)).kind != RS_TOKEN_END;) {
		if (token.kind == RS_TOKEN_DIRECTIVE)
			take_directive(&reading, token);
		else if (!rs_token_is_comment(token))
			take_code(&reading, token);
	}
	if (!result->problem && reading.n_levels > 0)
		result->problem = "an #if ends outside of the list that it begins in";
}

/* --- what may be left unread --- */

/* A row that a macro makes is like others that the same macro makes. */
static bool is_known_row(const struct rs_use_branches *branches, const struct rs_span *skipped,
			 size_t n_skipped, struct rs_span name, bool is_call)
{
	const char *text = branches->text;
	size_t length = name.end - name.start;
	struct rs_lexer lexer;
	bool is_same = false;

	rs_lexer_init(&lexer, text, branches->span.start, branches->span.end);
	for (struct rs_token token; (token = rs_lexer_next(&lexer)).kind != RS_TOKEN_END;) {
		if (is_same && rs_token_is(text, token, "(") == is_call)
			return true;
		is_same = token.kind == RS_TOKEN_IDENTIFIER && token.span.end - token.span.start == length &&
			  memcmp(text + token.span.start, text + name.start, length) == 0 &&
			  !rs_use_is_skipped(skipped, n_skipped, token.span.start);
	}
	return false;
}

/* The text of a branch on the way through its values. */
struct glance {
	const struct rs_use_branches *branches;
	const struct rs_span *skipped;
	size_t n_skipped;
	struct rs_lexer lexer;
	bool begins; /* a value */
	bool is_assigned;
	int inside; /* parentheses and brackets */
};

/* Whether the token, with which a value begins, is no value by position. */
static bool may_begin(struct glance *glance, struct rs_token token)
{
	const char *text = glance->branches->text;

	if (rs_token_is(text, token, "{") || rs_token_is(text, token, "}") || rs_token_is(text, token, ",")) {
		glance->begins = !rs_token_is(text, token, "}");
		return true;
	}
	glance->begins = false;
	if (rs_token_is(text, token, "[")) {
		glance->inside++;
		return true;
	}
	if (token.kind != RS_TOKEN_IDENTIFIER)
		return rs_token_is(text, token, ".");
	struct rs_lexer ahead = glance->lexer;
	bool is_call = rs_token_is(text, rs_lexer_next(&ahead), "(");
	return is_known_row(glance->branches, glance->skipped, glance->n_skipped, token.span, is_call);
}

static bool may_continue(struct glance *glance, struct rs_token token)
{
	const char *text = glance->branches->text;
	char c = token.kind == RS_TOKEN_PUNCTUATION ? text[token.span.start] : 'x';

	if (strchr("([", c))
		glance->inside++;
	else if (strchr(")]", c))
		glance->inside--;
	else if (c == '{' && (glance->inside > 0 || !glance->is_assigned))
		return false;
	else if (glance->inside == 0 && (c == '{' || c == ','))
		glance->begins = true;
	glance->is_assigned = c == '=';
	return true;
}

/* Whether the branch gives no values by position but in ways that the unit shows, too. */
static bool is_harmless(const struct rs_use_branches *branches, const struct branch *branch,
			const struct rs_span *skipped, size_t n_skipped)
{
	struct glance glance = {
		.branches = branches, .skipped = skipped, .n_skipped = n_skipped, .begins = true
	};

	if (branch->is_dead || branch->first == RS_NONE)
		return true;
	rs_lexer_init(&glance.lexer, branches->text, branch->span.start, branch->span.end);
	for (struct rs_token token; (token = rs_lexer_next(&glance.lexer)).kind != RS_TOKEN_END;) {
		if (token.kind == RS_TOKEN_DIRECTIVE)
			return false;
		if (rs_token_is_comment(token))
			continue;
		if (!(glance.begins ? may_begin(&glance, token) : may_continue(&glance, token)))
			return false;
	}
	return true;
}

/* --- what is kept --- */

static const char *shown(struct rs_arena *arena, const char *text, struct rs_span directive)
{
	size_t size = directive.end - directive.start, end = strcspn(text + directive.start, "\r\n\\");

	size = end < size ? end : size;
	return rs_arena_strndup(arena, text + directive.start, size < SHOWN_COLUMNS ? size : SHOWN_COLUMNS);
}

/* The one macro that the first #if asks for: `X`, `(X)`, `defined(X)`, `defined X`; NULL. */
static const char *single_macro(struct rs_arena *arena, const struct branch *branch, const char *text)
{
	struct rs_span name = { 0 };
	struct rs_lexer lexer;

	rs_lexer_init(&lexer, text, branch->directive.start, branch->directive.end);
	struct rs_token directive = rs_lexer_next(&lexer);
	rs_lexer_init(&lexer, text, rs_lexer_directive_name(text, directive).end, branch->directive.end);
	lexer.line_start = false;
	for (struct rs_token token; (token = rs_lexer_next(&lexer)).kind != RS_TOKEN_END;) {
		if (rs_token_is_comment(token) || rs_token_is(text, token, "(") ||
		    rs_token_is(text, token, ")") || rs_token_is(text, token, "defined"))
			continue;
		if (token.kind != RS_TOKEN_IDENTIFIER || name.end > 0)
			return NULL;
		name = token.span;
	}
	return name.end > 0 ? rs_arena_strndup(arena, text + name.start, name.end - name.start) : NULL;
}

/* What makes the compiler read the branch. */
static const char *advice(struct rs_arena *arena, const struct rs_use_branches *branches,
			  const struct branch *branch)
{
	const char *text = branches->text;
	struct rs_lexer lexer;

	rs_lexer_init(&lexer, text, branch->directive.start, branch->directive.end);
	struct rs_token directive = rs_lexer_next(&lexer);
	const struct branch *first = branch;
	while (first > branches->branches && first[-1].group == branch->group)
		first--;
	bool is_else = rs_span_is(text, rs_lexer_directive_name(text, directive), "else");
	const char *macro =
		first == branch || (is_else && first + 1 == branch) ? single_macro(arena, first, text) : NULL;
	bool is_unset = branches->groups[branch->group].is_negative != (first != branch);
	if (macro)
		return rs_arena_printf(arena, "--config=NAME=-%c%s", is_unset ? 'U' : 'D', macro);
	return rs_arena_printf(arena, "--config=NAME=FLAGS with flags for '%s'",
			       shown(arena, text, branch->directive));
}

static void keep_branch(struct rs_use_walk *walk, size_t record, const struct rs_source *source,
			const struct rs_use_branches *branches, const struct branch *branch)
{
	struct rs_initializer_list *list = &walk->initializers[record];
	size_t n_skipped;
	const struct rs_span *skipped = rs_use_skipped(walk, branches->file, &n_skipped);
	bool is_read = branch->first != RS_NONE && !rs_use_is_skipped(skipped, n_skipped, branch->first);

	if (!is_read && is_harmless(branches, branch, skipped, n_skipped))
		return;
	rs_use_branch_add(list, &(struct rs_initializer_branch) {
					.source = source,
					.span = { branch->directive.start, branch->span.end },
					.advice = advice(list->arena, branches, branch),
					.is_read = is_read,
				});
}

static const char *find_branches(struct rs_use_walk *walk, size_t record, const struct rs_source **ret_source)
{
	struct rs_use_branches *branches = walk->branches;

	if (!branches || !rs_identity_is_same(branches->file, walk->outer_file) ||
	    branches->span.start != walk->outer_start) {
		size_t size;

		branches = walk->branches = rs_arena_new(walk->arena, struct rs_use_branches);
		*branches = (struct rs_use_branches) { .file = walk->outer_file,
						       .span = { walk->outer_start, walk->outer_end },
						       .is_fragment = walk->outer_is_fragment,
						       .is_kept = rs_arena_array(walk->arena, bool,
										 walk->n_records) };
		branches->text = clang_getFileContents(rs_tu_clang(walk->tu), walk->outer_file, &size);
		read_branches(walk->arena, branches);
	}
	return branches->problem ? branches->problem
				 : rs_use_find_source(walk, record, walk->outer_file, ret_source);
}

const char *rs_use_keep_branches(struct rs_use_walk *walk, size_t record)
{
	const struct rs_source *source;

	if (!walk->outer_has_directive)
		return NULL;
	const char *problem = find_branches(walk, record, &source);
	if (problem || walk->branches->is_kept[record])
		return problem;
	for (size_t i = 0; i < walk->branches->n_branches; i++)
		keep_branch(walk, record, source, walk->branches, &walk->branches->branches[i]);
	walk->branches->is_kept[record] = true;
	return NULL;
}

/* Conditions that are tested twice have one answer. */
static bool is_repeated(const struct rs_use_branches *branches, size_t group)
{
	const struct group *own = &branches->groups[group];

	for (size_t i = 0; i < group; i++)
		if (branches->groups[i].list == own->list && branches->groups[i].n_branches <= 2 &&
		    own->n_branches <= 2 && strcmp(branches->groups[i].key, own->key) == 0)
			return true;
	return false;
}

/* The number of the branch that the unit reads; 0: none. */
static uint64_t choice_of(const struct rs_use_branches *branches, size_t group, const struct rs_span *skipped,
			  size_t n_skipped)
{
	for (size_t i = 0; i < branches->n_branches; i++) {
		const struct branch *branch = &branches->branches[i];

		if (branch->group == group && branch->first != RS_NONE &&
		    !rs_use_is_skipped(skipped, n_skipped, branch->first))
			return i + 1;
	}
	return 0;
}

const char *rs_use_keep_choice(struct rs_use_walk *walk, size_t record, size_t brace)
{
	const struct rs_source *source;
	struct rs_initializer_branch kept = { .choice = 1, .n_choices = 1, .is_read = true };
	size_t n_skipped;

	if (!walk->outer_has_directive)
		return NULL;
	const char *problem = find_branches(walk, record, &source);
	if (problem)
		return problem;
	const struct rs_use_branches *branches = walk->branches;
	if (branches->has_includes)
		return "its values stand in several files";
	const struct rs_span *skipped = rs_use_skipped(walk, branches->file, &n_skipped);
	for (size_t i = 0; i < branches->n_groups; i++) {
		const struct group *group = &branches->groups[i];

		if (group->list != brace || group->n_branches == 0)
			continue;
		if (group->is_nested)
			return "#if inside #if stands among the values";
		if (!is_repeated(branches, i))
			kept.n_choices *= group->n_branches + group->may_be_empty;
		if (kept.n_choices > MOST_CHOICES)
			return "#if makes too many lists of it";
		uint64_t choice[] = { kept.choice, choice_of(branches, i, skipped, n_skipped) };
		kept.choice = rs_hash_bytes((const char *)choice, sizeof choice) | 1;
	}
	kept.source = source;
	kept.span = (struct rs_span) { brace, brace + 1 };
	for (size_t i = 0; i < branches->n_branches && !kept.advice; i++) {
		const struct branch *branch = &branches->branches[i];
		bool is_own = branches->groups[branch->group].list == brace && !branch->is_dead;

		if (is_own &&
		    (branch->first == RS_NONE || rs_use_is_skipped(skipped, n_skipped, branch->first)))
			kept.advice = advice(walk->initializers[record].arena, branches, branch);
	}
	if (!kept.advice)
		kept.advice = "more --config=NAME=FLAGS";
	if (kept.n_choices > 1)
		rs_use_branch_add(&walk->initializers[record], &kept);
	return NULL;
}
