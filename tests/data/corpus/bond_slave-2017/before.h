/* bond_slave of 2017, before */
#ifndef BEFORE_H
#define BEFORE_H

struct bond_slave {
	unsigned long	hmap_node[2];
	unsigned long	list_node[2];
	unsigned long	bond;
	unsigned long	aux;
	unsigned long	netdev;
	unsigned long	change_seq;
	unsigned int	ofp_port;
	unsigned long	name;
	unsigned long	delay_expires;
	unsigned char	enabled;
	unsigned char	may_enable;
	unsigned long	bal_node[2];
	unsigned long	entries[2];
	unsigned long	tx_bytes;
};

#endif
