/* ci_tx_queue of 2025, before */
#ifndef BEFORE_H
#define BEFORE_H

struct ci_tx_queue {
	unsigned long	tx_ring;
	unsigned long	qtx_tail;
	unsigned long	sw_ring;
	unsigned long	tx_ring_dma;
	unsigned short	nb_tx_desc;
	unsigned short	tx_tail;
	unsigned short	nb_tx_used;
	unsigned short	last_desc_cleaned;
	unsigned short	nb_tx_free;
	unsigned short	tx_free_thresh;
	unsigned short	tx_rs_thresh;
	unsigned char	pthresh;
	unsigned char	hthresh;
	unsigned char	wthresh;
	unsigned short	port_id;
	unsigned short	queue_id;
	unsigned short	reg_idx;
	unsigned long	offloads;
	unsigned short	tx_next_dd;
	unsigned short	tx_next_rs;
	unsigned long	mbuf_errors;
	unsigned char	tx_deferred_start;
	unsigned char	q_set;
	unsigned long	vsi;
	unsigned long	mz;
	unsigned long	u[3];
};

#endif
