#include "parse/use_ranges.h"

#include <limits.h>
#include <string.h>

#include "parse/identity.h"
#include "parse/uses_internal.h"

static const struct rs_use_range unknown = { LLONG_MIN, LLONG_MAX, false };
static const struct rs_use_range doubtful = { LLONG_MIN, LLONG_MAX, true };

/* --- operators --- */

static const char *text_of(struct rs_use_walk *walk, CXFile file, size_t *ret_size)
{
	const char *text = file ? clang_getFileContents(rs_tu_clang(walk->tu), file, ret_size) : NULL;

	if (!text)
		*ret_size = 0;
	return text;
}

static struct rs_clang_place start_of(CXCursor cursor)
{
	return rs_clang_place_of(clang_getRangeStart(clang_getCursorExtent(cursor)), true);
}

const char *rs_use_ranges_operator(struct rs_use_walk *walk, const struct rs_use_children *sides)
{
	static const char *const known[] = { "<=", ">=", "==", "!=", "&&", "||", "<<", ">>", "+=", "-=", "<",
					     ">",  "=",  "+",  "-",  "*",  "/",  "%",  "&",  "|",  "^" };
	struct rs_clang_place left = start_of(sides->items[0]), right = start_of(sides->items[1]);
	size_t size, at = right.byte;
	const char *text = text_of(walk, right.file, &size);

	if (!text || at > size || !rs_identity_is_same(left.file, right.file) || left.byte >= at)
		return "";
	while (at > left.byte && strchr(" \t\r\n\\", text[at - 1]))
		at--;
	for (size_t i = 0; i < RS_COUNT_OF(known); i++) {
		size_t length = strlen(known[i]);

		if (at - left.byte > length && memcmp(text + at - length, known[i], length) == 0)
			return known[i];
	}
	return "";
}

/* What is only read is converted first, and the address of a variable is a pointer. */
static bool is_changed(CXCursor expression)
{
	return clang_getCursorKind(rs_use_first_child(expression)) == CXCursor_DeclRefExpr &&
	       !rs_use_is_pointer(clang_getCursorType(expression));
}

enum unary { UNARY_OTHER, UNARY_STEP_BEFORE, UNARY_STEP_BEHIND, UNARY_NOT, UNARY_MINUS, UNARY_ADDRESS };

static enum unary unary_of(struct rs_use_walk *walk, CXCursor expression, long long *ret_step)
{
	struct rs_clang_place own = start_of(expression), inner = start_of(rs_use_first_child(expression));
	size_t size, end = rs_clang_place_of(clang_getRangeEnd(clang_getCursorExtent(expression)), true).byte;
	const char *text = text_of(walk, own.file, &size);

	*ret_step = 0;
	if (!text || own.byte + 2 > size || end > size || end < own.byte + 2)
		return UNARY_OTHER;
	if (own.is_macro && is_changed(expression)) {
		*ret_step = 1; /* or -1: macros' bodies are not shown, and most of them count up */
		return UNARY_STEP_BEHIND;
	}
	if (own.byte == inner.byte) {
		*ret_step = memcmp(text + end - 2, "++", 2) == 0 ? 1 : -(memcmp(text + end - 2, "--", 2) == 0);
		return *ret_step ? UNARY_STEP_BEHIND : UNARY_OTHER;
	}
	*ret_step = memcmp(text + own.byte, "++", 2) == 0 ? 1 : -(memcmp(text + own.byte, "--", 2) == 0);
	if (*ret_step)
		return UNARY_STEP_BEFORE;
	switch (text[own.byte]) {
	case '!':
		return UNARY_NOT;
	case '-':
		return UNARY_MINUS;
	case '&':
		return UNARY_ADDRESS;
	default:
		return UNARY_OTHER;
	}
}

CXCursor rs_use_ranges_variable(struct rs_use_walk *walk, CXCursor expression)
{
	CXCursor core = rs_use_strip_casts(walk, expression), declaration;

	if (clang_getCursorKind(core) != CXCursor_DeclRefExpr)
		return clang_getNullCursor();
	declaration = clang_getCursorReferenced(core);
	CXType type = clang_getCanonicalType(clang_getCursorType(declaration));
	enum CXCursorKind kind = clang_getCursorKind(declaration);
	bool is_local = kind == CXCursor_ParmDecl ||
			(kind == CXCursor_VarDecl && clang_Cursor_hasVarDeclGlobalStorage(declaration) == 0);
	return is_local && type.kind >= CXType_Bool && type.kind <= CXType_Int128 ? declaration
										  : clang_getNullCursor();
}

