/* All that may leave would leave an empty struct behind; the counter alone is what pays. */
struct conn {
	unsigned long		id;
	unsigned long		peer;
	union {
		struct {
			unsigned int	refs;
			unsigned int	spare[9];
		};
		void		*next_free;
	};
	unsigned long		name[8];
};

/* One line without room: only with a member at the start of another line do the counters leave the keys. */
struct flow {
	unsigned long		key;
	unsigned long		hits;
	union {
		struct {
			unsigned long	bytes;
			unsigned long	route;
		};
		void		*next_free;
	};
};
