/*
 * One layout of one record made ready for showing: what every writer would otherwise work out for itself, so
 * that text, map and JSON say the same numbers. Everything lives in the arena given.
 */
#ifndef RS_REPORT_VIEW_H
#define RS_REPORT_VIEW_H

#include "record/layout.h"
#include "session/result.h"

/* How the paths of the profile use a member; of an aggregate: it or anything inside it. */
enum rs_use { RS_USE_READ = 1, RS_USE_WRITE = 2, RS_USE_ATOMIC = 4 };

struct rs_view {
	const struct rs_record_result *result;
	const struct rs_record *record;
	const struct rs_plan_result *layout;
	const uint64_t *offset_bits; /* one a member */
	uint64_t size_bytes;
	unsigned line_bytes;
	uint64_t base_bytes; /* where in its first line the record starts: the placement's first base offset */
	const size_t *top;   /* top-level members in the order of this layout */
	size_t n_top;
	const unsigned char *uses; /* rs_use bits, one a member; all 0 without a profile */
	const struct rs_hole *holes;
	size_t n_holes;
	const struct rs_line_report *const *lines; /* by rising line number; none without a profile */
	size_t n_lines;
};

void rs_view_init(struct rs_view *view, struct rs_arena *arena, const struct rs_record_result *result,
		  const struct rs_plan_result *layout, unsigned line_bytes);
/* Number of the cache line that holds the bit, counted from the one that holds the record's first byte. */
uint64_t rs_view_line(const struct rs_view *view, uint64_t offset_bits);
/* The line of a member's first and of its last bit. */
uint64_t rs_view_first_line(const struct rs_view *view, size_t member);
uint64_t rs_view_last_line(const struct rs_view *view, size_t member);
/* How many lines the record touches. */
uint64_t rs_view_count_lines(const struct rs_view *view);
/* What false sharing costs on all lines together. */
double rs_view_false_ns(const struct rs_view *view);
/* NULL when nothing is known of the line. */
const struct rs_line_report *rs_view_find_line(const struct rs_view *view, uint64_t line);
/* Whether writers of the line take it away from anybody. */
bool rs_view_is_shared(const struct rs_line_report *line);
/* "cold", "read", "write", "read-write" or "atomic". */
const char *rs_view_use_name(unsigned uses);
/* How a member is called in lists: its path, else what it is. */
const char *rs_view_member_name(const struct rs_member *member);
/* Path of a file as it is shown: relative to the result's root where it lies below it. */
const char *rs_view_path(const struct rs_result *result, const char *path);
const char *rs_view_source_path(const struct rs_result *result, const struct rs_source *source);

#endif
