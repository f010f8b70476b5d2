#include <string.h>

#include "parse/byte_functions.h"
#include "parse/uses_internal.h"

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

const struct rs_byte_function *rs_use_known_function(struct rs_use_walk *walk, CXCursor call)
{
	if (clang_getCursorKind(clang_getCursorReferenced(call)) != CXCursor_FunctionDecl)
		return NULL;
	return rs_byte_functions_find(plain_name(walk, call));
}

static CXCursor argument(struct rs_use_walk *walk, CXCursor call, unsigned index)
{
	CXCursor found = rs_use_strip(walk, clang_Cursor_getArgument(call, index));

	while (rs_use_is_cast(clang_getCursorKind(found))) {
		struct rs_use_children inside = rs_use_children_of(walk, found);

		found = rs_use_strip(walk, inside.items[inside.n_items - 1]);
	}
	return found;
}

/* Raw numbers, of whatever width. */
static bool is_bytes(CXCursor expression)
{
	CXType element = rs_use_element(clang_getCursorType(expression));

	return element.kind >= CXType_Bool && element.kind <= CXType_Int128;
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

static CXCursor length_argument(CXCursor call, const struct rs_byte_function *row)
{
	int count = clang_Cursor_getNumArguments(call);

	if (row->length < 0)
		return clang_getNullCursor();
	if (row->length > 0 && row->length < count && row->times < count)
		return clang_Cursor_getArgument(call, (unsigned)(row->times > 0 ? row->times : row->length));
	/* The checked forms have the object's size behind the length. */
	return count >= 2 ? clang_Cursor_getArgument(call, count >= 4 ? 2 : (unsigned)count - 1)
			  : clang_getNullCursor();
}

static bool is_array(CXCursor expression)
{
	CXType type = clang_getCanonicalType(clang_getCursorType(expression));

	return type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray;
}

static void check_member_range(struct rs_use_walk *walk, CXCursor call, const struct rs_byte_function *row,
			       CXCursor passed)
{
	CXCursor member = passed_member(walk, passed), length = length_argument(call, row);
	long long bytes = 0;

	/* `ioctl(fd, FIONREAD, &s->n)`: what is passed last is the member itself, and no length; getsockopt is
	 * given where the length is. */
	if (clang_Cursor_isNull(member) || clang_Cursor_isNull(length) ||
	    rs_use_is_pointer(clang_getCursorType(length)) ||
	    clang_equalCursors(rs_use_strip(walk, length), passed))
		return;
	long long own = clang_Type_getSizeOf(clang_getCursorType(member));
	bool known = rs_use_evaluate(length, &bytes);
	for (size_t record = 0; record < walk->n_records; record++) {
		size_t unit = rs_use_unit_of(walk, record, member);

		/* what is allocated behind a trailing array is no other member */
		if (unit == RS_NONE || (is_array(member) && unit + 1 == walk->records[record]->n_units))
			continue;
		rs_use_note_bounds(walk, walk->function);
		if ((known && own > 0 && bytes > own) ||
		    (!known && rs_use_mentions(walk, length, record, false)))
			rs_use_pin(walk, record, call, "member-range", true,
				   "%s runs over several members from '%s' on", row->name,
				   rs_tu_string(walk->arena, clang_getCursorSpelling(member)));
	}
}

static void check_escape(struct rs_use_walk *walk, CXCursor call, const char *name, CXCursor passed)
{
	struct rs_use_origin origin = rs_use_origin_of(walk, passed);
	CXType element = rs_use_element(clang_getCursorType(passed));

	if (element.kind == CXType_Record)
		rs_use_pin_held(walk, element, call, "layout-escapes",
				"%s sees its bytes: their order is a format", name);
	else if (origin.kind == RS_ORIGIN_OBJECT)
		rs_use_pin_held(walk, origin.type, call, "layout-escapes",
				"%s sees its bytes: their order is a format", name);
	else if (origin.kind == RS_ORIGIN_HOLDER)
		rs_use_flow_deed(walk, origin.declaration, RS_DEED_ESCAPE, element, name, call);
}

static void check_string(struct rs_use_walk *walk, CXCursor call, const char *name, CXCursor passed)
{
	struct rs_use_origin origin = rs_use_origin_of(walk, passed);

	if (origin.kind == RS_ORIGIN_OBJECT)
		rs_use_check_string(walk, origin.type, name, call);
	else if (origin.kind == RS_ORIGIN_HOLDER)
		rs_use_flow_deed(walk, origin.declaration, RS_DEED_STRING, origin.type, name, call);
}

/* One struct is filled from another. */
static void check_other_struct(struct rs_use_walk *walk, CXCursor call, CXCursor to, CXCursor from)
{
	CXType target = rs_use_element(clang_getCursorType(to));
	CXType source = rs_use_element(clang_getCursorType(from));
	size_t record = rs_use_record_of(walk, target);

	if (target.kind != CXType_Record || source.kind != CXType_Record)
		return;
	if (record != RS_NONE)
		rs_use_check_view(walk, record, source, call, false);
	record = rs_use_record_of(walk, source);
	if (record != RS_NONE)
		rs_use_check_view(walk, record, target, call, false);
}

/* `memcpy(to, from, sizeof *to - sizeof to->last)`: what stands behind so many bytes is left out. */
static void check_share(struct rs_use_walk *walk, CXCursor call, const char *name, size_t record,
			CXCursor length)
{
	long long bytes, whole = clang_Type_getSizeOf(walk->types[record]);

	if (!clang_Cursor_isNull(length) && rs_use_evaluate(length, &bytes) && bytes > 0 && bytes < whole)
		rs_use_pin(walk, record, call, "offset-as-length", true,
			   "%s takes %lld of its %lld bytes: those of the members in front", name, bytes,
			   whole);
}

/* `(char *)rows + i * size`: another one of the record, counted in bytes. */
static bool is_element(struct rs_use_walk *walk, CXCursor bytes, size_t record)
{
	struct rs_use_children sides = { 0 };

	if (clang_getCursorKind(bytes) == CXCursor_BinaryOperator &&
	    rs_use_is_pointer(clang_getCursorType(bytes)))
		sides = rs_use_children_of(walk, bytes);
	for (size_t i = 0; sides.n_items == 2 && i < 2; i++) {
		CXType type = clang_getCursorType(rs_use_strip_casts(walk, sides.items[i]));

		if (rs_use_pointee_record(walk, type) == record &&
		    !rs_use_mentions_member(walk, sides.items[1 - i]))
			return true;
	}
	return false;
}

static enum CXChildVisitResult look_for_sizeof(CXCursor cursor, CXCursor parent, CXClientData data)
{
	bool *found = (bool *)data;

	(void)parent;
	*found = *found || clang_getCursorKind(cursor) == CXCursor_UnaryExpr;
	return *found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

static bool has_sizeof(CXCursor expression)
{
	bool found = clang_getCursorKind(expression) == CXCursor_UnaryExpr;

	if (!found)
		clang_visitChildren(expression, look_for_sizeof, &found);
	return found;
}

/* `memset(p, 0, 8)` of a `void *`: what it points to may be larger. A size is that of what is meant. */
static void note_share(struct rs_use_walk *walk, CXCursor call, CXCursor passed, CXCursor length)
{
	struct rs_use_origin origin = rs_use_origin_of(walk, passed);
	long long bytes;

	if (origin.kind == RS_ORIGIN_HOLDER && !clang_Cursor_isNull(length) && !has_sizeof(length) &&
	    rs_use_evaluate(length, &bytes) && bytes > 0)
		rs_use_flow_bytes(walk, origin.declaration, RS_DEED_SHARE, bytes, call);
}

static void check_copy(struct rs_use_walk *walk, CXCursor call, const struct rs_byte_function *row)
{
	CXCursor first = argument(walk, call, 0), second = argument(walk, call, 1),
		 length = length_argument(call, row);
	size_t to = rs_use_pointee_record(walk, clang_getCursorType(first));
	size_t from = rs_use_pointee_record(walk, clang_getCursorType(second));

	check_other_struct(walk, call, first, second);
	note_share(walk, call, first, length);
	note_share(walk, call, second, length);
	if (to != RS_NONE && is_bytes(second) && !is_element(walk, second, to) &&
	    !rs_use_is_own_buffer(walk, second, to))
		check_escape(walk, call, row->name, first);
	if (from != RS_NONE && is_bytes(first) && !is_element(walk, first, from) &&
	    !rs_use_is_own_buffer(walk, first, from))
		check_escape(walk, call, row->name, second);
	if (clang_Cursor_getNumArguments(call) > 2)
		rs_use_check_stride(walk, call, row->name, first, second);
	for (size_t record = 0; record < walk->n_records; record++)
		if ((record == to || record == from) && rs_use_mentions(walk, length, record, true))
			rs_use_pin(walk, record, call, "offset-as-length", true,
				   "%s takes an offset in it as a length", row->name);
		else if (record == to || record == from)
			check_share(walk, call, row->name, record, length);
}

/* A function of the project that another source has. What frees and allocates takes it for nothing. */
static void check_handed(struct rs_use_walk *walk, CXCursor call, CXCursor function, const char *name)
{
	if (clang_Location_isInSystemHeader(clang_getCursorLocation(function)) || strcasestr(name, "free") ||
	    strcasestr(name, "alloc"))
		return;
	for (int i = 0; i < clang_Cursor_getNumArguments(call); i++) {
		CXCursor parameter = clang_Cursor_getArgument(function, (unsigned)i);

		if (!clang_Cursor_isNull(parameter) &&
		    rs_use_element(clang_getCursorType(parameter)).kind == CXType_Void)
			rs_use_check_handed(walk, call, clang_getCursorType(argument(walk, call, (unsigned)i)),
					    name);
	}
}

/* A function of which only the name is known, given an object and its size. */
static void check_unseen(struct rs_use_walk *walk, CXCursor call, const char *name, unsigned count)
{
	bool sized = false;

	if (!rs_byte_functions_sound(name))
		return;
	for (unsigned i = 0; i < count && !sized; i++)
		sized = has_sizeof(clang_Cursor_getArgument(call, i));
	for (unsigned i = 0; i < count && sized; i++) {
		CXCursor value = clang_Cursor_getArgument(call, i);
		CXType element = rs_use_element(clang_getCursorType(value));

		if (element.kind == CXType_Void || rs_use_is_byte(element))
			check_escape(walk, call, name, argument(walk, call, i));
	}
}

/* Numbers that leave the program say where members lie, as does a search that takes them to be in order. */
static void check_tables(struct rs_use_walk *walk, CXCursor call, const char *name,
			 const struct rs_byte_function *row, unsigned count)
{
	if ((!row || row->kind != RS_BYTES_ESCAPE) && strcmp(name, "bsearch") != 0)
		return;
	for (unsigned i = 0; i < count; i++) {
		CXCursor value = rs_use_strip_casts(walk, clang_Cursor_getArgument(call, i));

		if (clang_getCursorKind(value) == CXCursor_DeclRefExpr &&
		    clang_getCursorKind(clang_getCursorReferenced(value)) == CXCursor_VarDecl)
			rs_use_check_table(walk, clang_getCursorReferenced(value), call,
					   rs_arena_printf(walk->arena, "%s is given it", name));
	}
}

static void check_known(struct rs_use_walk *walk, CXCursor call, const struct rs_byte_function *row,
			unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		CXCursor passed = argument(walk, call, i);

		if (row->kind != RS_BYTES_STRING)
			check_member_range(walk, call, row, passed);
		if (row->kind == RS_BYTES_ESCAPE)
			check_escape(walk, call, row->name, passed);
		else if (row->kind == RS_BYTES_STRING)
			check_string(walk, call, row->name, passed);
	}
	if (row->kind == RS_BYTES_COPY)
		check_copy(walk, call, row);
}

/* --- lengths that an offset says --- */

static bool takes_bytes(CXType type)
{
	CXType element = rs_use_element(type);

	return element.kind == CXType_Void || rs_use_is_byte(element);
}

struct setting {
	struct rs_use_walk *walk;
	CXCursor variable;
	size_t record;
	bool found;
};

/* `size = offsetof(struct s, m) + n;` */
static enum CXChildVisitResult look_for_setting(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct setting *setting = (struct setting *)data;

	(void)parent;
	if (clang_getCursorKind(cursor) != CXCursor_BinaryOperator)
		return CXChildVisit_Recurse;
	struct rs_use_children sides = rs_use_children_of(setting->walk, cursor);
	if (sides.n_items == 2 && clang_getCursorKind(sides.items[0]) == CXCursor_DeclRefExpr &&
	    clang_equalCursors(clang_getCursorReferenced(sides.items[0]), setting->variable))
		setting->found =
			setting->found || rs_use_mentions(setting->walk, sides.items[1], setting->record, true);
	return setting->found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

/* Whether the number is made from an offset in the record, here or where its variable is set. */
static bool is_from_offset(struct rs_use_walk *walk, CXCursor number, size_t record)
{
	CXCursor core = rs_use_strip_casts(walk, number);
	struct setting setting = { .walk = walk, .record = record };

	if (rs_use_mentions(walk, number, record, true))
		return true;
	if (clang_getCursorKind(core) != CXCursor_DeclRefExpr || clang_Cursor_isNull(walk->function))
		return false;
	setting.variable = clang_getCursorReferenced(core);
	if (clang_getCursorKind(setting.variable) == CXCursor_VarDecl)
		clang_visitChildren(walk->function, look_for_setting, &setting);
	return setting.found;
}

/* Whether a function may take the argument for a length: one that it calls an offset it adds to an address. */
static bool is_length(struct rs_use_walk *walk, CXCursor function, int index)
{
	CXCursor parameter = clang_Cursor_getArgument(function, (unsigned)index);
	const char *name = clang_Cursor_isNull(parameter)
				   ? ""
				   : rs_tu_string(walk->arena, clang_getCursorSpelling(parameter));

	return !strcasestr(name, "off") && !strcasestr(name, "pos") && !strcasestr(name, "field") &&
	       !strcasestr(name, "member");
}

/* `put(file, s, offsetof(struct s, last) + n)`: the bytes from the first member on, as the function sees them
 * that takes a pointer to anything. What allocates is told apart elsewhere. */
static void check_offset_length(struct rs_use_walk *walk, CXCursor call, CXCursor function, const char *name)
{
	int count = strcasestr(name, "alloc") ? 0 : clang_Cursor_getNumArguments(call);

	for (int i = 0; i < count; i++) {
		CXCursor passed = argument(walk, call, (unsigned)i);
		size_t record = rs_use_pointee_record(walk, clang_getCursorType(passed));

		if (record == RS_NONE ||
		    !takes_bytes(clang_getCursorType(clang_Cursor_getArgument(call, (unsigned)i))))
			continue;
		for (int j = 0; j < count; j++) {
			CXCursor number = clang_Cursor_getArgument(call, (unsigned)j);

			if (j != i && rs_use_is_number(clang_getCanonicalType(clang_getCursorType(number))) &&
			    is_length(walk, function, j) && is_from_offset(walk, number, record))
				rs_use_pin(walk, record, call, "offset-as-length", true,
					   "%s takes an offset in it as a length", name);
		}
	}
}

/* name: of the function, or of what it may be. */
static void check_function(struct rs_use_walk *walk, CXCursor call, CXCursor function, const char *name)
{
	int count = clang_Cursor_getNumArguments(call);
	const struct rs_byte_function *row = rs_byte_functions_find(name);

	rs_use_check_allocation(walk, call, name);
	rs_use_check_unaligned(walk, call, name);
	rs_use_check_callbacks(walk, call, function);
	rs_use_check_bits(walk, call, name);
	check_tables(walk, call, name, row, (unsigned)count);
	if (!row)
		check_offset_length(walk, call, function, name);
	if (row)
		check_known(walk, call, row, (unsigned)count);
	else if (clang_Cursor_isNull(clang_getCursorDefinition(function))) {
		check_unseen(walk, call, name, (unsigned)count);
		check_handed(walk, call, function, name);
		rs_use_check_row(walk, call, function, name);
	} else
		rs_use_check_arguments(walk, call, function);
}

/* Characters that were the record's bytes are bytes to whom nobody sees. */
static void check_byte_arguments(struct rs_use_walk *walk, CXCursor call, const char *name)
{
	int count = clang_Cursor_getNumArguments(call);

	for (int i = 0; i < count; i++) {
		CXCursor value = clang_Cursor_getArgument(call, (unsigned)i);

		if (rs_use_is_byte(rs_use_element(clang_getCursorType(value))))
			check_escape(walk, call, name, argument(walk, call, (unsigned)i));
	}
}

/* In a template, a call is of any function of that name. */
static void check_unresolved(struct rs_use_walk *walk, CXCursor call)
{
	CXCursor named = clang_getCursorReferenced(rs_use_first_child(call));
	unsigned count = clang_getNumOverloadedDecls(named);
	const char *name = clang_Cursor_isNull(named)
				   ? "a function"
				   : rs_tu_string(walk->arena, clang_getCursorSpelling(named));

	for (unsigned i = 0; i < count; i++) {
		CXCursor function = clang_getOverloadedDecl(named, i);

		if (clang_getCursorKind(function) == CXCursor_FunctionDecl)
			check_function(walk, call, function, name);
	}
	check_byte_arguments(walk, call, name);
}

/* What is in a method, a constructor or a template is not looked at. */
static void check_method(struct rs_use_walk *walk, CXCursor call, CXCursor function, const char *name)
{
	bool is_method = clang_getCursorKind(function) != CXCursor_FunctionDecl;

	rs_use_check_instance_call(walk, call, function);
	if (!is_method && clang_Cursor_isNull(clang_getSpecializedCursorTemplate(function)))
		return;
	check_byte_arguments(walk, call, name);
	check_unseen(walk, call, name, (unsigned)clang_Cursor_getNumArguments(call));
	rs_use_check_arguments(walk, call, function);
}

void rs_use_check_call(struct rs_use_walk *walk, CXCursor call)
{
	CXCursor function = clang_getCursorReferenced(call);
	bool is_cxx = rs_tu_is_cxx(walk->tu);

	if (clang_Cursor_getNumArguments(call) < 1)
		return;
	if (is_cxx && clang_Cursor_isNull(function))
		check_unresolved(walk, call);
	else if (is_cxx && clang_isDeclaration(clang_getCursorKind(function)))
		check_method(walk, call, function, plain_name(walk, call));
	/* `r->write(r, …)` is a member of that name, not the function. */
	if (clang_getCursorKind(function) == CXCursor_FunctionDecl)
		check_function(walk, call, function, plain_name(walk, call));
	else
		check_offset_length(walk, call, clang_getNullCursor(), plain_name(walk, call));
	rs_use_call_stored(walk, call);
	rs_use_check_format(walk, call, function);
	rs_use_check_variadic(walk, call, function);
}
