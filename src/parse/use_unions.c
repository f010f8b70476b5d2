/*
 * Unions that lay numbers or another struct over a record: whoever reads the one sees the order of the other.
 */
#include <string.h>

#include "parse/uses_internal.h"

enum { MAX_BEGIN = 64 }; /* members that two structs have in common at their beginning */

struct rs_use_overlay {
	CXCursor owner;                   /* the union */
	CXCursor record;                  /* its member that is a record, or an array of it */
	CXCursor other;                   /* that lies over it */
	CXType type;                      /* of the record; canonical */
	bool is_raw;                      /* the other is numbers that cover the record: each access counts */
	CXCursor record_seen, other_seen; /* the last union objects by name whose members were accessed */
	struct rs_use_overlay *next;
};

static CXType inner_type(CXType type)
{
	CXType canonical = clang_getCanonicalType(type);

	while (canonical.kind == CXType_ConstantArray)
		canonical = clang_getCanonicalType(clang_getArrayElementType(canonical));
	return canonical;
}

static enum CXVisitorResult collect_field(CXCursor field, CXClientData data)
{
	void **context = (void **)data;
	struct rs_use_children *fields = (struct rs_use_children *)context[0];
	struct rs_use_walk *walk = (struct rs_use_walk *)context[1];

	*rs_array_push(walk->arena, fields->items, fields->n_items, fields->items_capacity) = field;
	return CXVisit_Continue;
}

static struct rs_use_children fields_of(struct rs_use_walk *walk, CXType type)
{
	struct rs_use_children fields = { 0 };
	void *context[] = { &fields, walk };

	clang_Type_visitFields(type, collect_field, context);
	return fields;
}

static bool has_padding_name(struct rs_use_walk *walk, CXCursor field)
{
	const char *name = rs_tu_string(walk->arena, clang_getCursorSpelling(field));

	return strstr(name, "pad") || strstr(name, "align") || strstr(name, "reserved") ||
	       strstr(name, "storage") || strstr(name, "unused") || strstr(name, "dummy") ||
	       strstr(name, "fill");
}

/* The type that all fields of an unnamed struct have: `struct { long low, high; };` is an array by another
 * name. */
static CXType only_type(struct rs_use_walk *walk, CXType type)
{
	struct rs_use_children fields = { 0 };
	CXType first = type;

	if (type.kind == CXType_Record)
		fields = fields_of(walk, type);
	for (size_t i = 0; i < fields.n_items; i++) {
		CXType own = inner_type(clang_getCursorType(fields.items[i]));

		if (i > 0 && !clang_equalTypes(own, first))
			return type;
		first = own;
	}
	return first;
}

/* Numbers over a whole record: of its size, or all else that the union has. */
static bool is_raw_view(struct rs_use_walk *walk, CXCursor other, CXType record, size_t n_fields)
{
	CXType type = clang_getCanonicalType(clang_getCursorType(other));
	long long size = clang_Type_getSizeOf(type), whole = clang_Type_getSizeOf(record);
	CXType element = inner_type(type);

	if (rs_use_is_unnamed(other) && size == whole)
		element = only_type(walk, element);
	if (element.kind < CXType_Bool || element.kind > CXType_Int128 || has_padding_name(walk, other))
		return false;
	return size == whole || (n_fields == 2 && size > whole) ||
	       (type.kind == CXType_ConstantArray &&
		size == clang_Type_getSizeOf(clang_getCursorType(clang_getCursorSemanticParent(other))));
}

/* The members at the beginning that both have with the same types (C11 6.5.2.3p6) keep their places. */
static void keep_beginning(struct rs_use_walk *walk, size_t record, CXType other, CXCursor where)
{
	struct rs_use_children own = fields_of(walk, clang_getCanonicalType(walk->types[record]));
	struct rs_use_children theirs = fields_of(walk, other);
	struct rs_pin_list *list = &walk->lists[record];
	size_t same = 0, last = RS_NONE;

	while (same < own.n_items && same < theirs.n_items && same < MAX_BEGIN &&
	       clang_equalTypes(clang_getCanonicalType(clang_getCursorType(own.items[same])),
				clang_getCanonicalType(clang_getCursorType(theirs.items[same]))))
		same++;
	if (same > 0)
		last = rs_use_unit_of_field(walk, record, own.items[same - 1]);
	if (last == RS_NONE ||
	    !rs_use_pin(walk, record, where, "common-beginning", false,
			"a union has it beside '%s', and both begin with members of the same types: "
			"up to '%s' nothing moves",
			rs_spelling_type(walk->arena, other), walk->records[record]->units[last].name))
		return;
	rs_constraint_add(list, RS_KEEP_FIRST, 0, RS_NONE);
	for (size_t i = 0; i < last; i++)
		rs_constraint_add(list, RS_KEEP_NEXT, i, i + 1);
}

/* A number over the beginning of a record is its first member, as often as not. */
static void keep_first(struct rs_use_walk *walk, size_t record, CXCursor other)
{
	CXType first = rs_use_first_member(clang_getCanonicalType(walk->types[record]));

	if (walk->records[record]->n_units == 0 ||
	    !clang_equalTypes(clang_getCanonicalType(first),
			      clang_getCanonicalType(clang_getCursorType(other))) ||
	    !rs_use_pin(walk, record, other, "common-beginning", false,
			"a union has it beside '%s' of the same type as its first member, which stays first",
			rs_tu_string(walk->arena, clang_getCursorSpelling(other))))
		return;
	rs_constraint_add(&walk->lists[record], RS_KEEP_FIRST, 0, RS_NONE);
}

