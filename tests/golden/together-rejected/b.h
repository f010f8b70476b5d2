struct b {
	char kind;
	long value;
	char state;
	long next;
};
