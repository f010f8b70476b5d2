/*
 * Functions that are stored in members and variables, and what they are given when these are called.
 */
#include "parse/uses_internal.h"

/* A function that a declaration was set to, or a call of what it holds. */
struct rs_use_stored {
	CXCursor holder; /* canonical */
	unsigned hash;   /* of it */
	CXCursor what;
};

static void add(struct rs_use_walk *walk, struct rs_use_stored_list *list, CXCursor holder, CXCursor what)
{
	holder = clang_getCanonicalCursor(holder);
	*rs_array_push(walk->arena, list->items, list->n_items, list->items_capacity) =
		(struct rs_use_stored) { holder, clang_hashCursor(holder), what };
}

static bool is_holder(CXCursor declaration)
{
	enum CXCursorKind kind = clang_getCursorKind(declaration);

	return kind == CXCursor_FieldDecl || kind == CXCursor_VarDecl;
}

void rs_use_store(struct rs_use_walk *walk, CXCursor holder, CXCursor value)
{
	CXCursor function = rs_use_named_function(walk, value);

	if (is_holder(holder) && !clang_Cursor_isNull(function))
		add(walk, &walk->stored, holder, function);
}

/* `{ .key = f, … }`, `{ 1, f }`: in whatever struct. */
void rs_use_store_list(struct rs_use_walk *walk, CXCursor list)
{
	CXType type = clang_getCanonicalType(clang_getCursorType(list));
	struct rs_use_children values;
	CXCursor *fields = NULL;
	size_t n_fields = 0;

	if (type.kind != CXType_Record)
		return;
	values = rs_use_children_of(walk, list);
	for (size_t i = 0; i < values.n_items; i++) {
		struct rs_use_children inside = rs_use_children_of(walk, values.items[i]);

		if (inside.n_items == 2 && clang_getCursorKind(inside.items[0]) == CXCursor_MemberRef) {
			rs_use_store(walk, clang_getCursorReferenced(inside.items[0]), inside.items[1]);
			continue;
		}
		if (clang_Cursor_isNull(rs_use_named_function(walk, values.items[i])))
			continue;
		if (!fields)
			fields = rs_use_direct_fields(walk, type, &n_fields);
		if (i < n_fields)
			rs_use_store(walk, fields[i], values.items[i]);
	}
}

void rs_use_call_stored(struct rs_use_walk *walk, CXCursor call)
{
	CXCursor holder = clang_getCursorReferenced(call);

	if (is_holder(holder))
		add(walk, &walk->calls, holder, call);
}

static void flow_arguments(struct rs_use_walk *walk, CXCursor call, CXCursor function)
{
	int taken = clang_Cursor_getNumArguments(function);

	for (int i = 0; i < taken && i < clang_Cursor_getNumArguments(call); i++) {
		struct rs_use_origin origin = rs_use_origin_of(walk, clang_Cursor_getArgument(call, (unsigned)i));

		rs_use_flow_back(walk, clang_Cursor_getArgument(function, (unsigned)i), &origin);
	}
}

void rs_use_flow_stored(struct rs_use_walk *walk)
{
	for (size_t c = 0; c < walk->calls.n_items; c++)
		for (size_t s = 0; s < walk->stored.n_items; s++)
			if (walk->calls.items[c].hash == walk->stored.items[s].hash &&
			    clang_equalCursors(walk->calls.items[c].holder, walk->stored.items[s].holder))
				flow_arguments(walk, walk->calls.items[c].what, walk->stored.items[s].what);
}
