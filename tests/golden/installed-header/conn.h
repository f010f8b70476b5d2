struct conn {
	char state;
	long bytes;
	char kind;
};
