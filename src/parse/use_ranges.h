/*
 * Between which values the integers of a function lie, as far as its text tells: constants, variables that are
 * set to them, loops that count to them, conditions that are tested on the way.
 *
 * This is for finding what goes past an end, not for proving that nothing does: an end that is not known is
 * left open, and one that a condition on the way may keep from being reached is doubtful.
 */
#ifndef RS_PARSE_USE_RANGES_H
#define RS_PARSE_USE_RANGES_H

#include "parse/uses_internal.h"

/* Both ends are values of it; LLONG_MIN and LLONG_MAX: not known. */
struct rs_use_range {
	long long low, high;
	bool is_doubtful; /* the ends may never be reached */
};

struct rs_use_variable {
	CXCursor declaration;
	struct rs_use_range range;
};

/* The local variables that something is known of, at one place of a function. Copies share nothing that
 * changes. */
struct rs_use_ranges {
	struct rs_use_walk *walk;
	struct rs_use_variable *variables;
	size_t n_variables, variables_capacity;
};

struct rs_use_ranges rs_use_ranges_copy(const struct rs_use_ranges *ranges);
void rs_use_ranges_set(struct rs_use_ranges *ranges, CXCursor variable, struct rs_use_range range);
struct rs_use_range rs_use_ranges_get(const struct rs_use_ranges *ranges, CXCursor variable);
struct rs_use_range rs_use_ranges_of(const struct rs_use_ranges *ranges, CXCursor expression);
/* Where two ways meet again. */
void rs_use_ranges_join(struct rs_use_ranges *ranges, const struct rs_use_ranges *other);
/* Holds the variables of a condition to what it says, when it is true or not. of_loop: it is that of a loop,
 * which variables come to step by step. */
void rs_use_ranges_narrow(struct rs_use_ranges *ranges, CXCursor condition, bool is_true, bool of_loop);
/* The condition speaks of them in a way that is not understood. */
void rs_use_ranges_doubt(struct rs_use_ranges *ranges, CXCursor condition);
/* All that a statement (null: none) changes: open towards where it steps to. */
void rs_use_ranges_widen(struct rs_use_ranges *ranges, CXCursor statement);
/* What an operator does to a variable, its operands aside. */
void rs_use_ranges_change(struct rs_use_ranges *ranges, CXCursor operator);

/* The local variable of an integer type that the expression names, conversions aside; null: another one. */
CXCursor rs_use_ranges_variable(struct rs_use_walk *walk, CXCursor expression);
/* How a binary operator is spelled; "" in a macro's body, which libclang does not show. */
const char *rs_use_ranges_operator(struct rs_use_walk *walk, const struct rs_use_children *sides);

/* What goes past a member, at one place of a function. is_named: it is only where something ends, `&a[8]`. */
void rs_use_bounds_element(const struct rs_use_ranges *ranges, CXCursor access, bool is_named);
/* What a pointer points to is used. */
void rs_use_bounds_target(const struct rs_use_ranges *ranges, CXCursor pointer, CXCursor where);
void rs_use_bounds_operator(const struct rs_use_ranges *ranges, CXCursor expression,
			    const struct rs_use_children *sides);
void rs_use_bounds_call(const struct rs_use_ranges *ranges, CXCursor call);
/* `&x` by its shape: a pointer to what its operand is. */
bool rs_use_bounds_is_address(CXCursor expression);

#endif
