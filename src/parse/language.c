#include "parse/language.h"

#include <string.h>

static const struct suffix {
	const char *name;
	enum rs_language language;
} suffixes[] = {
	{ "c", RS_LANGUAGE_C },        { "i", RS_LANGUAGE_C },         { "S", RS_LANGUAGE_ASSEMBLY },
	{ "s", RS_LANGUAGE_ASSEMBLY }, { "sx", RS_LANGUAGE_ASSEMBLY }, { "asm", RS_LANGUAGE_ASSEMBLY },
	{ "cc", RS_LANGUAGE_CXX },     { "cpp", RS_LANGUAGE_CXX },     { "cxx", RS_LANGUAGE_CXX },
	{ "c++", RS_LANGUAGE_CXX },    { "cp", RS_LANGUAGE_CXX },      { "C", RS_LANGUAGE_CXX },
	{ "CPP", RS_LANGUAGE_CXX },    { "ii", RS_LANGUAGE_CXX },      { "hh", RS_LANGUAGE_CXX },
	{ "hpp", RS_LANGUAGE_CXX },    { "hxx", RS_LANGUAGE_CXX },     { "h++", RS_LANGUAGE_CXX },
	{ "H", RS_LANGUAGE_CXX },      { "m", RS_LANGUAGE_OTHER },     { "mm", RS_LANGUAGE_OTHER },
	{ "cu", RS_LANGUAGE_OTHER },   { "cl", RS_LANGUAGE_OTHER },    { "f", RS_LANGUAGE_OTHER },
	{ "f90", RS_LANGUAGE_OTHER },  { "F90", RS_LANGUAGE_OTHER },   { "rs", RS_LANGUAGE_OTHER },
};

enum rs_language rs_language_of_file(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *dot = strrchr(slash ? slash : path, '.');

	for (size_t i = 0; dot && i < RS_COUNT_OF(suffixes); i++)
		if (strcmp(dot + 1, suffixes[i].name) == 0)
			return suffixes[i].language;
	return RS_LANGUAGE_C_HEADER;
}

enum rs_language rs_language_of_name(const char *name)
{
	if (strcmp(name, "c") == 0)
		return RS_LANGUAGE_C;
	if (strncmp(name, "c++", 3) == 0)
		return RS_LANGUAGE_CXX;
	return strncmp(name, "assembler", 9) == 0 ? RS_LANGUAGE_ASSEMBLY : RS_LANGUAGE_OTHER;
}
