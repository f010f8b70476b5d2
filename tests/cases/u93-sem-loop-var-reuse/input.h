struct s {
	char k;
	int a[4];
	char z;
	int b[8];
	char y;
	long q;
};
