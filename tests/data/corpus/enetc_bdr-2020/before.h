/* enetc_bdr of 2020, before */
#ifndef BEFORE_H
#define BEFORE_H

struct enetc_bdr {
	void		*ndev;
	void		*mb_pool;
	void		*bd_base;
	union {
		void *tcir;
		void *rcir;
	};
	unsigned short	index;
	int		bd_count;
	int		next_to_use;
	int		next_to_clean;
	void		*q_swbd;
	union {
		void *tcisr;
		int next_to_alloc;
	};
	unsigned char	crc_len;
};

#endif
