/* dp_netdev_rxq of 2017, as published (ovs ee42dd70d) */
#ifndef PUBLISHED_H
#define PUBLISHED_H

struct dp_netdev_rxq {
	unsigned long	port;
	unsigned long	rx;
	unsigned int	core_id;
	unsigned int	intrvl_idx;
	unsigned long	pmd;
	unsigned long	cycles[2];
	unsigned long	cycles_intrvl[6];
};

#endif
