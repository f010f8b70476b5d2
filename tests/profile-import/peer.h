struct peer {
	struct peer *next;
	unsigned long key;
	struct {
		int hits;
		int misses;
	} stats;
	union {
		unsigned int flags;
		unsigned short half[2];
	};
	char name[16];
	int refs;
	long stamp;
};
