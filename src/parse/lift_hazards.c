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

/* --- so many bytes --- */

/* `memset(rt, 0, 24)`, `memcpy(dst, other, 112)`. */
struct bytes {
	CXType pointee; /* of the argument that is the address of what has the record inside */
	bool has_address, has_count, is_whole;
};

/* What counts bytes: no `int`, which may be anything. */
static bool is_count(CXType type)
{
	enum CXTypeKind kind = clang_getCanonicalType(type).kind;

	return kind == CXType_ULong || kind == CXType_ULongLong || kind == CXType_UInt;
}

static bool is_untyped(CXType type)
{
	CXType canonical = clang_getCanonicalType(type);
	enum CXTypeKind kind = CXType_Invalid;

	if (canonical.kind == CXType_Pointer)
		kind = clang_getCanonicalType(clang_getPointeeType(canonical)).kind;
	return kind == CXType_Void || kind == CXType_Char_S || kind == CXType_Char_U || kind == CXType_SChar ||
	       kind == CXType_UChar;
}

/* `sizeof(type)`, also so many times. */
static bool is_size_of(struct rs_lift_walk *walk, CXCursor count, CXType type)
{
	CXCursor bare = rs_use_strip_casts(&walk->uses, count);
	struct rs_use_children sides = rs_use_children_of(&walk->uses, bare);
	long long value, size = clang_Type_getSizeOf(type);

	if (clang_getCursorKind(bare) == CXCursor_BinaryOperator) {
		for (size_t i = 0; i < sides.n_items; i++) {
			CXCursor side = rs_use_strip_casts(&walk->uses, sides.items[i]);

			if (clang_getCursorKind(side) == CXCursor_UnaryExpr && rs_use_evaluate(side, &value) &&
			    value == size && (!rs_use_evaluate(bare, &value) || value % size == 0))
				return true;
		}
		return false;
	}
	return clang_getCursorKind(bare) == CXCursor_UnaryExpr && rs_use_evaluate(bare, &value) && size > 0 &&
	       value % size == 0;
}

static void take_address(struct rs_lift_walk *walk, CXCursor argument, struct bytes *bytes)
{
	CXType type = clang_getCanonicalType(clang_getCursorType(rs_use_strip_casts(&walk->uses, argument)));
	CXType pointee = clang_getPointeeType(type);

	if (pointee.kind == CXType_Invalid)
		pointee = clang_getArrayElementType(type);
	if (bytes->has_address || pointee.kind == CXType_Invalid || !rs_use_holds_record(&walk->uses, pointee))
		return;
	bytes->has_address = true;
	bytes->pointee = pointee;
}

/* A function that is given an address without a type and a count sees that many bytes, which are other ones
 * then: unless the count is the size of what is there. */
static void check_bytes(struct rs_lift_walk *walk, CXCursor call)
{
	CXType function = clang_getCursorType(clang_getCursorReferenced(call));
	int n_arguments = clang_Cursor_getNumArguments(call), n_parameters = clang_getNumArgTypes(function);
	struct bytes bytes = { 0 };

	for (int i = 0; i < n_arguments && i < n_parameters; i++)
		if (is_untyped(clang_getArgType(function, (unsigned)i)))
			take_address(walk, clang_Cursor_getArgument(call, (unsigned)i), &bytes);
	for (int i = 0; bytes.has_address && i < n_arguments && i < n_parameters; i++) {
		if (!is_count(clang_getArgType(function, (unsigned)i)))
			continue;
		bytes.has_count = true;
		bytes.is_whole |= is_size_of(walk, clang_Cursor_getArgument(call, (unsigned)i), bytes.pointee);
	}
	if (bytes.has_count && !bytes.is_whole)
		rs_lift_pin(
			walk, call, "lift-size",
			"so many bytes of '%s' are given to '%s' here, and other members come to lie in them",
			rs_tu_string(walk->uses.arena, clang_getTypeSpelling(bytes.pointee)),
			rs_tu_string(walk->uses.arena, clang_getCursorSpelling(call)));
}

