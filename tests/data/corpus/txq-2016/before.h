/* txq of 2016, before */
#ifndef BEFORE_H
#define BEFORE_H

struct txq {
	unsigned long	priv;
	unsigned long	mp2mr[24];
	unsigned long	cq;
	unsigned long	qp;
	unsigned long	if_qp;
	unsigned long	if_cq;
	unsigned int	max_inline;
	unsigned int	elts_n;
	unsigned long	elts;
	unsigned int	elts_head;
	unsigned int	elts_tail;
	unsigned int	elts_comp;
	unsigned int	elts_comp_cd;
	unsigned int	elts_comp_cd_init;
	unsigned long	stats[5];
	unsigned long	elts_linear;
	unsigned long	mr_linear;
	unsigned int	socket;
	unsigned long	rd;
};

#endif
