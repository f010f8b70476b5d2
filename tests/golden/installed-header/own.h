struct own {
	char state;
	long bytes;
	char kind;
};
