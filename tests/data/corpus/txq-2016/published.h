/* txq of 2016, as published (dpdk 806af69386) */
#ifndef PUBLISHED_H
#define PUBLISHED_H

struct txq {
	unsigned long	priv;
	unsigned long	cq;
	unsigned long	qp;
	unsigned long	elts;
	unsigned int	max_inline;
	unsigned int	elts_n;
	unsigned int	elts_head;
	unsigned int	elts_tail;
	unsigned int	elts_comp;
	unsigned int	elts_comp_cd;
	unsigned int	elts_comp_cd_init;
	unsigned long	mp2mr[24];
	unsigned long	stats[5];
	unsigned long	elts_linear;
	unsigned long	mr_linear;
	unsigned long	if_qp;
	unsigned long	if_cq;
	unsigned long	rd;
	unsigned int	socket;
};

#endif
