/* bond_slave of 2017, as published (ovs abec9228f) */
#ifndef PUBLISHED_H
#define PUBLISHED_H

struct bond_slave {
	unsigned long	hmap_node[2];
	unsigned long	list_node[2];
	unsigned long	bond;
	unsigned long	aux;
	unsigned long	netdev;
	unsigned long	change_seq;
	unsigned long	name;
	unsigned int	ofp_port;
	unsigned char	enabled;
	unsigned char	may_enable;
	unsigned long	delay_expires;
	unsigned long	bal_node[2];
	unsigned long	entries[2];
	unsigned long	tx_bytes;
};

#endif
