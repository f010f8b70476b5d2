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

#endif
