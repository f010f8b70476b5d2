struct job {
	char kind;
	long value;
	char state;
};
struct queue {
	void (*run)(void *, int);
	void *arg;
};
