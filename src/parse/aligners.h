/*
 * How the code around a record asks for an alignment: the words that its own file uses, else those that the
 * files of a translation unit define for it, else the compiler's.
 */
#ifndef RS_PARSE_ALIGNERS_H
#define RS_PARSE_ALIGNERS_H

#include "parse/tu.h"
#include "record/record.h"

enum rs_aligner_style {
	RS_ALIGNER_BEHIND, /* the declarator: `int a ____cacheline_aligned;` */
	RS_ALIGNER_BEFORE, /* the declaration: `_Alignas(64) int a;` */
	RS_ALIGNER_MEMBER, /* a line of its own, which makes a member without size: `THREAD_ALIGN(64);` */
};

struct rs_aligner {
	const char *text; /* without blanks around it; a MEMBER's with its semicolon */
	enum rs_aligner_style style;
};

/* For an alignment to so many bytes. What a macro comes to is for the compiler to tell. */
struct rs_aligner rs_aligners_find(struct rs_arena *arena, const struct rs_tu *tu,
				   const struct rs_record *record, unsigned bytes);
/* The style of a text that it gave. */
enum rs_aligner_style rs_aligners_style(const char *text);

#endif
