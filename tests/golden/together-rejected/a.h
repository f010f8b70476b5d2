struct a {
	char kind;
	long value;
	char state;
	long next;
};
