/* ptr_ring of 2016, as published (linux 2e0ab8ca83c1) */
#ifndef PUBLISHED_H
#define PUBLISHED_H

struct ptr_ring {
	unsigned int	producer __attribute__((aligned(64)));
	unsigned int	producer_lock;
	unsigned int	consumer_head __attribute__((aligned(64)));
	unsigned int	consumer_tail;
	unsigned int	consumer_lock;
	unsigned int	size __attribute__((aligned(64)));
	unsigned int	batch;
	unsigned long	queue;
} __attribute__((aligned(64)));

#endif
