struct slot {
	long value;
	int owner;
	int spare[3];
};

struct pool {
	int limit;
	long used[8];
	char name[160];
};
