enum mode { IDLE, BUSY, CLOSED };

/* A counter of 32 bits would bring it to one line. */
struct queue {
	unsigned long	head;
	unsigned long	tail;
	unsigned long	mask;
	void		*slots;
	unsigned long	pushed;
	unsigned long	popped;
	void		*owner;
	unsigned long	full;
	unsigned int	waiters;
};

/* The enum and the truth value cost eight bytes; the address and the time stay as they are. */
struct peer {
	void		*next;
	enum mode	mode;
	int		is_open;
	long long		seen;
	unsigned char	kind;
};

/* Nothing to gain: four bytes less are padding. */
struct pair {
	void		*first;
	unsigned long	second;
	void		*third;
};
