/* inet_peer of 2011, as published */
#ifndef PUBLISHED_H
#define PUBLISHED_H

typedef struct { int counter; } atomic_t;
typedef struct { long counter; } atomic_long_t;

struct callback { void *next; void (*func)(struct callback *head); };

struct inet_peer {
	void		*avl_left;
	void		*avl_right;
	struct { unsigned int words[5]; } daddr;
	unsigned int	avl_height;
	unsigned int metrics[14];
	unsigned int rate_tokens;
	unsigned long rate_last;
	unsigned long pmtu_expires;
	unsigned int pmtu_orig;
	unsigned int pmtu_learned;
	struct { unsigned int words[4]; } redirect_learned;
	union {
		struct {
			atomic_t rid;
			atomic_t ip_id_count;
			unsigned int tcp_ts;
			unsigned int tcp_ts_stamp;
		};
		struct callback rcu;
		void *gc_next;
	};
	unsigned int	dtime;
	atomic_t	refcnt;
};

#endif
