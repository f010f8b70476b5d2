struct s {
	char k;
	int lo[4];
	int hi[4];
	char z;
	long q;
};
