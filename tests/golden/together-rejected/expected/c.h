struct c {
	char kind;
	char state;
	long value;
	long next;
};
