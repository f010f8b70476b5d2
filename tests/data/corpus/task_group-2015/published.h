/* task_group of 2015, as published (linux b0367629acf6) */
#ifndef PUBLISHED_H
#define PUBLISHED_H

struct task_group {
	unsigned long	css[17];
	unsigned long	se;
	unsigned long	cfs_rq;
	unsigned long	shares;
	unsigned long	load_avg __attribute__((aligned(64)));
	unsigned long	rt_se;
	unsigned long	rt_rq;
	unsigned long	rt_bandwidth[12];
	unsigned long	rcu[2];
	unsigned long	list[2];
	unsigned long	parent;
	unsigned long	siblings[2];
	unsigned long	children[2];
	unsigned long	autogroup;
	unsigned long	cfs_bandwidth[28];
} __attribute__((aligned(64)));

#endif
