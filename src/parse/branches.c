#include "parse/branches.h"

#include <string.h>

#include "parse/words.h"

enum { SHOWN_COLUMNS = 60 };

/* One #if that is open: the branch that is being read. */
struct level {
	const char *opening; /* its first directive as text */
	struct rs_branch branch;
	bool is_dead;    /* no compiler is meant to read it */
	bool is_settled; /* the first branch is the one that all read */
	bool has_code;
};

struct search {
	struct rs_arena *arena;
	const struct rs_record *record;
	struct level *levels;
	size_t n_levels, levels_capacity;
	struct rs_branch *found;
	size_t n_found, found_capacity;
};

/* The directive on one line, runs of blanks as one, comments left out. */
static const char *shown(const struct search *search, struct rs_token directive)
{
	const char *text = search->record->source->text;
	char line[SHOWN_COLUMNS];
	size_t length = 0;

	for (size_t i = directive.span.start; i < directive.span.end && length < sizeof line; i++) {
		bool is_blank = (unsigned char)text[i] <= ' ' || text[i] == '\\';

		if (text[i] == '/' && i + 1 < directive.span.end && strchr("/*", text[i + 1]))
			break;
		if (!is_blank)
			line[length++] = text[i];
		else if (length > 1 && line[length - 1] != ' ')
			line[length++] = ' ';
	}
	while (length > 0 && line[length - 1] == ' ')
		length--;
	return rs_arena_strndup(search->arena, line, length);
}

static void close_branch(struct search *search)
{
	struct level *level = &search->levels[search->n_levels - 1];

	if (level->has_code && !level->is_dead)
		*rs_array_push(search->arena, search->found, search->n_found, search->found_capacity) =
			level->branch;
	level->has_code = false;
}

static void begin_branch(struct search *search, struct rs_token directive, const char *text)
{
	const struct rs_record *record = search->record;
	struct level *level = &search->levels[search->n_levels - 1];
	const char *source = record->source->text;
	struct rs_span word = rs_lexer_directive_word(source, directive);

	level->branch =
		(struct rs_branch) { .directive = text,
				     .line = rs_source_position(record->source, directive.span.start).line };
	if (rs_span_is(source, rs_lexer_directive_name(source, directive), "if")) {
		level->is_dead = rs_span_is(source, word, "0");
		level->is_settled = rs_span_is(source, word, "1");
	} else {
		level->is_dead = level->is_settled;
	}
}

static void take_directive(struct search *search, struct rs_token directive)
{
	const char *text = shown(search, directive);

	switch (rs_words_directive(search->record->source->text, directive)) {
	case RS_DIRECTIVE_IF:
		*rs_array_push(search->arena, search->levels, search->n_levels, search->levels_capacity) =
			(struct level) { .opening = text };
		begin_branch(search, directive, text);
		break;
	case RS_DIRECTIVE_ELSE:
		if (search->n_levels == 0)
			break;
		close_branch(search);
		begin_branch(search, directive,
			     rs_arena_printf(search->arena, "%s of %s", text,
					     search->levels[search->n_levels - 1].opening));
		break;
	case RS_DIRECTIVE_ENDIF:
		if (search->n_levels == 0)
			break;
		close_branch(search);
		search->n_levels--;
		break;
	default:
		break;
	}
}

static void take_code(struct search *search, struct rs_token token)
{
	struct level *level = search->n_levels > 0 ? &search->levels[search->n_levels - 1] : NULL;

	if (!level || level->has_code || rs_token_is_comment(token))
		return;
	level->has_code = true;
	level->branch.byte = token.span.start;
}

static void sort_by_line(struct rs_branch *branches, size_t count)
{
	for (size_t i = 1; i < count; i++)
		for (size_t j = i; j > 0 && branches[j].line < branches[j - 1].line; j--) {
			struct rs_branch later = branches[j];

			branches[j] = branches[j - 1];
			branches[j - 1] = later;
		}
}

struct rs_branch *rs_branches_find(struct rs_arena *arena, const struct rs_record *record, size_t *ret_count)
{
	struct search search = { .arena = arena, .record = record };
	struct rs_lexer lexer;

	rs_lexer_init(&lexer, record->source->text, record->span.start, record->span.end);
	for (struct rs_token token; (token = rs_lexer_next(&lexer)).kind != RS_TOKEN_END;) {
		if (token.kind == RS_TOKEN_DIRECTIVE)
			take_directive(&search, token);
		else
			take_code(&search, token);
	}
	sort_by_line(search.found, search.n_found);
	*ret_count = search.n_found;
	return search.found;
}

bool rs_branches_is_active(const struct rs_record *record, const struct rs_branch *branch)
{
	for (size_t i = 0; i < record->n_skipped; i++)
		if (branch->byte >= record->skipped[i].start && branch->byte < record->skipped[i].end)
			return false;
	return true;
}
