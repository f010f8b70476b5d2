/* ci_tx_queue of 2025, as published (dpdk e3b5f52d59) */
#ifndef PUBLISHED_H
#define PUBLISHED_H

struct ci_tx_queue {
	unsigned long	tx_ring;
	unsigned long	qtx_tail;
	unsigned long	sw_ring;
	unsigned short	nb_tx_desc;
	unsigned short	tx_tail;
	unsigned short	nb_tx_used;
	unsigned short	last_desc_cleaned;
	unsigned short	nb_tx_free;
	unsigned short	tx_free_thresh;
	unsigned short	tx_rs_thresh;
	unsigned short	port_id;
	unsigned short	queue_id;
	unsigned short	reg_idx;
	unsigned short	tx_next_dd;
	unsigned short	tx_next_rs;
	unsigned long	offloads;
	unsigned long	mbuf_errors;
	unsigned long	tx_ring_dma;
	unsigned char	tx_deferred_start;
	unsigned char	q_set;
	unsigned char	pthresh;
	unsigned char	hthresh;
	unsigned char	wthresh;
	unsigned long	vsi;
	unsigned long	mz;
	unsigned long	u[3];
};

#endif
