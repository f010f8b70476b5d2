struct cmd {
	const char *name;
	char k;
	long v;
	char z;
};
