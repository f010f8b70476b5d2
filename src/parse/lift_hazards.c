#include "parse/lift_internal.h"

#include <string.h>

/*
 * Code that sees all of the record, or of a container, and would see more or less of it: a copy of the record
 * takes the lifted members along, which were not in it before, or leaves behind what is lowered.
 */

static const char *consequence(const struct rs_lift_walk *walk)
{
	return rs_lifting_lowers(walk->search->lifting) ? "would leave what is lowered behind"
							: "would take the lifted members along";
}

bool rs_lift_is_allocation(const char *name)
{
	return strstr(name, "alloc") || strstr(name, "Alloc") || strstr(name, "cache_create");
}

static bool is_record(struct rs_lift_walk *walk, CXType type)
{
	return rs_use_record_of(&walk->uses, type) == 0;
}

/* What reads an object: libclang shows the conversion of a struct that is used as a value, but not as what. */
static void check_value(struct rs_lift_walk *walk, CXCursor cursor)
{
	struct rs_use_children inside;

	if (!is_record(walk, clang_getCursorType(cursor)))
		return;
	inside = rs_use_children_of(&walk->uses, cursor);
	if (inside.n_items == 1 && clang_isExpression(clang_getCursorKind(inside.items[0])) &&
	    clang_getCursorKind(inside.items[0]) != CXCursor_InitListExpr &&
	    is_record(walk, clang_getCursorType(inside.items[0])))
		rs_lift_pin(walk, cursor, "lift-copy", "struct '%s' is copied as a whole here, which %s",
			    walk->search->records[0]->name, consequence(walk));
}

/* `memcpy(dst, other, 112)`: a number that is the record's size, next to a pointer to it. */
static void check_number(struct rs_lift_walk *walk, CXCursor call)
{
	long long size = (long long)walk->search->records[0]->size_bytes, value;
	struct rs_use_children children = rs_use_children_of(&walk->uses, call);
	bool has_size = false, has_record = false;

	for (size_t i = 1; i < children.n_items; i++) {
		CXCursor bare = rs_use_strip_casts(&walk->uses, children.items[i]);

		has_record |= rs_use_pointee_record(&walk->uses, clang_getCursorType(bare)) == 0;
		has_size |= clang_getCursorKind(bare) == CXCursor_IntegerLiteral &&
			    rs_use_evaluate(bare, &value) && value == size;
	}
	if (has_size && has_record)
		rs_lift_pin(walk, call, "lift-size",
			    "a number that is the size of struct '%s' is given with a pointer to one",
			    walk->search->records[0]->name);
}

static void check_call(struct rs_lift_walk *walk, CXCursor call)
{
	check_number(walk, call);
	if (is_record(walk, clang_getCursorType(call)))
		rs_lift_pin(walk, call, "lift-copy", "this gives a struct '%s' by value, which %s",
			    walk->search->records[0]->name, consequence(walk));
}

/* `dst + 1`: what stands behind the record. */
static void check_behind(struct rs_lift_walk *walk, CXCursor cursor)
{
	CXType type = clang_getCanonicalType(clang_getCursorType(cursor));
	struct rs_use_children sides;

	if (type.kind != CXType_Pointer || !is_record(walk, clang_getPointeeType(type)))
		return;
	sides = rs_use_children_of(&walk->uses, cursor);
	for (size_t i = 0; i < sides.n_items; i++)
		if (rs_use_is_number(clang_getCanonicalType(clang_getCursorType(sides.items[i]))))
			rs_lift_pin(walk, cursor, "lift-size",
				    "this goes past a struct '%s', whose end comes to lie elsewhere",
				    walk->search->records[0]->name);
}

/* A compound literal that is assigned gives all members values. */
static void check_assignment(struct rs_lift_walk *walk, CXCursor cursor)
{
	check_behind(walk, cursor);
	if (is_record(walk, clang_getCursorType(cursor)))
		rs_lift_pin(walk, cursor, "lift-copy", "struct '%s' is assigned as a whole here, which %s",
			    walk->search->records[0]->name, consequence(walk));
}

