struct conn {
	int key;
	int count;
};

struct pair {
	struct conn two[2];
};