/* `union any { int type; struct move move; struct text text; }`: what stands in front, or is called as the
 * first member is, tells which of the structs it is. */
static bool is_tag(struct rs_use_walk *walk, size_t record, CXCursor number)
{
	struct rs_use_children fields =
		fields_of(walk, clang_getCursorType(clang_getCursorSemanticParent(number)));
	const struct rs_record *found = walk->records[record];
	const char *name = rs_tu_string(walk->arena, clang_getCursorSpelling(number));

	return clang_equalCursors(fields.items[0], number) ||
	       (found->n_units > 0 && found->units[0].name && strcmp(found->units[0].name, name) == 0);
}

static void note_pair(struct rs_use_walk *walk, CXCursor record, CXCursor other, size_t n_fields)
{
	CXType type = inner_type(clang_getCursorType(record)), others = inner_type(clang_getCursorType(other));
	size_t index = rs_use_record_of(walk, type);
	bool is_raw = is_raw_view(walk, other, type, n_fields);

	if (clang_equalTypes(type, others))
		return;
	if (index != RS_NONE && others.kind == CXType_Record)
		keep_beginning(walk, index, others, other);
	else if (index != RS_NONE && rs_use_is_number(others) && !is_raw &&
		 (n_fields == 2 || is_tag(walk, index, other)))
		keep_first(walk, index, other);
	if (!is_raw && others.kind != CXType_Record)
		return;
	struct rs_use_overlay *overlay = rs_arena_new(walk->arena, struct rs_use_overlay);
	*overlay = (struct rs_use_overlay) { .owner = clang_getCursorSemanticParent(other),
					     .record = record,
					     .other = other,
					     .type = type,
					     .is_raw = is_raw,
					     .record_seen = clang_getNullCursor(),
					     .other_seen = clang_getNullCursor(),
					     .next = walk->overlays };
	walk->overlays = overlay;
}

/* `union { struct s *s; struct head *head; }`: a pointer to the one is one to the other, where that is what the
 * record begins with. */
static void note_pointers(struct rs_use_walk *walk, const struct rs_use_children *fields, size_t at)
{
	CXType type = rs_use_element(clang_getCursorType(fields->items[at]));
	size_t record = rs_use_is_pointer(clang_getCursorType(fields->items[at])) ? rs_use_record_of(walk, type)
										  : RS_NONE;

	for (size_t i = 0; record != RS_NONE && i < fields->n_items; i++) {
		CXType other = clang_getCursorType(fields->items[i]);

		if (i != at && rs_use_is_pointer(other))
			rs_use_check_view(walk, record, rs_use_element(other), fields->items[i], true);
	}
}

void rs_use_note_union(struct rs_use_walk *walk, CXCursor declaration)
{
	CXType type = clang_getCanonicalType(clang_getCursorType(declaration));
	struct rs_use_children fields;

	if (!clang_isCursorDefinition(declaration))
		return;
	fields = fields_of(walk, type);
	for (size_t i = 0; i < fields.n_items; i++)
		note_pointers(walk, &fields, i);
	if (!rs_use_holds_record(walk, type))
		return;
	for (size_t i = 0; i < fields.n_items; i++) {
		if (!rs_use_holds_record(walk, clang_getCursorType(fields.items[i])))
			continue;
		for (size_t j = 0; j < fields.n_items; j++)
			if (j != i)
				note_pair(walk, fields.items[i], fields.items[j], fields.n_items);
	}
}

/* The union object that the access names without a pointer. */
static CXCursor named_object(struct rs_use_walk *walk, CXCursor access)
{
	CXCursor base = rs_use_first_child(access);

	if (clang_Cursor_isNull(base))
		return base;
	base = rs_use_strip(walk, base);
	if (clang_getCursorKind(base) != CXCursor_DeclRefExpr ||
	    clang_getCanonicalType(clang_getCursorType(base)).kind != CXType_Record)
		return clang_getNullCursor();
	return clang_getCursorReferenced(base);
}

static void judge_struct(struct rs_use_walk *walk, struct rs_use_overlay *overlay, CXCursor access)
{
	if (clang_Cursor_isNull(overlay->record_seen) ||
	    !clang_equalCursors(overlay->record_seen, overlay->other_seen))
		return;
	rs_use_pin_held(walk, overlay->type, access, "union-overlay",
			"the same union is accessed as it and as '%s'",
			rs_tu_string(walk->arena, clang_getCursorSpelling(overlay->other)));
}

/* What an unnamed struct of the union has is named as if it were the union's own. */
static bool is_part_of(struct rs_use_walk *walk, CXCursor field, CXCursor member)
{
	return clang_equalCursors(field, member) ||
	       (rs_use_is_unnamed(member) && rs_use_has_field(walk, member, field));
}

void rs_use_check_overlay(struct rs_use_walk *walk, CXCursor access)
{
	CXCursor field;

	if (!walk->overlays)
		return;
	field = clang_getCursorReferenced(access);
	for (struct rs_use_overlay *overlay = walk->overlays; overlay; overlay = overlay->next) {
		bool is_record = clang_equalCursors(field, overlay->record) != 0;
		bool is_other = is_part_of(walk, field, overlay->other);

		if (is_other && overlay->is_raw)
			rs_use_pin_held(walk, overlay->type, access, "union-overlay",
					"'%s' lies over it in a union, and shows the order of its bytes",
					rs_tu_string(walk->arena, clang_getCursorSpelling(field)));
		if (overlay->is_raw || (!is_record && !is_other))
			continue;
		if (is_record)
			overlay->record_seen = named_object(walk, access);
		else
			overlay->other_seen = named_object(walk, access);
		judge_struct(walk, overlay, access);
	}
}
