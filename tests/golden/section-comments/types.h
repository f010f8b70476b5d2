/* The few kernel types that the header needs, at their 64-bit sizes. */
#ifndef EXAMPLE_TYPES_H
#define EXAMPLE_TYPES_H

#include <stdint.h>

typedef uint32_t u32;
typedef struct { int counter; } atomic_t;

struct rcu_head {
	struct rcu_head *next;
	void (*func)(struct rcu_head *head);
};

/* An address of either family without its tag, and with it. */
struct inetpeer_addr_base {
	union {
		u32 a4;
		u32 a6[4];
	};
};

struct inetpeer_addr {
	struct inetpeer_addr_base addr;
	uint16_t family;
};

#endif
