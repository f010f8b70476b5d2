/* The few kernel types that the headers need, at their 64-bit sizes, and a list like the kernel's. */
#ifndef EXAMPLE_TYPES_H
#define EXAMPLE_TYPES_H

#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef struct { int counter; } atomic_t;

struct list_head {
	struct list_head *next, *prev;
};

struct rcu_head {
	struct rcu_head *next;
	void (*func)(struct rcu_head *head);
} __attribute__((aligned(sizeof(void *))));

struct in6_addr {
	u32 s6_addr32[4];
};

struct net_device;
struct dst_ops;
struct xfrm_state;
struct sk_buff;
struct lwtunnel_state;
struct uncached_list;
struct fib6_info;
struct inet6_dev;

#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))
#define list_entry(ptr, type, member) container_of(ptr, type, member)

static inline void INIT_LIST_HEAD(struct list_head *list)
{
	list->next = list;
	list->prev = list;
}

static inline int list_empty(const struct list_head *head)
{
	return head->next == head;
}

static inline void list_add_tail(struct list_head *entry, struct list_head *head)
{
	entry->prev = head->prev;
	entry->next = head;
	head->prev->next = entry;
	head->prev = entry;
}

static inline void list_del_init(struct list_head *entry)
{
	entry->prev->next = entry->next;
	entry->next->prev = entry->prev;
	INIT_LIST_HEAD(entry);
}

#endif
