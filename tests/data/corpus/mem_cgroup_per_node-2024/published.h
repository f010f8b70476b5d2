/* mem_cgroup_per_node of 2024, as published (linux: memcg: rearrange fields of mem_cgroup_per_node, 6.11) */
#ifndef PUBLISHED_H
#define PUBLISHED_H

struct mem_cgroup_per_node {
	unsigned long	memcg;
	unsigned long	lruvec_stats_percpu;
	unsigned long	lruvec_stats;
	unsigned long	shrinker_info;
	unsigned long	lruvec[25] __attribute__((aligned(64)));
	unsigned long	lru_zone_size[20] __attribute__((aligned(64)));
	unsigned long	iter[2];
	unsigned long	tree_node[3];
	unsigned long	usage_in_excess;
	unsigned char	on_tree;
} __attribute__((aligned(64)));

#endif
