#include <string.h>

#include "parse/use_ranges.h"
#include "parse/uses_internal.h"

/* Nothing lies at addresses in the first page or the last. */
enum { PAGE_BYTES = 4096 };

static CXType pointee(CXType type)
{
	CXType canonical = clang_getCanonicalType(type);

	return canonical.kind == CXType_Pointer ? clang_getCanonicalType(clang_getPointeeType(canonical))
						: (CXType) { .kind = CXType_Invalid };
}

static CXType without_qualifiers(CXType type)
{
	CXType canonical = clang_getCanonicalType(type);

	return canonical.kind == CXType_Record ? clang_getCursorType(clang_getTypeDeclaration(canonical))
					       : canonical;
}

static bool same_type(CXType a, CXType b)
{
	CXType one = clang_getCanonicalType(a), other = clang_getCanonicalType(b);

	if (rs_use_is_number(one) || rs_use_is_number(other)) /* const or not */
		return one.kind == other.kind;
	return clang_equalTypes(clang_getCanonicalType(without_qualifiers(a)),
				clang_getCanonicalType(without_qualifiers(b))) != 0;
}

/* Whether an object of type `outer` begins with one of type `inner`. */
static bool begins_with(CXType outer, CXType inner)
{
	for (unsigned depth = 0; depth < 16; depth++) {
		CXType first = rs_use_first_member(outer);

		if (first.kind == CXType_Invalid)
			return false;
		if (same_type(first, inner))
			return true;
		outer = first;
	}
	return false;
}

static bool is_byte_like(CXType type)
{
	switch (type.kind) {
	case CXType_Void:
	case CXType_Char_U:
	case CXType_Char_S:
	case CXType_UChar:
	case CXType_SChar:
	case CXType_Invalid:
		return true;
	default:
		return false;
	}
}

static void keep_first(struct rs_use_walk *walk, size_t record, CXCursor cast)
{
	const struct rs_record *found = walk->records[record];

	if (found->n_units > 0 &&
	    rs_use_pin(walk, record, cast, "first-member-cast", false,
		       "a pointer to it is cast to or from its first member's type: '%s' stays first",
		       found->units[0].name))
		rs_constraint_add(&walk->lists[record], RS_KEEP_FIRST, 0, RS_NONE);
}

void rs_use_check_handed(struct rs_use_walk *walk, CXCursor call, CXType passed, const char *function)
{
	size_t record = rs_use_pointee_record(walk, passed);
	CXType first = record == RS_NONE ? passed : rs_use_first_member(walk->types[record]);

	if (record == RS_NONE || clang_getCanonicalType(first).kind != CXType_Record ||
	    walk->records[record]->n_units == 0 ||
	    !rs_use_pin(walk, record, call, "first-member-cast", false,
			"%s, which is not seen here, gets it as a 'void *', and may take it for its first "
			"member: '%s' "
			"stays first",
			function, walk->records[record]->units[0].name))
		return;
	rs_constraint_add(&walk->lists[record], RS_KEEP_FIRST, 0, RS_NONE);
}

/* Storage for a pointer of whatever type, where the record begins with one. */
static bool begins_with_pointer(CXType record)
{
	for (unsigned depth = 0; depth < 16 && record.kind != CXType_Invalid; depth++) {
		if (clang_getCanonicalType(record).kind == CXType_Pointer)
			return true;
		record = rs_use_first_member(record);
	}
	return false;
}

void rs_use_check_view(struct rs_use_walk *walk, size_t record, CXType other, CXCursor where, bool begin_only)
{
	CXType type = walk->types[record];

	if (is_byte_like(other) || other.kind == CXType_FunctionProto || same_type(other, type))
		return;
	if (other.kind == CXType_Pointer) {
		if (begins_with_pointer(type))
			keep_first(walk, record, where);
		return;
	}
	if (begins_with(other, type)) /* down from an embedded base: its inside does not matter */
		return;
	if (begins_with(type, other)) {
		keep_first(walk, record, where);
		return;
	}
	if (begin_only || (other.kind == CXType_Record && clang_Type_getSizeOf(other) < 0))
		return; /* an opaque handle */
	rs_use_pin(walk, record, where, "type-pun", true, "a pointer to it is cast to or from '%s'",
		   rs_spelling_type(walk->arena, other));
}

/* Characters in a row, at the very beginning of objects of the type. */
static bool begins_with_text(CXType type)
{
	CXType first = clang_getCanonicalType(type);

	for (unsigned depth = 0; depth < 16 && first.kind == CXType_Record; depth++)
		first = clang_getCanonicalType(rs_use_first_member(first));
	return first.kind == CXType_ConstantArray && rs_use_is_byte(rs_use_element(first));
}

void rs_use_check_string(struct rs_use_walk *walk, CXType type, const char *function, CXCursor where)
{
	size_t record = rs_use_record_of(walk, type);

	if (record == RS_NONE || !begins_with_text(type) ||
	    !rs_use_pin(walk, record, where, "first-member-cast", false,
			"%s is given it as a string: '%s' stays first", function,
			walk->records[record]->units[0].name))
		return;
	rs_constraint_add(&walk->lists[record], RS_KEEP_FIRST, 0, RS_NONE);
}

void rs_use_check_numbers(struct rs_use_walk *walk, CXType type, CXType number, CXCursor where)
{
	size_t record = rs_use_record_of(walk, type);

	if (record == RS_NONE || rs_use_is_byte(number) ||
	    !same_type(rs_use_first_member(walk->types[record]), number))
		return;
	rs_use_pin(walk, record, where, "type-pun", true,
		   "a pointer to it is used as an array of '%s', into what follows its first member",
		   rs_spelling_type(walk->arena, number));
}

