struct row {
	char kind;
	long count;
	char state;
};
