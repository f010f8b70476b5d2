/* dp_netdev_port of 2017, before */
#ifndef BEFORE_H
#define BEFORE_H

struct dp_netdev_port {
	unsigned int	port_no;
	unsigned long	netdev;
	unsigned long	node[2];
	unsigned long	sf;
	unsigned long	rxqs;
	unsigned int	n_rxq;
	unsigned char	dynamic_txqs;
	unsigned long	txq_used;
	unsigned long	txq_used_mutex[6];
	unsigned long	type;
	unsigned long	rxq_affinity_list;
	unsigned char	need_reconfigure;
};

#endif
