struct job {
	char kind;
	long value;
	char state;
};
struct queue {
	int length;
	struct job first, second;
};
