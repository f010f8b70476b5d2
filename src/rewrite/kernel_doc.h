/*
 * The comment above a struct that lists its members (`@name: …`, as kernel-doc and doxygen read it): its
 * entries follow the members' order.
 */
#ifndef RS_REWRITE_KERNEL_DOC_H
#define RS_REWRITE_KERNEL_DOC_H

#include "record/record.h"
#include "text/edit.h"

/* The edit that puts the entries in the order of the units. False: there is no such comment, it has no entry to
 * move, or its entries are not in the members' order now, or it is laid out in a way that leaves open which
 * lines belong to an entry. */
bool rs_kernel_doc_order(struct rs_arena *arena, const struct rs_record *record, const size_t *order,
			 struct rs_edit *ret_edit);

enum rs_kernel_doc_kind {
	RS_KERNEL_DOC_NONE,    /* nothing is said of the member */
	RS_KERNEL_DOC_ENTRY,   /* in lines of its own */
	RS_KERNEL_DOC_UNCLEAR, /* which lines speak of it cannot be told */
};
/* The whole lines of the comment that speak of the record's own member. */
enum rs_kernel_doc_kind rs_kernel_doc_find(struct rs_arena *arena, const struct rs_record *record,
					   const char *member, struct rs_span *ret_lines);
/* Where another entry goes, behind the last one; false: there are none that it could go behind. */
bool rs_kernel_doc_find_end(struct rs_arena *arena, const struct rs_record *record, size_t *ret_byte);

#endif
