/* mem_cgroup_per_node of 2024, before */
#ifndef BEFORE_H
#define BEFORE_H

struct mem_cgroup_per_node {
	unsigned long	lruvec[25];
	unsigned long	lruvec_stats_percpu;
	unsigned long	lruvec_stats;
	unsigned long	shrinker_info;
	unsigned long	memcg;
	unsigned long	iter[2];
	unsigned long	lru_zone_size[20];
	unsigned long	tree_node[3];
	unsigned long	usage_in_excess;
	unsigned char	on_tree;
};

#endif
