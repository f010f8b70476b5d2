/*
 * What the mail around a patch says of one record: the mechanism in a sentence, totals before and after,
 * offsets of the members that matter, the price, and where the figures come from. Generated blocks are indented
 * by two blanks: to git a line of its own that starts with "---", "diff" or "Index:" would end the message.
 */
#ifndef RS_REPORT_MAIL_H
#define RS_REPORT_MAIL_H

#include "report/report.h"
#include "report/view.h"

enum {
	RS_MAIL_COLUMNS = 72,         /* of the text: what checkpatch warns of starts at 76 */
	RS_MAIL_SUBJECT_COLUMNS = 66, /* with "[PATCH] " in front it fits in 75 */
};

/* The members that take part in what a plan improves. Lists are the arena's. */
struct rs_mail_reason {
	const struct rs_line_report *line; /* of the layout before: where writers evict others most; NULL when
					    * the plan is not about that */
	const size_t *readers;             /* members on it that are only read */
	size_t n_readers;
	size_t writing_path, reading_path; /* the busiest of each; RS_NONE */
	size_t packed_path;                /* whose lines become fewer, when line is NULL; RS_NONE */
};
void rs_mail_find_reason(struct rs_arena *arena, const struct rs_view *before, const struct rs_view *after,
			 struct rs_mail_reason *ret_reason);

/* "keep refcnt off the cache line of daddr": fits behind a prefix of so many columns. */
void rs_mail_print_summary(struct rs_builder *out, const struct rs_view *before, const struct rs_view *after,
			   const struct rs_mail_reason *reason, size_t prefix_columns);
/* One sentence on what is wrong, one on what moves; wrapped. */
void rs_mail_print_mechanism(struct rs_builder *out, const struct rs_view *before, const struct rs_view *after,
			     const struct rs_mail_reason *reason);
/* Tables of totals and of the offsets of the members named, and the price. */
void rs_mail_print_figures(struct rs_builder *out, const struct rs_view *before, const struct rs_view *after,
			   const struct rs_mail_reason *reason);

#endif
