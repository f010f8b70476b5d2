#include "peer.h"

struct peer *find(struct peer *head, unsigned long key)
{
	for (struct peer *p = head; p; p = p->next)
		if (p->key == key)
			return p;
	return (struct peer *)0;
}

void hit(struct peer *p, long now)
{
	p->stats.hits++;
	p->stamp = now;
	__atomic_add_fetch(&p->refs, 1, __ATOMIC_RELAXED);
}

unsigned long sum(const struct peer *p)
{
	return p->key + p->flags;
}