/* As the end of the record, the start of what follows it, or how many bytes are set or copied. */
static void check_size(struct rs_lift_walk *walk, CXCursor cursor)
{
	const struct rs_record *record = walk->search->records[0];
	CXCursor operand = rs_use_first_child(cursor);
	CXType type = clang_getCursorType(operand);
	long long value = 0;

	for (CXType element; (element = clang_getArrayElementType(type)).kind != CXType_Invalid;)
		type = element;
	if (clang_Cursor_isNull(operand) || !is_record(walk, type))
		return;
	/* The size of a pointer to it shows the same type. */
	if (rs_use_evaluate(cursor, &value) && (value == 0 || value % (long long)record->size_bytes != 0))
		return;
	rs_lift_pin(walk, cursor, "lift-size",
		    "the size of struct '%s' is taken here for something else than making objects, which %s",
		    record->name, consequence(walk));
}

/* Members of a container that a list gives values to by position, or together with the record's. */
struct listed {
	size_t n_positional;
	bool has_record, has_lifted;
};

static void count_designated(struct rs_lift_walk *walk, CXCursor child, struct listed *listed)
{
	struct rs_use_children inside = rs_use_children_of(&walk->uses, child);
	CXCursor field = clang_getCursorReferenced(inside.items[0]);
	size_t lifted = rs_lift_of_field(walk, field);
	const char *name = rs_tu_string(walk->uses.arena, clang_getCursorSpelling(field));

	listed->has_lifted |= lifted != RS_NONE;
	if (inside.n_items > 1 && clang_getCursorKind(inside.items[1]) == CXCursor_MemberRef)
		return; /* `.dst.flags = 1` is for that member alone */
	for (size_t i = 0; i < walk->search->lifting.n_items; i++)
		listed->has_record |= strcmp(walk->search->lifting.items[i].through, name) == 0;
}

/* Values by position that come to what is lowered, or further, would go elsewhere. */
static void check_record_list(struct rs_lift_walk *walk, CXCursor list)
{
	const struct rs_record *record = walk->search->records[0];
	struct rs_use_children children = rs_use_children_of(&walk->uses, list);
	size_t n_positional = 0;

	for (size_t i = 0; i < children.n_items; i++)
		n_positional += !rs_use_is_designated(&walk->uses, children.items[i]);
	for (size_t m = 0; n_positional > 1 && m < record->n_members;
	     m = rs_record_next_sibling(record, m), n_positional--)
		for (size_t i = 0; i < walk->search->lifting.n_items; i++)
			if (strcmp(record->members[m].path, walk->search->lifting.items[i].name) == 0) {
				rs_lift_pin(walk, list, "lift-initializer",
					    "values by position for struct '%s', of which '%s' goes away",
					    record->name, record->members[m].path);
				return;
			}
}

static void check_list(struct rs_lift_walk *walk, CXCursor list)
{
	size_t record = rs_use_record_of(&walk->uses, clang_getCursorType(list));
	struct rs_use_children children;
	struct listed listed = { 0 };

	if (rs_lifting_lowers(walk->search->lifting)) {
		if (record == 0)
			check_record_list(walk, list);
		return;
	}
	if (record == RS_NONE || record == 0)
		return;
	children = rs_use_children_of(&walk->uses, list);
	for (size_t i = 0; i < children.n_items; i++)
		if (rs_use_is_designated(&walk->uses, children.items[i]))
			count_designated(walk, children.items[i], &listed);
		else
			listed.n_positional++;
	/* The first value alone is for the first member, however much it is of that. */
	if (listed.n_positional > 1)
		rs_lift_pin(walk, list, "lift-initializer",
			    "values by position for struct '%s', of which a member goes away",
			    walk->search->records[record]->name);
	else if (listed.has_lifted && (listed.has_record || listed.n_positional > 0))
		rs_lift_pin(walk, list, "lift-initializer",
			    "a value for a lifted member beside one for all of '%s', in which it comes to lie",
			    walk->search->records[0]->name);
}

void rs_lift_check_hazards(struct rs_lift_walk *walk, CXCursor cursor, bool in_allocation)
{
	switch (clang_getCursorKind(cursor)) {
	case CXCursor_UnexposedExpr:
		check_value(walk, cursor);
		break;
	case CXCursor_CallExpr:
		check_call(walk, cursor);
		break;
	case CXCursor_BinaryOperator:
		check_assignment(walk, cursor);
		break;
	case CXCursor_UnaryExpr:
		if (!in_allocation)
			check_size(walk, cursor);
		break;
	case CXCursor_InitListExpr:
		check_list(walk, cursor);
		break;
	default:
		break;
	}
}
