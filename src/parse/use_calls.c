#include <string.h>

#include "parse/uses_internal.h"

enum call_kind {
	CALL_ESCAPE, /* the bytes leave the program, come from outside or are compared as bytes */
	CALL_COPY,   /* memory functions: depends on the other side and on the length */
};

struct call_row {
	const char *name;
	enum call_kind kind;
};

/* Functions that see an object as bytes. Wrappers with other names are not seen. */
static const struct call_row rows[] = {
	{ "fwrite", CALL_ESCAPE },
	{ "fread", CALL_ESCAPE },
	{ "fwrite_unlocked", CALL_ESCAPE },
	{ "fread_unlocked", CALL_ESCAPE },
	{ "write", CALL_ESCAPE },
	{ "read", CALL_ESCAPE },
	{ "pwrite", CALL_ESCAPE },
	{ "pread", CALL_ESCAPE },
	{ "pwrite64", CALL_ESCAPE },
	{ "pread64", CALL_ESCAPE },
	{ "send", CALL_ESCAPE },
	{ "recv", CALL_ESCAPE },
	{ "sendto", CALL_ESCAPE },
	{ "recvfrom", CALL_ESCAPE },
	{ "msgsnd", CALL_ESCAPE },
	{ "msgrcv", CALL_ESCAPE },
	{ "mq_send", CALL_ESCAPE },
	{ "mq_receive", CALL_ESCAPE },
	{ "ioctl", CALL_ESCAPE },
	{ "memcmp", CALL_ESCAPE },
	{ "bcmp", CALL_ESCAPE },
	{ "copy_to_user", CALL_ESCAPE },
	{ "copy_from_user", CALL_ESCAPE },
	{ "memcpy", CALL_COPY },
	{ "memmove", CALL_COPY },
	{ "mempcpy", CALL_COPY },
	{ "bcopy", CALL_COPY },
	{ "memset", CALL_COPY },
	{ "bzero", CALL_COPY },
};

/* "__builtin___memcpy_chk" is memcpy. */
static const char *plain_name(struct rs_use_walk *walk, CXCursor call)
{
	char *name = rs_tu_string(walk->arena, clang_getCursorSpelling(call));
	size_t length;

	if (strncmp(name, "__builtin_", 10) == 0)
		name += 10;
	length = strlen(name);
	if (strncmp(name, "__", 2) == 0 && length > 6 && strcmp(name + length - 4, "_chk") == 0) {
		name[length - 4] = '\0';
		name += 2;
	}
	return name;
}

static const struct call_row *find_row(const char *name)
{
	for (size_t i = 0; i < RS_COUNT_OF(rows); i++)
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return NULL;
}

static CXCursor argument(struct rs_use_walk *walk, CXCursor call, unsigned index)
{
	CXCursor found = rs_use_strip(walk, clang_Cursor_getArgument(call, index));

	while (clang_getCursorKind(found) == CXCursor_CStyleCastExpr) {
		struct rs_use_children inside = rs_use_children_of(walk, found);

		found = rs_use_strip(walk, inside.items[inside.n_items - 1]);
	}
	return found;
}

static bool is_bytes(CXCursor expression)
{
	CXType type = clang_getCanonicalType(clang_getCursorType(expression));

	if (type.kind == CXType_Pointer)
		type = clang_getCanonicalType(clang_getPointeeType(type));
	else if (type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray)
		type = clang_getCanonicalType(clang_getArrayElementType(type));
	else
		return false;
	return type.kind == CXType_Char_S || type.kind == CXType_Char_U || type.kind == CXType_UChar ||
	       type.kind == CXType_SChar;
}

