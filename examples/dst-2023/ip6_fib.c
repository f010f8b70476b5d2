#include "ip6_fib.h"

#include "uncached.h"

void rt6_init(struct rt6_info *rt, struct net_device *dev, int sernum)
{
	dst_init(&rt->dst, dev, NULL);
	rt->sernum = sernum;
	rt->rt6i_flags = 0;
	rt->rt6i_uncached_list = NULL;
	INIT_LIST_HEAD(&rt->rt6i_uncached);
}

void rt6_uncached_list_add(struct rt6_info *rt, struct uncached_list *list)
{
	rt->rt6i_uncached_list = list;
	list->lock++;
	list_add_tail(&rt->rt6i_uncached, &list->head);
	list->lock--;
}

void rt6_uncached_list_del(struct rt6_info *rt)
{
	if (!list_empty(&rt->rt6i_uncached)) {
		struct uncached_list *list = rt->rt6i_uncached_list;

		list->lock++;
		list_del_init(&rt->rt6i_uncached);
		list->lock--;
		rt->rt6i_uncached_list = NULL;
	}
}

int rt6_check(const struct rt6_info *rt, int sernum)
{
	return rt->sernum == sernum && rt->dst.obsolete == 0;
}
