#include <stdlib.h>
#include <string.h>

#include "conn.h"

void conn_table_fill(struct conn_table *table, unsigned count)
{
	const struct conn blank = { .flags = CONN_OPEN, .limit = 1000 };

	for (uint32_t id = 0; id < count; id++) {
		struct conn *c = malloc(sizeof *c);
		struct conn **bucket = &table->buckets[id % CONN_BUCKETS];

		if (!c)
			abort();
		*c = blank;
		c->id = id;
		c->window = id % 40;
		if (id % 3 == 0)
			c->limit = 0;
		c->next = *bucket;
		*bucket = c;
	}
}

struct conn *conn_lookup(struct conn_table *table, uint32_t id, uint64_t now)
{
	for (struct conn *c = table->buckets[id % CONN_BUCKETS]; c; c = c->next) {
		if (!conn_is(c, id))
			continue;
		conn_get(c);
		WRITE_ONCE(c->last_seen, now);
		return c;
	}
	return NULL;
}

uint64_t conn_table_sum(struct conn_table *table)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < CONN_BUCKETS; i++)
		for (const struct conn *c = table->buckets[i]; c; c = c->next)
			sum += first_set(c->bytes_in, c->bytes_out) + (conn_is_slow(c) ? c->errors : 0);
	return sum;
}

void conn_table_free(struct conn_table *table)
{
	for (unsigned i = 0; i < CONN_BUCKETS; i++) {
		struct conn *next;

		for (struct conn *c = table->buckets[i]; c; c = next) {
			next = c->next;
			memset(c, 0, sizeof *c);
			free(c);
		}
	}
}
