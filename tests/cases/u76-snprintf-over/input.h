struct s {
	char k;
	char a[4];
	char b[4];
	char z;
	long q;
};
