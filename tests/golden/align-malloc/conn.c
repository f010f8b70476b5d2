#include <stdlib.h>

#include "conn.h"

struct conn *conn_new(void);
struct conn *conn_new(void)
{
	return malloc(sizeof(struct conn));
}

void *xmalloc(size_t size);
struct pair *pair_new(size_t size);
struct pair *pair_new(size_t size)
{
	struct pair *pair = (struct pair *)xmalloc(size);

	return pair;
}

struct conn *conn_new_aligned(void);
struct conn *conn_new_aligned(void)
{
	return aligned_alloc(64, sizeof(struct conn));
}
