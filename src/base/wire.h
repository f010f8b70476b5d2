/*
 * Numbers and texts as bytes, for another process of the same program or for a later run of it. What is read
 * may be anything: a reader that meets bytes that cannot be gives zeros and NULLs from then on and says so.
 */
#ifndef RS_BASE_WIRE_H
#define RS_BASE_WIRE_H

#include "base/arena.h"
#include "base/builder.h"

void rs_wire_put_number(struct rs_builder *out, uint64_t number);
void rs_wire_put_bytes(struct rs_builder *out, const char *bytes, size_t size);
void rs_wire_put_text(struct rs_builder *out, const char *text); /* NULL is allowed, and comes back as NULL */

struct rs_wire {
	const char *at, *end;
	bool is_broken;
};

void rs_wire_init(struct rs_wire *wire, const char *bytes, size_t size);
uint64_t rs_wire_get_number(struct rs_wire *wire);
/* The same; more than limit breaks. */
uint64_t rs_wire_get_limited(struct rs_wire *wire, uint64_t limit);
bool rs_wire_get_bool(struct rs_wire *wire);
/* How many items follow: never more than there are bytes left, so that room for them can be made. */
size_t rs_wire_get_count(struct rs_wire *wire);
/* Bytes that stay where they are. */
const char *rs_wire_get_bytes(struct rs_wire *wire, size_t *ret_size);
/* A copy with a NUL behind it; NULL for NULL and when broken. A NUL inside breaks. */
const char *rs_wire_get_text(struct rs_wire *wire, struct rs_arena *arena);
/* The same, but "" for NULL. */
const char *rs_wire_get_string(struct rs_wire *wire, struct rs_arena *arena);
/* Whether everything was read and nothing was broken. */
bool rs_wire_is_done(const struct rs_wire *wire);

#endif