/* The member whose address (or, of an array, whose decay) is passed; a null cursor when it is none. */
static CXCursor passed_member(struct rs_use_walk *walk, CXCursor expression)
{
	CXCursor inner = expression;
	enum CXTypeKind kind = clang_getCanonicalType(clang_getCursorType(expression)).kind;

	/* A member that is no array is passed by its value: what that points to lies elsewhere. */
	if (clang_getCursorKind(inner) == CXCursor_MemberRefExpr && kind != CXType_ConstantArray &&
	    kind != CXType_IncompleteArray)
		return clang_getNullCursor();
	if (clang_getCursorKind(inner) == CXCursor_UnaryOperator) {
		struct rs_use_children inside = rs_use_children_of(walk, inner);

		inner = inside.n_items == 1 ? rs_use_strip(walk, inside.items[0]) : inner;
	}
	return clang_getCursorKind(inner) == CXCursor_MemberRefExpr ? inner : clang_getNullCursor();
}

static CXCursor length_argument(CXCursor call)
{
	int count = clang_Cursor_getNumArguments(call);

	/* The checked forms have the object's size behind the length. */
	return count >= 2 ? clang_Cursor_getArgument(call, count >= 4 ? 2 : (unsigned)count - 1)
			  : clang_getNullCursor();
}

static void check_member_range(struct rs_use_walk *walk, CXCursor call, const char *name, CXCursor passed)
{
	CXCursor member = passed_member(walk, passed), length = length_argument(call);
	long long bytes = 0;

	if (clang_Cursor_isNull(member) || clang_Cursor_isNull(length))
		return;
	long long own = clang_Type_getSizeOf(clang_getCursorType(member));
	bool known = rs_use_evaluate(length, &bytes);
	for (size_t record = 0; record < walk->n_records; record++) {
		if (rs_use_unit_of(walk, record, member) == RS_NONE)
			continue;
		if ((known && own > 0 && bytes > own) ||
		    (!known && rs_use_mentions(walk, length, record, false)))
			rs_use_pin(walk, record, call, "member-range", true,
				   "%s runs over several members from '%s' on", name,
				   rs_tu_string(walk->arena, clang_getCursorSpelling(member)));
	}
}

static void check_escape(struct rs_use_walk *walk, CXCursor call, const char *name, CXCursor passed)
{
	size_t record = rs_use_pointee_record(walk, clang_getCursorType(passed));

	if (record != RS_NONE)
		rs_use_pin(walk, record, call, "layout-escapes", true,
			   "%s sees its bytes: their order is a format", name);
}

static void check_copy(struct rs_use_walk *walk, CXCursor call, const char *name)
{
	CXCursor first = argument(walk, call, 0), second = argument(walk, call, 1),
		 length = length_argument(call);
	size_t to = rs_use_pointee_record(walk, clang_getCursorType(first));
	size_t from = rs_use_pointee_record(walk, clang_getCursorType(second));

	if (to != RS_NONE && is_bytes(second))
		check_escape(walk, call, name, first);
	if (from != RS_NONE && is_bytes(first))
		check_escape(walk, call, name, second);
	for (size_t record = 0; record < walk->n_records; record++)
		if ((record == to || record == from) && rs_use_mentions(walk, length, record, true))
			rs_use_pin(walk, record, call, "offset-as-length", true,
				   "%s takes an offset in it as a length", name);
}

void rs_use_check_call(struct rs_use_walk *walk, CXCursor call)
{
	int count = clang_Cursor_getNumArguments(call);

	/* `r->write(r, …)` is a member of that name, not the function. */
	if (count < 2 || clang_getCursorKind(clang_getCursorReferenced(call)) != CXCursor_FunctionDecl)
		return;
	const char *name = plain_name(walk, call);
	const struct call_row *row = find_row(name);
	if (!row)
		return;
	for (unsigned i = 0; i < (unsigned)count; i++) {
		CXCursor passed = argument(walk, call, i);

		check_member_range(walk, call, name, passed);
		if (row->kind == CALL_ESCAPE)
			check_escape(walk, call, name, passed);
	}
	if (row->kind == CALL_COPY)
		check_copy(walk, call, name);
}
