/*
 * What becomes of each compiler flag: one table.
 */
#ifndef RS_PARSE_FLAG_RULES_H
#define RS_PARSE_FLAG_RULES_H

#include "base/base.h"

enum rs_flag_shape {
	RS_SHAPE_EXACT,    /* the whole word */
	RS_SHAPE_JOINED,   /* the word starts so, its value follows */
	RS_SHAPE_SEPARATE, /* the whole word, and the next one is its value */
	RS_SHAPE_EITHER,   /* joined, or separate when nothing follows in the word */
};

enum rs_flag_action {
	RS_FLAG_KEEP,      /* may matter, but a layout without it is still right */
	RS_FLAG_ESSENTIAL, /* decides what is read */
	RS_FLAG_PATH,      /* likewise; its value names a file or folder */
	RS_FLAG_INCLUDE,   /* likewise; its value is a file read before the main file */
	RS_FLAG_FOLDER,    /* relative names are those of this folder */
	RS_FLAG_CPU,       /* decides what is read, but types can be laid out without it */
	RS_FLAG_LAYOUT,    /* shapes types */
	RS_FLAG_LANGUAGE,
	RS_FLAG_STANDARD,
	RS_FLAG_UNWRAP, /* its comma-separated values are flags of their own */
	RS_FLAG_DROP,   /* of no concern, or not to be let through */
	RS_FLAG_REPORT, /* dropped; it might have changed what is read */
	RS_FLAG_WARN,   /* dropped; it does change what the compiler makes of the source */
};

struct rs_flag_rule {
	const char *name;
	enum rs_flag_shape shape;
	enum rs_flag_action action;
};

/* The rule with the longest name that fits the word; one that keeps, with an empty name, when none does. */
const struct rs_flag_rule *rs_flag_rules_find(const char *word);

#endif
