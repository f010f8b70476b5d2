#include "parse/identity.h"

#include <string.h>

static bool is_on_disk(CXFile file)
{
	CXFileUniqueID id;

	return clang_getFileUniqueID(file, &id) == 0 && (id.data[0] != 0 || id.data[1] != 0);
}

static bool has_same_name(CXFile a, CXFile b)
{
	CXString left = clang_getFileName(a), right = clang_getFileName(b);
	bool is_same = strcmp(clang_getCString(left), clang_getCString(right)) == 0;

	clang_disposeString(left);
	clang_disposeString(right);
	return is_same;
}

bool rs_identity_is_same(CXFile a, CXFile b)
{
	if (!a || !b || a == b)
		return a && a == b;
	return clang_File_isEqual(a, b) && (is_on_disk(a) || has_same_name(a, b));
}
