/* struct rtable as of Linux 6.1: a route of IP version 4. */
#ifndef EXAMPLE_ROUTE_H
#define EXAMPLE_ROUTE_H

#include "dst.h"

struct rtable {
	struct dst_entry	dst;

	int			rt_genid;
	unsigned int		rt_flags;
	u16			rt_type;
	u8			rt_is_input;
	u8			rt_uses_gateway;

	int			rt_iif;

	u8			rt_gw_family;
	/* Info on neighbour */
	union {
		u32		rt_gw4;
		struct in6_addr	rt_gw6;
	};

	/* Miscellaneous cached information */
	u32			rt_mtu_locked:1,
				rt_pmtu:31;

	struct list_head	rt_uncached;
	struct uncached_list	*rt_uncached_list;
};

void rt_init(struct rtable *rt, struct net_device *dev, int genid);
void rt_add_uncached_list(struct rtable *rt, struct uncached_list *list);
void rt_del_uncached_list(struct rtable *rt);
int rt_is_expired(const struct rtable *rt, int genid);
/* Gives the routes on the list another device; their number. */
int rt_flush_dev(struct uncached_list *list, struct net_device *from, struct net_device *to);

#endif
