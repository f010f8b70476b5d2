/* dp_netdev_rxq of 2017, before */
#ifndef BEFORE_H
#define BEFORE_H

struct dp_netdev_rxq {
	unsigned long	port;
	unsigned long	rx;
	unsigned int	core_id;
	unsigned long	pmd;
	unsigned long	cycles[2];
	unsigned long	cycles_intrvl[6];
	unsigned int	intrvl_idx;
};

#endif
