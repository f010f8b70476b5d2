#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "parse/identity.h"
#include "parse/lexer.h"
#include "parse/records_internal.h"

static bool is_code(struct rs_token token)
{
	return token.kind != RS_TOKEN_BLOCK_COMMENT && token.kind != RS_TOKEN_LINE_COMMENT &&
	       token.kind != RS_TOKEN_DIRECTIVE;
}

static bool is_skipped(const struct rs_record_source *text, size_t byte)
{
	for (size_t i = 0; i < text->n_skipped; i++)
		if (byte >= text->skipped[i].start && byte < text->skipped[i].end)
			return true;
	return false;
}

/* Whether the span holds tokens that the compiler sees. */
static bool has_active_code(const struct rs_record_source *text, struct rs_span span)
{
	struct rs_lexer lexer;

	rs_lexer_init(&lexer, text->source->text, span.start, span.end);
	for (struct rs_token token; (token = rs_lexer_next(&lexer)).kind != RS_TOKEN_END;)
		if (is_code(token) && !is_skipped(text, token.span.start))
			return true;
	return false;
}

/* A stray semicolon stands for nothing. */
static bool has_code(const struct rs_source *source, struct rs_span span)
{
	struct rs_lexer lexer;

	rs_lexer_init(&lexer, source->text, span.start, span.end);
	for (struct rs_token token; (token = rs_lexer_next(&lexer)).kind != RS_TOKEN_END;)
		if (is_code(token) && !rs_token_is(source->text, token, ";"))
			return true;
	return false;
}

static bool uses_word(const struct rs_unit_list *list, struct rs_span word)
{
	const char *text = list->definition->source->text;
	struct rs_lexer lexer;

	for (size_t i = 0; i < list->n_units; i++) {
		rs_lexer_init(&lexer, text, list->units[i].declaration.start, list->units[i].declaration.end);
		for (struct rs_token token; (token = rs_lexer_next(&lexer)).kind != RS_TOKEN_END;)
			if (token.kind == RS_TOKEN_IDENTIFIER &&
			    token.span.end - token.span.start == word.end - word.start &&
			    memcmp(text + token.span.start, text + word.start, word.end - word.start) == 0)
				return true;
	}
	return false;
}

/* A macro defined between fields may name values, which is no one's business, or be used by fields behind it.
 */
static bool defines_used_macro(const struct rs_unit_list *list, const struct rs_gap *gap)
{
	const char *text = list->definition->source->text;
	struct rs_lexer lexer;

	if (!gap->has_directive)
		return false;
	rs_lexer_init(&lexer, text, gap->span.start, gap->span.end);
	for (struct rs_token token; (token = rs_lexer_next(&lexer)).kind != RS_TOKEN_END;)
		if (token.kind == RS_TOKEN_DIRECTIVE && uses_word(list, rs_lexer_directive_word(text, token)))
			return true;
	return false;
}

static void merge_gaps(struct rs_gap *into, const struct rs_gap *behind)
{
	into->span.end = behind->span.end;
	into->has_blank_line |= behind->has_blank_line;
	into->has_comment |= behind->has_comment;
	into->has_directive |= behind->has_directive;
	into->is_barrier |= behind->is_barrier;
}

/* Takes unit i and the gap behind it out of the arrays. */
static void remove_unit(struct rs_unit_list *list, size_t i)
{
	size_t behind = list->n_units - i - 1;

	memmove(&list->units[i], &list->units[i + 1], behind * sizeof(*list->units));
	memmove(&list->gaps[i + 1], &list->gaps[i + 2], behind * sizeof(*list->gaps));
	list->n_units--;
}

static void turn_into_gap(struct rs_unit_list *list, size_t i)
{
	merge_gaps(&list->gaps[i], &list->gaps[i + 1]);
	list->gaps[i].is_barrier = true;
	remove_unit(list, i);
}

static bool makes_nothing(const struct rs_unit_list *list, const struct rs_unit *unit)
{
	if (unit->n_members > 0)
		return false;
	return unit->origin != RS_UNIT_CONDITIONAL ||
	       has_active_code(list->definition->text, unit->declaration);
}

static void turn_empty_units(struct rs_unit_list *list)
{
	for (size_t i = 0; i < list->n_units;) {
		if (makes_nothing(list, &list->units[i]))
			turn_into_gap(list, i);
		else
			i++;
	}
}

static bool starts_declaration(const char *text, struct rs_token token)
{
	static const char *const words[] = { "__attribute__", "__attribute",   "_Alignas",
					     "alignas",       "__extension__", "const",
					     "volatile",      "_Atomic",       "__declspec" };

	if (token.kind != RS_TOKEN_IDENTIFIER)
		return true;
	for (size_t i = 0; i < RS_COUNT_OF(words); i++)
		if (rs_token_is(text, token, words[i]))
			return true;
	return false;
}

static bool has_line_end(const char *text, size_t from, size_t to)
{
	return memchr(text + from, '\n', to - from) != NULL;
}

/* A macro on a line of its own before the declaration that the compiler saw: it may be an attribute of that
 * declaration, or something that only another configuration fills. Neither it nor the declaration may move. */
