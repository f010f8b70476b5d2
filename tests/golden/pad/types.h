/* The few kernel types that the header needs, at their 64-bit sizes. */
#ifndef EXAMPLE_TYPES_H
#define EXAMPLE_TYPES_H

#include <stdint.h>

#define ____cacheline_aligned __attribute__((__aligned__(64)))

typedef struct { int counter; } atomic_t;
typedef uint32_t u32;

struct rcu_head {
	struct rcu_head *next;
	void (*func)(struct rcu_head *head);
};

struct net_device;
struct dst_ops;
struct neighbour;
struct xfrm_state;
struct sk_buff;

#endif
