struct conn {
	/* the socket layer relies on this being first */
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
};
