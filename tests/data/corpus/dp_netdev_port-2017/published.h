/* dp_netdev_port of 2017, as published (ovs ca62bb16a) */
#ifndef PUBLISHED_H
#define PUBLISHED_H

struct dp_netdev_port {
	unsigned int	port_no;
	unsigned char	dynamic_txqs;
	unsigned char	need_reconfigure;
	unsigned long	netdev;
	unsigned long	node[2];
	unsigned long	sf;
	unsigned long	rxqs;
	unsigned int	n_rxq;
	unsigned long	txq_used;
	unsigned long	txq_used_mutex[6];
	unsigned long	type;
	unsigned long	rxq_affinity_list;
};

#endif
