/*
 * Members given to functions that are not seen: how much of what follows them is used, as the call tells.
 */
#include <stdlib.h>
#include <string.h>

#include "parse/uses_internal.h"

static bool is_alike(const struct rs_record *record, size_t unit, size_t other)
{
	const struct rs_unit *a = &record->units[unit], *b = &record->units[other];

	if (a->n_members != 1 || b->n_members != 1)
		return false;
	return strcmp(record->members[a->first_member].type, record->members[b->first_member].type) == 0;
}

/* How many members of one type stand in a row from this one on. */
static size_t count_row(const struct rs_record *record, size_t unit)
{
	size_t count = 1;

	while (unit + count < record->n_units && is_alike(record, unit, unit + count))
		count++;
	return count;
}

/* What the number may count of so many: elements, or their bytes; 0: neither. */
static size_t count_told(CXCursor number, long long own_bytes, size_t row)
{
	long long value;

	if (!rs_use_is_number(clang_getCanonicalType(clang_getCursorType(number))) ||
	    !rs_use_evaluate(number, &value) || value < 2)
		return 0;
	if ((size_t)value <= row)
		return (size_t)value;
	return value % own_bytes == 0 && (size_t)(value / own_bytes) <= row ? (size_t)(value / own_bytes) : 0;
}

static void keep_row(struct rs_use_walk *walk, CXCursor call, size_t record, size_t unit, size_t count,
		     const char *function)
{
	const struct rs_unit *units = walk->records[record]->units;

	if (count < 2 ||
	    !rs_use_pin(walk, record, call, "member-range", false,
			"%s, which is not seen here, is given the address of '%s' and a number: %zu members up to '%s' "
			"keep together",
			function, units[unit].name, count, units[unit + count - 1].name))
		return;
	for (size_t i = unit; i + 1 < unit + count; i++)
		rs_constraint_add(&walk->lists[record], RS_KEEP_NEXT, i, i + 1);
}

/* `total(&box.lo, 3)`: the member and the two behind it, where these are of its type. */
void rs_use_check_row(struct rs_use_walk *walk, CXCursor call, CXCursor function, const char *name)
{
	int count = clang_Cursor_getNumArguments(call);

	for (int i = 0; i < count; i++) {
		struct rs_use_origin origin = rs_use_origin_of(walk, clang_Cursor_getArgument(call, (unsigned)i));
		CXCursor parameter = clang_Cursor_getArgument(function, (unsigned)i);
		long long own = origin.kind == RS_ORIGIN_MEMBER ? clang_Type_getSizeOf(origin.type) : 0;

		if (own <= 0 || clang_Cursor_isNull(parameter) ||
		    rs_use_element(clang_getCursorType(parameter)).kind != origin.type.kind)
			continue;
		for (size_t record = 0; record < walk->n_records; record++) {
			size_t unit = rs_use_unit_of_field(walk, record, origin.declaration), told = 0;

			for (int j = 0; unit != RS_NONE && j < count && told == 0; j++)
				if (j != i)
					told = count_told(clang_Cursor_getArgument(call, (unsigned)j), own,
							  count_row(walk->records[record], unit));
			keep_row(walk, call, record, unit, told, name);
		}
	}
}

/* The array member that an argument is; null: something else. */
static CXCursor array_member(struct rs_use_walk *walk, CXCursor argument)
{
	CXCursor core = rs_use_strip_casts(walk, argument);

	return clang_getCursorKind(core) == CXCursor_MemberRefExpr &&
			       clang_getCanonicalType(clang_getCursorType(core)).kind == CXType_ConstantArray
		       ? core
		       : clang_getNullCursor();
}

static void check_precision(struct rs_use_walk *walk, CXCursor call, CXCursor argument, long long precision)
{
	CXCursor member = array_member(walk, argument);
	long long own = clang_Cursor_isNull(member) ? 0 : clang_Type_getSizeOf(clang_getCursorType(member));

	if (own <= 0 || precision <= own)
		return;
	for (size_t record = 0; record < walk->n_records; record++)
		if (rs_use_unit_of(walk, record, member) != RS_NONE)
			rs_use_pin(walk, record, call, "member-range", true,
				   "a format takes %lld characters of '%s', which has %lld", precision,
				   rs_tu_string(walk->arena, clang_getCursorSpelling(member)), own);
}

/* A number in a format, or `*`: the next argument. */
static const char *skip_number(struct rs_use_walk *walk, const char *at, CXCursor call, int *argument,
			       long long *ret_value)
{
	char *end;

	*ret_value = -1;
	if (*at != '*') {
		if (*at >= '0' && *at <= '9') {
			*ret_value = strtol(at, &end, 10);
			at = end;
		}
		return at;
	}
	if (*argument < clang_Cursor_getNumArguments(call) &&
	    !rs_use_evaluate(rs_use_strip(walk, clang_Cursor_getArgument(call, (unsigned)*argument)), ret_value))
		*ret_value = -1;
	++*argument;
	return at + 1;
}

/* `printf("%.8s", s->name)`. */
void rs_use_check_format(struct rs_use_walk *walk, CXCursor call, CXCursor function)
{
	CXType type = clang_getCursorType(function);
	int argument = clang_getNumArgTypes(type), count = clang_Cursor_getNumArguments(call);
	const char *at;
	CXCursor format;

	if (!clang_isFunctionTypeVariadic(type) || argument < 1 || argument >= count)
		return;
	format = rs_use_strip_casts(walk, clang_Cursor_getArgument(call, (unsigned)argument - 1));
	if (clang_getCursorKind(format) != CXCursor_StringLiteral)
		return;
	at = rs_tu_string(walk->arena, clang_getCursorSpelling(format));
	while ((at = strchr(at, '%')) && argument < count) {
		long long width, precision = -1;

		at += 1 + strspn(at + 1, "-+ #0'");
		at = skip_number(walk, at, call, &argument, &width);
		if (*at == '.')
			at = skip_number(walk, at + 1, call, &argument, &precision);
		at += strspn(at, "hlLqjzt");
		if (*at == '\0')
			return;
		if (*at == 's' && argument < count)
			check_precision(walk, call, clang_Cursor_getArgument(call, (unsigned)argument), precision);
		argument += *at != '%';
		at++;
	}
}