/* `(int (*)(struct s *))f`: what it is called with is something else to f. */
static void check_signatures(struct rs_use_walk *walk, CXType target, CXType source, CXCursor cast)
{
	int count = clang_getNumArgTypes(target);

	for (int i = 0; i < count && i < clang_getNumArgTypes(source); i++) {
		CXType passed = rs_use_element(clang_getArgType(target, (unsigned)i));
		CXType taken = rs_use_element(clang_getArgType(source, (unsigned)i));
		size_t to = rs_use_record_of(walk, passed), from = rs_use_record_of(walk, taken);

		if (to != RS_NONE && to != from)
			rs_use_check_view(walk, to, taken, cast, true);
		if (from != RS_NONE && to != from)
			rs_use_check_view(walk, from, passed, cast, true);
	}
}

static CXType signature_of(CXType type)
{
	CXType canonical = clang_getCanonicalType(type);

	return canonical.kind == CXType_Pointer ? clang_getCanonicalType(clang_getPointeeType(canonical))
						: canonical;
}

/* A constant that is no null pointer and no small number that stands for something: the object lies where
 * hardware or a linker put it. */
static bool is_fixed_address(CXCursor operand)
{
	long long value;
	CXType type = clang_getCanonicalType(clang_getCursorType(operand));

	return type.kind >= CXType_Bool && type.kind <= CXType_Int128 && rs_use_evaluate(operand, &value) &&
	       (value < -PAGE_BYTES || value >= PAGE_BYTES);
}

/* `(T *)&s.m` with a T that is wider than the member reaches into what follows it. */
static void check_wide_access(struct rs_use_walk *walk, CXType target, CXCursor operand, CXCursor cast)
{
	struct rs_use_children inside = { 0 };

	if (clang_getCursorKind(operand) != CXCursor_UnaryOperator)
		return;
	inside = rs_use_children_of(walk, operand);
	CXCursor member = inside.n_items == 1 ? rs_use_strip(walk, inside.items[0]) : clang_getNullCursor();
	if (clang_getCursorKind(member) != CXCursor_MemberRefExpr)
		return;
	long long own = clang_Type_getSizeOf(clang_getCursorType(member)), wide = clang_Type_getSizeOf(target);
	if (own <= 0 || wide <= own)
		return;
	for (size_t record = 0; record < walk->n_records; record++) {
		if (rs_use_unit_of(walk, record, member) == RS_NONE)
			continue;
		rs_use_pin(walk, record, cast, "wide-access", true,
			   "the access goes past '%s' into what follows it: %lld bytes, the member has %lld",
			   rs_tu_string(walk->arena, clang_getCursorSpelling(member)), wide, own);
	}
}

/* `(struct s *)((char *)link - 16)`: from a member back to what it lies in, by a number. `tagged & ~1` and
 * `tagged - 1` only take a mark off. */
static void check_step_back(struct rs_use_walk *walk, size_t record, CXCursor operand, CXCursor cast)
{
	struct rs_use_children sides = { 0 };
	const char *operator;
	long long bytes;

	if (clang_getCursorKind(operand) == CXCursor_BinaryOperator &&
	    is_byte_like(rs_use_element(clang_getCursorType(operand))))
		sides = rs_use_children_of(walk, operand);
	if (sides.n_items != 2 || !rs_use_evaluate(sides.items[1], &bytes))
		return;
	operator= rs_use_ranges_operator(walk, &sides);
	if (strcmp(operator, "-") == 0)
		bytes = -bytes;
	else if (strcmp(operator, "+") != 0)
		return;
	if (!rs_use_is_pointer(clang_getCursorType(operand)) &&
	    -bytes < clang_Type_getAlignOf(walk->types[record]))
		return;
	if (bytes >= 0 || -bytes >= clang_Type_getSizeOf(walk->types[record]) ||
	    rs_use_mentions_member(walk, rs_use_strip_casts(walk, sides.items[1])))
		return;
	rs_use_pin(walk, record, cast, "member-range", true,
		   "a number leads from a member to it: %lld bytes back", -bytes);
}

/* An array that is memory for anything: one of records of a single byte. A pointer to such a record is none,
 * for it looks at bytes of something. */
static bool is_byte_storage(CXType type, CXType element)
{
	CXType canonical = clang_getCanonicalType(type);

	return canonical.kind != CXType_Pointer && element.kind == CXType_Record &&
	       clang_Type_getSizeOf(element) == 1;
}

void rs_use_check_cast(struct rs_use_walk *walk, CXCursor cast)
{
	struct rs_use_children inside = rs_use_children_of(walk, cast);
	CXType target = pointee(clang_getCursorType(cast));

	if (inside.n_items == 0 || target.kind == CXType_Invalid)
		return;
	CXCursor operand = rs_use_strip(walk, inside.items[inside.n_items - 1]);
	CXType source = rs_use_element(clang_getCursorType(operand));
	size_t to = rs_use_record_of(walk, target), from = rs_use_record_of(walk, source);
	if (to != RS_NONE && is_fixed_address(operand))
		rs_use_pin(walk, to, cast, "fixed-address", true,
			   "it is laid over a fixed address: the hardware knows its layout");
	if (to != RS_NONE)
		check_step_back(walk, to, operand, cast);
	if (to != RS_NONE && from != to && !is_byte_storage(clang_getCursorType(operand), source))
		rs_use_check_view(walk, to, source, cast, false);
	if (from != RS_NONE && from != to)
		rs_use_check_view(walk, from, target, cast, false);
	check_signatures(walk, target, signature_of(clang_getCursorType(operand)), cast);
	if (!is_byte_like(target))
		check_wide_access(walk, target, operand, cast);
}
