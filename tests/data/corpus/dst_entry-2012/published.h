/* dst_entry of 2012, as published */
#ifndef PUBLISHED_H
#define PUBLISHED_H

typedef struct { int counter; } atomic_t;
typedef struct { long counter; } atomic_long_t;

struct callback { void *next; void (*func)(struct callback *head); };

struct dst_entry {
	struct callback	rcu_head;
	void		*child;
	void		*dev;
	void		*ops;
	unsigned long	_metrics;
	union {
		unsigned long expires;
		void *from;
	};
	void		*path;
	void		*_neighbour;
	void		*xfrm;
	int		(*input)(void *skb);
	int		(*output)(void *skb);
	int		flags;
	short		error;
	short		obsolete;
	unsigned short	header_len;
	unsigned short	trailer_len;
	unsigned int	tclassid;
	long		__pad_to_align_refcnt[2];
	atomic_t	__refcnt;
	int		__use __attribute__((aligned(64)));
	unsigned long	lastuse;
	union {
		void *next;
		void *rt_next;
		void *rt6_next;
		void *dn_next;
	};
};

#endif
