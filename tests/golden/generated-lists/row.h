struct row {
	char kind; /* of what */
	long key;
	char state;
};
