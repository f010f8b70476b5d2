#include "input.h"
#include <stdlib.h>
#include <string.h>

struct list { void **items; size_t n; };

static void add(struct list *l, void *item)
{
	l->items = realloc(l->items, (l->n + 1) * sizeof *l->items);
	l->items[l->n++] = item;
}

static void *copy(const void *from, size_t n)
{
	return memcpy(malloc(n), from, n);
}

static int by_b(const void *x, const void *y)
{
	const struct s *a = x, *b = y;

	return (a->b > b->b) - (a->b < b->b);
}

int main(void)
{
	static struct s s[2] = { { .b = 2 }, { .b = 1 } };
	struct list l = { 0 };

	qsort(s, 2, sizeof *s, by_b);
	add(&l, &s[0]);
	add(&l, copy(&s[1], sizeof s[1]));
	const struct s *last = l.items[1];
	return ((struct s *)l.items[0])->b != 1 || last->b != 2;
}
