struct s {
	char k;
	int a;
	int b;
	int c;
	char z;
};