/* --- the variables --- */

struct rs_use_ranges rs_use_ranges_copy(const struct rs_use_ranges *ranges)
{
	struct rs_use_ranges copy = { .walk = ranges->walk };

	for (size_t i = 0; i < ranges->n_variables; i++)
		*rs_array_push(ranges->walk->arena, copy.variables, copy.n_variables, copy.variables_capacity) =
			ranges->variables[i];
	return copy;
}

static struct rs_use_variable *find(const struct rs_use_ranges *ranges, CXCursor variable)
{
	for (size_t i = 0; i < ranges->n_variables; i++)
		if (clang_equalCursors(ranges->variables[i].declaration, variable))
			return &ranges->variables[i];
	return NULL;
}

struct rs_use_range rs_use_ranges_get(const struct rs_use_ranges *ranges, CXCursor variable)
{
	const struct rs_use_variable *known = find(ranges, variable);

	return known ? known->range : unknown;
}

void rs_use_ranges_set(struct rs_use_ranges *ranges, CXCursor variable, struct rs_use_range range)
{
	struct rs_use_variable *known = find(ranges, variable);

	if (!known)
		known = rs_array_push(ranges->walk->arena, ranges->variables, ranges->n_variables,
				      ranges->variables_capacity);
	known->declaration = variable;
	known->range = range;
}

/* Nothing comes this way. */
static bool is_empty(struct rs_use_range range)
{
	return range.low > range.high;
}

void rs_use_ranges_join(struct rs_use_ranges *ranges, const struct rs_use_ranges *other)
{
	for (size_t i = 0; i < ranges->n_variables; i++) {
		struct rs_use_range *own = &ranges->variables[i].range;
		struct rs_use_range another = rs_use_ranges_get(other, ranges->variables[i].declaration);

		if (is_empty(another))
			continue;
		if (is_empty(*own)) {
			*own = another;
			continue;
		}
		own->low = own->low < another.low ? own->low : another.low;
		own->high = own->high > another.high ? own->high : another.high;
		own->is_doubtful = own->is_doubtful || another.is_doubtful;
	}
}

/* --- expressions --- */

static bool is_open(long long end)
{
	return end == LLONG_MIN || end == LLONG_MAX;
}

static long long add(long long a, long long b)
{
	long long sum;

	if (is_open(a))
		return a;
	if (is_open(b))
		return b;
	return __builtin_add_overflow(a, b, &sum) ? (b < 0 ? LLONG_MIN : LLONG_MAX) : sum;
}

static struct rs_use_range negative(struct rs_use_range range)
{
	return (struct rs_use_range) { range.high == LLONG_MAX ? LLONG_MIN : -range.high,
				       range.low == LLONG_MIN ? LLONG_MAX : -range.low, range.is_doubtful };
}

static struct rs_use_range sum_of(struct rs_use_range a, struct rs_use_range b)
{
	return (struct rs_use_range) { add(a.low, b.low), add(a.high, b.high), a.is_doubtful || b.is_doubtful };
}

static long long times(long long end, long long factor)
{
	long long product;

	if (is_open(end))
		return end;
	return __builtin_mul_overflow(end, factor, &product) ? (end < 0 ? LLONG_MIN : LLONG_MAX) : product;
}

static bool is_constant(struct rs_use_range range)
{
	return range.low == range.high && !is_open(range.low);
}

/* By a number above zero. */
static struct rs_use_range scaled(struct rs_use_range range, const char *by, long long number)
{
	bool is_natural = range.low >= 0;

	if (number <= 0)
		return unknown;
	if (strcmp(by, "*") == 0)
		return (struct rs_use_range) { times(range.low, number), times(range.high, number),
					       range.is_doubtful };
	if (!is_natural)
		return unknown;
	if (strcmp(by, "/") == 0)
		return (struct rs_use_range) { range.low / number,
					       range.high == LLONG_MAX ? LLONG_MAX : range.high / number,
					       range.is_doubtful };
	if (range.high < number)
		return range;
	return (struct rs_use_range) { 0, number - 1, range.is_doubtful };
}

static struct rs_use_range combined(const char *by, struct rs_use_range a, struct rs_use_range b)
{
	if (strcmp(by, "+") == 0)
		return sum_of(a, b);
	if (strcmp(by, "-") == 0)
		return sum_of(a, negative(b));
	if (strcmp(by, "*") == 0 && is_constant(a))
		return scaled(b, by, a.low);
	if (!is_constant(b) || b.low < 0 || b.low > INT_MAX)
		return unknown;
	if (strcmp(by, "<<") == 0 && b.low < 32)
		return scaled(a, "*", 1LL << b.low);
	if (strcmp(by, ">>") == 0 && b.low < 32)
		return scaled(a, "/", 1LL << b.low);
	if (strcmp(by, "*") == 0 || strcmp(by, "/") == 0 || strcmp(by, "%") == 0)
		return scaled(a, by, b.low);
	if (strcmp(by, "&") == 0 && (b.low & (b.low + 1)) == 0)
		return scaled(a, "%", b.low + 1);
	return unknown;
}

