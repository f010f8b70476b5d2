#include "conn.h"

/* Small, and always called with the connection at hand: its fields belong to the caller's path. */
static void conn_fail(struct conn *c)
{
	c->errors++;
	c->flags |= CONN_SLOW;
}

void conn_input(struct conn *c, unsigned bytes)
{
	c->bytes_in += bytes;
	if (conn_over_limit(c)) {
		conn_fail(c);
		return;
	}
	while (bytes > 64) {
		c->bytes_out += 64;
		bytes -= 64;
	}
	c->bytes_out += conn_is_slow(c) ? 1 : bytes;
}
