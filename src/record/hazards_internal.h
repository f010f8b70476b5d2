/*
 * Shared by the files that find hazards.
 */
#ifndef RS_RECORD_HAZARDS_INTERNAL_H
#define RS_RECORD_HAZARDS_INTERNAL_H

#include "record/hazards.h"
#include "record/prose.h"
#include "record/word_scan.h"

/* What code calls the record. */
struct rs_record_name {
	const char *text;
	bool is_tag; /* only behind `struct` */
};

struct rs_hazard_scan {
	struct rs_pin_list *list;
	struct rs_arena *arena;
	const struct rs_record *record;
	const struct rs_marks *marks;
	struct rs_record_name *names; /* none for a struct that has neither tag nor typedef */
	size_t n_names, names_capacity;
	struct rs_span *comments; /* that speak of the whole struct: above it, on its braces' lines, … */
	size_t n_comments, comments_capacity;
};

/* A comment inside the record's body. */
struct rs_inner_comment {
	struct rs_span span;
	size_t unit; /* that it belongs to or stands above; n_units: behind the last */
	bool is_gap;
};

/* Calls visit for every comment of the body that speaks of the record's own units: not those inside the braces
 * of a named member, and not those that scan->comments has. */
typedef void (*rs_inner_comment_fn)(struct rs_hazard_scan *scan, const struct rs_inner_comment *comment,
				    void *data);
void rs_hazards_each_comment(struct rs_hazard_scan *scan, rs_inner_comment_fn visit, void *data);

unsigned rs_hazards_line(const struct rs_hazard_scan *scan, size_t byte);
/* Whether the code names the record: `struct tag`, or a typedef's name. */
bool rs_hazards_mentions(const struct rs_hazard_scan *scan, struct rs_span code);
/* Likewise, starting where the scanner stands; the words of the name are then behind it. */
bool rs_hazards_skip_name(const struct rs_hazard_scan *scan, struct rs_word_scan *words);
/* Length of the longest of the record's names (in any case, without `_t` and leading underscores) that the
 * identifier has as a whole part between underscores; 0: none, or the name of another struct of the file fits
 * better. ret_start: where it begins. */
size_t rs_hazards_name_inside(const struct rs_hazard_scan *scan, const char *identifier, size_t *ret_start);
const char *rs_hazards_text(const struct rs_hazard_scan *scan, struct rs_span span);

/* Keeps unit and the one behind it together, if they may move at all. */
void rs_hazards_keep_next(struct rs_hazard_scan *scan, size_t unit);
/* Keeps the unit first, last, or between its neighbours, whatever it is now. */
void rs_hazards_keep_place(struct rs_hazard_scan *scan, size_t unit);
bool rs_hazards_is_first(const struct rs_hazard_scan *scan, size_t unit); /* in its region */
bool rs_hazards_is_last(const struct rs_hazard_scan *scan, size_t unit);

/* Whether the name says that the member is there to take up room. */
bool rs_padding_is_name(const struct rs_member *member);

/* The comment's first mark "restruct: keep". */
bool rs_keep_marks_find(const struct rs_hazard_scan *scan, struct rs_span comment, size_t *ret_byte);
/* The unit of the member at whose entry (`@name: …`, without a blank line) the byte stands; RS_NONE. */
size_t rs_keep_marks_unit(const struct rs_hazard_scan *scan, struct rs_span comment, size_t byte);
void rs_keep_marks_check(struct rs_hazard_scan *scan, struct rs_span comment); /* unknown-mark */

void rs_padding_find(struct rs_hazard_scan *scan);            /* explicit-padding */
void rs_devices_find(struct rs_hazard_scan *scan);            /* hardware-registers, wire-types */
void rs_audience_find(struct rs_hazard_scan *scan);           /* user-abi, public-header, generated-file */
void rs_order_comments_find(struct rs_hazard_scan *scan);     /* order-comment, keep-mark, no-padding-key */
void rs_offset_comments_find(struct rs_hazard_scan *scan);    /* offset-comment, assembly */
void rs_size_constants_find(struct rs_hazard_scan *scan);     /* sizeof-in-constant */
void rs_initializer_macros_find(struct rs_hazard_scan *scan); /* initializer-macro */

#endif