struct rs_use_range rs_use_ranges_of(const struct rs_use_ranges *ranges, CXCursor expression)
{
	CXCursor core = rs_use_strip_casts(ranges->walk, expression);
	CXCursor variable = rs_use_ranges_variable(ranges->walk, core);
	long long value, step;

	if (!clang_Cursor_isNull(variable) && find(ranges, variable)) {
		struct rs_use_range range = rs_use_ranges_get(ranges, variable);

		return is_empty(range) ? doubtful : range;
	}
	if (rs_use_evaluate(core, &value))
		return (struct rs_use_range) { value, value, false };
	struct rs_use_children sides = rs_use_children_of(ranges->walk, core);
	if (clang_getCursorKind(core) == CXCursor_BinaryOperator && sides.n_items == 2)
		return combined(rs_use_ranges_operator(ranges->walk, &sides),
				rs_use_ranges_of(ranges, sides.items[0]),
				rs_use_ranges_of(ranges, sides.items[1]));
	if (clang_getCursorKind(core) != CXCursor_UnaryOperator || sides.n_items != 1)
		return unknown;
	struct rs_use_range inner = rs_use_ranges_of(ranges, sides.items[0]);
	switch (unary_of(ranges->walk, core, &step)) {
	case UNARY_STEP_BEHIND:
		return inner;
	case UNARY_STEP_BEFORE:
		return sum_of(inner, (struct rs_use_range) { step, step, false });
	case UNARY_MINUS:
		return negative(inner);
	default:
		return unknown;
	}
}

/* --- conditions --- */

struct doubting {
	struct rs_use_ranges *ranges;
};

static enum CXChildVisitResult doubt_variable(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct rs_use_ranges *ranges = ((struct doubting *)data)->ranges;
	struct rs_use_variable *known;

	(void)parent;
	if (clang_getCursorKind(cursor) != CXCursor_DeclRefExpr)
		return CXChildVisit_Recurse;
	known = find(ranges, clang_getCursorReferenced(cursor));
	if (known)
		known->range.is_doubtful = true;
	return CXChildVisit_Continue;
}

void rs_use_ranges_doubt(struct rs_use_ranges *ranges, CXCursor condition)
{
	struct doubting doubting = { ranges };

	if (doubt_variable(condition, condition, &doubting) == CXChildVisit_Recurse)
		clang_visitChildren(condition, doubt_variable, &doubting);
}

/* `i`, `i + 2`, `i--`: a variable, which was offset less than the expression, once the step is done. */
static CXCursor shifted_variable(struct rs_use_walk *walk, CXCursor expression, long long *ret_offset)
{
	CXCursor core = rs_use_strip_casts(walk, expression);
	struct rs_use_children sides = rs_use_children_of(walk, core);
	long long step, by;
	enum unary unary;

	*ret_offset = 0;
	if (clang_getCursorKind(core) == CXCursor_UnaryOperator && sides.n_items == 1) {
		unary = unary_of(walk, core, &step);
		if (unary == UNARY_STEP_BEHIND)
			*ret_offset = -step;
		return unary == UNARY_STEP_BEHIND || unary == UNARY_STEP_BEFORE
			       ? rs_use_ranges_variable(walk, sides.items[0])
			       : clang_getNullCursor();
	}
	if (clang_getCursorKind(core) != CXCursor_BinaryOperator || sides.n_items != 2)
		return rs_use_ranges_variable(walk, core);
	const char *operator= rs_use_ranges_operator(walk, &sides);
	bool is_sum = strcmp(operator, "+") == 0;
	if ((!is_sum && strcmp(operator, "-") != 0) || !rs_use_evaluate(sides.items[1], &by))
		return clang_getNullCursor();
	*ret_offset = is_sum ? by : -by;
	return rs_use_ranges_variable(walk, sides.items[0]);
}

static const char *opposite(const char *comparison)
{
	static const char *const pairs[][2] = { { "<", ">=" }, { "<=", ">" }, { "==", "!=" },
						{ ">=", "<" }, { ">", "<=" }, { "!=", "==" } };

	for (size_t i = 0; i < RS_COUNT_OF(pairs); i++)
		if (strcmp(pairs[i][0], comparison) == 0)
			return pairs[i][1];
	return "";
}

