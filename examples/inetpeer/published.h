/*
 * struct inet_peer in the order that the fix of 2011 gave it, by hand: members hoisted out of the union fill
 * the first line behind the keys, refcnt and dtime go to the end. Here to be compared with.
 */
#ifndef EXAMPLE_PUBLISHED_H
#define EXAMPLE_PUBLISHED_H

#include "types.h"

struct inet_peer {
	/* keys of the tree: read by every lookup */
	struct inet_peer	*avl_left, *avl_right;
	struct inetpeer_addr	daddr;
	u32			avl_height;

	u32			metrics[14];
	u32			rate_tokens;	/* rate limiting of ICMP */
	unsigned long		rate_last;
	unsigned long		pmtu_expires;
	u32			pmtu_orig;
	u32			pmtu_learned;
	struct inetpeer_addr_base redirect_learned;
	union {
		struct {
			atomic_t	rid;		/* fragment reception */
			atomic_t	ip_id_count;	/* next datagram */
			u32		tcp_ts;
			u32		tcp_ts_stamp;
		};
		struct rcu_head		rcu;
		struct inet_peer	*gc_next;
	};

	/* written often: away from the keys */
	u32			dtime;		/* when it was last put */
	atomic_t		refcnt;
};

#endif
