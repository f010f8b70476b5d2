struct a {
	char kind;
	char state;
	long value;
	long next;
};
