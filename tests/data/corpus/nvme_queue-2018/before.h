/* nvme_queue of 2018, before */
#ifndef BEFORE_H
#define BEFORE_H

struct nvme_queue {
	unsigned long	q_dmadev;
	unsigned long	dev;
	unsigned int	sq_lock;
	unsigned long	sq_cmds;
	unsigned int	cq_lock;
	unsigned long	cqes;
	unsigned long	tagset;
	unsigned long	sq_dma_addr;
	unsigned long	cq_dma_addr;
	unsigned long	q_db;
	unsigned short	q_depth;
	unsigned short	cq_vector;
	unsigned short	sq_tail;
	unsigned short	cq_head;
	unsigned short	last_cq_head;
	unsigned short	qid;
	unsigned char	cq_phase;
	unsigned long	flags;
	unsigned long	dbbuf_sq_db;
	unsigned long	dbbuf_cq_db;
	unsigned long	dbbuf_sq_ei;
	unsigned long	dbbuf_cq_ei;
};

#endif
