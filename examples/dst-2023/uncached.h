/* Routes that are in no table, so that they can be found when their device goes. */
#ifndef EXAMPLE_UNCACHED_H
#define EXAMPLE_UNCACHED_H

#include "types.h"

struct uncached_list {
	int			lock;
	struct list_head	head;
	int			quarantined;
};

#endif
