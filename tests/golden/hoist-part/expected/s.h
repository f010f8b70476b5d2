/* All that may leave would leave an empty struct behind; the counter alone is what pays. */
struct conn {
	unsigned int		refs;
	union {
		struct {
			unsigned int	spare[9];
		};
		void		*next_free;
	};
	unsigned long		name[8];
	unsigned long		id;
	unsigned long		peer;
};

/* One line without room: only with a member at the start of another line do the counters leave the keys. */
struct flow {
	unsigned long		key;
	union {
		struct {
			unsigned long	route;
		};
		void		*next_free;
	};
	unsigned long		hits __attribute__((aligned(64)));
	unsigned long		bytes;
};
