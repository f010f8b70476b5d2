/* netdev of 2017, as published */
#ifndef PUBLISHED_H
#define PUBLISHED_H

struct netdev {
	void		*name;
	void		*netdev_class;
	_Bool		auto_classified;
	_Bool		mtu_user_config;
	int		ref_cnt;
	unsigned long long change_seq;
	void		*reconfigure_seq;
	unsigned long long last_reconfigure_seq;
	int		n_txq;
	int		n_rxq;
	void		*node;
	void		*saved_flags_list[2];
};

#endif
