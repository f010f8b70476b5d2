struct conn {
	unsigned long		id;
	unsigned int		refs;
	unsigned int		state;
	unsigned long		name[6];
	union {
		unsigned long	rx_bytes;
		void		*next_free;
	};
	unsigned long		peer;
	unsigned long		stats[4];
	unsigned long		last_seen;
	unsigned char		page[64];
	unsigned char		map[60];
};