static void check_call(struct rs_lift_walk *walk, CXCursor call)
{
	check_bytes(walk, call);
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

/* What a list gives values to by position, by the way to a member that is lifted or lowered, and by that to all
 * of the record. */
struct listed {
	size_t n_positional;
	bool has_record, has_lifted;
	bool has_later; /* a value by position behind the one for what is lifted */
};

static bool is_through(struct rs_lift_walk *walk, CXCursor field)
{
	size_t record = rs_use_record_of_field(&walk->uses, field);
	const char *name = rs_tu_string(walk->uses.arena, clang_getCursorSpelling(field));

	for (size_t i = 0; record != RS_NONE && record != 0 && i < walk->search->lifting.n_items; i++)
		if (strcmp(walk->search->lifting.items[i].through, name) == 0 &&
		    strcmp(walk->search->lifting.items[i].container, walk->search->records[record]->name) == 0)
			return true;
	return false;
}

/* `.dst = …` is for the record, `.dst.flags = …` for that member alone; both may stand behind names of structs
 * around the container. */
static void count_designated(struct rs_lift_walk *walk, CXCursor child, struct listed *listed)
{
	struct rs_use_children inside = rs_use_children_of(&walk->uses, child);
	bool lowers = rs_lifting_lowers(walk->search->lifting), is_plain;
	CXCursor before = clang_getNullCursor();

	for (size_t i = 0; i < inside.n_items; i++) {
		CXCursor name = inside.items[i];

		if (clang_getCursorKind(name) != CXCursor_MemberRef)
			continue;
		listed->has_lifted |=
			(lowers ? rs_lift_of_name(walk, name, before, &is_plain)
				: rs_lift_of_field(walk, clang_getCursorReferenced(name))) != RS_NONE;
		before = name;
	}
	listed->has_record |=
		!clang_Cursor_isNull(before) && is_through(walk, clang_getCursorReferenced(before));
}

/* libclang shows no conversion of a struct that is the value of a part. */
static void check_copied(struct rs_lift_walk *walk, CXCursor value)
{
	if (clang_isExpression(clang_getCursorKind(value)) &&
	    clang_getCursorKind(value) != CXCursor_InitListExpr && is_record(walk, clang_getCursorType(value)))
		rs_lift_pin(walk, value, "lift-copy", "struct '%s' is a value of an initializer here, which %s",
			    walk->search->records[0]->name, consequence(walk));
}

static struct listed count_values(struct rs_lift_walk *walk, CXCursor list)
{
	struct rs_use_children children = rs_use_children_of(&walk->uses, list);
	struct listed listed = { 0 };

	for (size_t i = 0; i < children.n_items; i++) {
		CXCursor child = children.items[i];

		if (rs_use_is_designated(&walk->uses, child) ||
		    rs_use_is_index_designated(&walk->uses, child)) {
			struct rs_use_children inside = rs_use_children_of(&walk->uses, child);

			count_designated(walk, child, &listed);
			check_copied(walk, inside.items[inside.n_items - 1]);
			continue;
		}
		check_copied(walk, child);
		listed.n_positional++;
		listed.has_later |= listed.has_lifted;
	}
	return listed;
}

/* Values by position that come to what is lowered, or further, would go elsewhere. */
static void check_record_list(struct rs_lift_walk *walk, CXCursor list, size_t n_positional)
{
	const struct rs_record *record = walk->search->records[0];

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

/* The first value alone is for the first member, however much it is of that. */
static void check_list(struct rs_lift_walk *walk, CXCursor list)
{
	size_t record = rs_use_record_of(&walk->uses, clang_getCursorType(list));
	bool lowers = rs_lifting_lowers(walk->search->lifting);
	struct listed listed = count_values(walk, list);

	if (lowers && record == 0)
		check_record_list(walk, list, listed.n_positional);
	else if (!lowers && record != 0 && record != RS_NONE && listed.n_positional > 1)
		rs_lift_pin(walk, list, "lift-initializer",
			    "values by position for struct '%s', of which a member goes away",
			    walk->search->records[record]->name);
	else if (listed.has_lifted &&
		 (listed.has_record || listed.has_later || (!lowers && listed.n_positional > 0)))
		rs_lift_pin(walk, list, "lift-initializer",
			    "a value for a member that is lifted or lowered beside one for all of '%s'",
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
