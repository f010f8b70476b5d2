struct s {
	char a;
	long b;
	char c;
};
