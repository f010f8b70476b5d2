/*
 * struct dst_entry as of Linux 6.1: what every cached route begins with. Everything that takes a reference writes
 * __refcnt, and whoever has one reads lwtstate, two members behind it.
 */
#ifndef EXAMPLE_DST_H
#define EXAMPLE_DST_H

#include "types.h"

struct dst_entry {
	union {
		struct net_device	*dev;
		struct net_device	*dev_rcu;
	};
	struct dst_ops		*ops;
	unsigned long		_metrics;
	unsigned long		expires;
	struct xfrm_state	*xfrm;
	int			(*input)(struct sk_buff *skb);
	int			(*output)(struct sk_buff *skb);
	unsigned short		flags;
	short			obsolete;
	unsigned short		header_len;	/* more space at head required */
	unsigned short		trailer_len;	/* space to reserve at tail */
	atomic_t		__refcnt;	/* clients */
	int			__use;
	unsigned long		lastuse;
	struct lwtunnel_state	*lwtstate;
	struct rcu_head		rcu_head;
	short			error;
	short			__pad;
	u32			tclassid;
};

void dst_init(struct dst_entry *dst, struct net_device *dev, struct lwtunnel_state *lwtstate);
void dst_hold(struct dst_entry *dst);
int dst_release(struct dst_entry *dst);

#endif
