/* ptr_ring of 2016, before */
#ifndef BEFORE_H
#define BEFORE_H

struct ptr_ring {
	unsigned int	producer;
	unsigned int	producer_lock;
	unsigned int	consumer_head;
	unsigned int	consumer_tail;
	unsigned int	consumer_lock;
	unsigned int	size;
	unsigned int	batch;
	unsigned long	queue;
};

#endif
