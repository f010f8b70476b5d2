/*
 * What the files behind code.h share.
 *
 *   code.c         statements and expressions
 *   code_calls.c   what calls do to the addresses that they are given
 *   code_bases.c   objects, and the loops that go from one to the next
 */
#ifndef RS_PARSE_CODE_INTERNAL_H
#define RS_PARSE_CODE_INTERNAL_H

#include "parse/code.h"
#include "parse/uses_internal.h"

enum {
	RS_CODE_VALUE = 0,       /* nothing is done with what an expression names */
	RS_CODE_ELEMENT = 1 << 8 /* of an array: what is done is done to its elements */
};

/* Variables by what identifies their declarations. */
struct rs_code_variables {
	unsigned *items;
	size_t n_items, items_capacity;
};

struct rs_code_object {
	struct rs_code_variables variables; /* that the expression of a base speaks of */
	bool is_unsteady;                   /* another object each time, as far as can be told */
};

struct rs_code_walk {
	struct rs_use_walk uses; /* its arena is for what lives as long as the walk */
	struct rs_code *code;
	struct rs_code_function *function; /* NULL outside of functions */
	CXCursor declaration;              /* of it */
	size_t block;
	struct rs_code_variables *assigned; /* one a block: what its loop assigns; NULL items: nothing */
	size_t n_assigned, assigned_capacity;
	struct rs_code_object *objects; /* one a base */
	size_t n_objects, objects_capacity;
	size_t n_choices;
	unsigned nesting;
};

void rs_code_visit(struct rs_code_walk *walk, CXCursor cursor, unsigned does);
/* An access to what a MemberRefExpr names. */
void rs_code_add_member(struct rs_code_walk *walk, CXCursor member_ref, unsigned does);
/* An access to a whole object of one of the records, if the expression is one. */
void rs_code_add_whole(struct rs_code_walk *walk, CXCursor lvalue, unsigned does);
/* The same for the object behind a pointer. */
void rs_code_add_pointee(struct rs_code_walk *walk, CXCursor pointer, unsigned does);

void rs_code_visit_call(struct rs_code_walk *walk, CXCursor call);
/* An atomic builtin, which has a kind of its own; false: the expression is none. */
bool rs_code_visit_atomic(struct rs_code_walk *walk, CXCursor expression);

/* The base that the expression (of the record's type or a pointer to it) is. */
size_t rs_code_base_of(struct rs_code_walk *walk, CXCursor expression, size_t record);
/* The loop around the present block that makes the base another object each time; 0: none. */
size_t rs_code_instance_of(const struct rs_code_walk *walk, size_t base);
/* Opens a block and makes it the present one. loop: a statement whose variables change in it; null: none. */
size_t rs_code_enter(struct rs_code_walk *walk, CXCursor start, size_t choice, CXCursor loop);
struct rs_code_place rs_code_place_of(struct rs_code_walk *walk, CXCursor cursor);
bool rs_code_is_pointer(CXCursor expression);

#endif
