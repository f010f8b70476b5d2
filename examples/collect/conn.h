#ifndef CONN_H
#define CONN_H

#include <pthread.h>
#include <stdint.h>

#define CONN_BUCKETS 64

/* One connection. Readers look it up and stamp it, a writer thread counts its traffic. */
struct conn {
	struct conn *next; /* of the same bucket */
	uint64_t bytes_in;
	uint32_t id;
	uint32_t flags;
	char name[40];
	uint64_t bytes_out;
	uint64_t last_seen;
	uint32_t refs;
	uint32_t errors;
	uint64_t created;
	uint32_t limit;
	uint32_t window;
};

enum { CONN_OPEN = 1, CONN_SLOW = 2 };

#define conn_get(c)         __atomic_fetch_add(&(c)->refs, 1, __ATOMIC_RELAXED)
#define conn_put(c)         __atomic_fetch_sub(&(c)->refs, 1, __ATOMIC_RELEASE)
#define READ_ONCE(x)        (*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, value) (*(volatile __typeof__(x) *)&(x) = (value))
/* Most calls end at the first comparison. */
#define conn_is(c, wanted)  ((c)->id == (wanted) && ((c)->flags & CONN_OPEN))
/* An argument that is evaluated twice, or not at all. */
#define first_set(a, b)     ((a) ? (a) : (b))
#define conn_over_limit(c)  ((c)->limit ? (c)->bytes_in > (c)->limit : 0)

static inline int conn_is_slow(const struct conn *c)
{
	return READ_ONCE(c->window) < 16 || (c->flags & CONN_SLOW);
}

struct conn_table {
	pthread_mutex_t lock;
	struct conn *buckets[CONN_BUCKETS];
};

void conn_table_fill(struct conn_table *table, unsigned count);
struct conn *conn_lookup(struct conn_table *table, uint32_t id, uint64_t now);
void conn_input(struct conn *c, unsigned bytes);
uint64_t conn_table_sum(struct conn_table *table);
void conn_table_free(struct conn_table *table);

#endif
