#include <string.h>

#include "parse/lexer.h"
#include "session/review_internal.h"

static const struct rs_unit *unit_of(const struct rs_record *record, size_t member)
{
	size_t unit = record->members[member].unit;

	return unit == RS_NONE ? NULL : &record->units[unit];
}

/* --- #if --- */

/* The directive that opens the unit, "" for one that stands under no condition of its own. */
static const char *condition_of(struct rs_arena *arena, const struct rs_record *record, size_t member)
{
	const struct rs_unit *unit = unit_of(record, member);
	struct rs_lexer lexer;

	if (!unit || unit->origin != RS_UNIT_CONDITIONAL)
		return "";
	rs_lexer_init(&lexer, record->source->text, unit->span.start, unit->span.end);
	for (struct rs_token token; (token = rs_lexer_next(&lexer)).kind != RS_TOKEN_END;)
		if (token.kind == RS_TOKEN_DIRECTIVE)
			return rs_arena_strndup(arena, record->source->text + token.span.start,
						token.span.end - token.span.start);
	return "";
}

static void compare_condition(const struct rs_review_pair *pair, size_t old)
{
	const char *before = condition_of(pair->arena, pair->before->record, old);
	const char *after = condition_of(pair->arena, pair->after->record, pair->twin[old]);

	if (strcmp(before, after) == 0)
		return;
	rs_finding_add(pair->list, "conditional-moved", RS_FINDING_WARNING, pair->after->record,
		       pair->twin[old], NULL, "'%s' stood under '%s' and now stands under '%s'",
		       pair->before->record->members[old].path, *before ? before : "no #if",
		       *after ? after : "no #if");
}

/* --- bit-fields --- */

/* Neighbours in one run stay neighbours: else they become memory locations of their own, or one with others. */
static void compare_run(const struct rs_review_pair *pair, size_t old)
{
	const struct rs_record *before = pair->before->record, *after = pair->after->record;
	size_t next = old + 1;

	if (next >= before->n_members || !before->members[old].is_bitfield ||
	    !before->members[next].is_bitfield || before->members[next].parent != before->members[old].parent ||
	    before->members[next].unit != before->members[old].unit || pair->twin[next] == RS_NONE ||
	    pair->twin[next] == pair->twin[old] + 1)
		return;
	rs_finding_add(pair->list, "bitfield-split", RS_FINDING_WARNING, after, pair->twin[next], NULL,
		       "the bit-fields '%s' and '%s' followed each other and no longer do",
		       before->members[old].path, before->members[next].path);
}

/* --- comments --- */

static void append_words(struct rs_builder *out, const char *text, struct rs_span span)
{
	for (size_t i = span.start; i < span.end; i++) {
		bool is_word = (text[i] >= 'a' && text[i] <= 'z') || (text[i] >= 'A' && text[i] <= 'Z') ||
			       (text[i] >= '0' && text[i] <= '9') || text[i] == '_' ||
			       (unsigned char)text[i] >= 0x80;

		if (is_word)
			rs_builder_appendc(out, text[i]);
		else if (out->length > 0 && out->data[out->length - 1] != ' ')
			rs_builder_appendc(out, ' ');
	}
}

/* The words of all comments in a span, one blank between them: how they are set does not matter. */
static const char *comments_in(struct rs_arena *arena, const struct rs_record *record, struct rs_span span)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder words = { 0 };
	struct rs_lexer lexer;

	rs_builder_appends(&words, "");
	rs_lexer_init(&lexer, record->source->text, span.start, span.end);
	for (struct rs_token token; (token = rs_lexer_next(&lexer)).kind != RS_TOKEN_END;)
		if (rs_token_is_comment(token))
			append_words(&words, record->source->text, token.span);
	return rs_arena_strdup(arena, words.data);
}

static bool is_first_of_unit(const struct rs_record *record, size_t member)
{
	const struct rs_unit *unit = unit_of(record, member);

	return unit && unit->first_member == member;
}

/* A unit that moved, its comment that did not: it now speaks of what stands there. */
static void compare_comment(const struct rs_review_pair *pair, size_t old)
{
	const struct rs_record *before = pair->before->record, *after = pair->after->record;
	const struct rs_unit *unit = unit_of(before, old), *now = unit_of(after, pair->twin[old]);

	if (!is_first_of_unit(before, old) || !now)
		return;
	const char *comment = comments_in(pair->arena, before, unit->span);
	if (!*comment || strcmp(comment, " ") == 0 ||
	    strstr(comments_in(pair->arena, after, now->span), comment) ||
	    !strstr(comments_in(pair->arena, after, after->body), comment))
		return;
	rs_finding_add(pair->list, "comment-left-behind", RS_FINDING_WARNING, after, pair->twin[old], NULL,
		       "the comment of '%s' stayed where it was, and now stands at another field",
		       before->members[old].path);
}

void rs_review_compare_text(const struct rs_review_pair *pair)
{
	const struct rs_record *before = pair->before->record;

	for (size_t m = 0; m < before->n_members; m++) {
		if (pair->twin[m] == RS_NONE)
			continue;
		compare_condition(pair, m);
		compare_run(pair, m);
		compare_comment(pair, m);
	}
}
