/*
 * A lookup and output beside a holder of references, over the layout as it is (BEFORE) and another (AFTER):
 *
 *     cc -O2 -pthread -DBEFORE='"dst.h"' -DAFTER='"new/dst.h"' bench.c
 */
#include "../bench.h"
#include "types.h"

#define dst_entry dst_before
#include BEFORE
#undef dst_entry
#undef EXAMPLE_DST_H
#define dst_entry dst_after
#include AFTER
#undef dst_entry

#define PATHS(type)                                                                               \
	static uint64_t type##_lookup(void *objects, unsigned i)                                  \
	{                                                                                         \
		const volatile struct type *dst = BENCH_OBJECT(struct type, objects, i);          \
                                                                                                  \
		return (uintptr_t)dst->next + (uintptr_t)dst->dev + (uint64_t)dst->obsolete;      \
	}                                                                                         \
	static uint64_t type##_hold(void *objects, unsigned i)                                    \
	{                                                                                         \
		struct type *dst = BENCH_OBJECT(struct type, objects, i);                         \
                                                                                                  \
		return (uint64_t)__atomic_add_fetch(&dst->__refcnt.counter, 1, __ATOMIC_SEQ_CST); \
	}

PATHS(dst_before)
PATHS(dst_after)

int main(void)
{
	return bench_run((struct bench_layout) { "before", sizeof(struct dst_before), dst_before_lookup,
						 dst_before_hold, NULL },
			 (struct bench_layout) { "after", sizeof(struct dst_after), dst_after_lookup,
						 dst_after_hold, NULL });
}
