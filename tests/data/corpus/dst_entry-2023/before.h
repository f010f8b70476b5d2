/* dst_entry of 2023, without its containers, before */
#ifndef BEFORE_H
#define BEFORE_H

typedef struct { int counter; } atomic_t;
typedef struct { long counter; } atomic_long_t;

struct callback { void *next; void (*func)(struct callback *head); };

struct dst_entry {
	union {
		void *dev;
		void *dev_rcu;
	};
	void		*ops;
	unsigned long	_metrics;
	unsigned long	expires;
	void		*xfrm;
	int		(*input)(void *skb);
	int		(*output)(void *skb);
	unsigned short	flags;
	short		obsolete;
	unsigned short	header_len;
	unsigned short	trailer_len;
	atomic_t	__refcnt;
	int		__use;
	unsigned long	lastuse;
	void		*lwtstate;
	struct callback	callback_head;
	short		error;
	short		__pad;
	unsigned int	tclassid;
};

#endif