static const char *mirrored(const char *comparison)
{
	static const char *const pairs[][2] = { { "<", ">" }, { "<=", ">=" }, { ">", "<" }, { ">=", "<=" } };

	for (size_t i = 0; i < RS_COUNT_OF(pairs); i++)
		if (strcmp(pairs[i][0], comparison) == 0)
			return pairs[i][1];
	return comparison;
}

static void hold_below(struct rs_use_range *range, long long end)
{
	range->high = range->high < end ? range->high : end;
}

static void hold_above(struct rs_use_range *range, long long end)
{
	range->low = range->low > end ? range->low : end;
}

/* Steps that started on one side of the value end at it. */
static void hold_apart(struct rs_use_range *range, long long value, bool of_loop)
{
	if (range->high == value || (of_loop && range->high == LLONG_MAX && range->low <= value))
		hold_below(range, value - 1);
	else if (range->low == value || (of_loop && range->low == LLONG_MIN && range->high >= value))
		hold_above(range, value + 1);
}

static bool hold(struct rs_use_range *range, const char *comparison, long long value, bool of_loop)
{
	if (strcmp(comparison, "<") == 0)
		hold_below(range, value - 1);
	else if (strcmp(comparison, "<=") == 0)
		hold_below(range, value);
	else if (strcmp(comparison, ">") == 0)
		hold_above(range, value + 1);
	else if (strcmp(comparison, ">=") == 0)
		hold_above(range, value);
	else if (strcmp(comparison, "==") == 0)
		*range = (struct rs_use_range) { value, value, range->is_doubtful };
	else if (strcmp(comparison, "!=") == 0)
		hold_apart(range, value, of_loop);
	else
		return false;
	return true;
}

/* expression COMPARISON value */
static bool compare(struct rs_use_ranges *ranges, CXCursor expression, const char *comparison,
		    struct rs_use_range value, bool of_loop)
{
	long long offset;
	CXCursor variable = shifted_variable(ranges->walk, expression, &offset);
	struct rs_use_range range;

	if (clang_Cursor_isNull(variable) || !is_constant(value))
		return false;
	range = rs_use_ranges_get(ranges, variable);
	if (!hold(&range, comparison, value.low - offset, of_loop))
		return false;
	rs_use_ranges_set(ranges, variable, range);
	return true;
}

/* `for (i = 0; i OP 8; …)` in a macro's body: OP is where i starts below 8. */
static const char *guess(const struct rs_use_ranges *ranges, const struct rs_use_children *sides, bool of_loop)
{
	const char *comparison = rs_use_ranges_operator(ranges->walk, sides);
	struct rs_use_range bound = rs_use_ranges_of(ranges, sides->items[1]);
	long long offset;
	CXCursor variable = shifted_variable(ranges->walk, sides->items[0], &offset);

	if (comparison[0] || !of_loop || clang_Cursor_isNull(variable) || !is_constant(bound))
		return comparison;
	struct rs_use_range range = rs_use_ranges_get(ranges, variable);
	return range.high == LLONG_MAX && !is_open(range.low) && range.low < bound.low ? "<" : "";
}

static bool narrow_binary(struct rs_use_ranges *ranges, const struct rs_use_children *sides, bool is_true,
			  bool of_loop)
{
	const char *operator= guess(ranges, sides, of_loop);
	bool both = strcmp(operator, is_true ? "&&" : "||") == 0;

	if (both) {
		rs_use_ranges_narrow(ranges, sides->items[0], is_true, of_loop);
		rs_use_ranges_narrow(ranges, sides->items[1], is_true, of_loop);
		return true;
	}
	if (!is_true)
		operator= opposite(operator);
	return compare(ranges, sides->items[0], operator, rs_use_ranges_of(ranges, sides->items[1]), of_loop) ||
	       compare(ranges, sides->items[1], mirrored(operator), rs_use_ranges_of(ranges, sides->items[0]),
		       of_loop);
}