static bool has_macro_line_before(const struct rs_unit_list *list, const struct rs_unit *unit)
{
	const char *text = list->definition->source->text;
	size_t seen = list->definition->places[unit->first_member].start_byte;
	size_t last_end = unit->declaration.start;
	struct rs_lexer lexer;

	if (unit->origin == RS_UNIT_CONDITIONAL || unit->origin == RS_UNIT_INCLUDE ||
	    seen <= unit->declaration.start || seen > unit->declaration.end)
		return false;
	rs_lexer_init(&lexer, text, unit->declaration.start, seen);
	struct rs_token token = rs_lexer_next(&lexer);
	if (starts_declaration(text, token))
		return false;
	for (; token.kind != RS_TOKEN_END; token = rs_lexer_next(&lexer))
		if (is_code(token))
			last_end = token.span.end;
	return has_line_end(text, last_end, seen);
}

static void pin_units_behind_macros(struct rs_unit_list *list)
{
	for (size_t i = 0; i < list->n_units; i++)
		if (list->units[i].n_members > 0 && has_macro_line_before(list, &list->units[i])) {
			list->gaps[i].is_barrier = true;
			list->gaps[i + 1].is_barrier = true;
		}
}

/* Padding that a macro names after its line separates what stands before it from what follows; nothing could
 * call it by its name. */
static bool is_named_by_line(const struct rs_definition *definition, size_t member)
{
	const struct rs_field_place *place = &definition->places[member];
	const char *name = definition->members[member].name;
	size_t digits = strcspn(name, "0123456789");
	char line[16];

	if (!place->is_macro || place->is_spelled || !rs_identity_is_same(place->file, definition->file))
		return false;
	snprintf(line, sizeof line, "%u", rs_source_position(definition->source, place->byte).line);
	return strncmp(name + digits, line, strlen(line)) == 0 &&
	       !isdigit((unsigned char)name[digits + strlen(line)]);
}

static void pin_separators(struct rs_unit_list *list)
{
	for (size_t i = 0; i < list->n_units; i++)
		if (list->units[i].n_members == 1 &&
		    is_named_by_line(list->definition, list->units[i].first_member)) {
			list->gaps[i].is_barrier = true;
			list->gaps[i + 1].is_barrier = true;
		}
}

static size_t last_member(const struct rs_unit_list *list, const struct rs_unit *unit)
{
	const struct rs_member *members = list->definition->members;
	size_t member = unit->first_member;

	for (size_t i = 1; i < unit->n_members; i++)
		member += 1 + members[member].n_inside;
	return member;
}

static unsigned count_lines(const struct rs_source *source, struct rs_span span)
{
	unsigned first = rs_source_position(source, span.start).line;
	unsigned last = rs_source_position(source, span.end > span.start ? span.end - 1 : span.end).line;

	return last - first + 1;
}

static void merge_units(struct rs_unit_list *list, size_t i)
{
	struct rs_unit *into = &list->units[i];
	const struct rs_unit *behind = &list->units[i + 1];

	into->span.end = behind->span.end;
	into->declaration.end = behind->declaration.end;
	into->n_members += behind->n_members;
	into->ends_in_line_comment = behind->ends_in_line_comment;
	if (behind->origin > into->origin)
		into->origin = behind->origin;
	into->has_hidden_bitfields |= behind->has_hidden_bitfields;
	into->n_lines = count_lines(list->definition->source, into->span);
	list->gaps[i + 1] = list->gaps[i + 2];
	memmove(&list->units[i + 1], &list->units[i + 2], (list->n_units - i - 2) * sizeof(*list->units));
	memmove(&list->gaps[i + 1], &list->gaps[i + 2], (list->n_units - i - 1) * sizeof(*list->gaps));
	list->n_units--;
}

/* How many units behind i belong to the same run of bit-fields: switched-off blocks in it may hold more. */
static size_t run_length(const struct rs_unit_list *list, size_t i)
{
	const struct rs_member *members = list->definition->members;
	size_t next = i + 1;

	if (list->units[i].n_members == 0 || !members[last_member(list, &list->units[i])].is_bitfield)
		return 0;
	for (; next < list->n_units && !list->gaps[next].is_barrier && !list->gaps[next].has_directive; next++)
		if (list->units[next].n_members > 0)
			return members[list->units[next].first_member].is_bitfield ? next - i : 0;
	return 0;
}

static void join_bitfield_runs(struct rs_unit_list *list)
{
	for (size_t i = 0; i < list->n_units; i++)
		for (size_t length; (length = run_length(list, i)) > 0;)
			while (length-- > 0)
				merge_units(list, i);
}

void rs_barriers_apply(struct rs_unit_list *list)
{
	const struct rs_source *source = list->definition->source;

	for (size_t i = 0; i <= list->n_units; i++)
		if (has_code(source, list->gaps[i].span) || defines_used_macro(list, &list->gaps[i]))
			list->gaps[i].is_barrier = true;
	turn_empty_units(list);
	pin_units_behind_macros(list);
	pin_separators(list);
	join_bitfield_runs(list);
}
