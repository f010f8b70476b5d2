/*
 * Writers: from a result to text, JSON or a patch. They print into a builder and decide nothing.
 */
#ifndef RS_REPORT_REPORT_H
#define RS_REPORT_REPORT_H

#include "session/result.h"

enum rs_report_kind {
	RS_REPORT_ANNOTATE, /* the layout as it stands */
	RS_REPORT_OPTIMIZE, /* the plans, and the pick's layout */
	RS_REPORT_CHECK,    /* findings */
	RS_REPORT_REVIEW,   /* likewise */
	RS_REPORT_GUARD,    /* code that holds the layout */
	RS_REPORT_PATCH,    /* the pick's unified diff; in JSON the same shape as the others, edits included */
};

enum rs_guard_dialect {
	RS_GUARD_C11,    /* _Static_assert of size, offsets and, with groups, lines */
	RS_GUARD_KERNEL, /* static_assert, and the macros of __cacheline_group_begin() */
	RS_GUARD_TABLE,  /* rows of the kernel's net_cachelines documents */
};

/* What a mail says that no result knows. */
struct rs_mail_options {
	const char *author_name, *author_email;
	bool sign_off;
	const char *subject;      /* NULL: made from the plan */
	const char *fixes;        /* behind "Fixes: "; NULL: none */
	const char *const *links; /* behind "Link: " */
	size_t n_links;
	const char *const *words; /* of the command, quoted for a shell, without the program's name */
	size_t n_words;
	int64_t date;     /* seconds since 1970 */
	const char *tool; /* "restruct 0.1.0" */
};

struct rs_report_options {
	enum rs_report_kind kind;
	bool hex;   /* offsets and sizes in hexadecimal */
	bool color; /* ANSI colours */
	bool verbose;
	enum rs_guard_dialect dialect;
	const struct rs_mail_options *mail; /* for "mbox"; NULL for all others */
};

typedef struct rs_error *(*rs_report_fn)(struct rs_builder *out, const struct rs_result *result,
					 const struct rs_report_options *options);
struct rs_report_format {
	const char *name; /* as in --format=NAME */
	unsigned kinds;   /* bit per rs_report_kind that it can write */
	rs_report_fn write;
};
/* "text", "json", "mbox", "markdown", "sarif", "github", "rdjson"; ends with a NULL name. */
extern const struct rs_report_format rs_report_formats[];
const struct rs_report_format *rs_report_find(const char *name, enum rs_report_kind kind);

/* The cache-line map of one layout: a row a line, a column a byte, glyphs that carry the meaning without
 * colour. At most 78 columns for 64-byte lines. */
void rs_map_print(struct rs_builder *out, const struct rs_record_result *record,
		  const struct rs_plan_result *layout, unsigned line_bytes, bool color);

#endif
