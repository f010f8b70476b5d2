#include "route.h"

#include "uncached.h"

void rt_init(struct rtable *rt, struct net_device *dev, int genid)
{
	dst_init(&rt->dst, dev, NULL);
	rt->rt_genid = genid;
	rt->rt_flags = 0;
	rt->rt_uncached_list = NULL;
	INIT_LIST_HEAD(&rt->rt_uncached);
}

void rt_add_uncached_list(struct rtable *rt, struct uncached_list *list)
{
	rt->rt_uncached_list = list;
	list->lock++;
	list_add_tail(&rt->rt_uncached, &list->head);
	list->lock--;
}

void rt_del_uncached_list(struct rtable *rt)
{
	if (!list_empty(&rt->rt_uncached)) {
		struct uncached_list *list = rt->rt_uncached_list;

		list->lock++;
		list_del_init(&rt->rt_uncached);
		list->lock--;
		rt->rt_uncached_list = NULL;
	}
}

int rt_is_expired(const struct rtable *rt, int genid)
{
	return rt->rt_genid != genid;
}

int rt_flush_dev(struct uncached_list *list, struct net_device *from, struct net_device *to)
{
	int count = 0;

	for (struct list_head *entry = list->head.next; entry != &list->head; entry = entry->next) {
		struct rtable *rt = list_entry(entry, struct rtable, rt_uncached);

		if (rt->dst.dev != from)
			continue;
		rt->dst.dev = to;
		count++;
	}
	return count;
}
