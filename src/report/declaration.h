/*
 * Cuts a member's declaration in two columns, type and declarator, as C programmers line them up.
 */
#ifndef RS_REPORT_DECLARATION_H
#define RS_REPORT_DECLARATION_H

#include "record/record.h"

struct rs_declaration {
	const char *type;       /* "int" */
	const char *declarator; /* "(*cb)(int, char)", "flags:3", "" for an anonymous member */
};

/* arena owns the strings. */
struct rs_declaration rs_declaration_split(struct rs_arena *arena, const struct rs_member *member);

#endif
