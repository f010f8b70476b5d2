#include <string.h>

#include "parse/records_internal.h"

static CXType innermost(CXType type)
{
	CXType canonical = clang_getCanonicalType(type);

	for (CXType element; (element = clang_getArrayElementType(canonical)).kind != CXType_Invalid;)
		canonical = clang_getCanonicalType(element);
	return canonical;
}

/* The i?86 family: for 8-byte vectors gcc and clang disagree there. */
static bool is_x86_32(const struct rs_record_builder *builder)
{
	const char *triple = rs_tu_triple(builder->tu);

	return triple[0] == 'i' && triple[1] >= '3' && triple[1] <= '7' && strncmp(triple + 2, "86", 2) == 0;
}

static bool is_windows(const struct rs_record_builder *builder)
{
	const char *triple = rs_tu_triple(builder->tu);

	return strstr(triple, "windows") || strstr(triple, "mingw") || strstr(triple, "cygwin");
}

/* gcc aligns such an object to its size where that is a power of two, clang also rounds the size up to one. */
static bool is_disputed_atomic(CXType type)
{
	CXType value = clang_Type_getValueType(type);
	long long size = clang_Type_getSizeOf(value);
	enum CXTypeKind kind = clang_getCanonicalType(value).kind;

	if (type.kind != CXType_Atomic || (kind != CXType_Record && kind != CXType_Complex))
		return false;
	return size != 1 && size != 2 && size != 4 && size != 8;
}

static bool is_long_double(CXType type)
{
	if (type.kind == CXType_Complex)
		type = clang_getCanonicalType(clang_getElementType(type));
	return type.kind == CXType_LongDouble;
}

static const char *dispute_over_type(const struct rs_record_builder *builder, CXType type)
{
	bool is_vector = type.kind == CXType_Vector || type.kind == CXType_ExtVector;

	if (is_disputed_atomic(type))
		return "compilers differ on the size of an atomic object that is no scalar";
	if (is_vector && is_x86_32(builder) && clang_Type_getSizeOf(type) == 8)
		return "compilers differ on the alignment of 8-byte vectors";
	if (is_long_double(type) && rs_tu_has_flag(builder->tu, "-malign-double"))
		return "compilers differ on what -malign-double does to long double";
	return NULL;
}

/* A typedef may have an alignment of its own. */
static int alignment_change(CXType type)
{
	long long own = clang_Type_getAlignOf(type);
	long long usual = clang_Type_getAlignOf(clang_getCanonicalType(type));

	return (own > usual) - (own < usual);
}

static const char *dispute_over_bitfield(const struct rs_record_builder *builder, CXType type, bool is_nested)
{
	if (alignment_change(type) > 0)
		return "compilers differ on bit-fields of a type that is aligned by a typedef";
	if (rs_tu_has_flag(builder->tu, "-fpack-struct"))
		return "compilers differ on bit-fields under -fpack-struct";
	if (rs_tu_has_flag(builder->tu, "-mms-bitfields"))
		return "compilers differ on bit-fields under -mms-bitfields";
	if (is_nested)
		return NULL;
	if (is_windows(builder))
		return "on this target bit-fields are laid out by Microsoft's rules";
	if (rs_tu_has_flag(builder->tu, "-mabi=apcs-gnu") || strstr(rs_tu_triple(builder->tu), "watchos"))
		return "this target has rules for bit-fields that are not System V's";
	return NULL;
}

const char *rs_disputes_find(const struct rs_record_builder *builder, CXCursor field, bool is_nested)
{
	CXType type = clang_getCursorType(field);
	const char *dispute = dispute_over_type(builder, innermost(type));

	if (dispute)
		return dispute;
	if (clang_Cursor_isBitField(field))
		return dispute_over_bitfield(builder, type, is_nested);
	if (alignment_change(type) < 0 && rs_tu_has_flag(builder->tu, "-mms-bitfields"))
		return "compilers differ on types that a typedef aligns less under -mms-bitfields";
	return NULL;
}
