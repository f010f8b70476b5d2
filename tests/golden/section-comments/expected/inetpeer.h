/*
 * struct inet_peer with the members and the layout that Linux had before its false-sharing fix of 2011:
 * the lookup keys share their cache line with counters that every packet writes.
 */
#ifndef EXAMPLE_INETPEER_H
#define EXAMPLE_INETPEER_H

#include "types.h"

struct inet_peer {
	u32			dtime;		/* when it was last put */
	atomic_t		refcnt;
	/* The counters are used while the entry is alive;
	 * rcu and gc_next when it is on its way out. */
	union {
		struct {
			atomic_t	rid;		/* fragment reception */
			atomic_t	ip_id_count;	/* next datagram */
			u32		tcp_ts;
			u32		tcp_ts_stamp;
			u32		rate_tokens;	/* rate limiting of ICMP */
			unsigned long	rate_last;
			unsigned long	pmtu_expires;
			u32		pmtu_orig;
			u32		pmtu_learned;
			struct inetpeer_addr_base redirect_learned;
		};
		struct rcu_head		rcu;
		struct inet_peer	*gc_next;
	};
	u32			metrics[14];
	/* keys of the tree: read by every lookup */
	struct inet_peer	*avl_left, *avl_right;
	struct inetpeer_addr	daddr;
	u32			avl_height;
};

#endif
