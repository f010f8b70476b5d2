/* rte_reorder_buffer of 2023, before */
#ifndef BEFORE_H
#define BEFORE_H

struct rte_reorder_buffer {
	unsigned char	name[32];
	unsigned int	min_seqn;
	unsigned int	memsize;
	unsigned long	ready_buf[8] __attribute__((aligned(64)));
	unsigned long	order_buf[8] __attribute__((aligned(64)));
	unsigned int	is_initialized;
} __attribute__((aligned(64)));

#endif
