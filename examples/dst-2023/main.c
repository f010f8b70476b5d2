/* Uses the routes of both versions; prints what it saw, which must not hang on any layout. */
#include <stdio.h>

#include "ip6_fib.h"
#include "route.h"
#include "uncached.h"

#define ROUTES 5

static struct rtable routes[ROUTES];
static struct rt6_info routes6[ROUTES];

static int count(const struct uncached_list *list)
{
	int found = 0;

	for (const struct list_head *entry = list->head.next; entry != &list->head; entry = entry->next)
		found++;
	return found;
}

int main(void)
{
	struct uncached_list list = { .lock = 0 }, list6 = { .lock = 0 };
	struct net_device *one = (struct net_device *)&list, *two = (struct net_device *)&list6;
	struct rtable *last;

	INIT_LIST_HEAD(&list.head);
	INIT_LIST_HEAD(&list6.head);
	for (int i = 0; i < ROUTES; i++) {
		rt_init(&routes[i], i % 2 ? one : two, i);
		rt_add_uncached_list(&routes[i], &list);
		rt6_init(&routes6[i], one, i);
		rt6_uncached_list_add(&routes6[i], &list6);
	}
	rt_del_uncached_list(&routes[0]);
	rt6_uncached_list_del(&routes6[4]);
	rt6_uncached_list_del(&routes6[4]);
	last = list_entry(list.head.prev, struct rtable, rt_uncached);
	printf("%d of 4, %d of 6, last has genid %d and is on its list: %d\n", count(&list), count(&list6),
	       last->rt_genid, last->rt_uncached_list == &list);
	printf("moved %d, then %d\n", rt_flush_dev(&list, one, two), rt_flush_dev(&list, one, two));
	dst_hold(&routes[1].dst);
	printf("references %d, expired %d, valid %d\n", dst_release(&routes[1].dst), rt_is_expired(&routes[1], 2),
	       rt6_check(&routes6[3], 3));
	return 0;
}