void rs_use_ranges_narrow(struct rs_use_ranges *ranges, CXCursor condition, bool is_true, bool of_loop)
{
	CXCursor core = rs_use_strip_casts(ranges->walk, condition);
	struct rs_use_children sides = rs_use_children_of(ranges->walk, core);
	const struct rs_use_range zero = { 0, 0, false };
	bool is_understood = false;
	long long step;

	if (clang_getCursorKind(core) == CXCursor_BinaryOperator && sides.n_items == 2) {
		is_understood = narrow_binary(ranges, &sides, is_true, of_loop);
	} else if (clang_getCursorKind(core) == CXCursor_UnaryOperator && sides.n_items == 1 &&
		   unary_of(ranges->walk, core, &step) == UNARY_NOT) {
		rs_use_ranges_narrow(ranges, sides.items[0], !is_true, of_loop);
		return;
	}
	if (!is_understood && !compare(ranges, core, is_true ? "!=" : "==", zero, of_loop))
		rs_use_ranges_doubt(ranges, core);
}

/* --- changes --- */

static CXCursor changed_variable(struct rs_use_walk *walk, CXCursor operator,
				 const struct rs_use_children * sides)
{
	enum CXCursorKind kind = clang_getCursorKind(operator);
	CXCursor target;

	if (sides->n_items == 0)
		return clang_getNullCursor();
	target = sides->items[0];
	while (clang_getCursorKind(target) == CXCursor_ParenExpr)
		target = rs_use_first_child(target);
	/* what is read is converted first */
	if (clang_getCursorKind(target) != CXCursor_DeclRefExpr ||
	    (kind != CXCursor_BinaryOperator && kind != CXCursor_CompoundAssignOperator &&
	     kind != CXCursor_UnaryOperator))
		return clang_getNullCursor();
	return rs_use_ranges_variable(walk, target);
}

/* What is added to the variable; false: something else is done to it. */
static bool step_of(struct rs_use_walk *walk, CXCursor operator, const struct rs_use_children * sides,
		    long long *ret_step)
{
	const char *spelling;
	enum unary unary;

	if (clang_getCursorKind(operator) == CXCursor_UnaryOperator) {
		unary = unary_of(walk, operator, ret_step);
		return unary == UNARY_STEP_BEFORE || unary == UNARY_STEP_BEHIND;
	}
	if (sides->n_items != 2 || !rs_use_evaluate(sides->items[1], ret_step) || is_open(*ret_step))
		return false;
	spelling = rs_use_ranges_operator(walk, sides);
	if (strcmp(spelling, "-=") == 0)
		*ret_step = -*ret_step;
	return strcmp(spelling, "+=") == 0 || strcmp(spelling, "-=") == 0;
}

void rs_use_ranges_change(struct rs_use_ranges *ranges, CXCursor operator)
{
	struct rs_use_children sides = rs_use_children_of(ranges->walk, operator);
	CXCursor variable = changed_variable(ranges->walk, operator, & sides);
	long long step;

	if (clang_Cursor_isNull(variable))
		return;
	if (step_of(ranges->walk, operator, & sides, &step))
		rs_use_ranges_set(ranges, variable,
				  sum_of(rs_use_ranges_get(ranges, variable),
					 (struct rs_use_range) { step, step, false }));
	else if (clang_getCursorKind(operator) == CXCursor_BinaryOperator && sides.n_items == 2)
		rs_use_ranges_set(ranges, variable, rs_use_ranges_of(ranges, sides.items[1]));
	else
		rs_use_ranges_set(ranges, variable, unknown);
}

static enum CXChildVisitResult widen_variable(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct rs_use_ranges *ranges = ((struct doubting *)data)->ranges;
	enum CXCursorKind kind = clang_getCursorKind(cursor);

	(void)parent;
	if (kind != CXCursor_BinaryOperator && kind != CXCursor_CompoundAssignOperator &&
	    kind != CXCursor_UnaryOperator)
		return CXChildVisit_Recurse;
	struct rs_use_children sides = rs_use_children_of(ranges->walk, cursor);
	CXCursor variable = changed_variable(ranges->walk, cursor, &sides);
	if (clang_Cursor_isNull(variable))
		return CXChildVisit_Recurse;
	struct rs_use_range range = rs_use_ranges_get(ranges, variable);
	long long step;
	bool is_step = step_of(ranges->walk, cursor, &sides, &step);
	if (!is_step || step > 0)
		range.high = LLONG_MAX;
	if (!is_step || step < 0)
		range.low = LLONG_MIN;
	/* in larger steps it need not come to the end that it is held to */
	range.is_doubtful = range.is_doubtful || !is_step || step > 1 || step < -1;
	rs_use_ranges_set(ranges, variable, range);
	return CXChildVisit_Recurse;
}

void rs_use_ranges_widen(struct rs_use_ranges *ranges, CXCursor statement)
{
	struct doubting doubting = { ranges };

	if (clang_Cursor_isNull(statement))
		return;
	widen_variable(statement, statement, &doubting);
	clang_visitChildren(statement, widen_variable, &doubting);
}
