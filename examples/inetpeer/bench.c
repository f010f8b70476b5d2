/*
 * lookup beside put, over the layout as it is (BEFORE) and another (AFTER, what restruct makes of it):
 *
 *     cc -O2 -pthread -DBEFORE='"inetpeer.h"' -DAFTER='"new/inetpeer.h"' bench.c
 */
#include "../bench.h"
#include "types.h"

#define inet_peer peer_before
#include BEFORE
#undef inet_peer
#undef EXAMPLE_INETPEER_H
#define inet_peer peer_after
#include AFTER
#undef inet_peer

#define PATHS(type)                                                                                      \
	static uint64_t type##_lookup(void *objects, unsigned i)                                         \
	{                                                                                                \
		const volatile struct type *peer = BENCH_OBJECT(struct type, objects, i);                \
		uint64_t key = peer->daddr.addr.a4 + peer->daddr.family;                                 \
                                                                                                         \
		return key + (uintptr_t)(key & 1 ? peer->avl_left : peer->avl_right) + peer->avl_height; \
	}                                                                                                \
	static uint64_t type##_put(void *objects, unsigned i)                                            \
	{                                                                                                \
		struct type *peer = BENCH_OBJECT(struct type, objects, i);                               \
                                                                                                         \
		*(volatile u32 *)&peer->dtime = i;                                                       \
		return (uint64_t)__atomic_sub_fetch(&peer->refcnt.counter, 1, __ATOMIC_SEQ_CST);         \
	}

PATHS(peer_before)
PATHS(peer_after)

int main(void)
{
	return bench_run((struct bench_layout) { "before", sizeof(struct peer_before), peer_before_lookup,
						 peer_before_put, NULL },
			 (struct bench_layout) { "after", sizeof(struct peer_after), peer_after_lookup,
						 peer_after_put, NULL });
}
