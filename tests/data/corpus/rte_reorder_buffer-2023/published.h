/* rte_reorder_buffer of 2023, as published (dpdk abaa473297) */
#ifndef PUBLISHED_H
#define PUBLISHED_H

struct rte_reorder_buffer {
	unsigned char	name[32];
	unsigned int	min_seqn;
	unsigned int	memsize;
	unsigned int	is_initialized;
	unsigned long	ready_buf[8] __attribute__((aligned(64)));
	unsigned long	order_buf[8] __attribute__((aligned(64)));
} __attribute__((aligned(64)));

#endif
