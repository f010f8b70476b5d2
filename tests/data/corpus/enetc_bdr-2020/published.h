/* enetc_bdr of 2020, as published */
#ifndef PUBLISHED_H
#define PUBLISHED_H

struct enetc_bdr {
	void		*bd_base;
	void		*q_swbd;
	union {
		void *tcir;
		void *rcir;
	};
	int		bd_count;
	int		next_to_use;
	int		next_to_clean;
	unsigned short	index;
	unsigned char	crc_len;
	union {
		void *tcisr;
		int next_to_alloc;
	};
	void		*mb_pool;
	void		*ndev;
};

#endif
