struct eviction {
	char kind;
	long when;
	short flags;
};
struct entry {
	long size;
	union {
		char end;
	} data[];
};
