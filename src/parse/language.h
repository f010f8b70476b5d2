/*
 * Which language a file is, by its name.
 */
#ifndef RS_PARSE_LANGUAGE_H
#define RS_PARSE_LANGUAGE_H

#include "base/base.h"

enum rs_language {
	RS_LANGUAGE_C,
	RS_LANGUAGE_C_HEADER, /* and any other suffix: .inc, .def, none */
	RS_LANGUAGE_ASSEMBLY,
	RS_LANGUAGE_CXX,   /* headers that are C++ alone, too */
	RS_LANGUAGE_OTHER, /* Objective-C, CUDA … */
};

enum rs_language rs_language_of_file(const char *path);
/* What `-x` calls it ("c", "c++"). */
enum rs_language rs_language_of_name(const char *name);

#endif
