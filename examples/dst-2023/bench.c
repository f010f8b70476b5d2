/*
 * What every packet does with a route that it has a reference of, beside one who takes and gives up references,
 * over the layout as it is (BEFORE) and another (AFTER):
 *
 *     cc -O2 -pthread -DBEFORE='"route.h"' -DAFTER='"new/route.h"' bench.c
 */
#include "../bench.h"
#include "types.h"

/* The headers twice, with names of their own each time. */
#define dst_entry            dst_before
#define rtable               rtable_before
#define dst_init             dst_init_before
#define dst_hold             dst_hold_before
#define dst_release          dst_release_before
#define rt_init              rt_init_before
#define rt_add_uncached_list rt_add_uncached_list_before
#define rt_del_uncached_list rt_del_uncached_list_before
#define rt_is_expired        rt_is_expired_before
#define rt_flush_dev         rt_flush_dev_before
#include BEFORE
#undef dst_entry
#undef rtable
#undef dst_init
#undef dst_hold
#undef dst_release
#undef rt_init
#undef rt_add_uncached_list
#undef rt_del_uncached_list
#undef rt_is_expired
#undef rt_flush_dev
#undef EXAMPLE_DST_H
#undef EXAMPLE_ROUTE_H
#define dst_entry dst_after
#define rtable    rtable_after
#include AFTER

#define PATHS(type)                                                                                  \
	static uint64_t type##_output(void *objects, unsigned i)                                     \
	{                                                                                            \
		const volatile struct type *rt = BENCH_OBJECT(struct type, objects, i);              \
                                                                                                     \
		return (uintptr_t)rt->dst.lwtstate + (uint64_t)rt->rt_genid;                         \
	}                                                                                            \
	static uint64_t type##_hold(void *objects, unsigned i)                                       \
	{                                                                                            \
		struct type *rt = BENCH_OBJECT(struct type, objects, i);                             \
                                                                                                     \
		return (uint64_t)__atomic_add_fetch(&rt->dst.__refcnt.counter, 1, __ATOMIC_SEQ_CST); \
	}

PATHS(rtable_before)
PATHS(rtable_after)

int main(void)
{
	return bench_run((struct bench_layout) { "before", sizeof(struct rtable_before), rtable_before_output,
						 rtable_before_hold, NULL },
			 (struct bench_layout) { "after", sizeof(struct rtable_after), rtable_after_output,
						 rtable_after_hold, NULL });
}
