/*
 * struct dst_entry with the members and the layout that Linux had in 2012: __refcnt was put on a line of its own by
 * hand, but __use, lastuse and the pointer that every lookup follows stand right behind it.
 */
#ifndef EXAMPLE_DST_H
#define EXAMPLE_DST_H

#include "types.h"

struct dst_entry {
	struct rcu_head		rcu_head;
	struct dst_entry	*child;
	struct net_device	*dev;
	struct dst_ops		*ops;
	unsigned long		_metrics;
	union {
		unsigned long		expires;
		struct dst_entry	*from;	/* the entry that it was cloned from */
	};
	struct dst_entry	*path;
	struct neighbour	*_neighbour;
	struct xfrm_state	*xfrm;
	int			(*input)(struct sk_buff *skb);
	int			(*output)(struct sk_buff *skb);

	int			flags;
#define DST_HOST	0x0001
#define DST_NOXFRM	0x0002
#define DST_NOCACHE	0x0010
	short			error;
	short			obsolete;
	unsigned short		header_len;	/* more space at head required */
	unsigned short		trailer_len;	/* space to reserve at tail */
	u32			tclassid;

	/* keeps __refcnt at the start of a cache line */
	long			__pad_to_align_refcnt[2];
	atomic_t		__refcnt;	/* clients */
	int			__use;
	unsigned long		lastuse;
	union {
		struct dst_entry	*next;
		struct dst_entry	*rt_next;
		struct dst_entry	*rt6_next;
		struct dst_entry	*dn_next;
	};
};

#endif
