struct c {
	char kind;
	long value;
	char state;
	long next;
};
