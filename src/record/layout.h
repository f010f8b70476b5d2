/*
 * Layout arithmetic of the System V / Itanium C ABI for records that are neither packed nor ms_struct:
 * a member goes to the next multiple of its alignment; a bit-field goes right after what precedes it unless it
 * would cross a boundary of its declared type's size; `:0` moves to the next such boundary. An alignment
 * attribute on a bit-field moves its start. The size is rounded up to the record's alignment, which no order
 * changes.
 */
#ifndef RS_RECORD_LAYOUT_H
#define RS_RECORD_LAYOUT_H

#include "record/record.h"

/* Places one top-level member after end_bits; gives its offset and moves *end_bits past it. */
uint64_t rs_layout_place(const struct rs_member *member, uint64_t *end_bits);
/* Lays out the record with its units in the given order (a permutation of all units). ret_offset_bits has room
 * for every member, nested ones included; it may be NULL. */
void rs_layout_compute(const struct rs_record *record, const size_t *unit_order, uint64_t *ret_offset_bits,
		       uint64_t *ret_size_bytes);
/* Whether the arithmetic gives the compiler's own offsets and size for the order as it stands; if not,
 * ret_member is the first that differs (RS_NONE: the size). */
bool rs_layout_agrees(const struct rs_record *record, size_t *ret_member);

struct rs_hole {
	uint64_t offset_bits, size_bits;
	size_t after_member; /* top-level member before it; RS_NONE: none */
};
/* Padding of a layout by rising offset, tail padding last. What a bit-field leaves of its last byte is a hole
 * of its own, so that every other hole is whole bytes. offset_bits as from rs_layout_compute(). */
struct rs_hole *rs_layout_holes(struct rs_arena *arena, const struct rs_record *record,
				const uint64_t *offset_bits, uint64_t size_bytes, size_t *ret_count);

#endif
