/* struct rt6_info as of Linux 6.1: a route of IP version 6. */
#ifndef EXAMPLE_IP6_FIB_H
#define EXAMPLE_IP6_FIB_H

#include "dst.h"

struct rt6key {
	struct in6_addr	addr;
	int		plen;
};

struct rt6_info {
	struct dst_entry		dst;
	struct fib6_info		*from;
	int				sernum;

	struct rt6key			rt6i_dst;
	struct rt6key			rt6i_src;
	struct in6_addr			rt6i_gateway;
	struct inet6_dev		*rt6i_idev;
	u32				rt6i_flags;

	struct list_head		rt6i_uncached;
	struct uncached_list		*rt6i_uncached_list;

	/* more non-fragment space at head required */
	unsigned short			rt6i_nfheader_len;
};

void rt6_init(struct rt6_info *rt, struct net_device *dev, int sernum);
void rt6_uncached_list_add(struct rt6_info *rt, struct uncached_list *list);
void rt6_uncached_list_del(struct rt6_info *rt);
int rt6_check(const struct rt6_info *rt, int sernum);

#endif
