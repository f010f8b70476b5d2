/*
 * Functions that see an object as bytes, by their names.
 */
#ifndef RS_PARSE_BYTE_FUNCTIONS_H
#define RS_PARSE_BYTE_FUNCTIONS_H

#include "base/base.h"

enum rs_byte_kind {
	RS_BYTES_ESCAPE, /* the bytes leave the program, come from outside, are hashed or compared */
	RS_BYTES_STRING, /* reads or writes the characters from the first byte on */
	RS_BYTES_WHOLE,  /* moves whole elements about */
	RS_BYTES_COPY,   /* memory functions: it depends on the other side and on the length */
};

struct rs_byte_function {
	const char *name;
	enum rs_byte_kind kind;
	int length;    /* the argument that says how many bytes are used; 0: none; -1: nor does the last */
	int times;     /* the one that it is multiplied with; 0: none */
	int addresses; /* so many arguments point to that much; 0: all that are addresses */
};

/* NULL: none of the well-known ones. */
const struct rs_byte_function *rs_byte_functions_find(const char *name);
/* Whether a name that nobody knows sounds like one that passes bytes on: conn_write_all, crc32_update. */
bool rs_byte_functions_sound(const char *name);

#endif
