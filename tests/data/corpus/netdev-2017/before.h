/* netdev of 2017, before */
#ifndef BEFORE_H
#define BEFORE_H

struct netdev {
	void		*name;
	void		*netdev_class;
	_Bool		auto_classified;
	unsigned long long change_seq;
	void		*reconfigure_seq;
	unsigned long long last_reconfigure_seq;
	_Bool		mtu_user_config;
	int		n_txq;
	int		n_rxq;
	int		ref_cnt;
	void		*node;
	void		*saved_flags_list[2];
};

#endif
