struct ops {
	char kind;
	long (*get)(long);
	char state;
	long (*put)(long);
	const char *name;
};
struct event {
	char mask;
	struct ops ops;
};
