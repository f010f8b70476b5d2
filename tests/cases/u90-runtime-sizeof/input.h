struct s {
	char k;
	int a;
	char b;
};
