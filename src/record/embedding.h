/*
 * The layout of a container when the record that it embeds has another size: what follows the record moves.
 */
#ifndef RS_RECORD_EMBEDDING_H
#define RS_RECORD_EMBEDDING_H

#include "record/record.h"

/*
 * member: of the container, at whatever depth, by which it holds the record; each element of an array has the
 * size. ret_offset_bits has room for every member of the container. The alignment of everything stays, and so
 * the member's own place; what is inside the record is placed as it was. A packed container is laid out as if
 * it were not.
 */
void rs_embedding_compute(const struct rs_record *container, size_t member, uint64_t size_bytes,
			  uint64_t *ret_offset_bits, uint64_t *ret_size_bytes);

#endif
