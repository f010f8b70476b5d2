/*
 * Words as rows of bits: `words[nr / 64] |= 1UL << nr % 64`, as set_bit(nr, &s->flags) does it. A single word
 * is one whose bits are all that is used of it, unless a number says otherwise.
 */
#include <string.h>

#include "parse/expand.h"
#include "parse/use_ranges.h"
#include "parse/uses_internal.h"

enum { MAX_NUMBER = 4096 }; /* more is no bit's number */

enum divider { DIVIDER_NONE, DIVIDER_SLASH, DIVIDER_SHIFT };

static bool is_char(const struct rs_expanded *expanded, size_t at, char c)
{
	return at < expanded->n_tokens && *expanded->tokens[at].text == c;
}

/* What a macro makes is told by its text, for libclang does not show its operators. */
static enum divider divider_in_macro(struct rs_use_walk *walk, CXCursor index)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	enum divider found = DIVIDER_NONE;
	struct rs_expanded expanded;

	if (rs_use_expand_at(walk, index, arena, &expanded))
		return DIVIDER_NONE;
	for (size_t i = 0; i < expanded.n_tokens; i++) {
		if (is_char(&expanded, i, '+') || is_char(&expanded, i, '*') || is_char(&expanded, i, '<'))
			return DIVIDER_NONE;
		if (is_char(&expanded, i, '/'))
			found = DIVIDER_SLASH;
		else if (is_char(&expanded, i, '>'))
			found = DIVIDER_SHIFT;
	}
	return found;
}

static enum divider divider_of(struct rs_use_walk *walk, CXCursor index, const struct rs_use_children *sides)
{
	const char *spelling = rs_use_ranges_operator(walk, sides);

	if (strcmp(spelling, "/") == 0)
		return DIVIDER_SLASH;
	if (strcmp(spelling, ">>") == 0)
		return DIVIDER_SHIFT;
	return *spelling ? DIVIDER_NONE : divider_in_macro(walk, index);
}

bool rs_use_is_bit_index(struct rs_use_walk *walk, CXCursor index, CXType element)
{
	CXCursor core = rs_use_strip_casts(walk, index);
	struct rs_use_children sides = { 0 };
	long long by, bits = 8 * clang_Type_getSizeOf(element);

	if (clang_getCursorKind(core) == CXCursor_BinaryOperator)
		sides = rs_use_children_of(walk, core);
	if (sides.n_items != 2 || bits <= 0 || !rs_use_evaluate(sides.items[1], &by) || by <= 0)
		return false;
	switch (divider_of(walk, core, &sides)) {
	case DIVIDER_SLASH:
		return by == bits;
	case DIVIDER_SHIFT:
		return by < 16 && 1LL << by == bits;
	default:
		return false;
	}
}

static bool has_number_past(struct rs_use_walk *walk, CXCursor call, long long bits)
{
	for (int i = 0; i < clang_Cursor_getNumArguments(call); i++) {
		CXCursor argument = clang_Cursor_getArgument(call, (unsigned)i);
		long long number;

		if (rs_use_is_number(clang_getCanonicalType(clang_getCursorType(argument))) &&
		    rs_use_evaluate(rs_use_strip(walk, argument), &number) && number >= bits &&
		    number < MAX_NUMBER)
			return true;
	}
	return false;
}

void rs_use_check_bits(struct rs_use_walk *walk, CXCursor call, const char *function)
{
	if (!strstr(function, "bit"))
		return;
	for (int i = 0; i < clang_Cursor_getNumArguments(call); i++) {
		struct rs_use_origin origin =
			rs_use_origin_of(walk, clang_Cursor_getArgument(call, (unsigned)i));
		long long bytes = origin.kind == RS_ORIGIN_MEMBER ? clang_Type_getSizeOf(origin.type) : 0;

		if (bytes > 0 && rs_use_is_number(clang_getCanonicalType(origin.type)) &&
		    has_number_past(walk, call, 8 * bytes))
			rs_use_pin_past(walk, &origin, call);
	}
}
