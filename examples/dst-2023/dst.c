#include "dst.h"

void dst_init(struct dst_entry *dst, struct net_device *dev, struct lwtunnel_state *lwtstate)
{
	dst->dev = dev;
	dst->obsolete = 0;
	dst->__refcnt.counter = 1;
	dst->__use = 0;
	dst->lastuse = 0;
	dst->lwtstate = lwtstate;
}

void dst_hold(struct dst_entry *dst)
{
	__atomic_fetch_add(&dst->__refcnt.counter, 1, __ATOMIC_RELAXED);
}

int dst_release(struct dst_entry *dst)
{
	return __atomic_sub_fetch(&dst->__refcnt.counter, 1, __ATOMIC_ACQ_REL);
}
